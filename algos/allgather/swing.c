// What:   The second half of allreduce swing: a rank's peers swing from one side to the other, the farthest first, at
//         distance .. 11, 5, 3, 1, 1. A rank gives its peer the blocks that the peer does not have yet, packed into one
//         message. If p is not a power of two, peers have some blocks in common in the last rounds, and leave these
//         out. See shapes/butterfly.c.
// Cost:   T = ceil(log2 p) alpha + (p-1) m beta, p even. m is the size of a block, in bytes.
// Source: De Sensi et al., Swing, NSDI 2024.
// Needs:  p even; else bruck runs.
//
//   p = 6      0-3 1-4 2-5 (1 block)   0-5 1-2 3-4 (2 blocks)   0-1 2-3 4-5 (2 blocks)
#include "coll.h"
#include "times/times.h"

static void allgather_swing(const Coll *c)
{
    const Blocks b = coll_out(c);
    SwingStep step[32];
    const int steps = butterfly_swing(c, step);
    coll_copy(c, block(&b, c->rank), c->in);
    for (int i = 0; i < steps; i++)
        exchange_listed(c, &b, step[i].n, step[i].peer, step[i].give, step[i].peer, step[i].take);
}

static int64_t formula(const CollPoint *x)
{
    return log2_ceil(x->p) * x->alpha + (x->p - 1) * x->m * x->beta;
}

#define COMMON                                                                                                         \
    .name = "swing", .summary = "peers at distance .. 11, 5, 3, 1, 1, to one side and the other in turn",              \
    .run = allgather_swing, .needs = {&need_even}, .otherwise = "bruck", .peers = PEERS_SHIFT, .same_as = same_parity, \
    .cost = "ceil(log2 p) alpha + (p-1) m beta, p even", .formula = formula,                                           \
    .source = "De Sensi et al., Swing, NSDI 2024"

const CollAlgorithm allgather_swing_algorithm = {COMMON, .collective = COLL_ALLGATHER};
const CollAlgorithm allgatherv_swing_algorithm = {COMMON, .collective = COLL_ALLGATHERV};
