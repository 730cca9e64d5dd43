// What:   In each of p-1 steps, every rank sends a partial result to the next rank, receives one from the rank before
//         it, and reduces its own block into that one. The first partial result is a block of the rank's own vector.
//         See shapes/ring.c.
// Cost:   T = (p-1) alpha + (p-1)/p m (beta + gamma). m is the size of the whole vector, in bytes.
// Source: Open MPI 4.1, reduce_scatter ring.
// Needs:  a commutative operation.
//
//   p = 8, 7 times      0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> 0
#include "coll.h"
#include "times/times.h"

static void reduce_scatter_ring(const Coll *c)
{
    const Blocks in = coll_in(c), acc = blocks_of(coll_scratch(c, c->in.len), &in);
    ring_reduce_scatter(c, &in, &acc);
    coll_copy(c, c->out, block(&acc, c->rank));
}

static int64_t formula(const CollPoint *x)
{
    return (x->p - 1) * x->alpha + (x->m - x->m / x->p) * (x->beta + x->gamma);
}

#define COMMON                                                                                                         \
    .name = "ring", .summary = "partial results travel around a ring, in p-1 steps", .run = reduce_scatter_ring,       \
    .needs = {&need_commutative}, .peers = PEERS_SHIFT, .same_as = same_always,                                        \
    .cost = "(p-1) alpha + (p-1)/p m (beta + gamma)", .formula = formula,                                              \
    .source = "Open MPI 4.1, reduce_scatter ring"

const CollAlgorithm reduce_scatter_ring_algorithm = {
    COMMON,
    .collective = COLL_REDUCE_SCATTER,
    .aliases = {"ompi:3", "smpi:ompi_ring"},
};

const CollAlgorithm reduce_scatter_block_ring_algorithm = {
    COMMON,
    .collective = COLL_REDUCE_SCATTER_BLOCK,
    .aliases = {"smpi:ompi_ring"},
};
