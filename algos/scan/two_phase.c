// What:   In the first rounds, as few as will do, a rank sends the reduction over itself and the ranks before it, as in
//         a scan, to the rank at distance 1, 2, 4 .. After n of these it has what the 2^n - 1 ranks before it have, and
//         in the other rounds it sends that to the rank at that distance, which doubles. In all there are as few rounds
//         as in a scan. A rank adds what it received to what it sends next, and to its result while that travels. See
//         shapes/prefix.c.
// Cost:   T = (q-k) (u+g) + k g + k max(u,g), u = alpha + m beta, g = m gamma, q = ceil(log2 p), k =
//         max(min(n,q-1)-2, 0) of the n first rounds; n = 1: g less.
// Source: Träff, Communication round and computation efficient exclusive prefix-sums algorithms, 2025; Two efficient
//         message-passing exclusive scan algorithms, 2026.
// Needs:  nothing.
//
//   p = 7      round 1   r -> r+1, r = 0 .. 5      (itself)
//              round 2   r -> r+2, r = 0 .. 4      (itself and the one before it)
//              round 3   r -> r+3, r = 1 .. 3      (the three before it)
#include "coll.h"
#include "times/times.h"

static int same_as(const Coll *c)
{
    return prefix_two_phase_same(c->rank, c->p);
}

static int64_t formula(const CollPoint *x)
{
    return prefix_two_phase_time(x, x->m);
}

const CollAlgorithm exscan_two_phase_algorithm = {
    .collective = COLL_EXSCAN,
    .name = "two_phase",
    .summary = "rounds of a scan, then rounds that send prefixes alone, as few in all as a scan needs",
    .run = prefix_two_phase,
    .ordered = true,
    .peers = PEERS_SHIFT,
    .same_as = same_as,
    .cost = "(q-k) (u+g) + k g + k max(u,g), u = alpha + m beta, g = m gamma, q = ceil(log2 p), k = max(min(n,q-1)-2, "
            "0) of the n first rounds; n = 1: g less",
    .formula = formula,
    .unknown = "eager, and what the last sender sends is early",
    .source = "Träff, Communication round and computation efficient exclusive prefix-sums algorithms, 2025; Two "
              "efficient message-passing exclusive scan algorithms, 2026",
};
