// What:   lane with nodes of unequal size. There are as many full lanes as the smallest node has ranks. The first ranks
//         of a node have one lane each, and its other ranks hand them their blocks; which rank takes a block depends on
//         the node, so that all lanes have about equally many. Every full lane gathers at all its ranks what these have,
//         and then every node gathers what its ranks have. No block enters a node twice.
// Cost:   no formula: ranks that take blocks of others first begin later.
// Source: this page; Träff, Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER 2020,
//         for nodes of equal size.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of unequal size, parts that can run on the nodes;
//         else lane runs.
//
//   p = 5, 3 and 2 in a node      2 -> 0      0-3   1-4      0-1   0-2   1-2   3-4
#include "coll.h"

enum { OUTER, INNER };

// Takes the blocks that the caller has from now on, one after the other.
static void take(const Coll *c, const Coll *node, const Blocks *out, Slice into, const int *which, int n)
{
    const CollReq before = coll_mark(c);
    size_t at = c->in.len;
    for (int i = 1; i < n; i++) {
        const size_t len = block(out, which[i]).len;
        coll_irecv(node, c->nodes->local[which[i]], slice_at(into, at, len));
        at += len;
    }
    coll_copy(c, slice_at(into, 0, c->in.len), c->in);
    coll_waitall(c, before);
}

static void allgather_lane_any(const Coll *c)
{
    const Blocks out = coll_out(c);
    const RailsHands hands = rails_hands(c);
    const int nodes = c->nodes->n, number = c->nodes->local[c->rank], *own = hands.first + number * nodes;
    Coll node = rails_group(c, RAILS_NODE), lane = rails_group(c, RAILS_LANE);
    CollCounts by_lane, by_node;
    rails_let_have(&node, &by_lane, &out, &hands, hands.first, nodes, hands.lanes);
    node.out = coll_scratch(c, by_lane.at[node.p]);
    node.in = slice_at(node.out, by_lane.at[number], by_lane.len[number]);
    coll_phase(c, "hand over");
    if (number < hands.lanes) {
        rails_let_have(&lane, &by_node, &out, &hands, own, 1, nodes);
        lane.out = node.in;
        lane.in = slice_at(lane.out, by_node.at[lane.rank], by_node.len[lane.rank]);
        take(c, &node, &out, lane.in, hands.order + own[lane.rank], own[lane.rank + 1] - own[lane.rank]);
        coll_call(&lane, c->par.part[OUTER]);
    } else {
        coll_send(&node, rails_holder(hands.lanes, c->nodes->of[c->rank], number), c->in);
    }
    coll_call(&node, c->par.part[INNER]);
    coll_unpack(c, &out, c->p, hands.order, node.out);
}

#define COMMON                                                                                                         \
    .name = "lane_any",                                                                                                \
    .summary = "lane with nodes of unequal size: ranks with numbers that not all nodes have hand their blocks over",   \
    .run = allgather_lane_any, .needs = {&need_nodes, &need_nodes_unequal, &need_node_parts}, .otherwise = "lane",     \
    .params = {PART("outer", OUTER, COLL_ALLGATHERV, "bruck", "the allgather between the nodes"),                      \
               PART("inner", INNER, COLL_ALLGATHERV, "bruck", "the allgather within a node")},                         \
    .peers = PEERS_SHIFT, .cost = "no formula: ranks that take blocks of others first begin later",                    \
    .unknown = "ranks that take blocks of others first begin later",                                                   \
    .source = "this page; Träff, Hunold, Decomposing MPI collectives for exploiting multi-lane communication, "       \
              "CLUSTER 2020, for nodes of equal size"

const CollAlgorithm allgather_lane_any_algorithm = {COMMON, .collective = COLL_ALLGATHER};
const CollAlgorithm allgatherv_lane_any_algorithm = {COMMON, .collective = COLL_ALLGATHERV};
