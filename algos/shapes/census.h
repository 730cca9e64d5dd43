// The census: n members have a vector each, and ceil(log2 n) rounds give all of them the sum, for any n. The members
// stand in a ring. The sum that a member has grows from itself to those behind it: to twice as many in a round, or to
// twice as many less one.
//
// Example, n = 5: the sums have 1, then 2, 3 and 5 members. For 2, a member gets the vector of the next one behind it,
// and for 5 the sum of the 2 members from the third one on. For an odd number it gets the `rest` of the member with
// which its own sum ends: the sum that this member has without the member itself.
//
// The source is Bar-Noy, Kipnis, Schieber 1993.
#pragma once
#include "api/blocks.h"

typedef struct CensusRound {
    int distance; // a member gets a vector from the member as far behind it
    int members;  // the number of members that its sum has after the round
    int blocks;   // the number of blocks that the vector has, see census_run
    bool rest;    // the rests are sent, not the sums
    bool keep;    // what comes is added to the rest too, because a later round sends it
} CensusRound;
typedef struct Census {
    int rounds; // ceil(log2 n)
    int stride; // the next member behind a rank is as far before it
    bool slides;
    CensusRound round[32];
} Census;
// Return the rounds for n >= 1 members. In a ring, the members are n ranks, n stride = p, and their vector is a block.
// In a line, a rank's vectors are n blocks. Each of them has members of its own: the caller and the n-1 ranks before it.
// To these, the block is a later one, by 1 to n-1. They take part in the sums of other blocks too, so that each rank
// begins with 2n-1 blocks, and has fewer in each round.
Census census_ring(int n, int stride);
Census census_line(int n);
// Takes the rounds, for the first blocks of `sum`. Where a member needs both, the sum and the rest, the next round sends
// one of them; with `overlap`, the other one grows while the messages of that round travel. The operation must be
// commutative.
void census_run(const Coll *c, const Census *x, const Blocks *sum, bool overlap);

// The rounds of a census that sums up `radix` times as many ranks, or nodes, in each: after round i, a sum is that of
// n[i + 1] of them, itself and those behind it. It has `terms` sums of n[i], its own one first. The last `shorter` of
// these would have one too many, so they are rests, sums without the rank itself.
enum { CENSUS_ROUNDS = 31 };
typedef struct CensusPlan {
    int rounds;
    int n[CENSUS_ROUNDS + 1];
    int terms[CENSUS_ROUNDS], shorter[CENSUS_ROUNDS];
    bool rest[CENSUS_ROUNDS]; // a later round sends rests
} CensusPlan;
// Returns the plan for n >= 1 ranks, radix >= 2, with the fewest rounds.
CensusPlan census_plan(int n, int radix);
// Returns how far behind the caller the j-th term of round i begins, and sets *rest if it is a rest.
int census_behind(const CensusPlan *x, int i, int j, bool *rest);
