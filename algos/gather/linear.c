// What:   the root receives every rank's block, one after the other.
// Cost:   T = (p-1) (alpha + m beta), m bytes a block; eager: alpha + m beta.
// Source: Open MPI 4.1 coll/base, gather basic_linear.
// Needs:  nothing.
//
//   p = 8      1 -> 0   2 -> 0   3 -> 0   4 -> 0   5 -> 0   6 -> 0   7 -> 0
#include "coll.h"

static void gather_linear(const Coll *c)
{
    if (c->rank != c->root) {
        coll_send(c, c->root, c->in);
        return;
    }
    const Blocks b = blocks_even(c, c->out, c->p);
    coll_copy(c, slice_like(block(&b, c->root), c->in), c->in);
    for (int r = 0; r < c->p; r++)
        if (r != c->root)
            coll_recv(c, r, block(&b, r));
}

static int64_t formula(const CollPoint *x)
{
    return (x->eager && x->p > 1 ? 1 : x->p - 1) * u(x, x->m);
}

const CollAlgorithm gather_linear_algorithm = {
    .collective = COLL_GATHER,
    .name = "linear",
    .aliases = {"ompi:1"},
    .summary = "the root receives every rank's block in turn",
    .run = gather_linear,
    .peers = PEERS_ABSOLUTE,
    .same_as = same_linear,
    .cost = "(p-1) (alpha + m beta); eager: alpha + m beta",
    .formula = formula,
    .source = "Open MPI 4.1, gather basic_linear",
};
