// Butterflies: who meets whom in each step, and recursive halving.
#pragma once
#include "api/blocks.h"

// Among k^d ranks, v's peers at place m = k^i differ from v in that digit in base k alone. In the j-th of k-1 exchanges
// v sends to butterfly_digit_peer(v, k, m, j) and receives from butterfly_digit_peer(v, k, m, -j). If k is a power of
// two, both have the digit xor j.
int butterfly_digit_peer(int v, int k, int m, int j);
// Swing: rank v's peer in step s = 0 .. d-1 of p = 2^d ranks: v + rho or v - rho mod p, rho = 1, -1, 3, -5, 11 ..
int butterfly_swing_peer(int v, int s, int p);
// Completes recursive doubling where p is not a power of two: after the exchange at distance m, the ranks of v's group
// of m that had no peer get what the others got, in `got`.
void butterfly_serve_rest(const Coll *c, int m, Slice got);

// A vector's n = k^d parts, one for each rank of a group. Each exchange cuts what a rank has into k pieces and leaves
// it the piece of its digit at one place; the places are taken in the order 1, k, k^2 .. or the reverse.
typedef struct Parts {
    Blocks blocks;
    int n, k;     // parts, each of blocks.n / n blocks
    int doubled;  // the first `doubled` parts have one block more
    bool nearest; // place 1 comes first, which keeps the order of the ranks; else the largest, and v keeps part v
} Parts;
// What v has left after the exchange at place m = k^i.
Slice parts_left(const Parts *x, int v, int m);
// The distance of the i-th exchange, for k = 2.
int parts_distance(const Parts *x, int i);
// Recursive halving, k = 2: pairs exchange the half that the other rank keeps, until each rank has one part, reduced.
void parts_halve(const Coll *c, const Parts *x);
// Takes the same steps backwards: each rank gets all parts.
void parts_halve_back(const Coll *c, const Parts *x);
