// Checks the contents of an algorithm over a grid of points: every root, many sizes, both kinds of operation, in place,
// counts, nodes and parameters.
#pragma once
#include "judge/prove/contents.h"
#include <glib.h>

typedef struct ContentsGrid {
    int all_to;           // p is 1 .. all_to
    const int *beyond;    // and these
    int n_beyond;         // how many they are
    int both_elements_to; // up to this p, all sizes are tried with elements of 1 and of 8 bytes
} ContentsGrid;
extern const ContentsGrid contents_grid; // up to 127 ranks

typedef struct ContentsTally {
    long cases, fallbacks, refused; // points that ran, of these by the fallback; points whose need is not met
    char *wrong;                    // the first error, with its point; NULL if there is none; free with g_free
} ContentsTally;

// Checks the algorithm at the points of the grid, until the first error.
void contents_prove(const CollAlgorithm *a, const ContentsGrid *grid, ContentsTally *tally);
