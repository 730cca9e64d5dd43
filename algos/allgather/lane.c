// What:   The ranks that have the same number within their nodes form a lane. Every lane gathers its blocks at all its
//         ranks, and then every node gathers what its ranks have. All ranks of a node send to other nodes at the same
//         time, and no block enters a node twice. See registry/rails.h for the groups.
// Cost:   T_outer(nodes) of m bytes + T_inner(k) of nodes m bytes, k the ranks of a node; on two levels, T_outer has
//         the figures between nodes, T_inner those within a node.
// Source: Träff, Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER 2020.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of equal size, parts that can run; else ring
//         runs.
//
//   p = 4, 2 per node      0-2   1-3      0-1   2-3 (2 blocks)
#include "coll.h"
#include "times/times.h"

enum { OUTER, INNER };

// Returns the view of the caller's lane, which gathers into its part of `all`.
static Coll in_lane(const Coll *c, Slice all)
{
    const Blocks lanes = blocks_even(c, all, coll_nodes_equal(c->nodes));
    Coll lane = rails_group(c, RAILS_LANE);
    lane.out = block(&lanes, c->nodes->local[c->rank]);
    return lane;
}

static void allgather_lane(const Coll *c)
{
    const Slice all = coll_scratch(c, c->out.len); // the blocks of all ranks, lane by lane
    const Blocks out = coll_out(c);
    const Coll lane = in_lane(c, all);
    coll_call(&lane, c->par.part[OUTER]);
    Coll node = rails_group(c, RAILS_NODE);
    node.in = lane.out;
    node.out = all;
    coll_call(&node, c->par.part[INNER]);
    coll_unpack(c, &out, c->p, rails_order(c, node.p), all);
}

static int same_as(const Coll *c)
{
    const Coll lane = in_lane(c, c->out);
    return rails_same_lane(c, &lane, c->par.part[OUTER], false);
}

static int64_t formula(const CollPoint *x)
{
    const int n = x->nodes->n, k = coll_nodes_equal(x->nodes);
    return then(call_time_far(x, OUTER, x->m), call_time_near(x, INNER, k, n * x->m));
}

const CollAlgorithm allgather_lane_algorithm = {
    .collective = COLL_ALLGATHER,
    .name = "lane",
    .summary = "an allgather between the ranks of one number in all nodes, then one in each node",
    .run = allgather_lane,
    .needs = {&need_nodes, &need_nodes_equal, &need_group_parts},
    .groups = {[OUTER] = RAILS_LANE, [INNER] = RAILS_NODE},
    .otherwise = "ring",
    .params = {PART("outer", OUTER, COLL_ALLGATHER, "bruck", "the allgather between the nodes"),
               PART("inner", INNER, COLL_ALLGATHER, "ring", "the allgather within a node")},
    .peers = PEERS_SHIFT,
    .same_as = same_as,
    .cost =
        "T_outer(nodes) of m bytes + T_inner(k) of nodes m bytes, k the ranks of a node; on two levels, T_outer has "
        "the figures between nodes, T_inner those within a node",
    .formula = formula,
    .levels = true,
    .unknown = "a part without a formula",
    .source = "Träff, Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER 2020",
};
