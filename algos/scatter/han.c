// What:   The root scatters the nodes' blocks to the ranks that have its number within their nodes, and then each of
//         these scatters its node's blocks. If the nodes are not runs of consecutive ranks, the root first copies the
//         blocks into the order of the nodes. HAN calls tuned's scatter on both levels, which chooses by size and ranks.
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

// Returns a buffer of `len` bytes that nobody touches, at ranks that need not have c->in.
static Slice untouched(const Coll *c, size_t len)
{
    return (Slice){.buf = c->in.buf, .len = len};
}

// Returns the view in which the leaders scatter the nodes' blocks from `all`.
static Coll among_leaders(const Coll *c, Slice all, Slice blocks)
{
    Coll leaders = coll_leaders_who(c, LEADER_LANE);
    leaders.in = all;
    leaders.out = blocks;
    return leaders;
}

// Returns the view in which the caller's node scatters `blocks`.
static Coll in_node(const Coll *c, Slice blocks)
{
    Coll node = coll_node_under(c, LEADER_LANE);
    node.in = blocks;
    return node;
}

static void scatter_han(const Coll *c)
{
    const size_t len = (size_t)coll_nodes_equal(c->nodes) * c->out.len;
    const bool leads = c->nodes->local[c->rank] == c->nodes->local[c->root];
    const bool reorders = c->rank == c->root && !c->nodes->ordered;
    const Slice all = reorders ? coll_scratch(c, c->in.len) : c->in;
    const Slice blocks = leads ? coll_scratch(c, len) : untouched(c, len);
    const Coll leaders = among_leaders(c, all, blocks), node = in_node(c, blocks);
    if (reorders) {
        const Blocks in = coll_in(c);
        coll_pack(c, all, &in, c->p, c->nodes->member);
    }
    if (leads)
        coll_call(&leaders, c->par.part[UP]);
    coll_call(&node, c->par.part[LOW]);
}

// All ranks must come to the same answer, so each of them asks for the root's node: all nodes are alike.
static bool parts_can(const Coll *c)
{
    const Slice blocks = untouched(c, (size_t)coll_nodes_equal(c->nodes) * c->out.len);
    Coll at = *c;
    at.rank = c->root;
    const Coll leaders = among_leaders(&at, untouched(c, (size_t)c->p * c->out.len), blocks),
               node = in_node(&at, blocks);
    return coll_can(&leaders, c->par.part[UP]) && coll_can(&node, c->par.part[LOW]);
}

static const CollNeed need_parts = {parts_can, "a part cannot run", "parts that can run"};

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
    .needs = {&need_nodes, &need_nodes_equal, &need_parts},
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
