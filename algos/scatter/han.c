// What:   The root scatters the nodes' blocks to the ranks that have its number within their nodes, and then each of
//         these scatters its node's blocks. If the nodes are not runs of consecutive ranks, the root first copies the
//         blocks into the order of the nodes. HAN calls tuned's scatter on both levels, which chooses by size and
//         ranks.
// Cost:   T_up(nodes) of k m bytes + T_low(k) of m bytes, k the ranks of a node; on two levels, T_up has the figures
//         between nodes, T_low those within a node.
// Source: Open MPI 4.1.4, mca_coll_han_scatter_intra and _simple (coll_han_scatter.c).
// Needs:  several nodes of several ranks (--map or --per-node), nodes of equal size, parts that can run; else binomial
//         runs.
//
//   p = 8, 4 per node, root 1      up     1 -> 5 (4 blocks)
//                                  low    1 -> 3   5 -> 7 (2 blocks)      1 -> 2   3 -> 0   5 -> 6   7 -> 4
#include "coll.h"
#include "times/times.h"

enum { UP, LOW };

static void scatter_han(const Coll *c)
{
    Coll leaders = coll_leaders_who(c, LEADER_LANE), node = coll_node_under(c, LEADER_LANE);
    const bool leads = leaders.rank >= 0, reorders = c->rank == c->root && !c->nodes->ordered;
    leaders.in = reorders ? coll_scratch(c, c->in.len) : c->in;
    leaders.out = node.in = coll_scratch_if(c, leads, (size_t)node.p * c->out.len);
    if (reorders) {
        const Blocks in = coll_in(c);
        coll_pack(c, leaders.in, &in, c->p, c->nodes->member);
    }
    if (leads)
        coll_call(&leaders, c->par.part[UP]);
    coll_call(&node, c->par.part[LOW]);
}

static int64_t formula(const CollPoint *x)
{
    const int k = coll_nodes_equal(x->nodes);
    return then(call_time_far(x, UP, k * x->m), call_time_near(x, LOW, k, x->m));
}

const CollAlgorithm scatter_han_algorithm = {
    .collective = COLL_SCATTER,
    .name = "han",
    .aliases = {"han:intra", "han:simple"},
    .summary = "Open MPI's two levels: a scatter between the nodes, and one within each node",
    .run = scatter_han,
    .needs = {&need_nodes, &need_nodes_equal, &need_group_parts},
    .groups = {[UP] = RAILS_LANE, [LOW] = RAILS_NODE},
    .otherwise = "binomial",
    .params = {PART("up", UP, COLL_SCATTER, "binomial", "the scatter between the nodes"),
               PART_WITHIN("low", LOW, COLL_SCATTER, "binomial", "the scatter within a node")},
    .peers = PEERS_SHIFT,
    .cost =
        "T_up(nodes) of k m bytes + T_low(k) of m bytes, k the ranks of a node; on two levels, T_up has the figures "
        "between nodes, T_low those within a node",
    .formula = formula,
    .levels = true,
    .unknown = "a part without a formula",
    .source = "Open MPI 4.1.4, mca_coll_han_scatter_intra and _simple (coll_han_scatter.c)",
};
