// What:   lane with nodes of unequal size. There are as many full lanes as the smallest node has ranks. Every node
//         reduces and scatters the vector among its ranks that have one, its first ranks, so that each of them has the
//         node's sums of the blocks of its lane. These are the blocks of the lane's own ranks and of ranks whose lanes
//         are not full; which rank gets the block of such a rank depends on the node, so that all lanes have about
//         equally many. Every full lane reduces and scatters its blocks, and then its ranks hand the others theirs.
// Cost:   no formula: nodes of unequal size end their reduce-scatters at different times.
// Source: this page; Träff, Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER 2020,
//         for nodes of equal size.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of consecutive ranks if the operation is not
//         commutative, nodes of unequal size, parts that can run on the nodes; else lane runs.
//
//   p = 5, 3 and 2 in a node      0-1   0-2   1-2   3-4      0-3   1-4      0 -> 2
#include "coll.h"

enum { OUTER, INNER };

// Hands the sums of n blocks to their ranks. The first block is the caller's.
static void hand_back(const Coll *c, const Coll *node, const Blocks *in, Slice sums, const int *which, int n)
{
    const CollReq before = coll_mark(c);
    size_t at = c->out.len;
    for (int i = 1; i < n; i++) {
        const size_t len = block(in, which[i]).len;
        coll_isend(node, c->nodes->local[which[i]], slice_at(sums, at, len));
        at += len;
    }
    coll_copy(c, c->out, slice_at(sums, 0, c->out.len));
    coll_waitall(c, before);
}

static void reduce_scatter_lane_any(const Coll *c)
{
    const Blocks in = coll_in(c);
    const RailsHands hands = rails_hands(c);
    const int nodes = c->nodes->n, number = c->nodes->local[c->rank], *own = hands.first + number * nodes;
    Coll node = rails_group(c, RAILS_NODE), lane = rails_group(c, RAILS_LANE);
    CollCounts by_lane, by_node;
    rails_let_have(&node, &by_lane, &in, &hands, hands.first, nodes, hands.lanes);
    node.in = coll_scratch(c, by_lane.at[node.p]);
    node.out = coll_scratch(c, by_lane.len[number]);
    coll_pack(c, node.in, &in, c->p, hands.order);
    coll_call(&node, c->par.part[INNER]);
    if (number < hands.lanes) {
        rails_let_have(&lane, &by_node, &in, &hands, own, 1, nodes);
        lane.in = node.out;
        lane.out = coll_scratch(c, by_node.len[lane.rank]);
        coll_call(&lane, c->par.part[OUTER]);
    }
    coll_phase(c, "hand back");
    if (number < hands.lanes)
        hand_back(c, &node, &in, lane.out, hands.order + own[lane.rank], own[lane.rank + 1] - own[lane.rank]);
    else
        coll_recv(&node, rails_holder(hands.lanes, c->nodes->of[c->rank], number), c->out);
}

#define COMMON                                                                                                         \
    .name = "lane_any",                                                                                                \
    .summary = "lane with nodes of unequal size: ranks with numbers that not all nodes have get their blocks at last", \
    .run = reduce_scatter_lane_any, .needs = {&need_nodes, &need_nodes_order, &need_nodes_unequal, &need_node_parts},  \
    .otherwise = "lane",                                                                                               \
    .params = {PART("outer", OUTER, COLL_REDUCE_SCATTER, "circulant", "the reduce-scatter between the nodes"),         \
               PART("inner", INNER, COLL_REDUCE_SCATTER, "circulant", "the reduce-scatter within a node")},            \
    .ordered = true, .peers = PEERS_SHIFT,                                                                             \
    .cost = "no formula: nodes of unequal size end their reduce-scatters at different times",                          \
    .unknown = "nodes of unequal size end their reduce-scatters at different times",                                   \
    .source = "this page; Träff, Hunold, Decomposing MPI collectives for exploiting multi-lane communication, "       \
              "CLUSTER 2020, for nodes of equal size"

const CollAlgorithm reduce_scatter_lane_any_algorithm = {COMMON, .collective = COLL_REDUCE_SCATTER};
const CollAlgorithm reduce_scatter_block_lane_any_algorithm = {COMMON, .collective = COLL_REDUCE_SCATTER_BLOCK};
