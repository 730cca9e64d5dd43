// What:   Every node reduces and scatters the vector among its ranks, so that each rank has the node's sum of one
//         block. The ranks with the same block, one in each node, form a lane, and reduce it to the one in the root's
//         node, which then gathers the blocks at the root. All ranks of a node send to other nodes at the same time,
//         each a block. See registry/rails.h for the groups. In lane_any, the nodes may be of unequal size: there are
//         as many blocks as the smallest node has ranks, and ranks with higher numbers have none.
// Cost:   reduce lane: T_scatter(k) + T_outer(nodes) of m/k bytes + T_gather(k), k the ranks of a node; on two levels,
//         T_outer has the figures between nodes, the rest those within a node.
//         reduce lane_any: no formula: nodes of unequal size end their reduce-scatters at different times.
// Source: reduce lane: Träff, Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER
//         2020.
//         reduce lane_any: this page; Träff, Hunold 2020, for nodes of equal size.
// Needs:  reduce lane: several nodes of several ranks (--map or --per-node), nodes of consecutive ranks if the
//         operation is not commutative, nodes of equal size, parts that can run; else smp runs.
//         reduce lane_any: several nodes of several ranks (--map or --per-node), nodes of consecutive ranks if the
//         operation is not commutative, nodes of unequal size, parts that can run on the nodes; else lane runs.
//
//   p = 4, 2 per node      0-1   2-3  (halves)      2 -> 0   3 -> 1      1 -> 0
#include "coll.h"
#include "times/times.h"

enum { OUTER, SCATTER, GATHER };

static void reduce_lane(const Coll *c)
{
    Coll lane = rails_lane(c, c->in), node = rails_group(c, RAILS_NODE);
    const Slice mine = lane.in;
    CollCounts counts;
    rails_lane_blocks(c, &node, &counts, c->in);
    node.root = 0;
    node.out = lane.in = slice_like(coll_scratch(c, mine.len), mine);
    coll_call(&node, c->par.part[SCATTER]);
    const bool ends = c->nodes->of[c->rank] == c->nodes->of[c->root];
    lane.out = slice_like(coll_scratch_if(c, ends, mine.len), mine);
    if (node.rank < rails_full_lanes(c->nodes))
        coll_call(&lane, c->par.part[OUTER]);
    if (!ends)
        return;
    node.root = c->nodes->local[c->root];
    node.in = lane.out;
    node.out = c->out;
    coll_call(&node, c->par.part[GATHER]);
}

static int same_as(const Coll *c)
{
    const Coll lane = rails_lane(c, c->in);
    return rails_same_lane(c, &lane, c->par.part[OUTER], true);
}

static int64_t formula(const CollPoint *x)
{
    const int k = coll_nodes_equal(x->nodes);
    if (!call_ends_in_step(x->par.part[SCATTER], k) || !call_root_ends(x->par.part[OUTER]))
        return -1;
    const int64_t scatter = call_time_near(x, SCATTER, k, x->m), outer = call_time_far(x, OUTER, x->m / k);
    return then(then(scatter, outer), call_time_near(x, GATHER, k, x->m / k));
}

#define COMMON                                                                                                         \
    .collective = COLL_REDUCE, .run = reduce_lane,                                                                     \
    .params = {PART("outer", OUTER, COLL_REDUCE, "binomial", "the reduction of a block between the nodes"),            \
               PART_WITHIN("scatter", SCATTER, COLL_REDUCE_SCATTER, "circulant", "the reduce-scatter within a node"),  \
               PART_WITHIN("gather", GATHER, COLL_GATHERV, "linear", "the gather within the root's node")},            \
    .ordered = true, .peers = PEERS_SHIFT

const CollAlgorithm reduce_lane_algorithm = {
    COMMON,
    .name = "lane",
    .summary =
        "a reduce-scatter in each node, a reduction of each block between the nodes, a gather in the root's node",
    .needs = {&need_nodes, &need_nodes_order, &need_nodes_equal, &need_group_parts},
    .groups = {[OUTER] = RAILS_LANE, [SCATTER] = RAILS_NODE, [GATHER] = RAILS_NODE},
    .otherwise = "smp",
    .same_as = same_as,
    .cost =
        "T_scatter(k) + T_outer(nodes) of m/k bytes + T_gather(k), k the ranks of a node; on two levels, T_outer has "
        "the figures between nodes, the rest those within a node",
    .formula = formula,
    .levels = true,
    .unknown = "a reduce-scatter after which the ranks are not in step, or a part without a formula",
    .source = "Träff, Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER 2020",
};

const CollAlgorithm reduce_lane_any_algorithm = {
    COMMON,
    .name = "lane_any",
    .summary = "lane with nodes of unequal size: only ranks with numbers that all nodes have talk to other nodes",
    .needs = {&need_nodes, &need_nodes_order, &need_nodes_unequal, &need_node_parts},
    .otherwise = "lane",
    .cost = "no formula: nodes of unequal size end their reduce-scatters at different times",
    .unknown = "nodes of unequal size end their reduce-scatters at different times",
    .source = "this page; Träff, Hunold 2020, for nodes of equal size",
};
