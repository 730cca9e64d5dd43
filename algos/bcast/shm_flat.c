// What:   The root copies each fragment of the message into a slot of its queue in shared memory, and all other ranks
//         copy the fragment out at the same time. In shm_flat the root sets a cell for each of these ranks, which polls
//         it; in shm_flat_counter it raises one counter, which all of them poll, and so writes one flag for each
//         fragment in place of p-1. See shapes/shm.c.
// Cost:   T = t_w + flag + t_r + (n-1) max(t_w, t_r), n = ceil(m/f) fragments, t_w = f write, t_r = f read max(1,
//         (p-1)/lanes), where s max(t_w, t_r) >= t_w + t_r + 2 flag; one slot: n (t_w + t_r + 2 flag) - flag. f is the
//         size of a fragment, and s is the number of slots. times/shm_time.c has the recurrence for every s.
// Source: bcast shm_flat: Romanyuta, Kurnosov 2023, coll/sharm Bcast.
//         bcast shm_flat_counter: this project's.
//         The paper is "Shared memory based MPI Reduce and Bcast algorithms", and shm_flat its algorithm 1. The paper's
//         ranks keep the number of their next slot between operations, and only those that take part advance it, so
//         that an operation with another root would wait for the wrong slot; here every operation counts from 0.
// Needs:  element <= fragment.
//
//   p = 8      0 writes | 1..7 read 0, 0 writes | 1..7 read 0, 0 writes | .. | 1..7 read 0
#include "coll.h"
#include "times/times.h"

static void bcast_shm_flat(const Coll *c)
{
    shm_bcast(c, tree_flat(c, c->root), c->p - 1, 0, SHM_CELLS);
}

static void bcast_shm_flat_counter(const Coll *c)
{
    shm_bcast(c, tree_flat(c, c->root), c->p - 1, 0, SHM_COUNTER);
}

static int64_t formula(const CollPoint *x)
{
    return shm_bcast_time(x, x->p);
}

#define COMMON                                                                                                         \
    .collective = COLL_BCAST, .needs = {&need_fragment}, .params = {FRAGMENT, SLOTS}, .shared = true,                  \
    .peers = PEERS_ABSOLUTE, .same_as = same_linear,                                                                   \
    .cost = "t_w + flag + t_r + (n-1) max(t_w, t_r), n = ceil(m/f) fragments, t_w = f write, t_r = f read max(1, "     \
            "(p-1)/lanes), where s max(t_w, t_r) >= t_w + t_r + 2 flag; one slot: n (t_w + t_r + 2 flag) - flag",      \
    .formula = formula

const CollAlgorithm bcast_shm_flat_algorithm = {
    COMMON,
    .name = "shm_flat",
    .summary = "shared memory: the root writes fragments, and all ranks read them, each after a cell of its own",
    .run = bcast_shm_flat,
    .source = "Romanyuta, Kurnosov 2023, coll/sharm Bcast",
};

const CollAlgorithm bcast_shm_flat_counter_algorithm = {
    COMMON,
    .name = "shm_flat_counter",
    .summary = "shared memory: the root writes fragments, and all ranks poll one counter and read them",
    .run = bcast_shm_flat_counter,
    .source = "this project's",
};
