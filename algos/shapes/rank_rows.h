// A grid of ranks: rows of at least K consecutive v (counted from the root), as equal as they can be. The first K ranks
// of a row own one of K parts of the vector each, and the owners of the same part are a column. Ranks that own nothing
// give and get parts all the same, so that a grid serves any number of ranks.
//
// Example, p = 7, K = 3: the rows are 0 1 2 and 3 4 5 6, the columns 0 3, 1 4 and 2 5; rank 6 owns nothing.
#pragma once
#include "api/blocks.h"

typedef struct RankRows {
    int K, rows;
    int row, first, n; // the caller's row, its first v, and its number of ranks
    int i;             // the caller's number in its row; it owns part i if i < K
} RankRows;
// Returns the grid of rows of at least par.chains ranks, or of one row.
RankRows rank_rows_of(const Coll *c);
// Returns the view of the caller's column, numbered by rows; the caller must own a part.
Coll rank_rows_column(const Coll *c, const RankRows *g);
// Every rank sends its part j of c->in to owner j of its row, and the owners add up what comes, in `sum`. The operation
// must be commutative.
void rank_rows_reduce(const Coll *c, const RankRows *g, Slice sum);
// Every owner sends its part of c->out to the other ranks of its row; all of them have c->out then.
void rank_rows_gather(const Coll *c, const RankRows *g);
// Writes the caller's place in its row and in the postal tree of its column, as CollAlgorithm.pattern does. Returns 0,
// too, if the rows are not of equal length.
int rank_rows_pattern(const Coll *c, int *x);
