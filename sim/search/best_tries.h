// What the search of `best` tries: values of parameters, and what each can be hoped to take.
#pragma once
#include "search/points.h"

// An algorithm with values of its parameters, with which it runs under its own name.
typedef struct Try {
    int algorithm; // its place in the registry
    CollParams par;
    double least_s;           // it takes no less: by its closed form, or where there is none by its text
    gboolean by_form;         // exactly so if all blocks and segments are alike
    size_t shortest, longest; // segments of so many elements, the last one shorter, are to be tried; 0: only par
    int oddity, number;       // of equal ones the less odd comes first, then that with the lower number
} Try;

// All that may be the best ones on p ranks with m bytes, in the order in which they can be hoped to be, uneven ones last;
// free with g_array_unref. NULL and an error.
GArray *tries_make(const Request *request, int p, size_t m, GError **error);
// The one that cuts messages into segments; NULL: the algorithm has none.
const CollParam *segment_param(const CollAlgorithm *a);
