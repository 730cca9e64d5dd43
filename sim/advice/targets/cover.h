// The fewest rows that name a good choice at each of some sizes. A row is an interval of sizes and a choice; of the
// rows that have a size, the first decides, so rows may lie in others: three sizes for which a, b and a are good take
// two rows,
//
//     2..2 b
//     1..3 a
//
// Where no row has a size, the usual choice runs, number 0.
#pragma once
#include <glib.h>

enum { COVER_MOST = 256 }; // sizes

typedef struct CoverRow {
    guint first, last; // sizes, both included
    guint choice;      // 1 or above
} CoverRow;

// Finds the rows (CoverRow) for n sizes and choices 0 .. n_choices-1: as few as possible, and of those with the least
// cost. good[size * n_choices + choice] says which are good at a size, and cost[..] what they cost there; each size
// must have a good one. If `nested` is FALSE, no two rows have a size in common. The result is exact, and takes n^3
// n_choices steps. Returns an array in the order in which the rows decide; free with g_array_unref.
GArray *cover_rows(guint n, guint n_choices, const gboolean *good, const double *cost, gboolean nested);
