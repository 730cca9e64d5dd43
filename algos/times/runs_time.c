// Times of a gather over the in-order binomial tree, and of the broadcast of the lengths (shapes/runs.c).
#include "times/times.h"
#include "api/integers.h"
#include "shapes/runs.h"

// Returns the number of rounds after which v has passed the lengths on in tree_knomial with radix 2: in the way from
// the root to v, every rank first serves its children that are farther than the next one.
static int far_rounds(int v, int p)
{
    int rounds = 0, at = 0;
    for (int d = pow2_floor(p > 1 ? p - 1 : 1); d >= 1 && p > 1; d /= 2) {
        rounds += at + d < p;
        at += v & d;
    }
    return rounds;
}

int64_t runs_bcast_counts_time(const CollPoint *x, int v)
{
    if (x->par.choice != LEVEL_CONSERVATIVE)
        return 0;
    const int64_t message = u(x, (int64_t)runs_counts_bytes(x->p));
    if (x->par.lengths != LENGTHS_NEAR)
        return far_rounds(v, x->p) * message;
    int rounds = v ? log2_floor(v) + 1 : 0;
    while (v + ((int64_t)1 << rounds) < x->p)
        rounds++;
    return rounds * message;
}

// Returns when v has the blocks of its subtree in the k-nomial tree. Under eager nothing waits for a port, so this is
// when the blocks of the slowest child have arrived.
static int64_t gathered(const CollPoint *x, bool counts_first, int v, int k)
{
    const int64_t place = tree_knomial_place(v, x->p, k);
    int64_t t = counts_first ? runs_bcast_counts_time(x, v) : 0;
    for (int64_t d = 1; d < place; d *= k)
        for (int64_t child = v + d; child < v + k * d && child < x->p; child += d) {
            const int64_t ready = gathered(x, counts_first, (int)child, k);
            t = later(t, (x->eager ? ready : later(ready, t)) + u(x, tree_knomial_span((int)child, x->p, k) * x->m));
        }
    return t;
}

int64_t runs_gather_binomial_time(const CollPoint *x, bool counts_first)
{
    return gathered(x, counts_first, 0, 2);
}

int64_t runs_gather_knomial_time(const CollPoint *x)
{
    return gathered(x, false, 0, x->par.radix);
}
