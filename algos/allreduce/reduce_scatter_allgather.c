// What:   This is Rabenseifner's algorithm with k parts instead of two halves. In rounds, groups of k ranks at distance
//         1, k, k^2 .. cut what they have into k parts; each rank sends every other rank its part, and reduces its own.
//         Then the same rounds backwards gather the parts. If p is not a power of k, runs of up to k ranks fold into
//         their last rank first, and get the result at the end. In sra_knomial, pairs fold until f k^d ranks are left,
//         f = floor(p / k^d), and the last groups are of f ranks. See shapes/butterfly.h for the parts, and
//         shapes/fold.h for the runs and pairs.
// Cost:   allreduce reduce_scatter_allgather: P = k^f <= p: 2 (k-1) f alpha + (P-1)/P m (2 beta + gamma) + N (2 (alpha
//         + m beta) + m gamma), N = min(k-1, p-P); eager, N > 0: (N-1) (alpha + m beta) less; if P does not divide m:
//         with the longest parts.
//         allreduce sra_knomial: P = k^d <= p < k P, f = floor(p/P): 2 ((k-1) d + f-1) alpha + (fP-1)/(fP) m (2 beta +
//         gamma); p != f P: 2 (alpha + m beta) + m gamma more; if f P does not divide m: with the longest parts.
//         In the first, up to N ranks fold into one.
// Source: allreduce reduce_scatter_allgather: MPICH, k_reduce_scatter_allgather.
//         allreduce sra_knomial: UCC, allreduce sra_knomial.
//         Here a rank takes its peers in an order in which no two ranks send to the same rank at a time.
// Needs:  a commutative operation; else recursive_doubling runs.
//
//   p = 9, k = 3      in threes at distance 1: two exchanges of m/3; at distance 3: two of m/9; then back
#include "coll.h"
#include "times/times.h"
#include <stdlib.h>
#include <string.h>

