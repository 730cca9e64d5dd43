// What:   Flags in shared memory travel up a tree to rank 0, and down again: a rank waits for the gather flags of its
//         children, raises its own, waits for its parent's release flag, and releases its children. The tree is flat in
//         shm_flat, k-nomial in shm_knomial, and k-ary in shm_kary. Rank 0 of the flat tree has one release flag, which
//         all ranks poll.
// Cost:   2 h flag, h: height of the tree. The height is the most edges between a rank and rank 0; the flat tree has 1.
// Source: barrier shm_flat: this project's.
//         barrier shm_knomial: this project's.
//         barrier shm_kary: Jain et al. 2018, MPICH release_gather.
//         The paper is "Framework for scalable intra-node collective operations using shared memory". Romanyuta and
//         Kurnosov (2023) describe its steps release and gather, and say that the libraries they compare have a
//         barrier.
// Needs:  nothing.
//
//   p = 8, k = 2      gather: 3 4 -> 1, 5 6 -> 2, 7 -> 3 -> 1 -> 0      release: 0 -> 1 2 -> 3 4 5 6 -> 7
#include "coll.h"
#include "times/times.h"

static void gather_and_release(const Coll *c, Tree t, bool one_flag)
{
    coll_phase(c, "gather");
    for (int i = 0; i < t.n; i++)
        coll_await(c, t.child[i], t.child[i], 1);
    if (t.parent >= 0)
        coll_raise(c, c->rank, 1);
    coll_phase(c, "release");
    if (t.parent >= 0)
        coll_await(c, t.parent, one_flag ? t.parent : c->rank, 1);
    for (int i = 0; !one_flag && i < t.n; i++)
        coll_raise(c, t.child[i], 1);
    if (one_flag && t.n > 0)
        coll_raise(c, c->rank, 1);
}

static void barrier_shm_flat(const Coll *c)
{
    gather_and_release(c, tree_flat(c, c->root), true);
}

static void barrier_shm_knomial(const Coll *c)
{
    gather_and_release(c, tree_knomial(c, c->root, c->par.radix), false);
}

static void barrier_shm_kary(const Coll *c)
{
    gather_and_release(c, tree_kary(c, c->root, c->par.radix), false);
}

static int64_t formula(const CollPoint *x)
{
    return x->p > 1 ? 2 * x->flag : 0;
}

static int64_t formula_knomial(const CollPoint *x)
{
    int64_t height = 0;
    for (int first = 1; first < x->p; first++) {
        int64_t edges = 0;
        for (int v = first; v > 0; v = tree_knomial_parent(v, x->par.radix))
            edges++;
        height = later(height, edges);
    }
    return 2 * height * x->flag;
}

static int64_t formula_kary(const CollPoint *x)
{
    int64_t height = 0;
    for (int v = x->p - 1; v > 0; v = (v - 1) / x->par.radix)
        height++;
    return 2 * height * x->flag;
}

#define COMMON .collective = COLL_BARRIER, .shared = true, .cost = "2 h flag, h: height of the tree"

const CollAlgorithm barrier_shm_flat_algorithm = {
    COMMON,
    .name = "shm_flat",
    .summary = "shared memory: rank 0 waits for the flags of all ranks, and raises one that all of them poll",
    .run = barrier_shm_flat,
    .peers = PEERS_ABSOLUTE,
    .same_as = same_linear,
    .formula = formula,
    .source = "this project's",
};

const CollAlgorithm barrier_shm_knomial_algorithm = {
    COMMON,
    .name = "shm_knomial",
    .summary = "shared memory: flags travel up a k-nomial tree and down again",
    .run = barrier_shm_knomial,
    .params = {RADIX(2, "k of the k-nomial tree")},
    .peers = PEERS_SHIFT,
    .formula = formula_knomial,
    .source = "this project's",
};

const CollAlgorithm barrier_shm_kary_algorithm = {
    COMMON,
    .name = "shm_kary",
    .summary = "shared memory: flags travel up a k-ary tree and down again",
    .run = barrier_shm_kary,
    .params = {RADIX(4, "k of the k-ary tree")},
    .peers = PEERS_SHIFT,
    .formula = formula_kary,
    .source = "Jain et al. 2018, MPICH release_gather",
};
