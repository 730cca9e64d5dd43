// Folds: the first and last steps that let an algorithm for a power of two (or of k) ranks run on any number of ranks.
#pragma once
#include "api/blocks.h"

// One rank's role in a fold. After the first step only 2^floor(log2 p) ranks play: they form a group and run the
// algorithm there. The other ranks wait for the result.
typedef struct Fold {
    int v;       // this rank's number in the group; -1 if it does not play
    int other;   // the neighbour that it is paired with; -1 if it has none
    CollMap map; // translates v to a rank
} Fold;
// Returns the caller's role. Among the first 2r ranks, r = p - 2^floor(log2 p), the even ones play under PRESTEP_OMPI
// and the odd ones under PRESTEP_MPICH. All other ranks play.
Fold fold_ranks(const Coll *c, CollPrestep prestep);
// Reduces acc of both ranks of each pair into acc of the rank that plays.
void fold_reduce(const Coll *c, const Fold *f, CollPrestep prestep, Slice acc);
// Sends the result to the ranks that did not play.
void fold_return(const Coll *c, const Fold *f, Slice result);
// Runs a whole allreduce: it folds, runs the text in place in `out` on the group of ranks that play, and returns the
// result to the others.
void fold_run(const Coll *c, CollPrestep prestep, void (*run)(const Coll *group));

// The same for powers of k = par.radix: only k^floor(log_k p) ranks play, or a multiple of that (fold_pairs).
typedef struct FoldRadix {
    int v, p;           // this rank's number in the group, -1 if it does not play; the number of ranks that play
    int leader;         // if v = -1: the rank that plays for this one
    int first, step, n; // if v >= 0: this rank plays for the n other ranks first, first + step ..
    CollMap map;        // translates v to a rank
} FoldRadix;
// Returns the caller's role if runs of consecutive ranks fold. The first ranks form runs of k ranks; the last run may
// be shorter. The last rank of each run plays for the other ranks of the run, and all ranks after the runs play for
// themselves. Example: p = 7, k = 3 has the runs 0-2 and 3-5 and rank 6, so ranks 2, 5 and 6 play.
FoldRadix fold_runs(const Coll *c);
// Returns the caller's role if, with P = k^floor(log_k p), each rank v < P plays for the ranks v + P, v + 2P ..
FoldRadix fold_beyond(const Coll *c);
// Returns the caller's role if pairs of ranks fold until f P ranks are left, P = k^floor(log_k p), f = floor(p/P). Of
// the first 2 (p - f P) ranks, the even ones play for the next rank. Example: p = 7, k = 3 has the pair 0-1, so ranks 0
// and 2 .. 6 play.
FoldRadix fold_pairs(const Coll *c);
// In the group of fold_pairs, returns the blocks of all ranks for which players v - v mod m .. + m-1 play.
Slice fold_pairs_blocks(const Coll *group, const Blocks *b, int v, int m);
// Reduces acc of the ranks that do not play into acc of the rank that plays for them. With fold_runs and
// fold_pairs the reduction keeps the order of the ranks.
void fold_radix_reduce(const Coll *c, const FoldRadix *f, Slice acc);
// Sends the result to the ranks that did not play.
void fold_radix_return(const Coll *c, const FoldRadix *f, Slice result);
// Runs a whole allreduce, like fold_run.
void fold_radix_run(const Coll *c, const FoldRadix *f, void (*run)(const Coll *group));
