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

// The views of the caller's lane, which gathers into its part of `all`, and of its node.
typedef struct Views {
    Coll lane, node;
    CollCounts by_node, by_number;
} Views;

static void view_groups(const Coll *c, Slice all, Views *v)
{
    v->lane = rails_group(c, RAILS_LANE);
    v->node = rails_group(c, RAILS_NODE);
    const Blocks out = coll_out(c);
    const int *order = rails_order(c, v->node.p), local = c->nodes->local[c->rank];
    rails_chunks(&v->lane, &v->by_node, &out, order + local * v->lane.p, 1);
    rails_chunks(&v->node, &v->by_number, &out, order, v->lane.p);
    v->node.out = all;
    const Blocks lanes = coll_out(&v->node);
    v->lane.out = v->node.in = block(&lanes, local);
}

static void allgather_lane(const Coll *c)
{
    const Blocks out = coll_out(c);
    const int *order = rails_order(c, coll_nodes_equal(c->nodes));
    const Slice all = coll_scratch(c, blocks_total(&out, c->p, order)); // the blocks of all ranks, lane by lane
    Views v;
    view_groups(c, all, &v);
    coll_call(&v.lane, c->par.part[OUTER]);
    coll_call(&v.node, c->par.part[INNER]);
    coll_unpack(c, &out, c->p, order, all);
}

static int same_as(const Coll *c)
{
    Views v;
    view_groups(c, c->out, &v);
    return rails_same_lane(c, &v.lane, c->par.part[OUTER], false);
}

static int64_t formula(const CollPoint *x)
{
    const int n = x->nodes->n, k = coll_nodes_equal(x->nodes);
    return then(call_time_far(x, OUTER, x->m), call_time_near(x, INNER, k, n * x->m));
}

#define COMMON                                                                                                         \
    .name = "lane", .summary = "an allgather between the ranks of one number in all nodes, then one in each node",     \
    .run = allgather_lane, .needs = {&need_nodes, &need_nodes_equal, &need_group_parts},                               \
    .groups = {[OUTER] = RAILS_LANE, [INNER] = RAILS_NODE}, .otherwise = "ring", .peers = PEERS_SHIFT,                 \
    .same_as = same_as,                                                                                                \
    .cost =                                                                                                            \
        "T_outer(nodes) of m bytes + T_inner(k) of nodes m bytes, k the ranks of a node; on two levels, T_outer has "  \
        "the figures between nodes, T_inner those within a node",                                                      \
    .formula = formula, .levels = true, .unknown = "a part without a formula",                                         \
    .source = "Träff, Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER 2020"

const CollAlgorithm allgather_lane_algorithm = {
    COMMON,
    .collective = COLL_ALLGATHER,
    .params = {PART("outer", OUTER, COLL_ALLGATHER, "bruck", "the allgather between the nodes"),
               PART("inner", INNER, COLL_ALLGATHER, "ring", "the allgather within a node")},
};

const CollAlgorithm allgatherv_lane_algorithm = {
    COMMON,
    .collective = COLL_ALLGATHERV,
    .params = {PART("outer", OUTER, COLL_ALLGATHERV, "bruck", "the allgatherv between the nodes"),
               PART("inner", INNER, COLL_ALLGATHERV, "ring", "the allgatherv within a node")},
};
