// What a contest tries: values of the parameters of each algorithm, and the least time that each can be hoped to take.
#pragma once
#include "search/points.h"

// An algorithm with values of its parameters with which it runs under its own name.
typedef struct Try {
    int algorithm; // its place in the registry
    CollParams par;
    double least_s;           // the least time to expect, in seconds: by its form, or by its text if it has no form
    gboolean by_form;         // least_s is not an estimate but the time if all blocks and segments are of equal length
    size_t shortest, longest; // lengths to try for uneven segments, in elements; 0: try `par` only
    int oddity, number;       // of equal tries the less odd comes first, then the one with the lower number
} Try;

// Makes all tries on p ranks with m bytes, the most promising first and those of uneven segments last. Returns NULL and
// an error on bad input. Free with g_array_unref.
GArray *tries_make(const Request *request, int p, size_t m, GError **error);
// Returns the parameter that cuts messages into segments; NULL if the algorithm has none.
const CollParam *tries_segment_param(const CollAlgorithm *a);
