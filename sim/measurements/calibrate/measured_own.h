// What the ranks' own work takes in a measured row: a row of equal steps is the time of its steps and of this.
#pragma once
#include "measurements/calibrate/calibration.h"

// Returns a machine on which messages cost nothing, so that a run there takes as long as the work on its longest chain:
// reductions, copies and the first use of buffers, as `assumed` has them. gamma is NAN if it is not known, which
// reductions are then free of. Returns NULL if no work costs anything. Free with platform_free.
Platform *measured_own_machine(const Platform *assumed, double gamma);
// How long own work takes, in s: until the last rank ends, and until the last one that is not the root. What a root does
// after it has sent its last message goes on while that message travels.
typedef struct MeasuredOwn {
    double all_s, others_s;
} MeasuredOwn;
// Finds the own work of a row on such a machine; there is none if it is NULL. Returns FALSE and an error if the row cannot
// be simulated.
gboolean measured_own_time(const Platform *machine, const CalibrateRow *row, MeasuredOwn *own, GError **error);
