// The nodes of a run: which ranks are on which node. Hierarchical algorithms group ranks by it.
#pragma once
#include <stdbool.h>

// Nodes are numbered from 0 in the order of their lowest ranks or as a mapping numbers them; none is empty.
typedef struct CollNodes {
    int n;       // the number of nodes
    int *of;     // by rank: its node
    int *local;  // by rank: its number within its node; ranks of a node count in ascending order
    int *first;  // n + 1 numbers: node i has the ranks member[first[i]] .. member[first[i + 1] - 1], in ascending order
    int *member; // p ranks
} CollNodes;

// Returns the nodes of p >= 1 ranks. of[rank] is the rank's node, and every node from 0 to the largest has a rank. Free
// with coll_nodes_free.
CollNodes *coll_nodes_new(int p, const int *of);
// Returns nodes that are runs of k >= 1 consecutive ranks; the last one may be shorter. Free with coll_nodes_free.
CollNodes *coll_nodes_blocks(int p, int k);
void coll_nodes_free(CollNodes *nodes); // NULL is allowed
// Returns K if the nodes are runs of K consecutive ranks, where the last one may be shorter; otherwise 0.
int coll_nodes_block(const CollNodes *nodes);
// Returns K if every node has K ranks; otherwise 0.
int coll_nodes_equal(const CollNodes *nodes);

static inline int coll_nodes_size(const CollNodes *nodes, int node)
{
    return nodes->first[node + 1] - nodes->first[node];
}
