// What:   The ranks of a node first exchange blocks so that rank i of the node has all that the node sends to the ranks
//         of number i in all nodes. The ranks of one number, a lane, then exchange these blocks, k of them in each
//         message, k the ranks of a node. See registry/rails.h for the groups. The default parts of the alltoallv lane
//         are those of hierarchical TuNA. lane_shares does the same with the shares of a node in place of the whole
//         node: fewer bytes travel within it, and more messages, which are shorter, between nodes.
// Cost:   alltoall lane: T_inner(k) of nodes m bytes + T_outer(nodes) of k m bytes, k the ranks of a node; on two
//         levels, T_outer has the figures between nodes, T_inner those within a node.
//         alltoallv lane: T_inner(k) of nodes m bytes + T_outer(nodes) of k m bytes, k the ranks of a node; on two
//         levels, T_outer has the figures between nodes, T_inner those within a node.
//         alltoall lane_shares: T_inner(s) of p/s m bytes + T_outer(p/s) of s m bytes, s = k/leaders the ranks of a
//         share, k those of a node.
//         alltoallv lane_shares: T_inner(s) of p/s m bytes + T_outer(p/s) of s m bytes, s = k/leaders the ranks of a
//         share, k those of a node.
// Source: alltoall lane: Träff, Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER
//         2020.
//         alltoallv lane: Fan et al. 2024, the coalesced form of hierarchical TuNA; Träff, Hunold 2020.
//         alltoall lane_shares: this page; Träff, Hunold 2020, whose lanes have whole nodes.
//         alltoallv lane_shares: this page; Träff, Hunold 2020, whose lanes have whole nodes.
// Needs:  alltoall lane: several nodes of several ranks (--map or --per-node), nodes of equal size, parts that can run;
//         else pairwise runs.
//         alltoallv lane: several nodes of several ranks (--map or --per-node), nodes of equal size, nodes of
//         consecutive ranks, parts that can run; else pairwise runs.
//         alltoall lane_shares: several nodes of several ranks (--map or --per-node), nodes of equal size, which
//         leaders divides, shares of several ranks, parts that can run; else lane runs.
//         alltoallv lane_shares: several nodes of several ranks (--map or --per-node), nodes of consecutive ranks,
//         nodes of equal size, which leaders divides, shares of several ranks, parts that can run; else lane runs.
//
//   p = 4, 2 per node      0-1   2-3 (2 blocks: to the first, or second, ranks)      0-2   1-3 (2 blocks)
#include "coll.h"
#include "times/times.h"

enum { OUTER, INNER };

static void alltoall_lane(const Coll *c)
{
    const RailsGroup *groups = c->par.of->groups;
    Coll node = rails_group(c, groups[INNER]), lane = rails_group(c, groups[OUTER]);
    const Blocks in = coll_in(c), out = coll_out(c);
    const int *order = rails_by_number(c, node.p), *member = c->nodes->member;
    const size_t all = blocks_total(&in, c->p, member);
    CollCounts by_number, by_node, lengths;
    rails_exchanged(&node, &by_number, &in, order, lane.p);
    rails_exchanged(&lane, &by_node, &in, member, node.p);
    node.in = lane.in = coll_scratch(c, all);
    node.out = coll_scratch(c, all);
    lane.out = coll_scratch(c, all);
    coll_pack(c, node.in, &in, c->p, order);
    coll_call(&node, c->par.part[INNER]);
    const Blocks got = rails_copies(c, node.out, &lengths, &in, order, c->p);
    coll_pack(c, lane.in, &got, c->p, rails_columns(c, node.p, lane.p, 1)); // by source, then by node: turn it
    coll_call(&lane, c->par.part[OUTER]);
    coll_unpack(c, &out, c->p, member, lane.out);
}

static int same_as(const Coll *c)
{
    const Coll lane = rails_group(c, RAILS_LANE);
    return rails_same_lane(c, &lane, c->par.part[OUTER], false);
}

static int shares_same_as(const Coll *c)
{
    return rails_same_across(c, RAILS_COUNTERPARTS, c->par.part[OUTER]);
}

