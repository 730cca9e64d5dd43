// What:   In rounds n = 2, 4 .., the two halves of every group of n ranks exchange their partial results, place by
//         place, and reduce. Version 1 is described for powers of two only. In version 2, ranks of the last group that
//         have no peer receive the result from the group's first rank.
// Cost:   allreduce butterfly_v1: T = d (alpha + m beta + m gamma).
//         allreduce butterfly_v2: p = 2^d: d (u+g), u = alpha + m beta, g = m gamma; else T(p, ceil(log2 p)), H =
//         2^(K-1): T(p,K) = T(p,K-1) + (p-1) u if p <= H, else max((K-1)(u+g), T(p-H,K-1)) + u + g + (2H-p) u.
//         T(p,K) is the time of K rounds in a group with p ranks. For p = 2^i + 1 the recurrence gives (i+1) (u+g) +
//         (p-2) u.
// Source: the tree and butterfly report, 3.
// Needs:  allreduce butterfly_v1: p a power of two; else butterfly_v2 runs.
//         allreduce butterfly_v2: nothing.
//
//   p = 7      0-1  2-3  4-5      0-2  1-3  4-6  4 -> 5      0-4  1-5  2-6  0 -> 3
#include "coll.h"
#include "times/times.h"

static void allreduce_butterfly(const Coll *c)
{
    const int r = c->rank;
    const Slice inbox = coll_scratch(c, c->in.len);
    coll_copy(c, c->out, c->in);
    for (int n = 2; n < 2 * c->p; n *= 2) {
        const int w = r % n, half = n / 2, peer = w < half ? r + half : r - half;
        if (peer < c->p) {
            coll_sendrecv(c, peer, c->out, peer, inbox);
            reduce_in_order(c, c->out, inbox, peer < r);
        } else if (w > 0) {
            coll_recv(c, r - w, c->out);
        }
        // This also happens if the group's upper half is empty, although these ranks have the result already.
        for (int i = 1; w == 0 && i < half && r + i < c->p; i++)
            if (r + i + half >= c->p)
                coll_send(c, r + i, c->out);
    }
}

// Returns T(p, K), the time of K rounds over the last p ranks. The first of these ranks serves the ranks without a peer
// one after the other.
static int64_t steps(const CollPoint *x, int p, int K)
{
    const int64_t both = u(x, x->m) + g(x, x->m);
    if (K == 0 || p == 1 << K)
        return K * both;
    const int half = 1 << (K - 1);
    if (p <= half)
        return steps(x, p, K - 1) + (p - 1) * u(x, x->m);
    const int64_t lower = (K - 1) * both, upper = steps(x, p - half, K - 1);
    return later(lower, upper) + both + (2 * half - p) * u(x, x->m);
}

static int64_t formula(const CollPoint *x)
{
    return steps(x, x->p, log2_ceil(x->p));
}

#define COMMON                                                                                                         \
    .collective = COLL_ALLREDUCE, .run = allreduce_butterfly, .ordered = true, .peers = PEERS_XOR, .formula = formula, \
    .same_as = same_pow2, .source = "the tree and butterfly report, 3"

const CollAlgorithm allreduce_butterfly_v1_algorithm = {
    COMMON,
    .name = "butterfly_v1",
    .summary = "the halves of groups of 2, 4 .. ranks exchange and reduce, for 2^d ranks",
    .needs = {&need_pow2},
    .otherwise = "butterfly_v2",
    .cost = "d (alpha + m beta + m gamma)",
};

const CollAlgorithm allreduce_butterfly_v2_algorithm = {
    COMMON,
    .name = "butterfly_v2",
    .summary = "the halves of groups of 2, 4 .. ranks exchange and reduce; the first rank serves ranks without a peer",
    .cost = "p = 2^d: d (u+g), u = alpha + m beta, g = m gamma; else T(p, ceil(log2 p)), H = 2^(K-1): T(p,K) = "
            "T(p,K-1) + (p-1) u if p <= H, else max((K-1)(u+g), T(p-H,K-1)) + u + g + (2H-p) u",
};
