// What:   The root copies each fragment into a slot of its queue in shared memory, from which all ranks copy it out.
//         Flags say so in a k-ary tree: a rank that sees its release flag releases its children, copies the fragment
//         out, waits for the gather flags of its children and raises its own. The root uses a slot again once its
//         children's gather flags say that all ranks have read it. See shapes/shm.c.
// Cost:   a recurrence; one fragment: at most t_w + t_r + (h + 1) flag, t_w = m write, t_r = m read max(1,
//         (p-1)/lanes), h: height of the tree. The recurrence runs over fragments and ranks (times/shm_time.c).
// Source: Jain et al. 2018, MPICH release_gather. The paper is "Framework for scalable intra-node collective operations
//         using shared memory"; Romanyuta and Kurnosov (2023) describe it with a single buffer (slots=1).
// Needs:  element <= fragment.
//
//   p = 8, k = 2, slots = 1      0 writes | 1 2 read, then 3 .. 6, then 7 | gather: 7 -> 3 -> 1 -> 0, .. | 0 writes | ..
#include "coll.h"
#include "times/times.h"

static void bcast_shm_kary(const Coll *c)
{
    shm_release_bcast(c, tree_kary(c, c->root, c->par.radix), 0);
}

static int64_t formula(const CollPoint *x)
{
    return shm_release_bcast_time(x, x->par.radix);
}

const CollAlgorithm bcast_shm_kary_algorithm = {
    .collective = COLL_BCAST,
    .name = "shm_kary",
    .summary = "shared memory: all ranks read the root's slots, and flags go down a k-ary tree and up again",
    .run = bcast_shm_kary,
    .needs = {&need_fragment},
    .params = {FRAGMENT, SLOTS, RADIX(4, "k of the k-ary tree of flags")},
    .shared = true,
    .peers = PEERS_SHIFT,
    .cost = "a recurrence; one fragment: at most t_w + t_r + (h + 1) flag, t_w = m write, t_r = m read max(1, "
            "(p-1)/lanes), h: height of the tree",
    .formula = formula,
    .source = "Jain et al. 2018, MPICH release_gather",
};
