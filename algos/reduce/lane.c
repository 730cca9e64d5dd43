// What:   Every node reduces and scatters the vector among its ranks, so that each rank has the node's sum of one
//         block. The ranks with the same block, one in each node, form a lane, and reduce it to the one in the root's
//         node, which then gathers the blocks at the root. All ranks of a node send to other nodes at the same time, each
//         a block. See registry/rails.h for the groups.
// Cost:   T_scatter(k) + T_outer(nodes) of m/k bytes + T_gather(k), k the ranks of a node; on two levels, T_outer has
//         the figures between nodes, the rest those within a node.
// Source: Träff, Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER 2020.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of consecutive ranks if the operation is not
//         commutative, nodes of equal size, parts that can run; else smp runs.
//
//   p = 4, 2 per node      0-1   2-3  (halves)      2 -> 0   3 -> 1      1 -> 0
#include "coll.h"
#include "times/times.h"

enum { OUTER, SCATTER, GATHER };

// Returns the view of the caller's lane, which has the caller's block of the vector.
static Coll in_lane(const Coll *c)
{
    const Blocks blocks = blocks_even(c, c->in, coll_nodes_equal(c->nodes));
    Coll lane = rails_group(c, RAILS_LANE);
    lane.root = c->nodes->of[c->root];
    lane.in = lane.out = block(&blocks, c->nodes->local[c->rank]);
    return lane;
}

static void reduce_lane(const Coll *c)
{
    Coll lane = in_lane(c), node = rails_group(c, RAILS_NODE);
    const Slice mine = lane.in;
    node.root = 0;
    node.out = lane.in = slice_like(coll_scratch(c, mine.len), mine);
    coll_call(&node, c->par.part[SCATTER]);
    const bool ends = lane.rank == lane.root;
    lane.out = slice_like(coll_scratch_if(c, ends, mine.len), mine);
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
    const Coll lane = in_lane(c);
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

const CollAlgorithm reduce_lane_algorithm = {
    .collective = COLL_REDUCE,
    .name = "lane",
    .summary =
        "a reduce-scatter in each node, a reduction of each block between the nodes, a gather in the root's node",
    .run = reduce_lane,
    .needs = {&need_nodes, &need_nodes_order, &need_nodes_equal, &need_group_parts},
    .groups = {[OUTER] = RAILS_LANE, [SCATTER] = RAILS_NODE, [GATHER] = RAILS_NODE},
    .otherwise = "smp",
    .params = {PART("outer", OUTER, COLL_REDUCE, "binomial", "the reduction of a block between the nodes"),
               PART_WITHIN("scatter", SCATTER, COLL_REDUCE_SCATTER, "circulant", "the reduce-scatter within a node"),
               PART_WITHIN("gather", GATHER, COLL_GATHERV, "linear", "the gather within the root's node")},
    .ordered = true,
    .peers = PEERS_SHIFT,
    .same_as = same_as,
    .cost =
        "T_scatter(k) + T_outer(nodes) of m/k bytes + T_gather(k), k the ranks of a node; on two levels, T_outer has "
        "the figures between nodes, the rest those within a node",
    .formula = formula,
    .levels = true,
    .unknown = "a reduce-scatter after which the ranks are not in step, or a part without a formula",
    .source = "Träff, Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER 2020",
};
