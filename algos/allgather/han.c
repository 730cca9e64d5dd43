// What:   Every node gathers its blocks at its first rank, these ranks make an allgather of the nodes' blocks, and each
//         of them broadcasts all blocks within its node. If the nodes are not runs of consecutive ranks, the first ranks
//         copy the blocks to their places before the broadcast. HAN calls tuned's collectives on both levels, which
//         choose by size and ranks.
// Cost:   T_low_gather(k) of m bytes + T_up(nodes) of k m bytes + T_low_bcast(k) of p m bytes, k the ranks of a node; on
//         two levels, T_up has the figures between nodes, the rest those within a node.
// Source: Open MPI 4.1.4, mca_coll_han_allgather_intra and _simple (coll_han_allgather.c).
// Needs:  several nodes of several ranks (--map or --per-node), nodes of equal size, parts that can run; else ring runs.
//
//   p = 8, 4 per node      low    1 -> 0   3 -> 2   5 -> 4   7 -> 6      2 -> 0   6 -> 4 (2 blocks)
//                          up     0-4 (4 blocks)
//                          low    0 -> 1   4 -> 5      0 -> 2   1 -> 3   4 -> 6   5 -> 7 (8 blocks)
#include "coll.h"
#include "times/times.h"

enum { UP, LOW_GATHER, LOW_BCAST };

// Returns the view of the caller's node with these buffers.
static Coll in_node(const Coll *c, Slice in, Slice out)
{
    Coll node = coll_node_under(c, LEADER_FIRST);
    node.in = in;
    node.out = out;
    return node;
}

// Returns the view in which the first ranks of the nodes gather the nodes' blocks into `all`.
static Coll among_leaders(const Coll *c, Slice blocks, Slice all)
{
    Coll leaders = coll_leaders_who(c, LEADER_FIRST);
    leaders.in = blocks;
    leaders.out = all;
    return leaders;
}

static void allgather_han(const Coll *c)
{
    const size_t len = (size_t)coll_nodes_equal(c->nodes) * c->in.len;
    const bool leads = c->nodes->local[c->rank] == 0, reorders = leads && !c->nodes->ordered;
    const Slice blocks = leads ? coll_scratch(c, len) : slice_at(c->out, 0, len);
    const Slice all = reorders ? coll_scratch(c, c->out.len) : c->out;
    const Coll gather = in_node(c, c->in, blocks), leaders = among_leaders(c, blocks, all);
    const Coll bcast = in_node(c, c->out, c->out);
    coll_call(&gather, c->par.part[LOW_GATHER]);
    if (leads)
        coll_call(&leaders, c->par.part[UP]);
    if (reorders) {
        const Blocks out = coll_out(c);
        coll_unpack(c, &out, c->p, c->nodes->member, all);
    }
    coll_call(&bcast, c->par.part[LOW_BCAST]);
}

// All ranks must come to the same answer, so each of them asks for the first node: all nodes are alike.
static bool parts_can(const Coll *c)
{
    const Slice blocks = slice_at(c->out, 0, (size_t)coll_nodes_equal(c->nodes) * c->in.len);
    Coll at = *c;
    at.rank = c->nodes->member[0];
    const Coll gather = in_node(&at, c->in, blocks), leaders = among_leaders(&at, blocks, c->out);
    const Coll bcast = in_node(&at, c->out, c->out);
    return coll_can(&gather, c->par.part[LOW_GATHER]) && coll_can(&leaders, c->par.part[UP]) &&
           coll_can(&bcast, c->par.part[LOW_BCAST]);
}

static const CollNeed need_parts = {parts_can, "a part cannot run", "parts that can run"};

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
    .needs = {&need_nodes, &need_nodes_equal, &need_parts},
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
