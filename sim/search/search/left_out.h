// What a ranking leaves out: algorithms that have no time at a place, and why. An algorithm that can run there and is
// only slower than others is not left out.
#pragma once
#include "search/search/tries.h"

// What a search has found out about an algorithm that is not in its ranking.
typedef struct LeftOutSearch {
    gboolean seen;   // a try has met its needs
    gboolean ran;    // .. and has run
    gboolean ranked; // .. and ended, or took too long to be of use
    GError *refused; // why the first try that was refused was; NULL if none was
} LeftOutSearch;

// Returns points without a prediction (Point *) for what a search on p ranks with m bytes leaves out, in the order of
// the registry or of the library; `why` says the reason. `search` has an entry for each number of an algorithm. Returns
// NULL and an error on bad input. Free with g_ptr_array_unref.
GPtrArray *left_out_points(const Request *r, int p, int per_node, size_t m, const LeftOutSearch *search,
                           GError **error);
// A text that says what was left out at several places.
typedef struct LeftOut LeftOut;
LeftOut *left_out_new(void);
// Counts that an algorithm was left out at one more place.
void left_out_add(LeftOut *x, const char *name, const char *why);
// Counts this of all points that left_out_points has returned for one place.
void left_out_add_points(LeftOut *x, const GPtrArray *points);
// Returns the text for this many places, and frees x: "a, b (p is odd); c (count < p) at 2 of 3 points". NULL if
// nothing was left out. Free with g_free.
char *left_out_end(LeftOut *x, guint places);
