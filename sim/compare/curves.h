// Measured curves: the times of one collective on p ranks over the sizes, as logs have them.
#pragma once
#include "logs/logs.h"

// A size of a curve, and what was measured.
typedef struct CurvePoint {
    size_t bytes;
    double time_s; // the log's time, divided by its factor: the time of one run of the collective
    guint line;    // of the log
} CurvePoint;

typedef struct Curve {
    const Log *log;
    const LogSample *sample; // its first one, which says all that its samples have in common
    GArray *points;          // of CurvePoint, by rising size, each size once
} Curve;

// Returns the curves (of Curve *) in logs (of Log *), which must outlive them. The samples of a curve agree in all but
// the size, the time and the sweep; of several times of one size, the least counts. `notes` (of char *) gets a line for each kind of row that is passed over: those that
// are not of a collective, of one rank, of no bytes or of no time, and reductions of a part of an element, which no program
// can measure.
// Returns NULL and an error if no curve is left. Free with g_ptr_array_unref.
GPtrArray *curves_new(const GPtrArray *logs, GPtrArray *notes, GError **error);
