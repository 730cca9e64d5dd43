// What:   The ranks make single copies, as CMA, KNEM or XPMEM do: they read another rank's buffer in place. A rank
//         raises a flag when its buffer has the message, its children copy the whole message out of the buffer, and the
//         rank ends when all of them have done so. In shm_single all ranks read the root's buffer; in
//         shm_single_knomial each reads its parent's in a k-nomial tree. See shapes/shm.c.
// Cost:   h (flag + single + m read max(1, q/lanes)) + flag, h steps in which q ranks read a buffer: flat h = 1, q =
//         p-1; p = k^d, (k-1) d <= lanes: h = d, q = 1. times/shm_time.c has the recurrence for any tree. `single`, the
//         start-up time of such a copy, is 0 where the machine does not give it.
// Source: this project's. Open MPI's coll/xhc broadcasts in this way, in pieces, over a tree of the machine's levels.
// Needs:  nothing.
//
//   p = 8, shm_single                   1..7 copy from 0
//   p = 8, shm_single_knomial, k = 2    1 2 4 copy from 0 | 3 copies from 2, 5 6 from 4 | 7 copies from 6
#include "coll.h"
#include "times/times.h"

static void bcast_shm_single(const Coll *c)
{
    shm_single_bcast(c, tree_flat(c, c->root), c->p - 1);
}

static void bcast_shm_single_knomial(const Coll *c)
{
    shm_single_bcast(c, tree_knomial(c, c->root, c->par.radix), tree_knomial_siblings(c));
}

static int64_t formula(const CollPoint *x)
{
    return x->p > 1 ? shm_single_bcast_time(x, x->p) : 0;
}

static int64_t formula_knomial(const CollPoint *x)
{
    return shm_single_bcast_time(x, x->par.radix);
}

#define COMMON                                                                                                         \
    .collective = COLL_BCAST, .shared = true, .source = "this project's",                                              \
    .cost = "h (flag + single + m read max(1, q/lanes)) + flag, h steps in which q ranks read a buffer: flat h = 1, "  \
            "q = p-1; p = k^d, (k-1) d <= lanes: h = d, q = 1"

const CollAlgorithm bcast_shm_single_algorithm = {
    COMMON,
    .name = "shm_single",
    .summary = "single copies: all ranks copy the message straight out of the root's buffer",
    .run = bcast_shm_single,
    .peers = PEERS_ABSOLUTE,
    .same_as = same_linear,
    .formula = formula,
};

const CollAlgorithm bcast_shm_single_knomial_algorithm = {
    COMMON,
    .name = "shm_single_knomial",
    .summary = "single copies: each rank copies the message straight out of its parent's buffer in a k-nomial tree",
    .run = bcast_shm_single_knomial,
    .params = {RADIX(2, "k of the k-nomial tree")},
    .peers = PEERS_SHIFT,
    .same_as = same_knomial_siblings,
    .formula = formula_knomial,
};
