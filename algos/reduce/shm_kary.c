// What:   Partial results travel up a k-ary tree through queues in shared memory: a rank reduces the fragments of its
//         children in their slots, frees these, and copies the result into its own queue for its parent. See
//         shapes/shm.c.
// Cost:   a recurrence; a rank with q children spends q (t_r + g) + t_w on a fragment, t_w = f write, t_r = f read, g =
//         f gamma. The recurrence runs over fragments and ranks (times/shm_time.c); f is the size of a fragment.
// Source: Jain et al. 2018, MPICH release_gather. The paper is "Framework for scalable intra-node collective operations
//         using shared memory"; in it the buffers are freed by a release from the root, and not by the parent.
// Needs:  element <= fragment, a commutative operation.
//
//   p = 8, k = 2      4 5 6 7 write | 3 reads 7, 2 reads 6 5 | 2 3 write | 1 reads 4 3 | 1 writes | 0 reads 2 1
#include "coll.h"
#include "times/times.h"

static void reduce_shm_kary(const Coll *c)
{
    shm_reduce(c, tree_kary(c, c->root, c->par.radix), -1, SHM_FUSED);
}

static int64_t formula(const CollPoint *x)
{
    return shm_kary_reduce_time(x, x->par.radix);
}

const CollAlgorithm reduce_shm_kary_algorithm = {
    .collective = COLL_REDUCE,
    .name = "shm_kary",
    .summary = "shared memory: partial results travel up a k-ary tree, reduced in the children's slots",
    .run = reduce_shm_kary,
    .needs = {&need_fragment, &need_commutative},
    .params = {FRAGMENT, SLOTS, RADIX(4, "k of the k-ary tree")},
    .shared = true,
    .peers = PEERS_SHIFT,
    .cost = "a recurrence; a rank with q children spends q (t_r + g) + t_w on a fragment, t_w = f write, t_r = f read, "
            "g = f gamma",
    .formula = formula,
    .source = "Jain et al. 2018, MPICH release_gather",
};
