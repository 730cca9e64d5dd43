// What:   the root scatters the message down a binomial tree, then recursive doubling gathers it at every rank.
// Cost:   p = 2^d: T = 2 d alpha + 2 (p-1)/p m beta. Other p: the recurrence below; ranks without a partner are served
//         inside their group.
// Source: van de Geijn; Open MPI 4.1 bcast scatter_allgather, MPICH bcast scatter_recursive_doubling_allgather.
// Needs:  an element for each rank; else linear runs.
//
//   p = 8, blocks held      after the scatter    0  1  2  3  4  5  6  7
//                           v xor 1              01 01 23 23 45 45 67 67
//                           v xor 2              0123 (x4)   4567 (x4)
//                           v xor 4              01234567 (x8)
#include "coll.h"
#include <stdlib.h>

static int cut(const Coll *c, int v)
{
    return v < c->p ? v : c->p;
}

static void bcast_scatter_rd_allgather(const Coll *c)
{
    const int v = coll_v(c);
    const Blocks b = blocks_even(c, c->out, c->p);
    scatter_blocks(c, &b);
    for (int m = 1; m < c->p; m *= 2) {
        const int g = v & ~(m - 1), other = g ^ m;
        if ((v ^ m) < c->p)
            coll_sendrecv(c, coll_rank(c, v ^ m), blocks(&b, g, cut(c, g + m)), coll_rank(c, v ^ m),
                          blocks(&b, other, cut(c, other + m)));
        serve_the_rest(c, m, blocks(&b, cut(c, other), cut(c, other + m)));
    }
}

static int same_as(const Coll *c)
{
    return same_pow2_even(c) == 0 ? same_binomial_in_order(c) : coll_v(c);
}

// Two ranks at times *a and *b send each other so many bytes; -1: nothing. Rendezvous: both begin when both are there.
static void meet(const CollPoint *x, int64_t *a, int64_t out, int64_t *b, int64_t in)
{
    const int64_t there = u(x, out), back = in < 0 ? 0 : u(x, in), start = later(*a, *b);
    if (!x->eager) {
        *a = *b = start + later(there, back);
        return;
    }
    const int64_t arrived = *a + there;
    *a = in < 0 ? arrived : later(arrived, *b + back);
    *b = later(*b + back, arrived);
}

// t[v]: v's time, from 0 on, step by step. Other than at powers of two the ranks do not wait alike.
static int64_t all_steps(const CollPoint *x, int64_t *t)
{
    const int p = x->p;
    const int64_t b = x->m / p;
    for (int v = 0; v < p; v++)
        for (int d = v ? (v & -v) / 2 : pow2_floor(p); d >= 1; d /= 2)
            if (v + d < p)
                t[v + d] = t[v] += u(x, tree_span(v + d, p) * b);
    for (int m = 1; m < p; m *= 2) {
        for (int v = 0; v + m < p; v++)
            if (!(v & m)) {
                const int beyond = p - (v & ~(m - 1)) - m;
                meet(x, &t[v], m * b, &t[v + m], (beyond < m ? beyond : m) * b);
            }
        const int g = (p - 1) & ~(2 * m - 1), h = p - g - m;
        for (int d = m / 2; d >= 1 && h >= 1 && h < m; d /= 2)
            for (int i = 0; i < m; i++)
                if (i % (2 * d) < h && (i % (2 * d) ^ d) >= h)
                    meet(x, &t[g + i], h * b, &t[g + (i ^ d)], -1);
    }
    int64_t T = 0;
    for (int v = 0; v < p; v++)
        T = later(T, t[v]);
    return T;
}

static int64_t formula(const CollPoint *x)
{
    if (is_pow2(x->p))
        return 2 * log2_floor(x->p) * x->alpha + 2 * (x->m - x->m / x->p) * x->beta;
    int64_t *t = calloc((size_t)x->p, sizeof *t);
    const int64_t T = all_steps(x, t);
    free(t);
    return T;
}

const CollAlgorithm bcast_scatter_rd_allgather_algorithm = {
    .collective = COLL_BCAST,
    .name = "scatter_rd_allgather",
    .aliases = {"ompi:8", "mpich:scatter_recursive_doubling_allgather"},
    .summary = "binomial scatter, then recursive-doubling allgather",
    .run = bcast_scatter_rd_allgather,
    .needs = {&need_count_p},
    .otherwise = "linear",
    .peers = PEERS_XOR,
    .same_as = same_as,
    .cost =
        "p = 2^d: 2 d alpha + 2 (p-1)/p m beta; else a recurrence over steps and ranks, held against the simulation "
        "for p = 2 .. 300",
    .formula = formula,
    .source = "van de Geijn; Open MPI 4.1, bcast scatter_allgather; MPICH, scatter_recursive_doubling_allgather",
};
