// Folds: what an algorithm for powers of two (or of k) does first and last at any other number of ranks.
#pragma once
#include "api/blocks.h"

// A pre-step after which only 2^floor(log2 p) ranks play, as v of a group of their own.
typedef struct Fold {
    int v;       // this rank's number in the group; -1 if it does not play
    int other;   // the neighbour that it is paired with; -1 if none
    CollMap map; // v's rank
} Fold;
// Of the first 2r ranks, r = p - 2^floor(log2 p), the even ones play under PRESTEP_OMPI, the odd ones under
// PRESTEP_MPICH. All other ranks play.
Fold fold_ranks(const Coll *c, CollPrestep prestep);
// Reduces acc of each pair into the rank that plays.
void fold_reduce(const Coll *c, const Fold *f, CollPrestep prestep, Slice acc);
// Gives the result back to those that did not play.
void fold_return(const Coll *c, const Fold *f, Slice result);
// A whole allreduce: folds, runs the text in place in `out` on the group that plays, and gives the result back.
void fold_run(const Coll *c, CollPrestep prestep, void (*run)(const Coll *group));

// The same for k = par.radix: only k^floor(log_k p) ranks play.
typedef struct FoldRadix {
    int v, p;           // this rank's number in the group, -1 if it does not play; the number of ranks that play
    int leader;         // the rank that plays for this one, if v = -1
    int first, step, n; // otherwise this rank plays for the n ranks first, first + step ..
    CollMap map;        // v's rank
} FoldRadix;
// Of each run of k consecutive ranks, the last one plays; one run may be shorter.
FoldRadix fold_runs(const Coll *c);
// Rank v plays for the ranks v + P, v + 2P .., P = k^d.
FoldRadix fold_beyond(const Coll *c);
// Reduces acc of those that stay out into the rank that plays; the order of the ranks is kept by fold_runs.
void fold_radix_reduce(const Coll *c, const FoldRadix *f, Slice acc);
void fold_radix_return(const Coll *c, const FoldRadix *f, Slice result);
// A whole allreduce, like fold_run.
void fold_radix_run(const Coll *c, const FoldRadix *f, void (*run)(const Coll *group));
