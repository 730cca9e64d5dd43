// The nodes of a run: which ranks are on which node. Hierarchical algorithms group ranks by it.
#pragma once
#include <stdbool.h>

// Nodes are numbered from 0 in the order of their lowest ranks or as a mapping numbers them; none is empty.
typedef struct CollNodes {
    int n;        // the number of nodes
    int equal;    // K if every node has K ranks; otherwise 0
    bool ordered; // node 0 has the first ranks, node 1 those that follow, and so on
    int *of;      // by rank: its node
    int *local;   // by rank: its number within its node; ranks of a node count in ascending order
    int *first;  // n + 1 numbers: node i has the ranks member[first[i]] .. member[first[i + 1] - 1], in ascending order
    int *member; // p ranks
    int n_sizes; // how many different sizes the nodes have
    int *sized;  // for each size the lowest node that has it
    // A lane has the ranks that have the same number within their nodes, in the order of the nodes; nodes with too few
    // ranks are left out. Lane l has the ranks lane[lane_first[l]] .. lane[lane_first[l + 1] - 1].
    int *lane_first, *lane;
    int *in_lane; // by rank: its number within its lane
    // On a machine of several levels: how the same ranks are grouped at the next level inside the nodes, such as
    // sockets, and at the next level outside, such as groups of nodes; NULL if there is none. The former has an `inner`
    // of its own and the latter an `outer`, and so on. They belong to these nodes.
    struct CollNodes *inner, *outer;
} CollNodes;

// Returns the nodes of p >= 1 ranks. of[rank] is the rank's node, and every node from 0 to the largest has a rank. Free
// with coll_nodes_free.
CollNodes *coll_nodes_new(int p, const int *of);
// Returns nodes that are runs of k >= 1 consecutive ranks; the last one may be shorter. Free with coll_nodes_free.
CollNodes *coll_nodes_blocks(int p, int k);
void coll_nodes_free(CollNodes *nodes); // frees inner and outer nodes as well; NULL is allowed
// Returns K if the nodes are runs of K consecutive ranks, where the last one may be shorter; otherwise 0.
int coll_nodes_block(const CollNodes *nodes);

static inline int coll_nodes_size(const CollNodes *nodes, int node)
{
    return nodes->first[node + 1] - nodes->first[node];
}
// Returns how many ranks the largest node has.
static inline int coll_nodes_largest(const CollNodes *nodes)
{
    int most = 0;
    for (int i = 0; i < nodes->n_sizes; i++) {
        const int size = coll_nodes_size(nodes, nodes->sized[i]);
        most = size > most ? size : most;
    }
    return most;
}
// Returns the ranks of a node, in ascending order.
static inline const int *coll_nodes_members(const CollNodes *nodes, int node)
{
    return nodes->member + nodes->first[node];
}
// Returns the node that is w nodes ahead of a rank's own, -n <= w <= n. Behind the last node comes the first one.
static inline int coll_nodes_node_ahead(const CollNodes *nodes, int rank, int w)
{
    return (nodes->of[rank] + w + nodes->n) % nodes->n;
}
// Returns K if every node has K ranks; otherwise 0.
static inline int coll_nodes_equal(const CollNodes *nodes)
{
    return nodes->equal;
}
// Returns the rank that is w nodes, and l numbers within a node, ahead of a rank, -n <= w <= n and -K <= l <= K. Behind
// the last node comes the first one, and behind the last number of a node its first one. Every node must have K ranks.
static inline int coll_nodes_ahead(const CollNodes *nodes, int rank, int w, int l)
{
    const int k = nodes->equal;
    return coll_nodes_members(nodes, coll_nodes_node_ahead(nodes, rank, w))[(nodes->local[rank] + l + k) % k];
}
// Return the number of ranks in a lane, rank i of it, and the number that a rank has in its own lane.
static inline int coll_nodes_lane_size(const CollNodes *nodes, int lane)
{
    return nodes->lane_first[lane + 1] - nodes->lane_first[lane];
}
static inline int coll_nodes_lane_rank(const CollNodes *nodes, int lane, int i)
{
    return nodes->lane[nodes->lane_first[lane] + i];
}
static inline int coll_nodes_in_lane(const CollNodes *nodes, int rank)
{
    return nodes->in_lane[rank];
}
