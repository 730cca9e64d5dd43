// What:   Partial results travel up a k-ary tree to rank 0 through queues in shared memory, and all ranks read the
//         result out of rank 0's queue after flags that travel down the tree. See reduce/shm_kary.c, bcast/shm_kary.c
//         and shapes/shm.c.
// Cost:   reduce shm_kary + bcast shm_kary.
// Source: Jain et al. 2018, MPICH release_gather. The paper is "Framework for scalable intra-node collective operations
//         using shared memory": a gather with data, then a release with data.
// Needs:  element <= fragment, a commutative operation.
//
//   p = 8, k = 2      reduce shm_kary to rank 0, then bcast shm_kary
#include "coll.h"
#include "times/times.h"

static void allreduce_shm_kary(const Coll *c)
{
    const Tree t = tree_kary(c, c->root, c->par.radix);
    shm_reduce(c, t, -1, SHM_FUSED);
    shm_release_bcast(c, t, shm_fragments(c));
}

static int64_t formula(const CollPoint *x)
{
    return shm_kary_allreduce_time(x, x->par.radix);
}

const CollAlgorithm allreduce_shm_kary_algorithm = {
    .collective = COLL_ALLREDUCE,
    .name = "shm_kary",
    .summary = "shared memory: partial results travel up a k-ary tree, then all ranks read rank 0's slots",
    .run = allreduce_shm_kary,
    .needs = {&need_fragment, &need_commutative},
    .params = {FRAGMENT, SLOTS, RADIX(4, "k of the k-ary tree")},
    .shared = true,
    .peers = PEERS_SHIFT,
    .cost = "reduce shm_kary + bcast shm_kary",
    .formula = formula,
    .source = "Jain et al. 2018, MPICH release_gather",
};
