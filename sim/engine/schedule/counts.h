// The blocks of a v-collective, one for each rank: their lengths, from a named distribution or from a file, and where
// they lie in the buffer that holds all of them.
#pragma once
#include "coll.h"
#include <glib.h>

// The distributions. Before lengths are rounded down to whole elements, their mean is m, with two exceptions: lengths
// of COUNTS_RANDOM have this mean only on average over the seeds, and lengths of COUNTS_ZERO_HOLES only for even p.
typedef enum {
    COUNTS_EQUAL,      // m bytes each
    COUNTS_LINEAR,     // rank i has 2 m (i + 1) / (p + 1) bytes
    COUNTS_ONE_BIG,    // the last rank has all p m bytes, the others none
    COUNTS_RANDOM,     // uniform in 0 .. 2 m, drawn with a seed
    COUNTS_ZERO_HOLES, // even ranks have 2 m bytes, odd ones none
    N_COUNTS
} CountsKind;
extern const char *const counts_names[]; // by CountsKind, NULL-terminated

// What a user asked for; it holds for any p and m. All zero means equal blocks.
typedef struct CountsSpec {
    CountsKind kind;
    uint32_t seed;
    GArray *file; // of size_t, the bytes of each rank's block; NULL if `kind` gives the lengths
    GArray
        *displs; // of size_t, the byte at which each rank's block begins; NULL if the blocks lie in the order of ranks
    bool gaps;   // .. with one unused element before each block
} CountsSpec;

// Reads the value of --counts into *spec, which must be all zero: a name ("linear"), "random:7" with a seed ("random"
// alone has seed 0), or the name of a file with one number of bytes per line, where # begins a comment; "-" is standard
// input. NULL means equal. Returns FALSE and a bad-input error for anything else, and for a file with more than `most`
// numbers, the largest number of ranks. Free what *spec holds with counts_clear.
gboolean counts_parse(const char *text, size_t most, CountsSpec *spec, GError **error);
// Reads the value of --displs into *spec in the same way: "consecutive", "gaps", or the name of a file with one number
// of bytes per line, where the block of each rank begins. NULL means consecutive.
gboolean counts_parse_displs(const char *text, size_t most, CountsSpec *spec, GError **error);
void counts_clear(CountsSpec *spec);

// Makes the blocks of p ranks, of m bytes in the mean (p m < 2^62). *counts is NULL if all blocks are alike and touch;
// free it with counts_free. Returns false and bad input if a file does not have p numbers, if one of them is not a
// whole number of elements, if blocks overlap, or if p times the bytes of all blocks and gaps reach 2^62.
gboolean counts_make(const CountsSpec *spec, int p, size_t m, size_t elem, CollCounts **counts, GError **error);
// Returns a rank whose block shares bytes with that of another rank, which *other becomes, or -1 if there is none. The
// blocks have len[i] bytes from at[i] on, i < p, and at[i] + len[i] does not wrap.
int counts_overlap(const size_t *len, const size_t *at, int p, int *other);
// Makes counts from p lengths and p + 1 offsets (CollCounts in api/view.h), which were made with g_new and which it
// takes over. Free with counts_free.
CollCounts *counts_take(size_t *len, size_t *at);
// Frees counts and both of their arrays; NULL is allowed.
void counts_free(CollCounts *counts);
