// What:   The root scatters the message down a binomial tree, so that rank v, counted from the root, has block v. Then
//         all blocks travel around a ring of the ranks. See shapes/tree_engines.c and shapes/ring.c.
// Cost:   T = (ceil(log2 p) + p-1) alpha + 2 (p-1)/p m beta.
// Source: Open MPI 4.1, bcast scatter_allgather_ring; MPICH, scatter_ring_allgather.
// Needs:  count >= p; else linear runs.
//
//   p = 8      scatter   0 -> 4,  0 -> 2  4 -> 6,  0 -> 1  2 -> 3  4 -> 5  6 -> 7
//              7 times   0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> 0
#include "coll.h"
#include "times/times.h"

static void bcast_scatter_ring_allgather(const Coll *c)
{
    const Coll ring = coll_sub(c, c->p, coll_v(c), coll_rank); // counted from the root: block i belongs to v = i
    const Blocks b = blocks_even(c, c->out, c->p);
    coll_phase(c, "scatter");
    tree_scatter_blocks(&ring, &b);
    coll_phase(c, "allgather");
    ring_allgather(&ring, &b);
}

static int64_t formula(const CollPoint *x)
{
    return (log2_ceil(x->p) + x->p - 1) * x->alpha + 2 * (x->m - x->m / x->p) * x->beta;
}

const CollAlgorithm bcast_scatter_ring_allgather_algorithm = {
    .collective = COLL_BCAST,
    .name = "scatter_ring_allgather",
    .aliases = {"ompi:9", "mpich:scatter_ring_allgather", "smpi:scatter_LR_allgather", "intel:3"},
    .summary = "a binomial scatter, then a ring allgather",
    .run = bcast_scatter_ring_allgather,
    .needs = {&need_count_p},
    .otherwise = "linear",
    .peers = PEERS_SHIFT,
    .same_as = same_binomial_in_order,
    .cost = "(ceil(log2 p) + p-1) alpha + 2 (p-1)/p m beta",
    .formula = formula,
    .source = "Open MPI 4.1, bcast scatter_allgather_ring; MPICH, scatter_ring_allgather",
};
