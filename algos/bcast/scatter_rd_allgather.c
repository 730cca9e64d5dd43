// What:   The root scatters the message down a binomial tree, so that rank v, counted from the root, has block v. Then
//         recursive doubling gathers all blocks at every rank. If p is not a power of two, some ranks have no peer in a
//         round; other ranks of their group send them the blocks that they miss (shapes/butterfly.c).
// Cost:   p = 2^d: 2 d alpha + 2 (p-1)/p m beta; else rank by rank, held against the simulation for p = 2 .. 300. If p
//         is not a power of two, the formula follows every rank's clock.
// Source: van de Geijn; Open MPI 4.1, bcast scatter_allgather; MPICH, scatter_recursive_doubling_allgather.
// Needs:  count >= p; else linear runs.
//
//   p = 8, blocks held      after the scatter    0  1  2  3  4  5  6  7
//                           v xor 1              01 01 23 23 45 45 67 67
//                           v xor 2              0123 (x4)   4567 (x4)
//                           v xor 4              01234567 (x8)
#include "coll.h"
#include "times/times.h"
#include <stdlib.h>

static void bcast_scatter_rd_allgather(const Coll *c)
{
    const Coll all = coll_sub(c, c->p, coll_v(c), coll_rank); // counted from the root: block i belongs to v = i
    const int v = all.rank, p = c->p;
    const Blocks b = blocks_even(c, c->out, p);
    coll_phase(c, "scatter");
    tree_scatter_blocks(&all, &b);
    coll_phase(c, "allgather");
    for (int m = 1; m < p; m *= 2) {
        const int peer = v ^ m, own = v & ~(m - 1), other = own ^ m;
        const Slice theirs = other < p ? blocks(&b, other, other + m < p ? other + m : p) : (Slice){0};
        if (peer < p)
            coll_sendrecv(&all, peer, blocks(&b, own, own + m < p ? own + m : p), peer, theirs);
        butterfly_serve_rest(&all, m, theirs);
    }
}

static int same_as(const Coll *c)
{
    return same_pow2_even(c) == 0 ? same_binomial_in_order(c) : coll_v(c);
}

// Follows every rank's clock, because the ranks are not in step if p is not a power of two.
static int64_t rank_by_rank(const CollPoint *x)
{
    const int p = x->p;
    const int64_t b = x->m / p;
    int64_t *t = calloc((size_t)p, sizeof *t);
    for (int v = 0; v < p; v++)
        for (int d = v ? (v & -v) / 2 : pow2_floor(p); d >= 1; d /= 2)
            if (v + d < p)
                t[v + d] = t[v] += u(x, tree_binomial_span(v + d, p) * b);
    for (int m = 1; m < p; m *= 2) {
        const int others = (p - 1) % (2 * m) + 1 - m; // how many ranks the last group of 2m has beyond its first m
        for (int v = 0; v + m < p; v++)
            if (!(v & m))
                t[v] = t[v + m] = times_exchange(x, t[v], t[v + m], m * b, ((v | (m - 1)) + m < p ? m : others) * b);
        butterfly_serve_rest_time(x, m, others * b, t);
    }
    const int64_t end = times_latest(t, p);
    free(t);
    return end;
}

static int64_t formula(const CollPoint *x)
{
    if (is_pow2(x->p))
        return 2 * log2_floor(x->p) * x->alpha + 2 * (x->m - x->m / x->p) * x->beta;
    return rank_by_rank(x);
}

const CollAlgorithm bcast_scatter_rd_allgather_algorithm = {
    .collective = COLL_BCAST,
    .name = "scatter_rd_allgather",
    .aliases = {"ompi:8", "mpich:scatter_recursive_doubling_allgather", "smpi:scatter_rdb_allgather", "intel:2"},
    .summary = "a binomial scatter, then a recursive-doubling allgather",
    .run = bcast_scatter_rd_allgather,
    .needs = {&need_count_p},
    .otherwise = "linear",
    .peers = PEERS_XOR,
    .same_as = same_as,
    .cost = "p = 2^d: 2 d alpha + 2 (p-1)/p m beta; else rank by rank, held against the simulation for p = 2 .. 300",
    .formula = formula,
    .source = "van de Geijn; Open MPI 4.1, bcast scatter_allgather; MPICH, scatter_recursive_doubling_allgather",
};
