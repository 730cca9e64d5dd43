// What:   The root receives the block of one rank after the other. An empty block is a message in a
//         gather, and none in a gatherv.
// Cost:   T = (p-1) (alpha + m beta); eager: alpha + m beta. m is the size of a block, in bytes. A gatherv takes (p-1)
//         alpha + M beta, where M is the number of bytes of all blocks except the root's, and under eager alpha + m
//         beta for the longest of these blocks.
// Source: gather linear: Open MPI 4.1, gather basic_linear.
//         gatherv linear: Open MPI 4.1, coll/basic gatherv; MPICH, gatherv linear.
// Needs:  nothing.
//
//   p = 8      1 -> 0   2 -> 0   3 -> 0   4 -> 0   5 -> 0   6 -> 0   7 -> 0
#include "coll.h"
#include "times/times.h"

static void receive_blocks(const Coll *c, bool empty_too)
{
    if (c->rank != c->root) {
        if (c->in.len > 0 || empty_too)
            coll_send(c, c->root, c->in);
        return;
    }
    const Blocks b = coll_out(c);
    coll_copy(c, block(&b, c->root), c->in);
    for (int r = 0; r < c->p; r++)
        if (r != c->root && (block(&b, r).len > 0 || empty_too))
            coll_recv(c, r, block(&b, r));
}

static void gather_linear(const Coll *c)
{
    receive_blocks(c, true);
}

static void gatherv_linear(const Coll *c)
{
    receive_blocks(c, false);
}

static int64_t formula(const CollPoint *x)
{
    return (x->eager && x->p > 1 ? 1 : x->p - 1) * u(x, x->m);
}

static int64_t formula_v(const CollPoint *x)
{
    return x->m == 0 ? 0 : formula(x);
}

#define COMMON                                                                                                         \
    .name = "linear", .summary = "the root receives the blocks of all ranks in turn", .peers = PEERS_ABSOLUTE,         \
    .same_as = same_linear, .cost = "(p-1) (alpha + m beta); eager: alpha + m beta"

const CollAlgorithm gather_linear_algorithm = {
    COMMON,
    .collective = COLL_GATHER,
    .run = gather_linear,
    .formula = formula,
    .aliases = {"ompi:1", "smpi:ompi_basic_linear"},
    .source = "Open MPI 4.1, gather basic_linear",
};

const CollAlgorithm gatherv_linear_algorithm = {
    COMMON,
    .collective = COLL_GATHERV,
    .run = gatherv_linear,
    .formula = formula_v,
    .aliases = {"mpich:linear", "smpi:default", "intel:1"},
    .source = "Open MPI 4.1, coll/basic gatherv; MPICH, gatherv linear",
};