static int64_t formula(const CollPoint *x)
{
    const int n = x->nodes->n, k = coll_nodes_equal(x->nodes);
    return then(call_time_near(x, INNER, k, n * x->m), call_time_far(x, OUTER, k * x->m));
}

static int64_t shares_formula(const CollPoint *x)
{
    const int s = coll_nodes_equal(x->nodes) / x->par.leaders;
    if (algorithm_needs_nodes(x->par.part[OUTER])) // it may group ranks by node
        return -1;
    return then(call_time(x, x->par.part[INNER], s, x->p / s * x->m),
                call_time(x, x->par.part[OUTER], x->p / s, s * x->m));
}

#define COMMON                                                                                                         \
    .name = "lane", .summary = "an alltoall in each node, then one between the ranks of one number in all nodes",      \
    .run = alltoall_lane, .groups = {[OUTER] = RAILS_LANE, [INNER] = RAILS_NODE}, .otherwise = "pairwise",             \
    .peers = PEERS_SHIFT, .same_as = same_as,                                                                          \
    .cost =                                                                                                            \
        "T_inner(k) of nodes m bytes + T_outer(nodes) of k m bytes, k the ranks of a node; on two levels, T_outer "    \
        "has the figures between nodes, T_inner those within a node",                                                  \
    .formula = formula, .levels = true, .unknown = "a part without a formula"

const CollAlgorithm alltoall_lane_algorithm = {
    COMMON,
    .collective = COLL_ALLTOALL,
    .needs = {&need_nodes, &need_nodes_equal, &need_group_parts},
    .params = {PART("outer", OUTER, COLL_ALLTOALL, "pairwise", "the alltoall between the nodes"),
               PART("inner", INNER, COLL_ALLTOALL, "pairwise", "the alltoall within a node")},
    .source = "Träff, Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER 2020",
};

const CollAlgorithm alltoallv_lane_algorithm = {
    COMMON,
    .collective = COLL_ALLTOALLV,
    .needs = {&need_nodes, &need_nodes_equal, &need_nodes_ordered, &need_group_parts},
    .params = {PART("outer", OUTER, COLL_ALLTOALLV, "scattered", "the alltoallv between the nodes"),
               PART("inner", INNER, COLL_ALLTOALLV, "tuna", "the alltoallv within a node")},
    .source = "Fan et al. 2024, the coalesced form of hierarchical TuNA; Träff, Hunold 2020",
};

#define SHARES(collective, what)                                                                                       \
    .name = "lane_shares",                                                                                             \
    .summary = "an alltoall in each share of a node, then one between the ranks of one number in all shares",          \
    .run = alltoall_lane, .groups = {[OUTER] = RAILS_COUNTERPARTS, [INNER] = RAILS_SHARE}, .otherwise = "lane",        \
    .params =                                                                                                          \
        {                                                                                                              \
            {"leaders", PARAM_INT, offsetof(CollParams, leaders), 2, 2, INT32_MAX, NULL,                               \
             "number of shares of a node's ranks", CUT_NOT},                                                           \
            PART("outer", OUTER, collective, "linear", "the " what " between the shares"),                             \
            PART("inner", INNER, collective, "pairwise", "the " what " within a share"),                               \
    },                                                                                                                 \
    .peers = PEERS_SHIFT, .same_as = shares_same_as,                                                                   \
    .cost = "T_inner(s) of p/s m bytes + T_outer(p/s) of s m bytes, s = k/leaders the ranks of a share, k those of a " \
            "node",                                                                                                    \
    .formula = shares_formula,                                                                                         \
    .unknown = "two levels, or an outer part that groups ranks by node; a part without a formula",                     \
    .source = "this page; Träff, Hunold 2020, whose lanes have whole nodes"

const CollAlgorithm alltoall_lane_shares_algorithm = {
    SHARES(COLL_ALLTOALL, "alltoall"),
    .collective = COLL_ALLTOALL,
    .needs = {&need_nodes, &need_leaders, &need_several_in_shares, &need_group_parts},
};

const CollAlgorithm alltoallv_lane_shares_algorithm = {
    SHARES(COLL_ALLTOALLV, "alltoallv"),
    .collective = COLL_ALLTOALLV,
    .needs = {&need_nodes, &need_nodes_ordered, &need_leaders, &need_several_in_shares, &need_group_parts},
};
