// What:   The vectors travel up a k-nomial tree through queues in shared memory: a rank copies its children's
//         fragments out of their queues, reduces them, and writes the result into its own queue. The tree's root is
//         rank 0, which keeps the order of the ranks; a different root takes the result out of rank 0's queue. See
//         shapes/shm.c.
// Cost:   a recurrence; one fragment, k = 2, p = 2^d: d (t_w + flag) + d (d+1)/2 (t_r + g), t_w = m write, t_r = m
//         read, g = m gamma. The recurrence (times/shm_time.c) runs over fragments and ranks; a rank with q children
//         spends q (t_r + g) + t_w on a fragment.
// Source: Romanyuta, Kurnosov 2023, coll/sharm Reduce, k-nomial. The source is "Shared memory based MPI Reduce and
//         Bcast algorithms", section 4.4.
// Needs:  element <= fragment.
//
//   p = 8, k = 2, one fragment  1 3 5 7 write | 2 reads 3, 4 5, 6 7 | 2 6 write | 4 reads 6 | 4 writes | 0 reads 4, 2, 1
#include "coll.h"
#include "times/times.h"

static void reduce_shm_knomial(const Coll *c)
{
    Tree t = tree_knomial(c, 0, c->par.radix);
    if (c->rank == 0 && c->root != 0)
        t.parent = c->root;
    shm_reduce(c, t, c->rank == c->root && c->root != 0 ? 0 : -1, SHM_COPIED);
}

// Sending the result to a root other than rank 0 breaks the tree's symmetry.
static int same_as(const Coll *c)
{
    return c->root == 0 ? same_knomial(c) : coll_v(c);
}

static int64_t formula(const CollPoint *x)
{
    return shm_reduce_time(x, x->par.radix, false);
}

const CollAlgorithm reduce_shm_knomial_algorithm = {
    .collective = COLL_REDUCE,
    .name = "shm_knomial",
    .summary = "shared memory: partial results travel up a k-nomial tree, from queue to queue",
    .run = reduce_shm_knomial,
    .needs = {&need_fragment},
    .params = {FRAGMENT, SLOTS, RADIX(2, "k of the k-nomial tree")},
    .ordered = true,
    .shared = true,
    .peers = PEERS_SHIFT,
    .same_as = same_as,
    .cost = "a recurrence; one fragment, k = 2, p = 2^d: d (t_w + flag) + d (d+1)/2 (t_r + g), t_w = m write, "
            "t_r = m read, g = m gamma",
    .formula = formula,
    .source = "Romanyuta, Kurnosov 2023, coll/sharm Reduce, k-nomial",
};
