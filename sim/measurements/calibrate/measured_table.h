// From measured times to a table of the model measured: every measured size becomes a point.
#pragma once
#include "machine/platform/table.h"

// The size of a message and its time, as a row of a log gives them.
typedef struct MeasuredPoint {
    uint64_t bytes;
    double time_s;
} MeasuredPoint;

// Returns a table of the points (of MeasuredPoint, in any order; they become sorted), or NULL if they have no time that
// is above 0. Free with table_free.
//
// - Several times of one size give their median.
// - A first size that took longer than the second one was measured cold, and is dropped.
// - The table becomes non-decreasing from the largest size down: no size takes longer than a larger one.
// - A table cannot have more than TABLE_MOST points; of more sizes, every k-th one stays, and the last.
//
// `notes` (of char *) gets a line if a size is dropped or moved by more than 5 %; the line begins with `name`.
Table *measured_table(GArray *points, const char *name, GPtrArray *notes);

// Sorts the points by size, and returns how many different sizes they have.
guint measured_table_sizes(GArray *points);
