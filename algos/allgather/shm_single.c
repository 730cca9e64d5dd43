// What:   The ranks make single copies, as CMA, KNEM or XPMEM do: they read each other's buffers in place. A rank
//         raises a flag when the others may read its block. It copies the others' blocks, beginning with that of the
//         rank after it, and ends when all others have read its own.
// Cost:   T = 2 flag + (p-1) (single + m read max(1, (p-1)/lanes)). `single`, the start-up time of such a copy, is 0
//         where the machine does not give it.
// Source: this project's.
// Needs:  nothing.
//
//   p = 4      0 copies from 1, 1 from 2, 2 from 3, 3 from 0 | 0 from 2, 1 from 3, .. | 0 from 3, 1 from 0, ..
#include "coll.h"
#include "times/times.h"

static void allgather_shm_single(const Coll *c)
{
    const Blocks out = coll_out(c);
    coll_copy(c, block(&out, c->rank), c->in);
    if (c->p == 1)
        return;
    coll_copy(c, coll_lent(c, c->rank, c->p - 1, c->in.len), c->in);
    coll_raise(c, c->rank, 1);
    for (int k = 1; k < c->p; k++) {
        const int from = (c->rank + k) % c->p;
        shm_borrow(c, block(&out, from), from, c->p - 1);
    }
    for (int k = 1; k < c->p; k++)
        coll_await(c, (c->rank + k) % c->p, c->rank, 1);
}

static int64_t formula(const CollPoint *x)
{
    const int64_t others = x->p - 1, read = x->m * (x->read / x->lanes) * later(x->lanes, others);
    return others ? 2 * x->flag + others * (x->single + read) : 0;
}

const CollAlgorithm allgather_shm_single_algorithm = {
    .collective = COLL_ALLGATHER,
    .name = "shm_single",
    .summary = "single copies: every rank copies the blocks straight out of all others' buffers",
    .run = allgather_shm_single,
    .shared = true,
    .peers = PEERS_SHIFT,
    .same_as = same_always,
    .cost = "2 flag + (p-1) (single + m read max(1, (p-1)/lanes))",
    .formula = formula,
    .source = "this project's",
};
