// What:   recursive halving reduces each part of the vector to one rank, recursive doubling gathers the parts again.
//         Where p is no power of two, pairs fold into one rank first and get the result at the end. And the same with k
//         parts instead of halves, among k ranks at a time; where p is no power of k, runs of ranks fold into one.
// Cost:   p = 2^d: T = 2 d alpha + (p-1)/p m (2 beta + gamma). Other p, P = 2^f < p, prestep mpich:
//         (2f+2) alpha + (2 + 2(P-1)/P) m beta + (1 + (P-1)/P) m gamma; ompi: alpha more and m/2 gamma less.
//         p = k^d: 2 d (k-1) alpha + (p-1)/p m (2 beta + gamma); other p, where up to N ranks fold into one:
//         N (2 (alpha + m beta) + m gamma) more.
// Source: Thakur, Rabenseifner, Gropp 2005; Open MPI 4.1 allreduce rabenseifner, MPICH reduce_scatter_allgather.
//         With k: MPICH k_reduce_scatter_allgather, UCC sra_knomial (here a rank's peers come in an order in which no
//         two ranks send to the same one at a time).
// Needs:  a commutative operation; 2^floor(log2 p) elements; else recursive doubling runs.
//
//   p = 8      halving    r xor 1 (m/2)   r xor 2 (m/4)   r xor 4 (m/8)
//              doubling   r xor 4 (m/8)   r xor 2 (m/4)   r xor 1 (m/2)
//   p = 9, k = 3          in threes at distance 1: two exchanges of m/3; at distance 3: two of m/9; then back
#include "times.h"
#include <stdlib.h>
#include <string.h>

static void scatter_and_gather(const Coll *c, int k)
{
    const Parts part = {.blocks = blocks_even(c, c->out, c->p), .n = c->p, .k = k, .nearest = true};
    const Slice inbox = coll_scratch(c, part_left(&part, 0, 1).len);
    const int r = c->rank;
    for (int m = 1; m < c->p; m *= k)
        for (int j = 1; j < k; j++) {
            const int to = digit_peer(r, k, m, j), from = digit_peer(r, k, m, -j);
            const Slice keep = part_left(&part, r, m), got = slice_like(inbox, keep);
            coll_sendrecv(c, to, part_left(&part, to, m), from, got);
            coll_reduce(c, keep, keep, got);
        }
    for (int m = c->p / k; m >= 1; m /= k) {
        const CollReq all = coll_mark(c);
        for (int j = 1; j < k; j++) {
            const int from = digit_peer(r, k, m, -j);
            coll_irecv(c, from, part_left(&part, from, m));
            coll_isend(c, digit_peer(r, k, m, j), part_left(&part, r, m));
        }
        coll_waitall(c, all);
    }
}

static void by_halves(const Coll *group)
{
    scatter_and_gather(group, 2);
}

static void by_radix(const Coll *group)
{
    scatter_and_gather(group, group->par.radix);
}

static void allreduce_rabenseifner(const Coll *c)
{
    folded(c, c->par.prestep, by_halves);
}

static void allreduce_reduce_scatter_allgather(const Coll *c)
{
    const FoldRadix f = fold_runs(c);
    folded_radix(c, &f, by_radix);
}

static int64_t formula(const CollPoint *x)
{
    const int f = log2_floor(x->p), P = 1 << f;
    const int64_t part = x->m - x->m / P; // (P-1)/P m
    if (is_pow2(x->p) || x->par.prestep == PRESTEP_MPICH)
        return fold_halve_double_time(x);
    return (2 * f + 3) * x->alpha + (2 * x->m + 2 * part) * x->beta + (x->m / 2 + part) * x->gamma;
}

