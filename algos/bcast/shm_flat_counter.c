// What:   The root copies each fragment of the message into a slot of its queue in shared memory and raises one counter,
//         which all other ranks poll; they copy the fragment out at the same time. The root writes one flag for each
//         fragment, where shm_flat writes p-1. See shapes/shm.c.
// Cost:   T = t_w + flag + t_r + (n-1) max(t_w, t_r), n = ceil(m/f) fragments, t_w = f write, t_r = f read max(1,
//         (p-1)/lanes), where s max(t_w, t_r) >= t_w + t_r + 2 flag; one slot: n (t_w + t_r + 2 flag) - flag. f is the
//         size of a fragment, and s is the number of slots. times/shm_time.c has the recurrence for every s.
// Source: this project's. It is bcast shm_flat with one counter in place of a cell for each reader.
// Needs:  element <= fragment.
//
//   p = 8      0 writes | 1..7 read 0, 0 writes | 1..7 read 0, 0 writes | .. | 1..7 read 0
#include "coll.h"
#include "times/times.h"

static void bcast_shm_flat_counter(const Coll *c)
{
    shm_bcast(c, tree_flat(c, c->root), c->p - 1, 0, SHM_COUNTER);
}

static int64_t formula(const CollPoint *x)
{
    return shm_bcast_time(x, x->p);
}

const CollAlgorithm bcast_shm_flat_counter_algorithm = {
    .collective = COLL_BCAST,
    .name = "shm_flat_counter",
    .summary = "shared memory: the root writes fragments, and all ranks poll one counter and read them",
    .run = bcast_shm_flat_counter,
    .needs = {&need_fragment},
    .params = {FRAGMENT, SLOTS},
    .shared = true,
    .peers = PEERS_ABSOLUTE,
    .same_as = same_linear,
    .cost = "t_w + flag + t_r + (n-1) max(t_w, t_r), n = ceil(m/f) fragments, t_w = f write, t_r = f read max(1, "
            "(p-1)/lanes), where s max(t_w, t_r) >= t_w + t_r + 2 flag; one slot: n (t_w + t_r + 2 flag) - flag",
    .formula = formula,
    .source = "this project's",
};
