// What:   Every rank copies its block, fragment by fragment, into the slots of its queue in shared memory, and the root
//         copies the fragments out: one of each rank, the lowest v first, then the next of each rank.
// Cost:   T = t_w + flag + n (p-1) t_r, n = ceil(m/f) fragments, t_w = f write, t_r = f read, where s >= 2 and t_w + 2
//         flag <= (p-1) t_r. f is the size of a fragment, and s is the number of slots. times/shm_time.c has the
//         recurrence for the other cases.
// Source: this project's. Romanyuta and Kurnosov (2023) say that coll/sharm has a Gather, and not how it works.
// Needs:  element <= fragment.
//
//   p = 4      1 2 3 write | 0 reads 1, 1 2 3 write | 0 reads 2 | 0 reads 3 | 0 reads 1, ..
#include "coll.h"
#include "times/times.h"

static void give(const Coll *c)
{
    const Blocks mine = blocks_size(c, c->in, c->par.fragment);
    for (int i = 0; i < mine.n; i++)
        shm_put(c, block(&mine, i), i, i >= c->par.slots, 1, &c->root, SHM_COUNTER);
}

static void gather_shm_flat(const Coll *c)
{
    if (c->rank != c->root) {
        give(c);
        return;
    }
    const Blocks out = coll_out(c);
    coll_copy(c, block(&out, c->root), c->in);
    for (int i = 0; i < shm_fragments(c); i++)
        for (int v = 1; v < c->p; v++) {
            const int from = coll_rank(c, v);
            const Blocks theirs = blocks_size(c, block(&out, from), c->par.fragment);
            shm_get(c, block(&theirs, i), i, from, 1, SHM_COUNTER);
        }
}

const CollAlgorithm gather_shm_flat_algorithm = {
    .collective = COLL_GATHER,
    .name = "shm_flat",
    .summary = "shared memory: all ranks write the fragments of their blocks, and the root reads them",
    .run = gather_shm_flat,
    .needs = {&need_fragment},
    .params = {FRAGMENT, SLOTS},
    .shared = true,
    .peers = PEERS_ABSOLUTE,
    .same_as = same_linear,
    .cost = "t_w + flag + n (p-1) t_r, n = ceil(m/f) fragments, t_w = f write, t_r = f read, where s >= 2 and t_w + 2 "
            "flag <= (p-1) t_r",
    .formula = shm_gather_time,
    .source = "this project's",
};
