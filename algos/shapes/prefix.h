// What one rank does in a scan or an exscan: a sequence of steps in which it sends the reduction that it has so far to
// a higher rank, and receives one from a lower rank.
#pragma once
#include "api/blocks.h"

// The state between steps. The result accumulates in `out`.
typedef struct Prefix {
    bool exclusive; // the operation is an exscan
    bool any;       // the rank has received something
    bool stale;     // `through` lacks what was received last; it is computed when the rank sends next
    Slice own;      // the rank's own vector
    Slice through;  // everything that the rank has received, reduced with its own vector; in a scan this is `out`
    Slice inbox;
} Prefix;
// Returns the rank's own vector, in a buffer to which it may be added.
Slice prefix_own(const Coll *c, bool exclusive);
// Begins a scan, or an exscan if `exclusive`.
Prefix prefix_begin(const Coll *c, bool exclusive);
// Sends `through` to rank `to`, and receives from rank `from` the reduction over the ranks right before those that the
// caller has. If `to` or `from` is not in 0 .. p-1, nothing is sent or nothing is received.
void prefix_step(const Coll *c, Prefix *s, int to, int from);

// Runs a scan, or an exscan if `exclusive`, along the line of ranks, in segments of par.segment bytes. A rank receives a
// segment and sends another one while it reduces.
void prefix_chain(const Coll *c, bool exclusive);
// Does the same with messages that have from_each >= 1 segments if they come from the rank before the caller, and
// to_each >= 1 if they go to the next rank.
void prefix_chain_joined(const Coll *c, bool exclusive, int from_each, int to_each);
// Runs a scan, or an exscan if `exclusive`, by recursive doubling, which also leaves the sum over all ranks, in their
// order, in `sum` at every rank. If p = 2^d + r, the first r ranks of even number first give their vectors to the next
// rank; at the end they get from it the sum, and before it what comes before the two. In place, c->in is c->out.
void prefix_and_sum(const Coll *c, bool exclusive, Slice sum);
// Runs an exscan in q = ceil(log2 p) rounds. In the first rounds, as few as will do, a rank sends the sum over itself
// and the ranks before it, as in a scan, to the rank at distance 1, 2, 4 .. After n of these it has the sum over the
// 2^n - 1 ranks before it; in the other rounds it sends this to the rank at that distance, which doubles.
void prefix_two_phase(const Coll *c);
// Returns the number of those first rounds: the least n with (2^n - 1) 2^(q-n) >= p - 1.
int prefix_inclusive_rounds(int p);
// Returns the distance at which the ranks send in round i, if there are this many of those first rounds.
int64_t prefix_distance(int inclusive, int i);
// Returns the smallest rank that does the same as this rank of p in prefix_two_phase.
int prefix_two_phase_same(int rank, int p);
