// What:   Every node gathers its blocks at its first rank, these ranks make an allgather of the nodes' blocks, and each
//         of them broadcasts all blocks within its node. If the nodes are not runs of consecutive ranks, the first
//         ranks copy the blocks to their places before the broadcast. HAN calls tuned's collectives on both levels,
//         which choose by size and ranks.
// Cost:   T_low_gather(k) of m bytes + T_up(nodes) of k m bytes + T_low_bcast(k) of p m bytes, k the ranks of a node;
//         on two levels, T_up has the figures between nodes, the rest those within a node.
// Source: Open MPI 4.1.4, mca_coll_han_allgather_intra and _simple (coll_han_allgather.c).
// Needs:  several nodes of several ranks (--map or --per-node), nodes of equal size, parts that can run; else ring
//         runs.
//
//   p = 8, 4 per node      low    1 -> 0   3 -> 2   5 -> 4   7 -> 6      2 -> 0   6 -> 4 (2 blocks)
//                          up     0-4 (4 blocks)
//                          low    0 -> 1   4 -> 5      0 -> 2   1 -> 3   4 -> 6   5 -> 7 (8 blocks)
#include "coll.h"
#include "times/times.h"

enum { UP, LOW_GATHER, LOW_BCAST };

static void allgather_han(const Coll *c)
{
    Coll gather = coll_node_under(c, LEADER_FIRST), leaders = coll_leaders_who(c, LEADER_FIRST), bcast = gather;
    const bool leads = leaders.rank >= 0, reorders = leads && !c->nodes->ordered;
    gather.out = leaders.in = coll_scratch_if(c, leads, (size_t)gather.p * c->in.len);
    leaders.out = reorders ? coll_scratch(c, c->out.len) : c->out;
    bcast.in = bcast.out = c->out;
    coll_call(&gather, c->par.part[LOW_GATHER]);
    if (leads)
        coll_call(&leaders, c->par.part[UP]);
    if (reorders) {
        const Blocks out = coll_out(c);
        coll_unpack(c, &out, c->p, c->nodes->member, leaders.out);
    }
    coll_call(&bcast, c->par.part[LOW_BCAST]);
}

static int64_t formula(const CollPoint *x)
{
    const int k = coll_nodes_equal(x->nodes);
    const int64_t gather = call_time_near(x, LOW_GATHER, k, x->m), up = call_time_far(x, UP, k * x->m);
    return then(then(gather, up), call_time_near(x, LOW_BCAST, k, x->p * x->m));
}

const CollAlgorithm allgather_han_algorithm = {
    .collective = COLL_ALLGATHER,
    .name = "han",
    .aliases = {"han:intra", "han:simple"},
    .summary = "Open MPI's two levels: a gather in each node, an allgather between the nodes, a broadcast in each node",
    .run = allgather_han,
    .needs = {&need_nodes, &need_nodes_equal, &need_group_parts},
    .groups = {[UP] = RAILS_LANE, [LOW_GATHER] = RAILS_NODE, [LOW_BCAST] = RAILS_NODE},
    .otherwise = "ring",
    .params = {PART("up", UP, COLL_ALLGATHER, "ring", "the allgather between the nodes"),
               PART_WITHIN("low_gather", LOW_GATHER, COLL_GATHER, "binomial", "the gather within a node"),
               PART_WITHIN("low_bcast", LOW_BCAST, COLL_BCAST, "binomial", "the broadcast within a node")},
    .peers = PEERS_SHIFT,
    .cost = "T_low_gather(k) of m bytes + T_up(nodes) of k m bytes + T_low_bcast(k) of p m bytes, k the ranks of a "
            "node; on two levels, T_up has the figures between nodes, the rest those within a node",
    .formula = formula,
    .levels = true,
    .unknown = "a part without a formula",
    .source = "Open MPI 4.1.4, mca_coll_han_allgather_intra and _simple (coll_han_allgather.c)",
};