static void scatter_and_gather(const Coll *c)
{
    const Parts part = {.blocks = blocks_even(c, c->out, c->p), .n = c->p, .k = c->par.radix, .nearest = true};
    const int r = c->rank;
    coll_phase(c, "reduce-scatter");
    parts_divide(c, &part);
    coll_phase(c, "allgather");
    for (int m = pow_floor(c->p - 1, c->par.radix); m >= 1; m /= c->par.radix) {
        const int k = butterfly_base(c->p, c->par.radix, m);
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

static void allreduce_sra_knomial(const Coll *c)
{
    const FoldRadix f = fold_pairs(c);
    fold_radix_run(c, &f, scatter_and_gather);
}

static int same_as(const Coll *c)
{
    return c->in.len / c->elem % (size_t)pow_floor(c->p, c->par.radix) == 0 ? same_fold_runs(c) : c->rank;
}

static int pattern(const Coll *c, int *x)
{
    return c->in.len / c->elem % (size_t)fold_pairs(c).p == 0 ? symmetry_fold_pairs(c, x) : 0;
}

// The ranks that fold into others: `each` into each of the first `full` players, and `rest` into the next one.
typedef struct Folded {
    int each, full, rest;
} Folded;

static int into(const Folded *f, int v)
{
    return v < f->full ? f->each : v == f->full ? f->rest : 0;
}

// Returns T under eager if the parts are not all alike, so that a shorter part arrives early. The function follows
// t[v], when player v of P is done with an exchange.
static int64_t eager_uneven(const CollPoint *x, int P, const Folded *f)
{
    const int radix = x->par.radix;
    const Coll bytes = {.elem = 1};
    const Parts part = {
        .blocks = blocks_even(&bytes, (Slice){.len = (size_t)x->m}, P), .n = P, .k = radix, .nearest = true};
    int64_t *t = calloc(2 * (size_t)P, sizeof *t), *then = t + P, T = 0;
    for (int v = 0; v < P; v++)
        t[v] = into(f, v) ? u(x, x->m) + into(f, v) * g(x, x->m) : 0;
    for (int m = 1, k; m < P; m *= k) {
        k = butterfly_base(P, radix, m);
        for (int j = 1; j < k; j++) {
            for (int v = 0; v < P; v++) {
                const int64_t keep = (int64_t)parts_left(&part, v, m).len;
                const int64_t give = (int64_t)parts_left(&part, butterfly_digit_peer(v, k, m, j), m).len;
                then[v] = later(t[v] + u(x, give), t[butterfly_digit_peer(v, k, m, -j)] + u(x, keep)) + g(x, keep);
            }
            memcpy(t, then, (size_t)P * sizeof *t);
        }
    }
    for (int m = pow_floor(P - 1, radix); m >= 1; m /= radix) {
        const int k = butterfly_base(P, radix, m);
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
        T = later(T, t[v] + into(f, v) * u(x, x->m));
    free(t);
    return T;
}

// Follows v = 0, which has the longest parts, and into which at least as many ranks fold as into any other of P
// players.
static int64_t time_with(const CollPoint *x, int P, const Folded *f)
{
    const int N = into(f, 0);
    if (x->eager && x->m % P != 0)
        return eager_uneven(x, P, f);
    int64_t T = N * (u(x, x->m) + g(x, x->m)) + N * u(x, x->m);
    if (x->eager && N > 0)
        T -= (N - 1) * u(x, x->m); // all vectors that fold into a rank arrive at once
    for (int m = 1, n = P, k; m < P; m *= k) {
        k = butterfly_base(P, x->par.radix, m);
        n /= k;
        const int64_t part = n * (x->m / P) + (n < x->m % P ? n : x->m % P);
        T += (k - 1) * (2 * u(x, part) + g(x, part));
    }
    return T;
}

static int64_t formula(const CollPoint *x)
{
    const int k = x->par.radix, P = pow_floor(x->p, k), out = x->p - P;
    return time_with(x, P, &(Folded){k - 1, out / (k - 1), out % (k - 1)});
}

static int64_t formula_sra(const CollPoint *x)
{
    const int out = x->p % pow_floor(x->p, x->par.radix);
    return time_with(x, x->p - out, &(Folded){1, out, 0});
}

#define COMMON                                                                                                         \
    .collective = COLL_ALLREDUCE, .needs = {&need_commutative}, .otherwise = "recursive_doubling", .peers = PEERS_XOR

const CollAlgorithm allreduce_reduce_scatter_allgather_algorithm = {
    COMMON,
    .name = "reduce_scatter_allgather",
    .aliases = {"mpich:k_reduce_scatter_allgather"},
    .summary = "Rabenseifner's algorithm with k parts instead of two halves",
    .run = allreduce_reduce_scatter_allgather,
    .params = {RADIX(2, "k, the number of ranks that exchange parts")},
    .same_as = same_as,
    .cost =
        "P = k^f <= p: 2 (k-1) f alpha + (P-1)/P m (2 beta + gamma) + N (2 (alpha + m beta) + m gamma), "
        "N = min(k-1, p-P); eager, N > 0: (N-1) (alpha + m beta) less; if P does not divide m: with the longest parts",
    .formula = formula,
    .source = "MPICH, k_reduce_scatter_allgather",
};

const CollAlgorithm allreduce_sra_knomial_algorithm = {
    COMMON,
    .name = "sra_knomial",
    .aliases = {"ucc:sra_knomial"},
    .summary = "Rabenseifner's algorithm with k parts among f k^d ranks, f < k: pairs fold until such a number is left",
    .run = allreduce_sra_knomial,
    .params = {RADIX_OF_PAIRS(4, "k, the number of ranks that exchange parts")},
    .pattern = pattern,
    .cost = "P = k^d <= p < k P, f = floor(p/P): 2 ((k-1) d + f-1) alpha + (fP-1)/(fP) m (2 beta + gamma); "
            "p != f P: 2 (alpha + m beta) + m gamma more; if f P does not divide m: with the longest parts",
    .formula = formula_sra,
    .source = "UCC, allreduce sra_knomial",
};
