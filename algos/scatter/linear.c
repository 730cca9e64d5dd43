// What:   the root sends every rank its block, one after the other.
// Cost:   T = (p-1) (alpha + m beta), m bytes a block.
// Source: Open MPI 4.1 coll/base, scatter basic_linear.
// Needs:  nothing.
//
//   p = 8      0 -> 1   0 -> 2   0 -> 3   0 -> 4   0 -> 5   0 -> 6   0 -> 7
#include "coll.h"

static void scatter_linear(const Coll *c)
{
    if (c->rank != c->root) {
        coll_recv(c, c->root, c->out);
        return;
    }
    const Blocks b = blocks_even(c, c->in, c->p);
    for (int r = 0; r < c->p; r++)
        if (r != c->root)
            coll_send(c, r, block(&b, r));
    coll_copy(c, c->out, slice_like(block(&b, c->root), c->out));
}

static int64_t formula(const CollPoint *x)
{
    return (x->p - 1) * u(x, x->m);
}

const CollAlgorithm scatter_linear_algorithm = {
    .collective = COLL_SCATTER,
    .name = "linear",
    .aliases = {"ompi:1"},
    .summary = "the root sends every rank its block in turn",
    .run = scatter_linear,
    .peers = PEERS_ABSOLUTE,
    .same_as = same_linear,
    .cost = "(p-1) (alpha + m beta)",
    .formula = formula,
    .source = "Open MPI 4.1, scatter basic_linear",
};
