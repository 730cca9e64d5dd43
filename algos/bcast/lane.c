// What:   The root's node scatters the message among its ranks. The rank of every number within this node broadcasts
//         its block to the ranks of the same number in the other nodes, its lane; then every node gathers the blocks.
//         All ranks of a node send to other nodes at the same time, each a block. See registry/rails.h for the groups.
// Cost:   no formula: the ranks leave the scatter at different times, and so the lanes begin one after the other.
// Source: Träff, Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER 2020.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of equal size, parts that can run; else smp runs.
//
//   p = 4, 2 per node      0 -> 1      0 -> 2   1 -> 3      0-1   2-3
#include "coll.h"

enum { OUTER, SCATTER, GATHER };

// Returns the view of the caller's lane, which has the caller's block of the message.
static Coll in_lane(const Coll *c)
{
    const Blocks blocks = blocks_even(c, c->out, coll_nodes_equal(c->nodes));
    Coll lane = rails_group(c, RAILS_LANE);
    lane.root = c->nodes->of[c->root];
    lane.in = lane.out = block(&blocks, c->nodes->local[c->rank]);
    return lane;
}

static void bcast_lane(const Coll *c)
{
    const Coll lane = in_lane(c);
    Coll node = rails_group(c, RAILS_NODE);
    if (lane.rank == lane.root) {
        node.root = c->nodes->local[c->root];
        node.in = c->out;
        node.out = lane.in;
        coll_call(&node, c->par.part[SCATTER]);
    }
    coll_call(&lane, c->par.part[OUTER]);
    node.root = 0;
    node.in = lane.in;
    node.out = c->out;
    coll_call(&node, c->par.part[GATHER]);
}

static int same_as(const Coll *c)
{
    const Coll lane = in_lane(c);
    return rails_same_lane(c, &lane, c->par.part[OUTER], true);
}

const CollAlgorithm bcast_lane_algorithm = {
    .collective = COLL_BCAST,
    .name = "lane",
    .summary = "a scatter in the root's node, a broadcast of each block between the nodes, an allgather in each node",
    .run = bcast_lane,
    .needs = {&need_nodes, &need_nodes_equal, &need_group_parts},
    .groups = {[OUTER] = RAILS_LANE, [SCATTER] = RAILS_NODE, [GATHER] = RAILS_NODE},
    .otherwise = "smp",
    .params = {PART("outer", OUTER, COLL_BCAST, "binomial", "the broadcast of a block between the nodes"),
               PART("scatter", SCATTER, COLL_SCATTERV, "linear", "the scatter within the root's node"),
               PART("gather", GATHER, COLL_ALLGATHERV, "ring", "the allgather within a node")},
    .peers = PEERS_SHIFT,
    .same_as = same_as,
    .cost = "no formula: the ranks leave the scatter at different times, and so the lanes begin one after the other",
    .unknown = "the ranks leave the scatter at different times",
    .source = "Träff, Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER 2020",
};
