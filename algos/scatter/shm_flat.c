// What:   The root copies the blocks of all ranks, fragment by fragment, into the slots of its queue in shared memory:
//         one of each rank, the lowest v first, then the next of each rank. A rank polls a cell of its own and copies
//         out what is for it.
// Cost:   T = n (p-1) t_w + flag + t_r, n = ceil(m/f) fragments, t_w = f write, t_r = f read, where (min(p-1, s) - 1)
//         t_w >= t_r + 2 flag. f is the size of a fragment, and s is the number of slots. times/shm_time.c has the
//         recurrence for the other cases.
// Source: this project's. Romanyuta and Kurnosov (2023) say that coll/sharm has a Scatter, and not how it works.
// Needs:  element <= fragment.
//
//   p = 4      0 writes for 1 | 1 reads 0, 0 writes for 2 | 2 reads 0, 0 writes for 3 | 3 reads 0, 0 writes for 1 | ..
#include "coll.h"
#include "times/times.h"

static void take(const Coll *c)
{
    const Blocks mine = blocks_size(c, c->out, c->par.fragment);
    for (int i = 0; i < mine.n; i++) {
        const Slice here = block(&mine, i);
        coll_await(c, c->root, c->rank, i + 1);
        coll_copy(c, here, coll_slot(c, c->root, i * (c->p - 1) + coll_v(c) - 1, 1, here.len));
        coll_raise(c, c->root, i + 1);
    }
}

static void scatter_shm_flat(const Coll *c)
{
    if (c->rank != c->root) {
        take(c);
        return;
    }
    const Blocks in = coll_in(c);
    coll_copy(c, c->out, block(&in, c->root));
    const int n = blocks_size(c, c->out, c->par.fragment).n;
    for (int i = 0, k = 0; c->p > 1 && i < n; i++)
        for (int v = 1; v < c->p; v++, k++) {
            const int to = coll_rank(c, v),
                      old = k - c->par.slots; // what the slot has is for the rank old mod (p-1) + 1
            const Blocks theirs = blocks_size(c, block(&in, to), c->par.fragment);
            const Slice here = block(&theirs, i);
            if (old >= 0)
                coll_await(c, coll_rank(c, old % (c->p - 1) + 1), c->root, old / (c->p - 1) + 1);
            coll_copy(c, coll_slot(c, c->root, k, 1, here.len), here);
            coll_raise(c, to, i + 1);
        }
}

const CollAlgorithm scatter_shm_flat_algorithm = {
    .collective = COLL_SCATTER,
    .name = "shm_flat",
    .summary = "shared memory: the root writes the fragments of all blocks, and each rank reads its own",
    .run = scatter_shm_flat,
    .needs = {&need_fragment},
    .params = {FRAGMENT, SLOTS},
    .shared = true,
    .peers = PEERS_ABSOLUTE,
    .cost = "n (p-1) t_w + flag + t_r, n = ceil(m/f) fragments, t_w = f write, t_r = f read, where (min(p-1, s) - 1) "
            "t_w >= t_r + 2 flag",
    .formula = shm_scatter_time,
    .source = "this project's",
};
