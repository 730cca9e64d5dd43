// What:   In step k every rank copies its block for the rank k after its own, fragment by fragment, into the slots of
//         its queue in shared memory, raises a counter, and copies a fragment out of the queue of the rank k before its
//         own.
// Cost:   T = (p-1) (m (write + read) + n flag), n = ceil(m/f) fragments of f bytes; one slot: (p-1) n - 1 flags more.
// Source: this project's. A node's ranks exchange blocks in this way in MPICH's ch4_alpha, with a barrier in place of
//         the counters.
// Needs:  element <= fragment.
//
//   p = 4      all write | 0 reads 3, 1 reads 0, 2 reads 1, 3 reads 2 | all write | 0 reads 2, .. | all write | ..
#include "coll.h"
#include "times/times.h"

// Copies item i of the caller, one of the n fragments of a block, into its queue, once the fragment that is in its slot
// has been read.
static void put(const Coll *c, Slice fragment, int i, int n)
{
    const int old = i - c->par.slots; // the item in the slot, for the rank old / n + 1 after the caller's
    if (old >= 0)
        coll_await(c, (c->rank + old / n + 1) % c->p, c->rank, old % n + 1);
    coll_copy(c, coll_slot(c, c->rank, i, 1, fragment.len), fragment);
    coll_raise(c, c->rank, i + 1);
}

static void alltoall_shm_flat(const Coll *c)
{
    const Blocks in = coll_in(c), out = coll_out(c);
    coll_copy(c, block(&out, c->rank), block(&in, c->rank));
    for (int k = 1, i = 0; k < c->p; k++) {
        const int to = (c->rank + k) % c->p, from = (c->rank - k + c->p) % c->p;
        const Blocks give = blocks_size(c, block(&in, to), c->par.fragment),
                     take = blocks_size(c, block(&out, from), c->par.fragment);
        for (int j = 0; j < give.n; j++, i++) {
            const Slice here = block(&take, j);
            put(c, block(&give, j), i, give.n);
            coll_await(c, from, from, i + 1);
            coll_copy(c, here, coll_slot(c, from, i, 1, here.len));
            coll_raise(c, from, j + 1);
        }
    }
}

static int64_t formula(const CollPoint *x)
{
    const int64_t f = (int64_t)x->par.fragment, n = x->m == 0 ? 1 : (x->m + f - 1) / f, items = (x->p - 1) * n;
    const int64_t flags = x->par.slots == 1 && items > 0 ? 2 * items - 1 : items;
    return (x->p - 1) * x->m * (x->write + x->read) + flags * x->flag;
}

const CollAlgorithm alltoall_shm_flat_algorithm = {
    .collective = COLL_ALLTOALL,
    .name = "shm_flat",
    .summary = "shared memory: in each step every rank writes the fragments of one block, and another one reads them",
    .run = alltoall_shm_flat,
    .needs = {&need_fragment},
    .params = {FRAGMENT, SLOTS},
    .shared = true,
    .peers = PEERS_SHIFT,
    .same_as = same_always,
    .cost = "(p-1) (m (write + read) + n flag), n = ceil(m/f) fragments of f bytes; one slot: (p-1) n - 1 flags more",
    .formula = formula,
    .source = "this project's",
};
