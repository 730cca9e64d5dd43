// What:   The circulant reduce-scatter reduces each block to one rank; then its rounds run backwards as an allgather.
//         See reduce_scatter/circulant.c and shapes/circulant.c.
// Cost:   T = 2 ceil(log2 p) alpha + (p-1)/p m (2 beta + gamma). Rabenseifner's algorithm has the same T for p = 2^d.
// Source: Träff 2024, reduce-scatter and allreduce on circulant graphs.
// Needs:  a commutative operation.
//
//   p = 5      to r+3 (2/5 m)   to r+2 (1/5 m)   to r+1 (1/5 m)
//              to r-1 (1/5 m)   to r-2 (1/5 m)   to r-3 (2/5 m)
#include "coll.h"
#include "times/times.h"

static void allreduce_circulant(const Coll *c)
{
    const Blocks in = blocks_even(c, c->in, c->p), out = blocks_even(c, c->out, c->p);
    coll_phase(c, "reduce-scatter");
    const Blocks acc = circulant_reduce_scatter(c, &in, false);
    coll_phase(c, "allgather");
    circulant_allgather(c, &acc, &out);
}

static int64_t formula(const CollPoint *x)
{
    return 2 * log2_ceil(x->p) * x->alpha + (x->m - x->m / x->p) * (2 * x->beta + x->gamma);
}

const CollAlgorithm allreduce_circulant_algorithm = {
    .collective = COLL_ALLREDUCE,
    .name = "circulant",
    .summary = "a circulant reduce-scatter, then the same rounds backwards, for any p",
    .run = allreduce_circulant,
    .needs = {&need_commutative},
    .peers = PEERS_SHIFT,
    .same_as = same_always,
    .cost = "2 ceil(log2 p) alpha + (p-1)/p m (2 beta + gamma)",
    .formula = formula,
    .source = "Träff 2024, reduce-scatter and allreduce on circulant graphs",
};
