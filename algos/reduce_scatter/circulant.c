// What:   Rank r orders the blocks as r, r+1, r+2 .. (mod p). In rounds of skips s = ceil(p/2), ceil(p/4) .. 1, it
//         sends its partial results for the farther half of the blocks that it still has, from block r+s on, to rank
//         r+s. See shapes/circulant.c.
// Cost:   T = ceil(log2 p) alpha + (p-1)/p m (beta + gamma), m the whole vector. The number of messages, of bytes and
//         of reductions all equal their lower bounds.
// Source: Träff 2024, reduce-scatter and allreduce on circulant graphs.
// Needs:  a commutative operation.
//
//   p = 5      to r+3 (2 blocks)   to r+2 (1 block)   to r+1 (1 block)
#include "coll.h"
#include "times/times.h"

static void reduce_scatter_circulant(const Coll *c)
{
    const Blocks in = coll_in(c), acc = circulant_reduce_scatter(c, &in, false);
    coll_copy(c, c->out, block(&acc, 0));
}

static int64_t formula(const CollPoint *x)
{
    return log2_ceil(x->p) * x->alpha + (x->m - x->m / x->p) * (x->beta + x->gamma);
}

#define COMMON                                                                                                         \
    .name = "circulant",                                                                                               \
    .summary = "a rank sends the farther half of its partial results ahead, in each of ceil(log2 p) rounds",           \
    .run = reduce_scatter_circulant, .needs = {&need_commutative}, .peers = PEERS_SHIFT, .same_as = same_always,       \
    .cost = "ceil(log2 p) alpha + (p-1)/p m (beta + gamma), m the whole vector", .formula = formula,                   \
    .source = "Träff 2024, reduce-scatter and allreduce on circulant graphs"

const CollAlgorithm reduce_scatter_circulant_algorithm = {COMMON, .collective = COLL_REDUCE_SCATTER};
const CollAlgorithm reduce_scatter_block_circulant_algorithm = {COMMON, .collective = COLL_REDUCE_SCATTER_BLOCK};
