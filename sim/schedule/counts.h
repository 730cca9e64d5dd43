// How long the ranks' blocks of a v-collective are: named distributions, and files.
#pragma once
#include "coll.h"
#include <glib.h>

// The mean is m wherever it can be, rounded to whole elements.
typedef enum {
    COUNTS_EQUAL,      // m each
    COUNTS_LINEAR,     // rank i: 2 m (i + 1) / (p + 1)
    COUNTS_ONE_BIG,    // the last rank has all p m bytes
    COUNTS_RANDOM,     // uniform in 0 .. 2 m, drawn by a seed
    COUNTS_ZERO_HOLES, // even ranks 2 m, odd ones nothing
    N_COUNTS
} CountsKind;
extern const char *const counts_names[]; // by CountsKind, NULL-terminated

// What is asked for, for any p and m.
typedef struct CountsSpec {
    CountsKind kind;
    uint32_t seed;
    GArray *file; // size_t, bytes of each rank; NULL: by kind
    bool gaps;    // an element lies unused before each block
} CountsSpec;

// "linear", "random:7", or the name of a file of one number of bytes per line; NULL: equal. False and bad input.
gboolean counts_parse(const char *text, CountsSpec *spec, GError **error);
void counts_clear(CountsSpec *spec);

// Makes the blocks of p ranks, of m bytes in the mean (p m < 2^62). *counts is NULL if all blocks are alike and touch;
// free it with counts_free. Returns false and bad input if a file does not have p numbers, if one of them is not a whole
// number of elements, or if p times the bytes of all blocks and gaps reach 2^62.
gboolean counts_make(const CountsSpec *spec, int p, size_t m, size_t elem, CollCounts **counts, GError **error);
// Of p lengths and p + 1 places, made with g_new, which they take.
CollCounts *counts_take(size_t *len, size_t *at);
void counts_free(CollCounts *counts);
