// What:   The butterfly of allreduce bine reduces a part of the vector to each rank. The parts are gathered at the root
//         by the same steps backwards, up a distance-doubling Bine tree. See shapes/bine.c.
// Cost:   T = 2 d alpha + (p-1)/p m (2 beta + gamma), p = 2^d.
// Source: De Sensi et al., Bine Trees, SC 2025. The paper reduces large vectors so.
// Needs:  p a power of two, a commutative operation, count >= p; else binomial runs.
//
//   p = 8      reduce-scatter   0-1 2-3 4-5 6-7 (m/2)   0-7 1-2 3-4 5-6 (m/4)   0-3 1-6 2-5 4-7 (m/8)
//              gather           3 -> 0  4 -> 7  5 -> 2  6 -> 1 (m/8)   7 -> 0  2 -> 1 (m/4)   1 -> 0 (m/2)
#include "coll.h"
#include "times/times.h"

static void reduce_bine_redscat_gather(const Coll *c)
{
    const Coll all = coll_sub(c, c->p, coll_v(c), coll_rank); // counted from the root
    const Slice acc = reduce_acc(c);
    const Blocks b = blocks_even(c, acc, c->p);
    coll_copy(c, acc, c->in);
    coll_phase(c, "reduce-scatter");
    bine_halve(&all, &b);
    coll_phase(c, "gather");
    for (int s = log2_floor(c->p) - 1; s >= 0; s--) {
        const BineStep x = bine_step(&all, &b, s);
        if (x.child)
            coll_send(&all, x.peer, x.keep);
        else if (x.parent)
            coll_recv(&all, x.peer, x.give);
    }
}

static int64_t formula(const CollPoint *x)
{
    return 2 * log2_floor(x->p) * x->alpha + (x->m - x->m / x->p) * (2 * x->beta + x->gamma);
}

const CollAlgorithm reduce_bine_redscat_gather_algorithm = {
    .collective = COLL_REDUCE,
    .name = "bine_redscat_gather",
    .summary = "a reduce-scatter and a gather over Bine trees, with messages to one side and the other in turn",
    .run = reduce_bine_redscat_gather,
    .needs = {&need_pow2, &need_commutative, &need_count_p},
    .otherwise = "binomial",
    .peers = PEERS_SHIFT,
    .cost = "2 d alpha + (p-1)/p m (2 beta + gamma), p = 2^d",
    .formula = formula,
    .source = "De Sensi et al., Bine Trees, SC 2025",
};
