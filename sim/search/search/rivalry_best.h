// Two algorithms against each other, each with its best parameters and parts at every size.
#pragma once
#include "search/search/rivalry.h"

enum { RIVALRY_BEST_LARGEST = 16 << 20 }; // no larger sizes are tried

// Sets x->settings: the parameters with which each of the two is the fastest at some size, as the search for the best
// of the two finds it at sizes of 1, 8, 64 .. elements, up to `most` bytes. Those of one size may be the best up to the
// next ones on both sides, and the defaults everywhere. Where the search shows that one of the two cannot win, it does
// not look for the best parts of that one. Returns FALSE and an error if the search fails.
gboolean rivalry_find_settings(Rivalry *x, size_t most, GError **error);
// Runs the i-th algorithm with those of its settings that may be the best at m bytes, and returns the fastest run; the
// first of equals. Returns NULL if it can run with none of them, or if *error is set. Free with point_free.
Point *rivalry_fastest(const Rivalry *x, int i, size_t m, GError **error);
