// What:   Every node gathers its blocks at the rank that has the root's number within its node, and then these ranks
//         gather the nodes' blocks at the root. If the nodes are not runs of consecutive ranks, the root receives the
//         blocks in the order of the nodes, and copies each to its place. HAN calls tuned's gather on both levels,
//         which chooses by size and ranks.
// Cost:   T_low(k) of m bytes + T_up(nodes) of k m bytes, k the ranks of a node; on two levels, T_up has the figures
//         between nodes, T_low those within a node.
// Source: Open MPI 4.1.4, mca_coll_han_gather_intra and _simple (coll_han_gather.c).
// Needs:  several nodes of several ranks (--map or --per-node), nodes of equal size, parts that can run; else binomial
//         runs.
//
//   p = 8, 4 per node, root 1      low    2 -> 1   0 -> 3   6 -> 5   4 -> 7      3 -> 1   7 -> 5 (2 blocks)
//                                  up     5 -> 1 (4 blocks)
#include "coll.h"
#include "times/times.h"

enum { UP, LOW };

static void gather_han(const Coll *c)
{
    Coll node = coll_node_under(c, LEADER_LANE), leaders = coll_leaders_who(c, LEADER_LANE);
    const bool leads = leaders.rank >= 0, reorders = c->rank == c->root && !c->nodes->ordered;
    node.out = leaders.in = coll_scratch_if(c, leads, (size_t)node.p * c->in.len);
    leaders.out = reorders ? coll_scratch(c, c->out.len) : c->out;
    coll_call(&node, c->par.part[LOW]);
    if (leads)
        coll_call(&leaders, c->par.part[UP]);
    if (reorders) {
        const Blocks out = coll_out(c);
        coll_unpack(c, &out, c->p, c->nodes->member, leaders.out);
    }
}

static int64_t formula(const CollPoint *x)
{
    const int k = coll_nodes_equal(x->nodes);
    return then(call_time_near(x, LOW, k, x->m), call_time_far(x, UP, k * x->m));
}

const CollAlgorithm gather_han_algorithm = {
    .collective = COLL_GATHER,
    .name = "han",
    .aliases = {"han:intra", "han:simple"},
    .summary = "Open MPI's two levels: a gather within each node, and one between the nodes",
    .run = gather_han,
    .needs = {&need_nodes, &need_nodes_equal, &need_group_parts},
    .groups = {[UP] = RAILS_LANE, [LOW] = RAILS_NODE},
    .otherwise = "binomial",
    .params = {PART("up", UP, COLL_GATHER, "binomial", "the gather between the nodes"),
               PART_WITHIN("low", LOW, COLL_GATHER, "binomial", "the gather within a node")},
    .peers = PEERS_SHIFT,
    .cost =
        "T_low(k) of m bytes + T_up(nodes) of k m bytes, k the ranks of a node; on two levels, T_up has the figures "
        "between nodes, T_low those within a node",
    .formula = formula,
    .levels = true,
    .unknown = "a part without a formula",
    .source = "Open MPI 4.1.4, mca_coll_han_gather_intra and _simple (coll_han_gather.c)",
};
