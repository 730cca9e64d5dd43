// What:   The message travels down a k-nomial tree through queues in shared memory: a rank copies each fragment out of
//         its parent's queue and, if it has children, into its own queue. See shapes/tree.c and shapes/shm.c.
// Cost:   a recurrence; one fragment, p = k^d, (k-1) d <= lanes: d (t_w + flag + t_r), t_w = m write, t_r = m read. The
//         recurrence runs over fragments and ranks (times/shm_time.c).
// Source: this project's. Romanyuta and Kurnosov (2023) use the tree and the queues for their Reduce; their Bcast is
//         flat.
// Needs:  element <= fragment.
//
//   p = 8, k = 4, one fragment      0 writes | 1..4 read 0 | 4 writes | 5..7 read 4
#include "coll.h"
#include "times/times.h"

static void bcast_shm_knomial(const Coll *c)
{
    const Tree t = tree_knomial(c, c->root, c->par.radix);
    shm_bcast(c, t, tree_knomial_siblings(c), 0, SHM_COUNTER);
}

static int64_t formula(const CollPoint *x)
{
    return shm_bcast_time(x, x->par.radix);
}

const CollAlgorithm bcast_shm_knomial_algorithm = {
    .collective = COLL_BCAST,
    .name = "shm_knomial",
    .summary = "shared memory: fragments travel down a k-nomial tree, from queue to queue",
    .run = bcast_shm_knomial,
    .needs = {&need_fragment},
    .params = {FRAGMENT, SLOTS, RADIX(2, "k of the k-nomial tree")},
    .shared = true,
    .peers = PEERS_SHIFT,
    .same_as = same_knomial_siblings,
    .cost = "a recurrence; one fragment, p = k^d, (k-1) d <= lanes: d (t_w + flag + t_r), t_w = m write, t_r = m read",
    .formula = formula,
    .source = "this project's",
};
