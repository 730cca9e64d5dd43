// What:   The first half of allreduce swing: a rank's peers swing from one side to the other, at distance 1, 1, 3, 5,
//         11 .. A rank sends its peer the blocks of the peer and of the ranks that the peer reaches in later rounds,
//         packed into one message. If p is not a power of two, two peers can reach the same rank, and one of them gets
//         its block. See shapes/butterfly.c.
// Cost:   T = ceil(log2 p) alpha + (p-1)/p m (beta + gamma), p even. m is the size of the whole vector, in bytes.
// Source: De Sensi et al., Swing, NSDI 2024.
// Needs:  p even, a commutative operation; else recursive_doubling runs.
//
//   p = 6      0-1 2-3 4-5 (2 blocks)   0-5 1-2 3-4 (2 blocks)   0-3 1-4 2-5 (1 block)
#include "coll.h"
#include "times/times.h"

static void reduce_scatter_swing(const Coll *c)
{
    const Blocks in = coll_in(c), acc = blocks_of(coll_scratch(c, c->in.len), &in);
    SwingStep step[32];
    const int steps = butterfly_swing(c, step);
    coll_copy(c, acc.all, c->in);
    for (int i = steps - 1; i >= 0; i--)
        exchange_reduced_listed(c, &acc, step[i].n, step[i].peer, step[i].take, step[i].peer, step[i].give);
    coll_copy(c, c->out, block(&acc, c->rank));
}

static int64_t formula(const CollPoint *x)
{
    return log2_ceil(x->p) * x->alpha + (x->m - x->m / x->p) * (x->beta + x->gamma);
}

#define COMMON                                                                                                         \
    .name = "swing", .summary = "peers at distance 1, 1, 3, 5, 11 .., to one side and the other in turn",              \
    .run = reduce_scatter_swing, .needs = {&need_even, &need_commutative}, .otherwise = "recursive_doubling",          \
    .peers = PEERS_SHIFT, .same_as = same_swing, .cost = "ceil(log2 p) alpha + (p-1)/p m (beta + gamma), p even",      \
    .formula = formula, .source = "De Sensi et al., Swing, NSDI 2024"

const CollAlgorithm reduce_scatter_swing_algorithm = {COMMON, .collective = COLL_REDUCE_SCATTER};
const CollAlgorithm reduce_scatter_block_swing_algorithm = {COMMON, .collective = COLL_REDUCE_SCATTER_BLOCK};
