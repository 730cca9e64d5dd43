// The circulant graph: rank r sends to the ranks r + skip[k], k = 0 .. q-1; skip[k] is about p / 2^(q-k).
#pragma once
#include "api/blocks.h"

typedef struct Circulant {
    int p, q; // q = ceil(log2 p)
    int skip[33];
} Circulant;
Circulant circulant_graph(int p);

// Reduces block i to rank i in q rounds, the farthest peer first. Returns the p blocks from the caller's own one on;
// only that first one is done.
Blocks circulant_reduce_scatter(const Coll *c, const Blocks *in);
// Takes the same rounds backwards: of the blocks from the caller's own one on, `have` holds that one; all p blocks go
// to `out`.
void circulant_allgather(const Coll *c, const Blocks *have, const Blocks *out);

// A broadcast of n blocks in n-1+q rounds; backwards it is a reduction. Rounds come in groups of q.
//
// Fills block[0 .. q-1]: in round k of each group, block[k] arrives at v, from v - skip[k]. Numbers count from the
// first block that the root begins with in the group; -q .. -1 are blocks of earlier groups.
void circulant_receives(const Circulant *x, int v, int *block);
typedef struct CirculantSchedule {
    Circulant graph;
    int v, n, rounds;
    int before; // rounds left out at the beginning, so that the last group is complete
    int send[32], recv[32];
} CirculantSchedule;
typedef struct CirculantRound {
    int to, from;   // ranks; -1 if there is none
    int send, recv; // blocks
} CirculantRound;
CirculantSchedule circulant_schedule(const Coll *c, int n);
CirculantRound circulant_round(const Coll *c, const CirculantSchedule *x, int i);
// The k of round i.
int circulant_k(const CirculantSchedule *x, int i);
// The block that an entry of the schedule means in round i: -1 if it is not yet begun, the last block if the entry lies
// beyond it.
int circulant_block(const CirculantSchedule *x, int i, int entry);
