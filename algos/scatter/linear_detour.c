// What:   For machines on which a byte takes longer within a node than between nodes: no message stays in the root's
//         node. The root sends the blocks of the other ranks of this node to ranks of another node, their helpers,
//         which send them on; then it sends all ranks of other nodes their own blocks, helpers last. In the
//         v-collective, on the conservative level, the root first broadcasts all lengths and displacements, 8 bytes for
//         each rank, down the tree of bcast node_tree with 2 rounds; on the aggressive level all ranks know them. See
//         shapes/relay.h for the order of the ranks.
// Cost:   rendezvous: (p-1) (alpha + m beta); on two levels with the figures between nodes. m is the size of a block,
//         in bytes.
// Source: this page.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of equal size; else linear runs.
//
//   p = 6, 3 per node      0 -> 4 (1's)
//                          0 -> 5 (2's)     4 -> 1
//                          0 -> 3           5 -> 2
//                          0 -> 4
//                          0 -> 5
#include "coll.h"
#include "times/times.h"

static void scatter_linear_detour(const Coll *c)
{
    const Relay x = relay_singly(c);
    const Blocks in = coll_in(c);
    const int mate = relay_mate(&x, c->rank);
    if (c->rank == c->root) {
        for (int i = 0; i < x.mates; i++)
            coll_send(c, relay_helper(&x, i), block(&in, relay_rank(&x, i)));
        for (int run = 0; run < x.runs; run++)
            coll_send(c, relay_single(&x, run), block(&in, relay_single(&x, run)));
        coll_copy(c, c->out, block(&in, c->root));
    } else if (mate >= 0) {
        coll_recv(c, relay_helper(&x, mate), c->out);
    } else {
        const int helped = relay_helped(&x, c->rank);
        if (helped >= 0) {
            const Slice held = coll_scratch(c, block(&in, helped).len);
            coll_recv(c, c->root, held);
            coll_send(c, helped, held);
        }
        coll_recv(c, c->root, c->out);
    }
}

static void scatterv_linear_detour(const Coll *c)
{
    relay_tell(c);
    coll_phase(c, "scatter");
    scatter_linear_detour(c);
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

const CollAlgorithm scatter_linear_detour_algorithm = {
    COMMON,
    .collective = COLL_SCATTER,
    .run = scatter_linear_detour,
    .formula = formula,
    .unknown = "eager: the last block may reach its rank after the root has sent all others",
};

const CollAlgorithm scatterv_linear_detour_algorithm = {
    COMMON,
    .collective = COLL_SCATTERV,
    .run = scatterv_linear_detour,
    .params = {LEVEL},
    .formula = formula_v,
    .unknown = "eager; conservative: ranks send blocks while others still get the lengths",
};
