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

// Which blocks the ranks have after some have handed theirs over.
typedef struct Hands {
    int lanes;        // the full ones
    const int *order; // all blocks, lane by lane, and node by node in a lane: first the one of the lane's own rank
    const int
        *first; // where those of lane l and node i begin in `order`: first[l * nodes + i]; and, last, their number
} Hands;

// Returns which rank of a node, by its number, has the block of the node's rank of this number.
static int holder(int lanes, int node, int number)
{
    return number < lanes ? number : (node + number) % lanes;
}

static Hands hand_over(const Coll *c)
{
    const CollNodes *nodes = c->nodes;
    const int lanes = rails_full_lanes(c);
    int *order = coll_ints(c, (size_t)c->p), *first = coll_ints(c, (size_t)lanes * (size_t)nodes->n + 1), n = 0;
    for (int lane = 0; lane < lanes; lane++)
        for (int node = 0; node < nodes->n; node++) {
            const int *member = nodes->member + nodes->first[node], size = coll_nodes_size(nodes, node);
            first[lane * nodes->n + node] = n;
            order[n++] = member[lane];
            // The first number from `lanes` on whose holder this is.
            const int from = lanes + (lane + lanes - holder(lanes, node, lanes)) % lanes;
            for (int number = from; number < size; number += lanes)
                order[n++] = member[number];
        }
    first[lanes * nodes->n] = n;
    return (Hands){.lanes = lanes, .order = order, .first = first};
}

// Lets the ranks of a view have chunks of `out`, packed in the order of `hands`: rank i < n the blocks from
// first[i * step] to before first[(i + 1) * step], and those behind none.
static void let_have(Coll *view, CollCounts *counts, const Blocks *out, const Hands *hands, const int *first, int step,
                     int n)
{
    size_t *len = coll_sizes(view, (size_t)view->p), *at = coll_sizes(view, (size_t)view->p + 1);
    at[0] = 0;
    for (int i = 0; i < view->p; i++) {
        const int begin = i < n ? first[i * step] : 0, end = i < n ? first[(i + 1) * step] : 0;
        len[i] = blocks_total(out, end - begin, hands->order + begin);
        at[i + 1] = at[i] + len[i];
    }
    *counts = (CollCounts){.len = len, .at = at};
    view->counts = counts;
    view->counts_shift = 0;
}

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
    for (int i = 1; i < n; i++)
        coll_wait(c, before + i - 1);
}

static void allgather_lane_any(const Coll *c)
{
    const Blocks out = coll_out(c);
    const Hands hands = hand_over(c);
    const int nodes = c->nodes->n, number = c->nodes->local[c->rank], *own = hands.first + number * nodes;
    Coll node = rails_group(c, RAILS_NODE), lane = rails_group(c, RAILS_LANE);
    CollCounts by_lane, by_node;
    let_have(&node, &by_lane, &out, &hands, hands.first, nodes, hands.lanes);
    node.out = coll_scratch(c, by_lane.at[node.p]);
    node.in = slice_at(node.out, by_lane.at[number], by_lane.len[number]);
    coll_phase(c, "hand over");
    if (number < hands.lanes) {
        let_have(&lane, &by_node, &out, &hands, own, 1, nodes);
        lane.out = node.in;
        lane.in = slice_at(lane.out, by_node.at[lane.rank], by_node.len[lane.rank]);
        take(c, &node, &out, lane.in, hands.order + own[lane.rank], own[lane.rank + 1] - own[lane.rank]);
        coll_call(&lane, c->par.part[OUTER]);
    } else {
        coll_send(&node, holder(hands.lanes, c->nodes->of[c->rank], number), c->in);
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
