// Nodes for tests, which nobody has to free.
#pragma once
#include "registry/registry.h"

typedef enum {
    NODES_BLOCK,  // runs of k consecutive ranks; the last one may be shorter
    NODES_CYCLIC, // rank r is on node r mod N, N = ceil(p / k)
    NODES_RUNS,   // runs of 1 to 2k - 1 consecutive ranks, at random
    NODES_RANDOM, // every rank is on a random one of at most ceil(p / k) nodes
} NodesKind;

// Returns nodes, or NULL if k is 0. They are the same in every run, and live until the program ends.
const CollNodes *nodes_kept(NodesKind kind, int p, int k);
// Returns nodes of k consecutive ranks each, or NULL if k is 0. They live until the program ends.
const CollNodes *nodes_of(int p, int k);
// Returns nodes of 3 consecutive ranks each; of 4 if the algorithm itself runs with its defaults on these, and not on the
// others. They live until the program ends.
const CollNodes *nodes_suited(const CollAlgorithm *a, int p);
// Returns the node of every rank, as "0,0,1,1", or "none"; free with g_free.
char *nodes_text(const CollNodes *nodes);
