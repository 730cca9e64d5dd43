// What:   Every node reduces and scatters the vector among its ranks, so that each rank has the node's sum of one
//         block. The ranks with the same block, one in each node, form a lane, and make an allreduce of it; then every
//         node gathers the blocks. All ranks of a node send to other nodes at the same time, each a block. See
//         shapes/node.h for the groups. In lane_any, the nodes may be of unequal size: there are as many blocks as the
//         smallest node has ranks, and ranks with higher numbers have none.
// Cost:   allreduce lane: T_scatter(k) + T_outer(nodes) of m/k bytes + T_gather(k), k the ranks of a node; on two
//         levels, T_outer has the figures between nodes, the rest those within a node.
//         allreduce lane_any: no formula: nodes of unequal size end their reduce-scatters at different times.
// Source: allreduce lane: Träff, Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER
//         2020.
//         allreduce lane_any: this page; Träff, Hunold 2020, for nodes of equal size.
// Needs:  allreduce lane: several nodes of several ranks (--map or --per-node), nodes of consecutive ranks if the
//         operation is not commutative, nodes of equal size, parts that can run; else smp runs.
//         allreduce lane_any: several nodes of several ranks (--map or --per-node), nodes of consecutive ranks if the
//         operation is not commutative, nodes of unequal size, parts that can run on the nodes; else lane runs.
//
//   p = 4, 2 per node      0-1   2-3  (halves)      0-2   1-3  (halves)      0-1   2-3  (halves)
#include "coll.h"
#include "times/times.h"

enum { OUTER, SCATTER, GATHER };

static void allreduce_lane(const Coll *c)
{
    Coll node = coll_node(c), lane = rails_lane(c, c->out);
    const Slice sum = slice_like(coll_scratch(c, lane.in.len), lane.in);
    CollCounts counts;
    rails_lane_blocks(c, &node, &counts, c->out);
    node.root = 0;
    node.out = lane.in = lane.out = sum;
    coll_call(&node, c->par.part[SCATTER]);
    if (node.rank < rails_full_lanes(c->nodes))
        coll_call(&lane, c->par.part[OUTER]);
    node.in = sum;
    node.out = c->out;
    coll_call(&node, c->par.part[GATHER]);
}

static int same_as(const Coll *c)
{
    const Coll lane = rails_lane(c, c->out);
    return rails_same_lane(c, &lane, c->par.part[OUTER], false);
}

static int64_t formula(const CollPoint *x)
{
    const int k = coll_nodes_equal(x->nodes);
    if (!call_ends_in_step(x->par.part[SCATTER], k))
        return -1;
    const int64_t scatter = call_time_near(x, SCATTER, k, x->m), outer = call_time_far(x, OUTER, x->m / k);
    return then(then(scatter, outer), call_time_near(x, GATHER, k, x->m / k));
}

#define COMMON                                                                                                         \
    .collective = COLL_ALLREDUCE, .run = allreduce_lane,                                                               \
    .params = {PART("outer", OUTER, COLL_ALLREDUCE, "circulant", "the allreduce of a block between the nodes"),        \
               PART_WITHIN("scatter", SCATTER, COLL_REDUCE_SCATTER, "circulant", "the reduce-scatter within a node"),  \
               PART_WITHIN("gather", GATHER, COLL_ALLGATHERV, "circulant", "the allgather within a node")},            \
    .ordered = true, .peers = PEERS_SHIFT

const CollAlgorithm allreduce_lane_algorithm = {
    COMMON,
    .name = "lane",
    .summary = "a reduce-scatter in each node, an allreduce of each block between the nodes, an allgather in each node",
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

const CollAlgorithm allreduce_lane_any_algorithm = {
    COMMON,
    .name = "lane_any",
    .summary = "lane with nodes of unequal size: only ranks with numbers that all nodes have talk to other nodes",
    .needs = {&need_nodes, &need_nodes_order, &need_nodes_unequal, &need_node_parts},
    .otherwise = "lane",
    .cost = "no formula: nodes of unequal size end their reduce-scatters at different times",
    .unknown = "nodes of unequal size end their reduce-scatters at different times",
    .source = "this page; Träff, Hunold 2020, for nodes of equal size",
};
