// What:   The root scatters the message down a distance-doubling Bine tree, and the butterfly of allreduce bine takes
//         the same steps backwards to gather all blocks at every rank. A rank does not receive again what it had in
//         the scatter. See shapes/bine.c. If p is not a power of two, P = 2^floor(log2 p) ranks do this, counted from
//         the root: of the first 2 (p-P), those with even numbers. At the end they send the message to their
//         neighbours.
// Cost:   T = 2 d alpha + 2 (P-1)/P m beta, P = 2^d <= p < 2P; p > P: alpha + m beta more.
// Source: De Sensi et al., Bine Trees, SC 2025. The paper broadcasts large vectors so among 2^d ranks; for other p,
//         the neighbours are ours.
// Needs:  count >= p; else bine runs.
//
//   p = 8      scatter     0 -> 1 (m/2)   0 -> 7  1 -> 2 (m/4)   0 -> 3  1 -> 6  2 -> 5  7 -> 4 (m/8)
//              allgather   0 -> 3  1 -> 6  2 -> 5  7 -> 4 (m/8)   0 -> 7  1 -> 2  3-4  5-6 (m/4)   0 -> 1  2-3  4-5
//                          6-7 (m/2)
#include "coll.h"
#include "times/times.h"

static int from_root(const Coll *up, int v)
{
    return coll_rank(up, v);
}

// Broadcasts among 2^d ranks, whose first one is the root.
static void scatter_allgather(const Coll *c)
{
    const Blocks b = blocks_even(c, c->out, c->p);
    const int d = log2_floor(c->p);
    coll_phase(c, "scatter");
    for (int s = 0; s < d; s++) {
        const BineStep x = bine_step(c, &b, s);
        if (x.parent)
            coll_send(c, x.peer, x.give);
        else if (x.child)
            coll_recv(c, x.peer, x.keep);
    }
    coll_phase(c, "allgather");
    for (int s = d - 1; s >= 0; s--) {
        const BineStep x = bine_step(c, &b, s);
        coll_exchange(c, x.child ? -1 : x.peer, x.keep, x.parent ? -1 : x.peer, x.give);
    }
}

static void bcast_bine_scatter_allgather(const Coll *c)
{
    const Coll turned = coll_sub(c, c->p, coll_v(c), from_root);
    const Fold f = fold_ranks(&turned, PRESTEP_OMPI);
    if (f.v >= 0) {
        const Coll group = coll_sub(&turned, pow2_floor(c->p), f.v, f.map);
        scatter_allgather(&group);
    }
    fold_return(&turned, &f, c->out);
}

static int64_t formula(const CollPoint *x)
{
    const int P = pow2_floor(x->p);
    return 2 * log2_floor(P) * x->alpha + 2 * (x->m - x->m / P) * x->beta + (P < x->p ? u(x, x->m) : 0);
}

const CollAlgorithm bcast_bine_scatter_allgather_algorithm = {
    .collective = COLL_BCAST,
    .name = "bine_scatter_allgather",
    .summary = "a scatter and an allgather over Bine trees, with messages to one side and the other in turn",
    .run = bcast_bine_scatter_allgather,
    .needs = {&need_count_p},
    .otherwise = "bine",
    .peers = PEERS_SHIFT,
    .cost = "2 d alpha + 2 (P-1)/P m beta, P = 2^d <= p < 2P; p > P: alpha + m beta more",
    .formula = formula,
    .source = "De Sensi et al., Bine Trees, SC 2025",
};
