// What:   rounds of skips s = ceil(p/2), ceil(p/4) .. 1: of the partial results for the ranks from its own on, a rank
//         hands the farther half to the rank s ahead.
// Cost:   T = ceil(log2 p) alpha + (p-1)/p m (beta + gamma), m the whole vector. All three bounds are reached.
// Source: Träff 2024, reduce-scatter and allreduce on circulant graphs.
// Needs:  a commutative operation.
//
//   p = 5      to r+3 (2 blocks)   to r+2 (1 block)   to r+1 (1 block)
#include "coll.h"
#include "times/times.h"

static void reduce_scatter_circulant(const Coll *c)
{
    const Blocks in = coll_in(c), acc = circulant_reduce_scatter(c, &in);
    coll_copy(c, c->out, block(&acc, 0));
}

static int64_t formula(const CollPoint *x)
{
    return log2_ceil(x->p) * x->alpha + (x->m - x->m / x->p) * (x->beta + x->gamma);
}

#define COMMON                                                                                                         \
    .name = "circulant", .summary = "the farther half of the partial results goes ahead, in ceil(log2 p) rounds",      \
    .run = reduce_scatter_circulant, .needs = {&need_commutative}, .peers = PEERS_SHIFT, .same_as = same_always,       \
    .cost = "ceil(log2 p) alpha + (p-1)/p m (beta + gamma), m the whole vector", .formula = formula,                   \
    .source = "Träff 2024, reduce-scatter and allreduce on circulant graphs"

const CollAlgorithm reduce_scatter_circulant_algorithm = {COMMON, .collective = COLL_REDUCE_SCATTER};
const CollAlgorithm reduce_scatter_block_circulant_algorithm = {COMMON, .collective = COLL_REDUCE_SCATTER_BLOCK};
