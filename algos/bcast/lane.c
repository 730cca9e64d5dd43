// What:   The root's node scatters the message among its ranks. The rank of every number within this node broadcasts
//         its block to the ranks of the same number in the other nodes, its lane; then every node gathers the blocks.
//         All ranks of a node send to other nodes at the same time, each a block. See registry/rails.h for the groups.
//         In lane_any, the nodes may be of unequal size: there are as many blocks as the smallest node has ranks, and
//         ranks with higher numbers have none.
// Cost:   no formula: the ranks leave the scatter at different times, and so the lanes begin one after the other.
// Source: bcast lane: Träff, Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER 2020.
//         bcast lane_any: this page; Träff, Hunold 2020, for nodes of equal size.
// Needs:  bcast lane: several nodes of several ranks (--map or --per-node), nodes of equal size, parts that can run;
//         else smp runs.
//         bcast lane_any: several nodes of several ranks (--map or --per-node), nodes of unequal size, parts that can
//         run on the nodes; else lane runs.
//
//   p = 4, 2 per node      0 -> 1      0 -> 2   1 -> 3      0-1   2-3
#include "coll.h"

enum { OUTER, SCATTER, GATHER };

static void bcast_lane(const Coll *c)
{
    const Coll lane = rails_lane(c, c->out);
    Coll node = rails_group(c, RAILS_NODE);
    CollCounts counts;
    rails_lane_blocks(c, &node, &counts, c->out);
    if (c->nodes->of[c->rank] == c->nodes->of[c->root]) {
        node.root = c->nodes->local[c->root];
        node.in = c->out;
        node.out = lane.in;
        coll_call(&node, c->par.part[SCATTER]);
    }
    if (node.rank < rails_full_lanes(c->nodes))
        coll_call(&lane, c->par.part[OUTER]);
    node.root = 0;
    node.in = lane.in;
    node.out = c->out;
    coll_call(&node, c->par.part[GATHER]);
}

static int same_as(const Coll *c)
{
    const Coll lane = rails_lane(c, c->out);
    return rails_same_lane(c, &lane, c->par.part[OUTER], true);
}

#define COMMON                                                                                                         \
    .collective = COLL_BCAST, .run = bcast_lane,                                                                       \
    .params = {PART("outer", OUTER, COLL_BCAST, "binomial", "the broadcast of a block between the nodes"),             \
               PART("scatter", SCATTER, COLL_SCATTERV, "linear", "the scatter within the root's node"),                \
               PART("gather", GATHER, COLL_ALLGATHERV, "ring", "the allgather within a node")},                        \
    .peers = PEERS_SHIFT,                                                                                              \
    .cost = "no formula: the ranks leave the scatter at different times, and so the lanes begin one after the other",  \
    .unknown = "the ranks leave the scatter at different times"

const CollAlgorithm bcast_lane_algorithm = {
    COMMON,
    .name = "lane",
    .summary = "a scatter in the root's node, a broadcast of each block between the nodes, an allgather in each node",
    .needs = {&need_nodes, &need_nodes_equal, &need_group_parts},
    .groups = {[OUTER] = RAILS_LANE, [SCATTER] = RAILS_NODE, [GATHER] = RAILS_NODE},
    .otherwise = "smp",
    .same_as = same_as,
    .source = "Träff, Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER 2020",
};

const CollAlgorithm bcast_lane_any_algorithm = {
    COMMON,
    .name = "lane_any",
    .summary = "lane with nodes of unequal size: only ranks with numbers that all nodes have talk to other nodes",
    .needs = {&need_nodes, &need_nodes_unequal, &need_node_parts},
    .otherwise = "lane",
    .source = "this page; Träff, Hunold 2020, for nodes of equal size",
};
