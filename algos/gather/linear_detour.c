// What:   For machines on which a byte takes longer within a node than between nodes: no message stays in the root's
//         node. Each other rank of this node sends its block to a rank of another node, its helper, which sends it on
//         to the root behind its own. The root first receives the blocks of those who help nobody, so no helper keeps
//         it waiting. In the v-collective, on the conservative level, the root first broadcasts all lengths and
//         displacements, 8 bytes for each rank, down the tree of bcast node_tree with 2 rounds; on the aggressive level
//         all ranks know them. See shapes/relay.h for the order of the ranks.
// Cost:   rendezvous: (p-1) (alpha + m beta); on two levels with the figures between nodes. m is the size of a block,
//         in bytes.
// Source: this page.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of equal size; else linear runs.
//
//   p = 6, 3 per node      1 -> 4     3 -> 0
//                          2 -> 5     4 -> 0
//                                     5 -> 0
//                                     4 -> 0 (1's)
//                                     5 -> 0 (2's)
#include "coll.h"
#include "times/times.h"

static void gather_linear_detour(const Coll *c)
{
    const Relay x = relay_singly(c);
    const Blocks out = coll_out(c);
    const int mate = relay_mate(&x, c->rank);
    if (c->rank == c->root) {
        coll_copy(c, block(&out, c->root), c->in);
        for (int run = 0; run < x.runs; run++)
            coll_recv(c, relay_single(&x, run), block(&out, relay_single(&x, run)));
        for (int i = 0; i < x.mates; i++)
            coll_recv(c, relay_helper(&x, i), block(&out, relay_rank(&x, i)));
    } else if (mate >= 0) {
        coll_send(c, relay_helper(&x, mate), c->in);
    } else {
        const int helped = relay_helped(&x, c->rank);
        const Slice held = coll_scratch(c, helped < 0 ? 0 : block(&out, helped).len);
        if (helped >= 0)
            coll_recv(c, helped, held);
        coll_send(c, c->root, c->in);
        if (helped >= 0)
            coll_send(c, c->root, held);
    }
}

static void gatherv_linear_detour(const Coll *c)
{
    relay_tell(c);
    coll_phase(c, "gather");
    gather_linear_detour(c);
}

static int64_t formula(const CollPoint *x)
{
    return x->eager ? -1 : (x->p - 1) * u(x, x->m);
}

static int64_t formula_v(const CollPoint *x)
{
    return x->par.choice == LEVEL_CONSERVATIVE ? -1 : formula(x);
}

#define COMMON                                                                                                         \
    .name = "linear_detour", .summary = "blocks of the root's node go through other nodes, whose blocks go straight",  \
    .needs = {&need_nodes, &need_nodes_equal}, .otherwise = "linear", .peers = PEERS_SHIFT, .levels = true,            \
    .cost = "rendezvous: (p-1) (alpha + m beta); on two levels with the figures between nodes", .source = "this page"

const CollAlgorithm gather_linear_detour_algorithm = {
    COMMON,
    .collective = COLL_GATHER,
    .run = gather_linear_detour,
    .formula = formula,
    .unknown = "eager: a block that arrives early need not wait for the root's turn",
};

const CollAlgorithm gatherv_linear_detour_algorithm = {
    COMMON,
    .collective = COLL_GATHERV,
    .run = gatherv_linear_detour,
    .params = {LEVEL},
    .formula = formula_v,
    .unknown = "eager; conservative: ranks send blocks while others still get the lengths",
};
