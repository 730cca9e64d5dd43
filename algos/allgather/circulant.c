// What:   Rank r collects the blocks of the ranks r, r+1, r+2 .. in rounds of skips s = 1 .. ceil(p/4), ceil(p/2). In
//         each round it receives blocks from rank r+s and sends as many to rank r-s. The algorithm is like Bruck's, but
//         the skips are rounded halves of p instead of powers of two. See shapes/circulant.c.
// Cost:   T = ceil(log2 p) alpha + (p-1) m beta. m is the size of a block, in bytes.
// Source: Träff 2024, reduce-scatter and allreduce on circulant graphs.
// Needs:  nothing.
//
//   p = 5      from r+1 (1 block)   from r+2 (1 block)   from r+3 (2 blocks)
#include "coll.h"
#include "times/times.h"

static void allgather_circulant(const Coll *c)
{
    const Blocks out = coll_out(c), have = blocks_turned(c, &out, c->rank);
    coll_copy(c, block(&have, 0), c->in);
    circulant_allgather(c, &have, &out);
}

static int64_t formula(const CollPoint *x)
{
    return log2_ceil(x->p) * x->alpha + (x->p - 1) * x->m * x->beta;
}

#define COMMON                                                                                                         \
    .name = "circulant", .summary = "the number of blocks that a rank has about doubles in every round, for any p",    \
    .run = allgather_circulant, .peers = PEERS_SHIFT, .same_as = same_always,                                          \
    .cost = "ceil(log2 p) alpha + (p-1) m beta", .formula = formula,                                                   \
    .source = "Träff 2024, reduce-scatter and allreduce on circulant graphs"

const CollAlgorithm allgather_circulant_algorithm = {COMMON, .collective = COLL_ALLGATHER};
const CollAlgorithm allgatherv_circulant_algorithm = {COMMON, .collective = COLL_ALLGATHERV};
