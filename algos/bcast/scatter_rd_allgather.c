// What:   the root scatters the message down a binomial tree, then recursive doubling gathers it at every rank.
// Cost:   p = 2^d: T = 2 d alpha + 2 (p-1)/p m beta. Other p: ranks without a partner are served inside their group.
// Source: van de Geijn; Open MPI 4.1 bcast scatter_allgather, MPICH bcast scatter_recursive_doubling_allgather.
// Needs:  an element for each rank; else linear runs.
//
//   p = 8, blocks held      after the scatter    0  1  2  3  4  5  6  7
//                           v xor 1              01 01 23 23 45 45 67 67
//                           v xor 2              0123 (x4)   4567 (x4)
//                           v xor 4              01234567 (x8)
#include "coll.h"

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

static int64_t formula(const CollPoint *x)
{
    if (!is_pow2(x->p))
        return -1;
    return 2 * log2_floor(x->p) * x->alpha + 2 * (x->m - x->m / x->p) * x->beta;
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
    .cost = "p = 2^d: 2 d alpha + 2 (p-1)/p m beta",
    .formula = formula,
    .source = "van de Geijn; Open MPI 4.1, bcast scatter_allgather; MPICH, scatter_recursive_doubling_allgather",
};
