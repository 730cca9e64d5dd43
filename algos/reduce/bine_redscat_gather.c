// What:   The butterfly of allreduce bine reduces a part of the vector to each rank. The parts are gathered at the root
//         by the same steps backwards, up a distance-doubling Bine tree. See shapes/bine.c. If p is not a power of two,
//         P = 2^floor(log2 p) ranks do this, counted from the root: of the first 2 (p-P), those with even numbers.
//         These first exchange halves with their neighbours, and both reduce one; the neighbour sends its half back.
// Cost:   T = 2 d alpha + (P-1)/P m (2 beta + gamma), P = 2^d <= p < 2P; p > P: 2 alpha + m beta + m/2 gamma more.
// Source: De Sensi et al., Bine Trees, SC 2025. The paper reduces large vectors so among 2^d ranks; for other p,
//         the exchange of halves is ours.
// Needs:  a commutative operation, count >= p; else binomial runs.
//
//   p = 8      reduce-scatter   0-1 2-3 4-5 6-7 (m/2)   0-7 1-2 3-4 5-6 (m/4)   0-3 1-6 2-5 4-7 (m/8)
//              gather           3 -> 0  4 -> 7  5 -> 2  6 -> 1 (m/8)   7 -> 0  2 -> 1 (m/4)   1 -> 0 (m/2)
#include "coll.h"
#include "times/times.h"

static int from_root(const Coll *up, int v)
{
    return coll_rank(up, v);
}

// Reduces among 2^d ranks, whose first one is the root.
static void redscat_gather(const Coll *c, Slice acc)
{
    const Blocks b = blocks_even(c, acc, c->p);
    coll_phase(c, "reduce-scatter");
    bine_halve(c, &b);
    coll_phase(c, "gather");
    for (int s = log2_floor(c->p) - 1; s >= 0; s--) {
        const BineStep x = bine_step(c, &b, s);
        if (x.child)
            coll_send(c, x.peer, x.keep);
        else if (x.parent)
            coll_recv(c, x.peer, x.give);
    }
}

static void reduce_bine_redscat_gather(const Coll *c)
{
    const Coll turned = coll_sub(c, c->p, coll_v(c), from_root);
    const Fold f = fold_ranks(&turned, PRESTEP_OMPI);
    const Slice acc = reduce_acc(c);
    coll_copy(c, acc, c->in);
    fold_reduce(&turned, &f, PRESTEP_OMPI, acc);
    if (f.v >= 0) {
        const Coll group = coll_sub(&turned, pow2_floor(c->p), f.v, f.map);
        redscat_gather(&group, acc);
    }
}

static int64_t formula(const CollPoint *x)
{
    const int P = pow2_floor(x->p);
    const int64_t fold = P < x->p ? 2 * u(x, x->m / 2) + g(x, x->m / 2) : 0;
    return 2 * log2_floor(P) * x->alpha + (x->m - x->m / P) * (2 * x->beta + x->gamma) + fold;
}

const CollAlgorithm reduce_bine_redscat_gather_algorithm = {
    .collective = COLL_REDUCE,
    .name = "bine_redscat_gather",
    .summary = "a reduce-scatter and a gather over Bine trees, with messages to one side and the other in turn",
    .run = reduce_bine_redscat_gather,
    .needs = {&need_commutative, &need_count_p},
    .otherwise = "binomial",
    .peers = PEERS_SHIFT,
    .cost = "2 d alpha + (P-1)/P m (2 beta + gamma), P = 2^d <= p < 2P; p > P: 2 alpha + m beta + m/2 gamma more",
    .formula = formula,
    .source = "De Sensi et al., Bine Trees, SC 2025",
};
