// Spreads from measurements: how far measured times lie from predicted ones, by family (registry/spread.h).
//
// The middle is the median of ln(measured / predicted) over all rows, because a factor that all times share changes no
// comparison of two algorithms. The deviation of a family is the distance from the middle that 68.3 % of its rows are
// within. That is the standard deviation of normal errors, and a few rows that are far off do not change it. It has the
// noise of the measurements in it, which sure.h adds by itself, so the spread is what is left without SPREAD_NOISE.
#pragma once
#include "machine/platform/platform.h"

typedef struct SpreadRow {
    int family; // spread_family
    double log; // ln(measured / predicted)
} SpreadRow;

typedef struct SpreadFound {
    guint rows;
    double deviation; // NAN without rows
    double spread;    // .. without the noise, from SPREAD_LEAST to SPREAD_MOST
} SpreadFound;

// A spread from fewer rows of a family says too little.
enum { SPREAD_LEAST_ROWS = 10 };

// Adds a row (SpreadRow) of an algorithm with this name, unless a time is not known.
void spreads_add(GArray *rows, const char *algorithm, double measured_s, double predicted_s);
// Finds the spreads of rows (of SpreadRow).
void spreads_find(const GArray *rows, SpreadFound found[N_SPREADS]);
// Sets the spreads of a platform to those that have SPREAD_LEAST_ROWS or more, and the source to a text that names
// `what` the rows are and how many a family has. Returns FALSE and changes nothing if no family has so many.
gboolean spreads_set(Platform *platform, const SpreadFound found[N_SPREADS], const char *what);
// Returns "bruck 3, ring 9": the families that have rows, but fewer than SPREAD_LEAST_ROWS. Returns NULL if there are none.
// Free with g_free.
char *spreads_few(const SpreadFound found[N_SPREADS]);
