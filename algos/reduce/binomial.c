// What:   an in-order binomial tree, by segments: while one child's segment is reduced, the next one arrives.
// Cost:   p = 2^d: T = d (S max(u,g) + min(u,g)) with u = alpha + m/S beta, g = m/S gamma; S = 1, any p, g <= u:
//         c u + f g, c = ceil(log2 p), f = floor(log2 p). Eager: the recurrence below, any p and S.
// Source: Open MPI 4.1 coll/base, reduce binomial.
// Needs:  nothing; where order matters rank 0 reduces and hands the result to the root.
//
//   p = 8      1 -> 0   3 -> 2   5 -> 4   7 -> 6
//              2 -> 0   6 -> 4
//              4 -> 0
#include "coll.h"
#include <stdlib.h>

static void reduce_binomial(const Coll *c)
{
    const int top = reduce_top(c);
    reduce_over(c, top, tree_binomial_in_order(c, top));
}

// Where order matters and the root is not rank 0, the hop to the root breaks the tree's shape.
static int same_as(const Coll *c)
{
    return reduce_top(c) == c->root ? same_binomial_in_order(c) : coll_v(c);
}

// Eager: when each segment of v's subtree has left v (ready[s]); a blocking send holds its rank for u.
static void eager_subtree(const CollPoint *x, int v, int64_t *ready)
{
    const int64_t S = segments(x, x->m);
    const int64_t um = u(x, x->m / S), gm = g(x, x->m / S);
    const int low = v & -v;
    int64_t *child[32], t = 0;
    int n = 0;
    for (int d = 1; (v == 0 || d < low) && v + d < x->p; d *= 2) {
        child[n] = calloc((size_t)S, sizeof(int64_t));
        eager_subtree(x, v + d, child[n++]);
    }
    for (int s = 0; s < S; s++) {
        for (int i = 0; i < n; i++)
            t = (t > child[i][s] ? t : child[i][s]) + gm;
        t += v ? um : 0;
        ready[s] = t;
    }
    while (n > 0)
        free(child[--n]);
}

static int64_t formula(const CollPoint *x)
{
    const int64_t S = segments(x, x->m);
    const int64_t um = u(x, x->m / S), gm = g(x, x->m / S);
    if (x->eager) {
        int64_t *ready = calloc((size_t)S, sizeof *ready);
        eager_subtree(x, 0, ready);
        const int64_t t = ready[S - 1];
        free(ready);
        return t;
    }
    if (is_pow2(x->p))
        return log2_floor(x->p) * (um > gm ? S * um + gm : S * gm + um);
    return S == 1 && gm <= um ? log2_ceil(x->p) * um + log2_floor(x->p) * gm : -1;
}

const CollAlgorithm reduce_binomial_algorithm = {
    .collective = COLL_REDUCE,
    .name = "binomial",
    .aliases = {"ompi:5"},
    .summary = "an in-order binomial tree; one child's segment is reduced while the next arrives",
    .run = reduce_binomial,
    .params = {SEGMENT},
    .ordered = true,
    .peers = PEERS_SHIFT,
    .same_as = same_as,
    .cost = "p = 2^d: d (S max(u,g) + min(u,g)), u = alpha + m/S beta, g = m/S gamma; S = 1, g <= u: "
            "ceil(log2 p) u + floor(log2 p) g",
    .formula = formula,
    .source = "Open MPI 4.1, reduce binomial",
};
