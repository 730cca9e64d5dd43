// What:   This is Rabenseifner's algorithm with k parts instead of two halves. In rounds, groups of k ranks at distance
//         1, k, k^2 .. cut what they have into k parts; each rank sends every other rank its part, and reduces its own.
//         Then the same rounds backwards gather the parts. If p is not a power of k, runs of up to k ranks fold into
//         their last rank first, and get the result at the end. See shapes/butterfly.h for the parts, and shapes/fold.h
//         for the runs.
// Cost:   P = k^f <= p: 2 (k-1) f alpha + (P-1)/P m (2 beta + gamma) + N (2 (alpha + m beta) + m gamma), N = min(k-1,
//         p-P); eager, N > 0: (N-1) (alpha + m beta) less; if P does not divide m: with the longest parts. Up to N
//         ranks fold into one.
// Source: MPICH, k_reduce_scatter_allgather. Here a rank takes its peers in an order in which no two
//         ranks send to the same rank at a time.
// Needs:  a commutative operation; else recursive_doubling runs.
//
//   p = 9, k = 3      in threes at distance 1: two exchanges of m/3; at distance 3: two of m/9; then back
#include "coll.h"
#include "times/times.h"
#include <stdlib.h>
#include <string.h>

static void scatter_and_gather(const Coll *c)
{
    const int k = c->par.radix;
    const Parts part = {.blocks = blocks_even(c, c->out, c->p), .n = c->p, .k = k, .nearest = true};
    const Slice inbox = coll_scratch(c, parts_left(&part, 0, 1).len);
    const int r = c->rank;
    coll_phase(c, "reduce-scatter");
    for (int m = 1; m < c->p; m *= k)
        for (int j = 1; j < k; j++) {
            const int to = butterfly_digit_peer(r, k, m, j), from = butterfly_digit_peer(r, k, m, -j);
            const Slice keep = parts_left(&part, r, m), got = slice_like(inbox, keep);
            coll_sendrecv(c, to, parts_left(&part, to, m), from, got);
            coll_reduce(c, keep, keep, got);
        }
    coll_phase(c, "allgather");
    for (int m = c->p / k; m >= 1; m /= k) {
        const CollReq all = coll_mark(c);
        for (int j = 1; j < k; j++) {
            const int from = butterfly_digit_peer(r, k, m, -j);
            coll_irecv(c, from, parts_left(&part, from, m));
            coll_isend(c, butterfly_digit_peer(r, k, m, j), parts_left(&part, r, m));
        }
        coll_waitall(c, all);
    }
}

static void allreduce_reduce_scatter_allgather(const Coll *c)
{
    const FoldRadix f = fold_runs(c);
    fold_radix_run(c, &f, scatter_and_gather);
}

static int same_as(const Coll *c)
{
    return c->in.len / c->elem % (size_t)pow_floor(c->p, c->par.radix) == 0 ? same_fold_runs(c) : c->rank;
}

// Returns T under eager if the parts are not all alike, so that a shorter part arrives early. The function follows
// t[v], when v is done with an exchange.
static int64_t eager_uneven(const CollPoint *x, int P)
{
    const int k = x->par.radix, runs = (x->p - P) / (k - 1), shorter = (x->p - P) % (k - 1);
    const Coll bytes = {.elem = 1};
    const Parts part = {
        .blocks = blocks_even(&bytes, (Slice){.len = (size_t)x->m}, P), .n = P, .k = k, .nearest = true};
    int64_t *t = calloc(2 * (size_t)P, sizeof *t), *then = t + P, T = 0;
    for (int v = 0; v <= runs && v < P; v++) {
        const int n = v < runs ? k - 1 : shorter; // the number of ranks that fold into v
        t[v] = n ? u(x, x->m) + n * g(x, x->m) : 0;
    }
    for (int m = 1; m < P; m *= k)
        for (int j = 1; j < k; j++) {
            for (int v = 0; v < P; v++) {
                const int64_t keep = (int64_t)parts_left(&part, v, m).len;
                const int64_t give = (int64_t)parts_left(&part, butterfly_digit_peer(v, k, m, j), m).len;
                then[v] = later(t[v] + u(x, give), t[butterfly_digit_peer(v, k, m, -j)] + u(x, keep)) + g(x, keep);
            }
            memcpy(t, then, (size_t)P * sizeof *t);
        }
    for (int m = P / k; m >= 1; m /= k) {
        for (int v = 0; v < P; v++) {
            then[v] = t[v] + (k - 1) * u(x, (int64_t)parts_left(&part, v, m).len);
            for (int j = 1; j < k; j++) {
                const int from = butterfly_digit_peer(v, k, m, -j);
                then[v] = later(then[v], t[from] + j * u(x, (int64_t)parts_left(&part, from, m).len));
            }
        }
        memcpy(t, then, (size_t)P * sizeof *t);
    }
    for (int v = 0; v < P; v++)
        T = later(T, t[v] + (v < runs ? k - 1 : v == runs ? shorter : 0) * u(x, x->m));
    free(t);
    return T;
}

// Follows v = 0, which has the longest parts, and into which at least as many ranks fold as into any other.
static int64_t formula(const CollPoint *x)
{
    const int k = x->par.radix, P = pow_floor(x->p, k), N = x->p - P < k - 1 ? x->p - P : k - 1;
    if (x->eager && x->m % P != 0)
        return eager_uneven(x, P);
    int64_t T = N * (u(x, x->m) + g(x, x->m)) + N * u(x, x->m);
    if (x->eager && N > 0)
        T -= (N - 1) * u(x, x->m); // all vectors that fold into a rank arrive at once
    for (int n = P / k; n >= 1; n /= k) {
        const int64_t part = n * (x->m / P) + (n < x->m % P ? n : x->m % P);
        T += (k - 1) * (2 * u(x, part) + g(x, part));
    }
    return T;
}

const CollAlgorithm allreduce_reduce_scatter_allgather_algorithm = {
    .collective = COLL_ALLREDUCE,
    .name = "reduce_scatter_allgather",
    .aliases = {"mpich:k_reduce_scatter_allgather"},
    .summary = "Rabenseifner's algorithm with k parts instead of two halves",
    .run = allreduce_reduce_scatter_allgather,
    .needs = {&need_commutative},
    .otherwise = "recursive_doubling",
    .params = {RADIX(2, "k, the number of ranks that exchange parts")},
    .peers = PEERS_XOR,
    .same_as = same_as,
    .cost =
        "P = k^f <= p: 2 (k-1) f alpha + (P-1)/P m (2 beta + gamma) + N (2 (alpha + m beta) + m gamma), "
        "N = min(k-1, p-P); eager, N > 0: (N-1) (alpha + m beta) less; if P does not divide m: with the longest parts",
    .formula = formula,
    .source = "MPICH, k_reduce_scatter_allgather",
};
