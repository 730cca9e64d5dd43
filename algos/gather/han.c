// What:   Every node gathers its blocks at the rank that has the root's number within its node, and then these ranks
//         gather the nodes' blocks at the root. If the nodes are not runs of consecutive ranks, the root receives the
//         blocks in the order of the nodes, and copies each to its place. HAN calls tuned's gather on both levels, which
//         chooses by size and ranks.
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

// Returns a buffer of `len` bytes that nobody touches, at ranks that need not have c->out.
static Slice untouched(const Coll *c, size_t len)
{
    return (Slice){.buf = c->out.buf, .len = len};
}

// Returns the view in which the caller's node gathers its blocks into `blocks`.
static Coll in_node(const Coll *c, Slice blocks)
{
    Coll node = coll_node_under(c, LEADER_LANE);
    node.out = blocks;
    return node;
}

// Returns the view in which the leaders gather the nodes' blocks into `all`.
static Coll among_leaders(const Coll *c, Slice blocks, Slice all)
{
    Coll leaders = coll_leaders_who(c, LEADER_LANE);
    leaders.in = blocks;
    leaders.out = all;
    return leaders;
}

static void gather_han(const Coll *c)
{
    const size_t len = (size_t)coll_nodes_equal(c->nodes) * c->in.len;
    const bool leads = c->nodes->local[c->rank] == c->nodes->local[c->root];
    const bool reorders = c->rank == c->root && !c->nodes->ordered;
    const Slice blocks = leads ? coll_scratch(c, len) : untouched(c, len);
    const Slice all = reorders ? coll_scratch(c, c->out.len) : c->out;
    const Coll node = in_node(c, blocks), leaders = among_leaders(c, blocks, all);
    coll_call(&node, c->par.part[LOW]);
    if (leads)
        coll_call(&leaders, c->par.part[UP]);
    if (reorders) {
        const Blocks out = coll_out(c);
        coll_unpack(c, &out, c->p, c->nodes->member, all);
    }
}

// All ranks must come to the same answer, so each of them asks for the root's node: all nodes are alike.
static bool parts_can(const Coll *c)
{
    const Slice blocks = untouched(c, (size_t)coll_nodes_equal(c->nodes) * c->in.len);
    Coll at = *c;
    at.rank = c->root;
    const Coll node = in_node(&at, blocks),
               leaders = among_leaders(&at, blocks, untouched(c, (size_t)c->p * c->in.len));
    return coll_can(&node, c->par.part[LOW]) && coll_can(&leaders, c->par.part[UP]);
}

static const CollNeed need_parts = {parts_can, "a part cannot run", "parts that can run"};

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
    .needs = {&need_nodes, &need_nodes_equal, &need_parts},
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
