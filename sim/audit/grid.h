// Where claims are judged: p = 2 .. 33, 64, 100, 127, 128, 1000, 1024, and what is next to the powers of two; messages
// that p, and 2^floor(log2 p), divide; S = 1, 2, 4, ceil(log2 p), p segments; k = 2, 3, 4, 8, sqrt(p) (a number of
// chains: 1, 2, 4, sqrt(p), p-1). S, k and other parameters vary where the claim names them. refine: 1, or 2 for a grid
// twice as fine and twice as far.
#pragma once
#include "audit/claim.h"
#include "model/model.h"

// Points of more messages are left out: they would tell nothing that fewer do not.
double grid_max_messages(int refine);

// int, rising but for the last ones; free with g_array_unref.
GArray *grid_ranks(const Claim *claim, int refine);

// Points of a family differ in p alone: the numbers of its values of S, k and the other parameters, and a factor of m.
typedef struct Family {
    int S, k, params, size;
} Family;
// Of Family; free with g_array_unref.
GArray *grid_families(const Claim *claim);

// The point of a family at p: sample's p, m, S and k, and the parameters. False: it has none there.
bool grid_place(const Claim *claim, const Family *family, int p, int refine, Sample *sample, CollParams *par);

// The operation of a point. Its algorithm is the one that runs there; `*why` (static) tells why that is another.
Operation grid_operation(const CollAlgorithm *a, const CollParams *par, int p, double m, const char **why);

// Along what p do powers of two, 2^d-1, 2^d+1 and others grow? Three each, every one eight times the one before it.
enum { TAILS = 4, TAIL = 3 };
int grid_tail_ranks(int tail, int i, int refine);
