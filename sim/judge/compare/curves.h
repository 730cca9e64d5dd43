// Measured curves: the times of one collective on p ranks over the sizes, as logs have them.
#pragma once
#include "measurements/logs/logs.h"

typedef struct Curve {
    GPtrArray *points; // of const LogSample *, by rising size, each size once
} Curve;

static inline const LogSample *curve_at(const Curve *curve, guint i)
{
    return g_ptr_array_index(curve->points, i);
}

// Returns the curves (of Curve *) in logs (of Log *), which must outlive them. The samples of a curve agree in all but
// the size, the time and the sweep; of several times of one size, the least counts. `notes` (of char *) gets a line for
// each kind of row that is passed over: rows without a collective, rows with one rank, no bytes or no time, and
// reductions of a part of an element, which no program can measure. Returns NULL and an error if no curve is left. Free
// with g_ptr_array_unref.
GPtrArray *curves_new(const GPtrArray *logs, GPtrArray *notes, GError **error);
