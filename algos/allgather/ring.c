// What:   In p-1 steps, every rank sends the block that it got last to the next rank; in the first step it sends its
//         own. See shapes/ring.c.
// Cost:   T = (p-1) (alpha + m beta). m is the size of a block, in bytes.
// Source: allgather ring: Open MPI 4.1, allgather ring; MPICH, allgather ring.
//         allgatherv ring: Open MPI 4.1, allgatherv ring.
// Needs:  nothing.
//
//   p = 8, 7 times      0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> 0
#include "coll.h"
#include "times/times.h"

static void allgather_ring(const Coll *c)
{
    const Blocks b = coll_out(c);
    coll_copy(c, block(&b, c->rank), c->in);
    ring_allgather(c, &b);
}

static int64_t formula(const CollPoint *x)
{
    return (x->p - 1) * u(x, x->m);
}

#define COMMON                                                                                                         \
    .name = "ring", .summary = "every rank passes the block that it got last to the next rank, p-1 times",             \
    .run = allgather_ring, .peers = PEERS_SHIFT, .same_as = same_always, .cost = "(p-1) (alpha + m beta)",             \
    .formula = formula

const CollAlgorithm allgather_ring_algorithm = {
    COMMON,
    .collective = COLL_ALLGATHER,
    .aliases = {"ompi:4", "mpich:ring", "smpi:NTSLR", "smpi:NTSLR_NB", "ucc:ring", "intel:3"},
    .source = "Open MPI 4.1, allgather ring; MPICH, allgather ring",
};

const CollAlgorithm allgatherv_ring_algorithm = {
    COMMON,
    .collective = COLL_ALLGATHERV,
    .aliases = {"ompi:3", "smpi:mpich_ring", "ucc:ring", "intel:3"},
    .source = "Open MPI 4.1, allgatherv ring",
};
