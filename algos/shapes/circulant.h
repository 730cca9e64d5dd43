// The circulant graph: rank r sends to the ranks r + skip[k], k = 0 .. q-1; skip[k] is about p / 2^(q-k). It serves any
// number of ranks in q = ceil(log2 p) rounds.
#pragma once
#include "api/blocks.h"

typedef struct Circulant {
    int p, q;     // q = ceil(log2 p)
    int skip[33]; // q + 1 of them are used, from skip[0] = 1 to skip[q] = p
} Circulant;
// Returns the graph of p >= 1 ranks.
Circulant circulant_graph(int p);

// Takes the first rounds of a reduce-scatter, the farthest peer first, 0 <= rounds <= q: what a rank has left of the
// x->p blocks in `acc`, which are turned by its rank, is the first skip[q - rounds]. There may be more ranks than
// blocks, if the number of blocks divides that of the ranks; rank r then has blocks r mod x->p and so on, each reduced
// over the ranks r - x->p + 1 .. r. The operation must be commutative.
void circulant_halve(const Coll *c, const Circulant *x, int rounds, const Blocks *acc);
// Takes the same rounds. A rank first reduces what the next round sends, and reduces the rest while that travels.
void circulant_halve_overlap(const Coll *c, const Circulant *x, int rounds, const Blocks *acc);
// Takes these rounds backwards, without reducing: each rank gets the blocks that it has not.
void circulant_halve_back(const Coll *c, const Circulant *x, int rounds, const Blocks *have);

// Copies the vector's blocks to `turned`, in its order, or back.
void circulant_turn(const Coll *c, const Blocks *turned, const Blocks *vector, bool back);

// Reduces block i of `in` to rank i, in q rounds, the farthest peer first. Returns p blocks in the order r, r+1 .. mod
// p for the caller's rank r (blocks_turned); block 0 is the caller's result, the others are unfinished. With `overlap`
// the rounds are those of circulant_halve_overlap. The operation must be commutative.
Blocks circulant_reduce_scatter(const Coll *c, const Blocks *in, bool overlap);
// Brings every rank's block to all ranks, by the rounds of circulant_reduce_scatter backwards. `have` has room for p
// blocks in the order r, r+1 .. mod p (blocks_turned); block 0 is the caller's own. The function receives the other
// blocks into `have`, and copies all p blocks to their places in `out`.
void circulant_allgather(const Coll *c, const Blocks *have, const Blocks *out);

// A broadcast of n blocks takes n-1+q rounds; backwards it is a reduction. Rounds come in groups of q, and in every
// group the root sends q new blocks.
//
// Finds the blocks that v, 0 <= v < p, receives in a group: in round k, k = 0 .. q-1, v receives block[k] from
// v - skip[k]. Blocks are numbered within the group: the root sends block k in round k, and -q .. -1 are the blocks of
// the group before. Exactly one of the q numbers is not negative, and modulo q they are all different, so v receives
// every block once. For the root, v = 0, the numbers mean nothing, because it receives nothing.
//
// Example: p = 5, q = 3. Rank 1 receives 0 -1 -2, rank 2 receives -3 1 -1, rank 3 receives -2 -3 2, and rank 4 receives
// -1 -2 0. In round 0 of the second group, rank 2 therefore receives block -3 + 3 = 0 from rank 1, which received this
// block from the root in round 0 of the first group.
void circulant_receives(const Circulant *x, int v, int *block);
// What one rank sends and receives in the broadcast of n blocks.
typedef struct CirculantSchedule {
    Circulant graph;
    int v, n, rounds;       // the caller's v, the number of blocks, and the number of rounds
    int before;             // number of rounds left out at the beginning, so that the last group is complete
    int send[32], recv[32]; // for each round of a group: blocks, numbered as by circulant_receives
} CirculantSchedule;
// What the rank does in one round.
typedef struct CirculantRound {
    int to, from;   // ranks; -1 if nothing is sent or received
    int send, recv; // blocks, 0 .. n-1
} CirculantRound;
// Returns the caller's schedule for n >= 1 blocks; it has no rounds if p = 1.
CirculantSchedule circulant_schedule(const Coll *c, int n);
// Returns the caller's peers and blocks in round i = 0 .. rounds-1.
CirculantRound circulant_round(const Coll *c, const CirculantSchedule *x, int i);
// Writes what makes the caller's rounds differ from those of other ranks, as CollAlgorithm.pattern does: whether the
// rank sends and receives in the first and in the last rounds, and whether this is the last block, which may be
// shorter. In the rounds between, all ranks do the same as in the first ones, except for blocks that are as long.
int circulant_pattern(const Coll *c, const CirculantSchedule *x, int *pattern);
// Returns the number k of round i within its group, 0 .. q-1. The peers of the round are skip[k] away.
int circulant_k(const CirculantSchedule *x, int i);
// Returns the block that the number 0 means in the group to which round i belongs; it is below 0 if rounds of that
// group are left out.
int circulant_group(const CirculantSchedule *x, int i);
// Returns the block, 0 .. n-1, that `entry`, an element of send[] or recv[], means in a group. Returns -1, so that
// nothing is sent, if the number lies before the first block. A number beyond the last block means the last block,
// which is then sent again.
static inline int circulant_block(const CirculantSchedule *x, int group, int entry)
{
    const int block = group + entry;
    return block < 0 ? -1 : block < x->n ? block : x->n - 1;
}
