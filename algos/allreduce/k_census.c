// What:   A rank has the sum over itself and some ranks behind it. In each round it gets the sums of up to k-1 other
//         ranks at once, one behind the other, so that the number of ranks in a sum grows by a factor of up to k; the
//         messages of a round are under way together. As in the census (shapes/census.h), what is too much for a sum is
//         left out by the rest, a sum without the rank itself.
// Cost:   the sum over the rounds of (t-1) (alpha + m beta + m gamma), t <= k the terms of the round, + m gamma for
//         each but the first round that is followed by one with a rest; p = k^d: (k-1) d (alpha + m beta + m gamma).
// Source: Bar-Noy, Kipnis, Schieber, Optimal computation of census functions in the postal model, 1993, for k = 2; this
//         page for more messages in a round.
// Needs:  a commutative operation; else recursive_doubling runs.
//
//   p = 5, k = 3      r -> r-1   r -> r-2      r -> r-2 (without the rank itself)
#include "coll.h"
#include "times/times.h"

static void allreduce_k_census(const Coll *c)
{
    const CensusPlan x = census_plan(c->p, c->par.radix);
    const Slice sum = c->out, others = coll_scratch(c, x.rounds > 1 ? sum.len : 0);
    const int most = x.rounds > 0 ? c->par.radix - 1 < c->p - 1 ? c->par.radix - 1 : c->p - 1 : 0;
    const Slice inbox = coll_scratch(c, (size_t)most * sum.len);
    coll_copy(c, sum, c->in);
    for (int i = 0; i < x.rounds; i++) {
        const CollReq round = coll_mark(c);
        const Slice got = slice_at(inbox, 0, sum.len);
        for (int j = 1; j < x.terms[i]; j++) {
            bool rest;
            const int behind = census_behind(&x, i, j, &rest);
            coll_irecv(c, (int)(((int64_t)c->rank + behind) % c->p),
                       slice_at(inbox, (size_t)(j - 1) * sum.len, sum.len));
            coll_isend(c, (c->rank - behind + c->p) % c->p, rest ? others : sum);
        }
        coll_waitall(c, round);
        for (int j = 2; j < x.terms[i]; j++)
            coll_reduce(c, got, got, slice_at(inbox, (size_t)(j - 1) * sum.len, sum.len));
        coll_reduce(c, sum, sum, got);
        if (x.rest[i] && i == 0)
            coll_copy(c, others, got);
        else if (x.rest[i])
            coll_reduce(c, others, others, got);
    }
}

static int64_t formula(const CollPoint *x)
{
    const CensusPlan plan = census_plan(x->p, x->par.radix);
    int64_t T = 0;
    for (int i = 0; i < plan.rounds; i++)
        T += (plan.terms[i] - 1) * (u(x, x->m) + g(x, x->m)) + (plan.rest[i] && i > 0 ? g(x, x->m) : 0);
    return T;
}

const CollAlgorithm allreduce_k_census_algorithm = {
    .collective = COLL_ALLREDUCE,
    .name = "k_census",
    .summary = "sums of k times as many ranks in each round, for any p, from k-1 ranks at once",
    .run = allreduce_k_census,
    .needs = {&need_commutative},
    .otherwise = "recursive_doubling",
    .params = {RADIX(4, "k, the factor by which sums grow in a round")},
    .peers = PEERS_SHIFT,
    .same_as = same_always,
    .cost = "the sum over the rounds of (t-1) (alpha + m beta + m gamma), t <= k the terms of the round, + m gamma for "
            "each but the first round that is followed by one with a rest; p = k^d: (k-1) d (alpha + m beta + m gamma)",
    .formula = formula,
    .source =
        "Bar-Noy, Kipnis, Schieber, Optimal computation of census functions in the postal model, 1993, for k = 2; "
        "this page for more messages in a round",
};
