// What:   Rank 0 reduces the fragments of all ranks from their queues in shared memory, then broadcasts the result
//         through its own queue. See reduce/shm_flat.c, bcast/shm_flat.c and shapes/shm.c.
// Cost:   reduce shm_flat + bcast shm_flat.
// Source: Romanyuta, Kurnosov 2023, coll/sharm Allreduce. The source is "Shared memory based MPI Reduce and Bcast
//         algorithms", section 4.5.
// Needs:  element <= fragment.
//
//   p = 8      1..7 write | 0 reads 7 | 0 reads and reduces 6 | .. | 1 | 0 writes | 1..7 read 0
#include "coll.h"
#include "times/times.h"

static void allreduce_shm_flat(const Coll *c)
{
    const Tree t = tree_flat(c, c->root);
    shm_reduce(c, t, -1, SHM_COPIED);
    shm_bcast(c, t, c->p - 1, shm_fragments(c), SHM_CELLS);
}

static int64_t formula(const CollPoint *x)
{
    return shm_reduce_time(x, x->p, false) + shm_bcast_time(x, x->p);
}

const CollAlgorithm allreduce_shm_flat_algorithm = {
    .collective = COLL_ALLREDUCE,
    .name = "shm_flat",
    .summary = "shared memory: rank 0 reads and reduces the vectors of all ranks, then all ranks read the result",
    .run = allreduce_shm_flat,
    .needs = {&need_fragment},
    .params = {FRAGMENT, SLOTS},
    .ordered = true,
    .shared = true,
    .peers = PEERS_ABSOLUTE,
    .same_as = same_linear,
    .cost = "reduce shm_flat + bcast shm_flat",
    .formula = formula,
    .source = "Romanyuta, Kurnosov 2023, coll/sharm Allreduce",
};
