// What:   The vectors travel up a k-nomial tree to rank 0, and the result travels down the tree again, both through the
//         ranks' queues in shared memory. See reduce/shm_knomial.c, bcast/shm_knomial.c and shapes/shm.c.
// Cost:   reduce shm_knomial + bcast shm_knomial.
// Source: Romanyuta, Kurnosov 2023, coll/sharm; its second half is this project's. The source is "Shared memory based
//         MPI Reduce and Bcast algorithms", section 4.5. It describes the tree for its Reduce (section 4.4) alone, and
//         does not say how its k-nomial Allreduce sends the result back; the way down the tree is our own.
// Needs:  element <= fragment.
//
//   p = 8, k = 2      reduce shm_knomial, then bcast shm_knomial
#include "coll.h"
#include "times/times.h"

static void allreduce_shm_knomial(const Coll *c)
{
    const Tree t = tree_knomial(c, c->root, c->par.radix);
    shm_reduce(c, t, -1, SHM_COPIED);
    shm_bcast(c, t, tree_knomial_siblings(c), shm_fragments(c), SHM_COUNTER);
}

static int64_t formula(const CollPoint *x)
{
    return shm_reduce_time(x, x->par.radix, false) + shm_bcast_time(x, x->par.radix);
}

const CollAlgorithm allreduce_shm_knomial_algorithm = {
    .collective = COLL_ALLREDUCE,
    .name = "shm_knomial",
    .summary = "shared memory: fragments travel up a k-nomial tree and down again, from queue to queue",
    .run = allreduce_shm_knomial,
    .needs = {&need_fragment},
    .params = {FRAGMENT, SLOTS, RADIX(2, "k of the k-nomial tree")},
    .ordered = true,
    .shared = true,
    .peers = PEERS_SHIFT,
    .same_as = same_knomial_siblings,
    .cost = "reduce shm_knomial + bcast shm_knomial",
    .formula = formula,
    .source = "Romanyuta, Kurnosov 2023, coll/sharm; its second half is this project's",
};
