// What:   The root makes single copies, as CMA, KNEM or XPMEM do: it reads the other ranks' buffers in place. A rank
//         raises a flag when the root may read its block, and ends when the root has read it. The root copies the
//         blocks one after the other.
// Cost:   T = 2 flag + (p-1) (single + m read). `single`, the start-up time of such a copy, is 0 where the machine does
//         not give it.
// Source: this project's.
// Needs:  nothing.
//
//   p = 4      0 copies from 1 | 0 copies from 2 | 0 copies from 3
#include "coll.h"
#include "times/times.h"

static void gather_shm_single(const Coll *c)
{
    if (c->rank != c->root) {
        shm_lend(c, c->in, 1, &c->root);
        return;
    }
    const Blocks out = coll_out(c);
    coll_copy(c, block(&out, c->root), c->in);
    for (int v = 1; v < c->p; v++) {
        const int from = coll_rank(c, v);
        shm_borrow(c, block(&out, from), from, 1);
    }
}

static int64_t formula(const CollPoint *x)
{
    return x->p > 1 ? 2 * x->flag + (x->p - 1) * (x->single + x->m * x->read) : 0;
}

const CollAlgorithm gather_shm_single_algorithm = {
    .collective = COLL_GATHER,
    .name = "shm_single",
    .summary = "single copies: the root copies the blocks straight out of the ranks' buffers",
    .run = gather_shm_single,
    .shared = true,
    .peers = PEERS_ABSOLUTE,
    .same_as = same_linear,
    .cost = "2 flag + (p-1) (single + m read)",
    .formula = formula,
    .source = "this project's",
};
