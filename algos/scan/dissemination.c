// What:   In rounds d = 1, 2, 4 .., a rank sends the reduction over the last d ranks up to and including itself to the
//         rank d above it. See shapes/prefix.c for the steps.
// Cost:   scan dissemination: T = ceil(log2 p) (alpha + m beta + m gamma); eager: rank by rank.
//         exscan dissemination: p = 2^c: c (alpha + m beta) + 2(c-1) m gamma; else, and eager, rank by rank.
//         In an exscan a rank makes up to two reductions in a round. "Rank by rank": the formula follows every rank's
//         clock.
// Source: Hillis, Steele 1986.
// Needs:  nothing.
//
//   p = 8      round 1   r -> r+1, r = 0 .. 6
//              round 2   r -> r+2, r = 0 .. 5
//              round 3   r -> r+4, r = 0 .. 3
#include "coll.h"
#include "times/times.h"

static void dissemination(const Coll *c, bool exclusive)
{
    Prefix s = prefix_begin(c, exclusive);
    for (int64_t d = 1; d < c->p; d *= 2)
        prefix_step(c, &s, c->rank + d < c->p ? c->rank + (int)d : -1, c->rank - (int)d);
}

static void scan_dissemination(const Coll *c)
{
    dissemination(c, false);
}

static void exscan_dissemination(const Coll *c)
{
    dissemination(c, true);
}

// Ranks are alike if they receive in equally many rounds and send in equally many rounds.
static int same_as(const Coll *c)
{
    const int low = c->rank ? pow2_floor(c->rank) : 0;
    const int64_t far = c->p - ((int64_t)1 << log2_ceil(c->p - c->rank));
    return far > low && c->rank ? (int)far : low;
}

static int64_t rank_by_rank(const CollPoint *x, bool exclusive)
{
    PrefixTime *s = prefix_time_new(x, exclusive);
    for (int d = 1; d < x->p; d *= 2)
        prefix_time_shift(x, s, d);
    return prefix_time_free(x, s);
}

static int64_t scan_formula(const CollPoint *x)
{
    return x->eager ? rank_by_rank(x, false) : log2_ceil(x->p) * (u(x, x->m) + g(x, x->m));
}

static int64_t exscan_formula(const CollPoint *x)
{
    const int c = log2_floor(x->p);
    if (is_pow2(x->p) && c >= 1)
        return c * u(x, x->m) + 2 * (c - 1) * g(x, x->m);
    return rank_by_rank(x, true);
}

#define COMMON                                                                                                         \
    .name = "dissemination", .summary = "every rank sends its partial result to the rank at distance 1, 2, 4 ..",      \
    .ordered = true, .peers = PEERS_SHIFT, .same_as = same_as, .source = "Hillis, Steele 1986"

const CollAlgorithm scan_dissemination_algorithm = {
    COMMON,
    .collective = COLL_SCAN,
    .run = scan_dissemination,
    .cost = "ceil(log2 p) (alpha + m beta + m gamma); eager: rank by rank",
    .formula = scan_formula,
};

const CollAlgorithm exscan_dissemination_algorithm = {
    COMMON,
    .collective = COLL_EXSCAN,
    .run = exscan_dissemination,
    .cost = "p = 2^c: c (alpha + m beta) + 2(c-1) m gamma; else, and eager, rank by rank",
    .formula = exscan_formula,
};
