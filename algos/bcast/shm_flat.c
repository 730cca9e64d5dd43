// What:   The root copies each fragment of the message into a slot of its queue in shared memory and sets a cell for
//         each of the other ranks, which copy the fragment out at the same time. Each rank polls a cell of its own;
//         shm_flat_counter has one counter for all. See shapes/shm.c.
// Cost:   T = t_w + flag + t_r + (n-1) max(t_w, t_r), n = ceil(m/f) fragments, t_w = f write, t_r = f read max(1,
//         (p-1)/lanes), where s max(t_w, t_r) >= t_w + t_r + 2 flag; one slot: n (t_w + t_r + 2 flag) - flag. f is the
//         size of a fragment, and s is the number of slots. times/shm_time.c has the recurrence for every s.
// Source: Romanyuta, Kurnosov 2023, coll/sharm Bcast. The source is "Shared memory based MPI Reduce and Bcast
//         algorithms", algorithm 1. The source's ranks keep the number of their next slot between operations, and only
//         those that take part advance it, so that an operation with another root would wait for the wrong slot; here
//         every operation counts from 0.
// Needs:  element <= fragment.
//
//   p = 8      0 writes | 1..7 read 0, 0 writes | 1..7 read 0, 0 writes | .. | 1..7 read 0
#include "coll.h"
#include "times/times.h"

static void bcast_shm_flat(const Coll *c)
{
    shm_bcast(c, tree_flat(c, c->root), c->p - 1, 0, SHM_CELLS);
}

static int64_t formula(const CollPoint *x)
{
    return shm_bcast_time(x, x->p);
}

const CollAlgorithm bcast_shm_flat_algorithm = {
    .collective = COLL_BCAST,
    .name = "shm_flat",
    .summary = "shared memory: the root writes fragments, and all ranks read them, each after a cell of its own",
    .run = bcast_shm_flat,
    .needs = {&need_fragment},
    .params = {FRAGMENT, SLOTS},
    .shared = true,
    .peers = PEERS_ABSOLUTE,
    .same_as = same_linear,
    .cost = "t_w + flag + t_r + (n-1) max(t_w, t_r), n = ceil(m/f) fragments, t_w = f write, t_r = f read max(1, "
            "(p-1)/lanes), where s max(t_w, t_r) >= t_w + t_r + 2 flag; one slot: n (t_w + t_r + 2 flag) - flag",
    .formula = formula,
    .source = "Romanyuta, Kurnosov 2023, coll/sharm Bcast",
};
