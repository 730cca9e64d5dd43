// What:   p-1 steps: every rank passes the block that it got last on to the next rank.
// Cost:   T = (p-1) (alpha + m beta), m bytes a block, any p.
// Source: Open MPI 4.1 coll/base, allgather ring; MPICH allgather ring.
// Needs:  nothing.
//
//   p = 8, 7 times      0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> 0
#include "coll.h"

static void allgather_ring(const Coll *c)
{
    const Blocks b = blocks_even(c, c->out, c->p);
    coll_copy(c, slice_like(block(&b, c->rank), c->in), c->in);
    ring_allgather(c, &b);
}

static int64_t formula(const CollPoint *x)
{
    return (x->p - 1) * u(x, x->m);
}

const CollAlgorithm allgather_ring_algorithm = {
    .collective = COLL_ALLGATHER,
    .name = "ring",
    .aliases = {"ompi:4", "mpich:ring"},
    .summary = "every rank passes on the block that it got last, p-1 times",
    .run = allgather_ring,
    .peers = PEERS_SHIFT,
    .same_as = same_always,
    .cost = "(p-1) (alpha + m beta)",
    .formula = formula,
    .source = "Open MPI 4.1, allgather ring; MPICH, allgather ring",
};
