// What:   Every rank copies its fragments into its queue in shared memory, and the root reduces them, the highest
//         rank's fragment first. In shm_flat the root copies each fragment out, frees its slot and then reduces it. In
//         shm_fused it reduces each fragment in its slot and frees the slot afterwards: it copies nothing out, but
//         frees the slots later. See shapes/shm.c.
// Cost:   T = t_w + flag + n (p-1) (t_r + g), n = ceil(m/f) fragments, t_w = f write, t_r = f read, g = f gamma, where
//         s >= 2 and t_w + 2 flag <= (p-1) (t_r + g). f is the size of a fragment, and s is the number of slots.
//         times/shm_time.c has the recurrence for the other cases.
// Source: reduce shm_flat: Romanyuta, Kurnosov 2023, coll/sharm Reduce.
//         reduce shm_fused: this project's.
//         The paper is "Shared memory based MPI Reduce and Bcast algorithms", and shm_flat its algorithm 2. As printed,
//         line 13 (b) and line 6 (b) name the wrong variables, lines 16 and 20 (a) the wrong buffer, and
//         g = ceil(f/size) elements overrun a slot where size does not divide f; here g = floor(f/size).
// Needs:  element <= fragment.
//
//   p = 8      1..7 write | 0 reads 7, 1..7 write | 0 reads and reduces 6 | .. | 0 reads and reduces 1 | 0 reads 7 | ..
#include "coll.h"
#include "times/times.h"

static void reduce_shm_flat(const Coll *c)
{
    shm_reduce(c, tree_flat(c, c->root), -1, SHM_COPIED);
}

static void reduce_shm_fused(const Coll *c)
{
    shm_reduce(c, tree_flat(c, c->root), -1, SHM_FUSED);
}

static int64_t formula(const CollPoint *x)
{
    return shm_reduce_time(x, x->p, false);
}

static int64_t formula_fused(const CollPoint *x)
{
    return shm_reduce_time(x, x->p, true);
}

#define COMMON                                                                                                         \
    .collective = COLL_REDUCE, .needs = {&need_fragment}, .params = {FRAGMENT, SLOTS}, .ordered = true,                \
    .shared = true, .peers = PEERS_ABSOLUTE, .same_as = same_linear,                                                   \
    .cost =                                                                                                            \
        "t_w + flag + n (p-1) (t_r + g), n = ceil(m/f) fragments, t_w = f write, t_r = f read, g = f gamma, where "    \
        "s >= 2 and t_w + 2 flag <= (p-1) (t_r + g)"

const CollAlgorithm reduce_shm_flat_algorithm = {
    COMMON,
    .name = "shm_flat",
    .summary = "shared memory: all ranks write fragments, and the root copies them out and reduces them",
    .run = reduce_shm_flat,
    .formula = formula,
    .source = "Romanyuta, Kurnosov 2023, coll/sharm Reduce",
};

const CollAlgorithm reduce_shm_fused_algorithm = {
    COMMON,
    .name = "shm_fused",
    .summary = "shared memory: all ranks write fragments, and the root reduces them in their slots",
    .run = reduce_shm_fused,
    .formula = formula_fused,
    .source = "this project's",
};
