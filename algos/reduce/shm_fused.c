// What:   Every rank copies its fragments into its queue in shared memory. The root reduces them straight from the
//         queues, the highest rank's fragment first, and frees a slot once its fragment is reduced. It copies nothing
//         out, but shm_flat frees its slots earlier. See shapes/shm.c.
// Cost:   T = t_w + flag + n (p-1) (t_r + g), n = ceil(m/f) fragments, t_w = f write, t_r = f read, g = f gamma, where
//         s >= 2 and t_w + 2 flag <= (p-1) (t_r + g). f is the size of a fragment, and s is the number of slots.
//         times/shm_time.c has the recurrence for the other cases.
// Source: this project's. It is reduce shm_flat with the fragments reduced in their slots.
// Needs:  element <= fragment.
//
//   p = 8      1..7 write | 0 reads 7, 1..7 write | 0 reads and reduces 6 | .. | 0 reads and reduces 1 | 0 reads 7 | ..
#include "coll.h"
#include "times/times.h"

static void reduce_shm_fused(const Coll *c)
{
    shm_reduce(c, tree_flat(c, c->root), -1, SHM_FUSED);
}

static int64_t formula(const CollPoint *x)
{
    return shm_reduce_time(x, x->p, true);
}

const CollAlgorithm reduce_shm_fused_algorithm = {
    .collective = COLL_REDUCE,
    .name = "shm_fused",
    .summary = "shared memory: all ranks write fragments, and the root reduces them in their slots",
    .run = reduce_shm_fused,
    .needs = {&need_fragment},
    .params = {FRAGMENT, SLOTS},
    .ordered = true,
    .shared = true,
    .peers = PEERS_ABSOLUTE,
    .same_as = same_linear,
    .cost = "t_w + flag + n (p-1) (t_r + g), n = ceil(m/f) fragments, t_w = f write, t_r = f read, g = f gamma, where "
            "s >= 2 and t_w + 2 flag <= (p-1) (t_r + g)",
    .formula = formula,
    .source = "this project's",
};
