// What:   The butterfly of allreduce bine halves the vector, at distance 1, 1, 3, 5, 11 .. to one side and the other in
//         turn. Every message is contiguous without packing, but a rank ends with the block of its place, and sends it
//         to the rank whose block it is. (swing packs, and saves the last message.) See shapes/bine.c.
// Cost:   p = 2^d >= 4: (d+1) alpha + m beta + (p-1)/p m gamma; p = 2: alpha + m/2 (beta + gamma). m is the size of the
//         whole vector, in bytes.
// Source: De Sensi et al., Bine Trees, SC 2025. The paper calls this way to make messages contiguous "send".
// Needs:  p a power of two, a commutative operation; else recursive_doubling runs.
//
//   p = 8      0-1 2-3 4-5 6-7 (4 blocks)   0-7 1-2 3-4 5-6 (2 blocks)   0-3 1-6 2-5 4-7
//              1->4 2->6 3->1 4->3 5->7 6->5 7->2
#include "coll.h"
#include "times/times.h"

static void reduce_scatter_bine(const Coll *c)
{
    const Blocks in = coll_in(c), acc = blocks_of(coll_scratch(c, c->in.len), &in);
    const int place = bine_place(c->rank, c->p);
    coll_copy(c, acc.all, c->in);
    coll_phase(c, "reduce-scatter");
    bine_halve(c, &acc);
    coll_phase(c, "to the owners");
    coll_sendrecv(c, place, block(&acc, place), bine_at_place(c->rank, c->p), c->out);
}

static int64_t formula(const CollPoint *x)
{
    const int moves = x->p > 2; // some rank is not at its place
    const int64_t one = x->m / x->p, halved = x->m - one;
    return (log2_floor(x->p) + moves) * x->alpha + (halved + moves * one) * x->beta + halved * x->gamma;
}

#define COMMON                                                                                                         \
    .name = "bine", .summary = "a butterfly that halves runs of blocks; then a block moves to its owner",              \
    .run = reduce_scatter_bine, .needs = {&need_pow2, &need_commutative}, .otherwise = "recursive_doubling",           \
    .peers = PEERS_SHIFT,                                                                                              \
    .cost = "p = 2^d >= 4: (d+1) alpha + m beta + (p-1)/p m gamma; p = 2: alpha + m/2 (beta + gamma)",                 \
    .formula = formula, .source = "De Sensi et al., Bine Trees, SC 2025"

const CollAlgorithm reduce_scatter_bine_algorithm = {COMMON, .collective = COLL_REDUCE_SCATTER};
const CollAlgorithm reduce_scatter_block_bine_algorithm = {COMMON, .collective = COLL_REDUCE_SCATTER_BLOCK};
