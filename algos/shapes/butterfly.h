// Butterflies: the peers of each step, and recursive halving.
#pragma once
#include "api/blocks.h"

// Returns v's peer at place m = k^i among k^d ranks: a rank that differs from v only in that digit in base k. In the
// j-th of k-1 exchanges, j = 1 .. k-1, v sends to butterfly_digit_peer(v, k, m, j) and receives from
// butterfly_digit_peer(v, k, m, -j). If k is a power of two, both are the rank with v's digit xor j; otherwise they
// have the digits + j and - j mod k. Example: at place 1 in base 3, in the first exchange, rank 4 (11) sends to rank 5
// (12) and receives from rank 3 (10).
int butterfly_digit_peer(int v, int k, int m, int j);
// Returns v < P with its log2 P bits reversed, for a power of two P.
int butterfly_mirror(int v, int P);
// Returns the number of ranks that exchange at place m = k^i among n = f k^d ranks, f <= k: k, or f at the last place.
// butterfly_digit_peer with this number as k then makes exchanges among any such n ranks. Example: of 12 ranks with
// k = 4, groups of 4 exchange at place 1, and groups of 3 at place 4.
int butterfly_base(int n, int k, int m);
// Returns the number of rounds that par->halvings allows, h: at most floor(log2 p).
int butterfly_halvings(const CollParams *par, int p);
// Returns true if 2^rounds does not divide p. Pairs of ranks then fold before the rounds.
bool butterfly_folds(int p, int rounds);
// Reduces the ranks' vectors at[0] by halves. In round i = 0, 1 .. ranks r and r xor 2^i exchange halves of at[i], and
// each reduces the half that it keeps: at[i + 1]. Sums keep the order of the ranks. A rank first reduces what the next
// round sends, and reduces the rest while that travels. 2^rounds must divide p.
void butterfly_halve_in_order(const Coll *c, int rounds, Slice *at);
// Takes these rounds backwards, without reducing: each rank gets the halves that it has not.
void butterfly_halve_back(const Coll *c, int rounds, const Slice *at);
// Returns rank v's peer in step s = 0, 1 .. of Swing among an even number p of ranks: v + rho mod p if v is even, v -
// rho mod p if v is odd, where rho = 1, -1, 3, -5, 11 .. in steps 0, 1, 2 .. The source of the sequence is De Sensi et
// al. 2024.
int butterfly_swing_peer(int v, int s, int p);
// The steps ceil(log2 p)-1 .. 0 as an allgather: the caller gives its peer the blocks that the peer does not have yet.
// A reduce-scatter takes them backwards: it sends the blocks of `take` and reduces those of `give`.
typedef struct SwingStep {
    int peer, n;            // a rank, and the number of blocks that each of the two sends
    const int *give, *take; // n numbers of blocks each, in the same order at both ranks
} SwingStep;
// Finds the caller's steps for an even p, and returns their number. Every block comes once. If p is not a power of two,
// peers have some blocks in common in the last steps.
int butterfly_swing(const Coll *c, SwingStep step[32]);
// Completes recursive doubling if p is not a power of two. After the exchange at distance m, some ranks of the caller's
// group of m ranks may have had no peer; they receive in `got` what the others of the group got in the exchange.
void butterfly_serve_rest(const Coll *c, int m, Slice got);

// A vector of n = f k^d parts, f <= k, one for each rank of a group, that exchanges narrow down. Each exchange cuts
// what a rank has into k pieces (f at the last place) and leaves it the piece that one digit of its number in base k
// selects. The digits are used in the order of the places 1, k, k^2 .., or in the reverse order.
//
// Example, n = 8, k = 2: rank 3 (011) is left with parts 4-7, then 6-7, then 6 if `nearest`; else with 0-3, 2-3, 3.
typedef struct Parts {
    Blocks blocks;
    int n, k;     // the number of parts, each of blocks.n / n blocks (but see `doubled`), and the base
    int doubled;  // the first `doubled` parts have one block more
    bool nearest; // place 1 comes first, which keeps the order of the ranks; else the largest, and v keeps part v
    // Each exchange cuts what is left anew, and the upper half has the odd element, as in Open MPI's halving; for k = 2
    // and `nearest`. The parts then are not the blocks, unless these have equal lengths.
    bool cut_anew;
    bool skip_empty; // parts_halve does not send empty halves
} Parts;
// Returns what v has left after the exchange at place m = k^i.
Slice parts_left(const Parts *x, int v, int m);
// Returns the distance between peers in the i-th exchange, i = 0, 1 .., for k = 2.
int parts_distance(const Parts *x, int i);
// Recursive halving, for k = 2. Pairs exchange the half that the other rank keeps, and reduce the half that they keep,
// until each rank has the result of one part.
void parts_halve(const Coll *c, const Parts *x);
// The same for any k, if `nearest`: the ranks of a group send each other the piece that each of them keeps.
void parts_divide(const Coll *c, const Parts *x);
// Takes the steps of parts_halve backwards, without reducing: each rank gets the results of all parts.
void parts_halve_back(const Coll *c, const Parts *x);
