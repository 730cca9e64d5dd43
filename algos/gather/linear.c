// What:   The root receives the block of one rank after the other. An empty block is a message too.
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

static void gather_linear(const Coll *c)
{
    if (c->rank != c->root) {
        coll_send(c, c->root, c->in);
        return;
    }
    const Blocks b = coll_out(c);
    coll_copy(c, block(&b, c->root), c->in);
    for (int r = 0; r < c->p; r++)
        if (r != c->root)
            coll_recv(c, r, block(&b, r));
}

static int64_t formula(const CollPoint *x)
{
    return (x->eager && x->p > 1 ? 1 : x->p - 1) * u(x, x->m);
}

#define COMMON                                                                                                         \
    .name = "linear", .summary = "the root receives the blocks of all ranks in turn", .run = gather_linear,            \
    .peers = PEERS_ABSOLUTE, .same_as = same_linear, .cost = "(p-1) (alpha + m beta); eager: alpha + m beta",          \
    .formula = formula

const CollAlgorithm gather_linear_algorithm = {
    COMMON,
    .collective = COLL_GATHER,
    .aliases = {"ompi:1", "smpi:ompi_basic_linear"},
    .source = "Open MPI 4.1, gather basic_linear",
};

const CollAlgorithm gatherv_linear_algorithm = {
    COMMON,
    .collective = COLL_GATHERV,
    .aliases = {"mpich:linear", "smpi:default"},
    .source = "Open MPI 4.1, coll/basic gatherv; MPICH, gatherv linear",
};