const CollAlgorithm allreduce_rabenseifner_algorithm = {
    .collective = COLL_ALLREDUCE,
    .name = "rabenseifner",
    .aliases = {"ompi:6", "mpich:reduce_scatter_allgather", "smpi:rab_rsag"},
    .summary = "recursive-halving reduce-scatter, then recursive-doubling allgather",
    .run = allreduce_rabenseifner,
    .needs = {&need_commutative, &need_count_pow2},
    .otherwise = "recursive_doubling",
    .params = {PRESTEP},
    .peers = PEERS_XOR,
    .same_as = same_fold_even,
    .cost = "P = k^f <= p: 2 (k-1) f alpha + (P-1)/P m (2 beta + gamma) + N (2 (alpha + m beta) + m gamma), "
            "N = min(k-1, p-P); eager: (N-1) (alpha + m beta) less; parts that P does not divide: the longest",
    .formula = formula,
    .source = "Thakur, Rabenseifner, Gropp 2005; Open MPI 4.1, allreduce rabenseifner; MPICH, reduce_scatter_allgather",
};

static int same_as_k(const Coll *c)
{
    return c->in.len / c->elem % (size_t)pow_floor(c->p, c->par.radix) == 0 ? same_fold_runs(c) : c->rank;
}

// Eager, parts not all alike: a shorter part arrives early. t[v]: when v is done with each exchange.
static int64_t eager_uneven(const CollPoint *x, int P)
{
    const int k = x->par.radix, runs = (x->p - P) / (k - 1), shorter = (x->p - P) % (k - 1);
    const Coll bytes = {.elem = 1};
    const Parts part = {
        .blocks = blocks_even(&bytes, (Slice){.len = (size_t)x->m}, P), .n = P, .k = k, .nearest = true};
    int64_t *t = calloc(2 * (size_t)P, sizeof *t), *then = t + P, T = 0;
    for (int v = 0; v <= runs && v < P; v++) {
        const int n = v < runs ? k - 1 : shorter; // folded into v
        t[v] = n ? u(x, x->m) + n * g(x, x->m) : 0;
    }
    for (int m = 1; m < P; m *= k)
        for (int j = 1; j < k; j++) {
            for (int v = 0; v < P; v++) {
                const int64_t keep = (int64_t)part_left(&part, v, m).len;
                const int64_t give = (int64_t)part_left(&part, digit_peer(v, k, m, j), m).len;
                then[v] = later(t[v] + u(x, give), t[digit_peer(v, k, m, -j)] + u(x, keep)) + g(x, keep);
            }
            memcpy(t, then, (size_t)P * sizeof *t);
        }
    for (int m = P / k; m >= 1; m /= k) {
        for (int v = 0; v < P; v++) {
            then[v] = t[v] + (k - 1) * u(x, (int64_t)part_left(&part, v, m).len);
            for (int j = 1; j < k; j++) {
                const int from = digit_peer(v, k, m, -j);
                then[v] = later(then[v], t[from] + j * u(x, (int64_t)part_left(&part, from, m).len));
            }
        }
        memcpy(t, then, (size_t)P * sizeof *t);
    }
    for (int v = 0; v < P; v++)
        T = later(T, t[v] + (v < runs ? k - 1 : v == runs ? shorter : 0) * u(x, x->m));
    free(t);
    return T;
}

// v = 0 has the longest parts, and as many ranks folded into it as any.
static int64_t formula_k(const CollPoint *x)
{
    const int k = x->par.radix, P = pow_floor(x->p, k), N = x->p - P < k - 1 ? x->p - P : k - 1;
    if (x->eager && x->m % P != 0)
        return eager_uneven(x, P);
    int64_t T = N * (u(x, x->m) + g(x, x->m)) + N * u(x, x->m);
    if (x->eager && N > 0)
        T -= (N - 1) * u(x, x->m); // all arrive at once
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
    .summary = "Rabenseifner's algorithm with k parts in place of halves",
    .run = allreduce_reduce_scatter_allgather,
    .needs = {&need_commutative},
    .otherwise = "recursive_doubling",
    .params = {RADIX(2, "ranks that share their parts at a time")},
    .peers = PEERS_XOR,
    .same_as = same_as_k,
    .cost = "P = k^floor(log_k p): 2 (k-1) log_k P alpha + (P-1)/P m (2 beta + gamma), and N (2 (alpha + m beta) + m "
            "gamma), "
            "N = min(k-1, p-P); eager: (N-1) (alpha + m beta) less where p > P. Parts where P does not divide m: the "
            "longest",
    .formula = formula_k,
    .source = "MPICH, k_reduce_scatter_allgather; UCC, sra_knomial",
};
