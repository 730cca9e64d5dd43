// Calibration of the model measured: from times of messages and of collectives to tables, gaps and costs of work.
//
// A row of a log says what it determines by its part: `one`, `step` or `gap` of a level. Rows of collectives whose time is k
// equal steps (a pipelined bcast, a ring, dissemination ..) give points of a table, time/k at the step's size; other
// collectives fit what is still missing.
#pragma once
#include "calibrate/calibrate.h"

// The result. Everything is owned by it.
typedef struct MeasuredFit {
    Platform *platform; // with [measured], and with [node] if the rows determine what ranks share
    GPtrArray *used;    // of char *: which rows calibrated which table, a line each
    GPtrArray *assumed; // of char *: which parts are defaults, a line each
    GPtrArray *notes;   // of char *: points that were moved to make a table monotone, rows that were dropped
    gboolean *uses_row; // by row of the argument `rows`: it calibrated, so it must not be scored
} MeasuredFit;

// Calibrates from logs (of Log *) and the collectives in them (of CalibrateRow); both must outlive the result. `assumed`
// has levels, and figures that are taken as they are. Returns NULL and an error if no table can be determined, or if
// rows contradict each other: different machines, levels or runs. Free with measured_fit_free.
MeasuredFit *measured_fit(const GPtrArray *logs, const GArray *rows, const Platform *assumed, GError **error);
void measured_fit_free(MeasuredFit *fit); // NULL is allowed
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MeasuredFit, measured_fit_free)
