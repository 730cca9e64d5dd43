// What:   A ring reduce-scatter reduces each of the vector's p blocks to one rank; then a ring allgather brings the
//         blocks to all ranks. Each block travels around the ring twice. See shapes/ring.c.
// Cost:   T = 2(p-1) alpha + (p-1)/p m (2 beta + gamma).
// Source: Open MPI 4.1, allreduce ring; MPICH, allreduce ring. MPICH rounds up all blocks but the last.
// Needs:  a commutative operation, count >= p; else recursive_doubling runs.
//
//   p = 8, 7 + 7 times      0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> 0
#include "coll.h"
#include "times/times.h"

static void allreduce_ring(const Coll *c)
{
    const Blocks in = blocks_even(c, c->in, c->p), out = blocks_even(c, c->out, c->p);
    coll_phase(c, "reduce-scatter");
    ring_reduce_scatter(c, &in, &out);
    coll_phase(c, "allgather");
    ring_allgather(c, &out);
}

static int64_t formula(const CollPoint *x)
{
    return 2 * (x->p - 1) * x->alpha + (x->m - x->m / x->p) * (2 * x->beta + x->gamma);
}

const CollAlgorithm allreduce_ring_algorithm = {
    .collective = COLL_ALLREDUCE,
    .name = "ring",
    .aliases = {"ompi:4", "mpich:ring", "smpi:lr", "libnbc:ring", "intel:8"},
    .summary = "a ring reduce-scatter, then a ring allgather",
    .run = allreduce_ring,
    .needs = {&need_commutative, &need_count_p},
    .otherwise = "recursive_doubling",
    .peers = PEERS_SHIFT,
    .same_as = same_always,
    .cost = "2(p-1) alpha + (p-1)/p m (2 beta + gamma)",
    .formula = formula,
    .source = "Open MPI 4.1, allreduce ring; MPICH, allreduce ring",
};
