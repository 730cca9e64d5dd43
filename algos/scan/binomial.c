// What:   Sums travel up a binomial tree, then prefixes travel down. Up, at distances d = 1, 2, 4 .., the last of each
//         2d ranks receives the sum of their lower half from the rank d below it. Down, at distances .. 4, 2, 1, the
//         last of each 2d ranks, whose prefix is complete, sends it to the rank d above it, which completes its own.
//         See shapes/prefix.c for the steps.
// Cost:   scan binomial: p = 2^c, c >= 2: (2c-1) (alpha + m beta) + (2c-2) m gamma; else rank by rank.
//         exscan binomial: p = 2^c, c >= 3: (2c-1) (alpha + m beta) + (4c-7) m gamma; else rank by rank.
//         For p = 2^c there are 2(p-1) - c messages. "Rank by rank": the formula follows every rank's clock.
// Source: Brent, Kung 1982; Blelloch 1990.
// Needs:  nothing.
//
//   p = 8      up     0 -> 1   2 -> 3   4 -> 5   6 -> 7      1 -> 3   5 -> 7      3 -> 7
//              down   3 -> 5      1 -> 2   3 -> 4   5 -> 6
#include "coll.h"
#include "times/times.h"

static void binomial(const Coll *c, bool exclusive)
{
    Prefix s = prefix_begin(c, exclusive);
    int d = 1;
    for (; (c->rank + 1) % (2 * d) == 0; d *= 2)
        prefix_step(c, &s, -1, c->rank - d);
    prefix_step(c, &s, c->rank + d, -1);
    prefix_step(c, &s, -1, c->rank - d);
    for (d /= 2; d >= 1; d /= 2)
        prefix_step(c, &s, c->rank + d, -1);
}

static void scan_binomial(const Coll *c)
{
    binomial(c, false);
}

static void exscan_binomial(const Coll *c)
{
    binomial(c, true);
}

// Among the ranks that receive sums at the same distances, the first one and the last one have schedules of their own,
// and those in between are alike.
static int same_as(const Coll *c)
{
    const int d = (c->rank + 1) & -(c->rank + 1);
    return c->rank < 2 * d || c->rank + (int64_t)d >= c->p ? c->rank : 3 * d - 1;
}

static int64_t rank_by_rank(const CollPoint *x, bool exclusive)
{
    PrefixTime *s = prefix_time_new(x, exclusive);
    int d = 1;
    for (; d < x->p; d *= 2)
        for (int r = 2 * d - 1; r < x->p; r += 2 * d)
            prefix_time_pass(x, s, r - d, r);
    for (; d >= 1; d /= 2)
        for (int r = 2 * d - 1; r + d < x->p; r += 2 * d)
            prefix_time_pass(x, s, r, r + d);
    return prefix_time_free(x, s);
}

static int64_t scan_formula(const CollPoint *x)
{
    const int c = log2_floor(x->p);
    return is_pow2(x->p) && c >= 2 ? (2 * c - 1) * u(x, x->m) + (2 * c - 2) * g(x, x->m) : rank_by_rank(x, false);
}

static int64_t exscan_formula(const CollPoint *x)
{
    const int c = log2_floor(x->p);
    return is_pow2(x->p) && c >= 3 ? (2 * c - 1) * u(x, x->m) + (4 * c - 7) * g(x, x->m) : rank_by_rank(x, true);
}

#define COMMON                                                                                                         \
    .name = "binomial", .summary = "sums travel up a binomial tree, then prefixes travel down", .ordered = true,       \
    .peers = PEERS_SHIFT, .same_as = same_as, .source = "Brent, Kung 1982; Blelloch 1990"

const CollAlgorithm scan_binomial_algorithm = {
    COMMON,
    .collective = COLL_SCAN,
    .run = scan_binomial,
    .cost = "p = 2^c, c >= 2: (2c-1) (alpha + m beta) + (2c-2) m gamma; else rank by rank",
    .formula = scan_formula,
};

const CollAlgorithm exscan_binomial_algorithm = {
    COMMON,
    .collective = COLL_EXSCAN,
    .run = exscan_binomial,
    .cost = "p = 2^c, c >= 3: (2c-1) (alpha + m beta) + (4c-7) m gamma; else rank by rank",
    .formula = exscan_formula,
};
