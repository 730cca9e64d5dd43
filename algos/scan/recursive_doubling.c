// What:   In rounds d = 1, 2, 4 .., pairs of ranks at distance d exchange the reductions over their groups of d ranks.
//         The upper rank of a pair also reduces what it receives into its prefix.
// Cost:   scan recursive_doubling: p = 2^d: d (u+2g), u = alpha + m beta, g = m gamma; else max((f+1) u +
//         (f+2+floor(log2 r)) g, f (u+2g)), f = floor(log2 p), r = p - 2^f.
//         exscan recursive_doubling: p = 2^d: d (u + 2g) - g, u = alpha + m beta, g = m gamma; else rank by rank.
//         "Rank by rank": the formula follows every rank's clock.
// Source: scan recursive_doubling: Open MPI 4.1, scan recursivedoubling; MPICH, scan recursive_doubling.
//         exscan recursive_doubling: Open MPI 4.1, exscan recursivedoubling; MPICH, exscan recursive_doubling.
// Needs:  nothing.
//
//   p = 8      round 1   0-1   2-3   4-5   6-7
//              round 2   0-2   1-3   4-6   5-7
//              round 3   0-4   1-5   2-6   3-7
#include "coll.h"
#include "times/times.h"

static void recursive_doubling(const Coll *c, bool exclusive)
{
    const Slice sum = coll_scratch(c, c->in.len), inbox = coll_scratch(c, c->in.len);
    bool any = !exclusive; // the rank has a prefix
    coll_copy(c, sum, c->in);
    if (!exclusive)
        coll_copy(c, c->out, c->in);
    for (int m = 1; m < c->p; m *= 2) {
        const int peer = c->rank ^ m;
        if (peer >= c->p)
            continue;
        coll_sendrecv(c, peer, sum, peer, inbox);
        if (peer > c->rank) {
            coll_reduce(c, sum, sum, inbox);
            continue;
        }
        coll_reduce(c, sum, inbox, sum);
        if (any)
            coll_reduce(c, c->out, inbox, c->out);
        else
            coll_copy(c, c->out, inbox);
        any = true;
    }
}

static void scan_recursive_doubling(const Coll *c)
{
    recursive_doubling(c, false);
}

static void exscan_recursive_doubling(const Coll *c)
{
    recursive_doubling(c, true);
}

static int64_t rank_by_rank(const CollPoint *x)
{
    Clocks k = clocks_new(x->p);
    prefix_doubling_times(x, true, k.now);
    return clocks_free(&k);
}

static int64_t scan_formula(const CollPoint *x)
{
    const int f = log2_floor(x->p), r = x->p - (1 << f);
    const int64_t um = u(x, x->m), gm = g(x, x->m), pairs = f * (um + 2 * gm);
    const int64_t last = r ? (f + 1) * um + (f + 2 + log2_floor(r)) * gm : 0;
    return later(last, pairs);
}

static int64_t exscan_formula(const CollPoint *x)
{
    const int d = log2_floor(x->p);
    if (is_pow2(x->p) && d >= 1)
        return d * (u(x, x->m) + 2 * g(x, x->m)) - g(x, x->m);
    return rank_by_rank(x);
}

#define COMMON                                                                                                         \
    .name = "recursive_doubling", .aliases = {"ompi:2", "mpich:recursive_doubling", "libnbc:recursive_doubling"},      \
    .summary = "pairs at distance 1, 2, 4 .. exchange partial results", .ordered = true, .peers = PEERS_XOR

const CollAlgorithm scan_recursive_doubling_algorithm = {
    COMMON,
    .collective = COLL_SCAN,
    .run = scan_recursive_doubling,
    .cost = "p = 2^d: d (u+2g), u = alpha + m beta, g = m gamma; else max((f+1) u + (f+2+floor(log2 r)) g, f (u+2g)), "
            "f = floor(log2 p), r = p - 2^f",
    .formula = scan_formula,
    .source = "Open MPI 4.1, scan recursivedoubling; MPICH, scan recursive_doubling",
};

const CollAlgorithm exscan_recursive_doubling_algorithm = {
    COMMON,
    .collective = COLL_EXSCAN,
    .run = exscan_recursive_doubling,
    .cost = "p = 2^d: d (u + 2g) - g, u = alpha + m beta, g = m gamma; else rank by rank",
    .formula = exscan_formula,
    .source = "Open MPI 4.1, exscan recursivedoubling; MPICH, exscan recursive_doubling",
};
