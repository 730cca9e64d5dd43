// What:   Every rank copies its block, fragment by fragment, into the slots of its queue in shared memory, and raises a
//         counter. All others copy the fragment out, each rank beginning with the rank after its own.
// Cost:   T = m write + (p-1) m read max(1, (p-1)/lanes) + n flag, n = ceil(m/f) fragments of f bytes; one slot:
//         n-1 flags more.
// Source: this project's. A node's ranks share their blocks in this way in MPICH's ch4_alpha, with a barrier in place
//         of the counters.
// Needs:  element <= fragment.
//
//   p = 4      all write | 0 reads 1, 1 reads 2, 2 reads 3, 3 reads 0 | 0 reads 2, .. | 0 reads 3, .. | all write | ..
#include "coll.h"
#include "times/times.h"

// Copies fragment i into the caller's queue, once all others have read the fragment that is in its slot.
static void put(const Coll *c, Slice fragment, int i)
{
    for (int k = 1; i >= c->par.slots && k < c->p; k++)
        coll_await(c, (c->rank + k) % c->p, c->rank, i + 1 - c->par.slots);
    shm_put(c, fragment, i, false, c->p - 1, NULL, SHM_COUNTER); // the slot is free
}

static void allgather_shm_flat(const Coll *c)
{
    const Blocks out = coll_out(c), mine = blocks_size(c, c->in, c->par.fragment);
    coll_copy(c, block(&out, c->rank), c->in);
    for (int i = 0; c->p > 1 && i < mine.n; i++) {
        put(c, block(&mine, i), i);
        for (int k = 1; k < c->p; k++) {
            const int from = (c->rank + k) % c->p;
            const Blocks theirs = blocks_size(c, block(&out, from), c->par.fragment);
            shm_get(c, block(&theirs, i), i, from, c->p - 1, SHM_COUNTER);
        }
    }
}

static int64_t formula(const CollPoint *x)
{
    const int64_t f = (int64_t)x->par.fragment, n = x->m == 0 ? 1 : (x->m + f - 1) / f, others = x->p - 1;
    if (others == 0)
        return 0;
    const int64_t read = x->m * (x->read / x->lanes) * later(x->lanes, others);
    return x->m * x->write + others * read + (x->par.slots == 1 ? 2 * n - 1 : n) * x->flag;
}

const CollAlgorithm allgather_shm_flat_algorithm = {
    .collective = COLL_ALLGATHER,
    .name = "shm_flat",
    .summary = "shared memory: every rank writes fragments of its block, and all others read them",
    .run = allgather_shm_flat,
    .needs = {&need_fragment},
    .params = {FRAGMENT, SLOTS},
    .shared = true,
    .peers = PEERS_SHIFT,
    .same_as = same_always,
    .cost = "m write + (p-1) m read max(1, (p-1)/lanes) + n flag, n = ceil(m/f) fragments of f bytes; one slot: n-1 "
            "flags more",
    .formula = formula,
    .source = "this project's",
};
