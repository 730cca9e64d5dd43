// What:   The root scatters the message down a distance-doubling Bine tree, and the butterfly of allreduce bine takes
//         the same steps backwards to gather all blocks at every rank. A rank does not receive again what it had in
//         the scatter. See shapes/bine.c.
// Cost:   T = 2 d alpha + 2 (p-1)/p m beta, p = 2^d.
// Source: De Sensi et al., Bine Trees, SC 2025. The paper broadcasts large vectors so.
// Needs:  p a power of two, count >= p; else bine runs.
//
//   p = 8      scatter     0 -> 1 (m/2)   0 -> 7  1 -> 2 (m/4)   0 -> 3  1 -> 6  2 -> 5  7 -> 4 (m/8)
//              allgather   0 -> 3  1 -> 6  2 -> 5  7 -> 4 (m/8)   0 -> 7  1 -> 2  3-4  5-6 (m/4)   0 -> 1  2-3  4-5
//                          6-7 (m/2)
#include "coll.h"
#include "times/times.h"

static void bcast_bine_scatter_allgather(const Coll *c)
{
    const Coll all = coll_sub(c, c->p, coll_v(c), coll_rank); // counted from the root
    const Blocks b = blocks_even(c, c->out, c->p);
    const int d = log2_floor(c->p);
    coll_phase(c, "scatter");
    for (int s = 0; s < d; s++) {
        const BineStep x = bine_step(&all, &b, s);
        if (x.parent)
            coll_send(&all, x.peer, x.give);
        else if (x.child)
            coll_recv(&all, x.peer, x.keep);
    }
    coll_phase(c, "allgather");
    for (int s = d - 1; s >= 0; s--) {
        const BineStep x = bine_step(&all, &b, s);
        coll_exchange(&all, x.child ? -1 : x.peer, x.keep, x.parent ? -1 : x.peer, x.give);
    }
}

static int64_t formula(const CollPoint *x)
{
    return 2 * log2_floor(x->p) * x->alpha + 2 * (x->m - x->m / x->p) * x->beta;
}

const CollAlgorithm bcast_bine_scatter_allgather_algorithm = {
    .collective = COLL_BCAST,
    .name = "bine_scatter_allgather",
    .summary = "a scatter and an allgather over Bine trees, with messages to one side and the other in turn",
    .run = bcast_bine_scatter_allgather,
    .needs = {&need_pow2, &need_count_p},
    .otherwise = "bine",
    .peers = PEERS_SHIFT,
    .cost = "2 d alpha + 2 (p-1)/p m beta, p = 2^d",
    .formula = formula,
    .source = "De Sensi et al., Bine Trees, SC 2025",
};
