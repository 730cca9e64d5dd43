// What:   Rank 0 reduces the vectors of all ranks in shared memory and broadcasts the result, as in shm_flat, but the
//         slots are freed in two halves, through an atomic counter for each half. This is the algorithm that shm_flat
//         is compared with. See reduce/shm_sets.c, bcast/shm_sets.c and shapes/shm.c.
// Cost:   reduce shm_sets, then bcast shm_sets, which begins before the last counter of the reduce is full.
// Source: Graham, Shipman 2008, Open MPI coll/sm. The paper is "MPI support for multi-core architectures"; Romanyuta
//         and Kurnosov (2023) describe the algorithm.
// Needs:  element <= fragment.
//
//   p = 8      reduce shm_sets to rank 0, then bcast shm_sets
#include "coll.h"
#include "times/times.h"

static void allreduce_shm_sets(const Coll *c)
{
    shm_sets_reduce(c);
    shm_sets_bcast(c, shm_fragments(c));
}

const CollAlgorithm allreduce_shm_sets_algorithm = {
    .collective = COLL_ALLREDUCE,
    .name = "shm_sets",
    .summary = "shared memory: like shm_flat, but slots are freed in halves, through an atomic counter",
    .run = allreduce_shm_sets,
    .needs = {&need_fragment},
    .params = {FRAGMENT, SLOTS},
    .ordered = true,
    .shared = true,
    .peers = PEERS_SHIFT,
    .cost = "reduce shm_sets, then bcast shm_sets, which begins before the last counter of the reduce is full",
    .formula = shm_sets_allreduce_time,
    .source = "Graham, Shipman 2008, Open MPI coll/sm",
};
