// What:   an in-order binomial tree: a rank receives the blocks of each child's subtree, then sends all to its parent.
// Cost:   T = ceil(log2 p) alpha + (p-1) m beta, m bytes a block. Eager: less where p is no power of two, below.
// Source: Open MPI 4.1 coll/base, gather binomial; MPICH gather binomial.
// Needs:  nothing.
//
//   p = 8      1 -> 0   3 -> 2   5 -> 4   7 -> 6
//              2 -> 0   6 -> 4 (2 blocks)
//              4 -> 0 (4 blocks)
#include "coll.h"

static void gather_binomial(const Coll *c)
{
    const int v = coll_v(c), n = tree_span(v, c->p);
    const Tree t = tree_binomial_in_order(c, c->root);
    const size_t m = c->in.len;
    Slice held = c->in; // the blocks of this subtree, in the order of v
    if (v == 0 && c->root == 0)
        held = c->out;
    else if (v == 0 || n > 1)
        held = coll_scratch(c, (size_t)n * m);
    coll_copy(c, slice_at(held, 0, m), c->in);
    for (int i = 0; i < t.n; i++) {
        const int span = tree_span(v + (1 << i), c->p);
        coll_recv(c, t.child[i], slice_at(held, ((size_t)1 << i) * m, (size_t)span * m));
    }
    if (t.parent >= 0) {
        coll_send(c, t.parent, held);
    } else if (c->root != 0) {
        const size_t before = (size_t)c->root * m, after = c->out.len - before;
        coll_copy(c, slice_at(c->out, before, after), slice_at(held, 0, after));
        coll_copy(c, slice_at(c->out, 0, before), slice_at(held, after, before));
    }
}

// Eager: nothing waits for the root's port, so a subtree is complete when its slowest child's blocks are in.
static int64_t eager_subtree(const CollPoint *x, int v)
{
    const int low = v & -v;
    int64_t t = 0;
    for (int d = 1; (v == 0 || d < low) && v + d < x->p; d *= 2) {
        const int64_t in = eager_subtree(x, v + d) + u(x, tree_span(v + d, x->p) * x->m);
        t = in > t ? in : t;
    }
    return t;
}

static int64_t formula(const CollPoint *x)
{
    return x->eager ? eager_subtree(x, 0) : log2_ceil(x->p) * x->alpha + (x->p - 1) * x->m * x->beta;
}

const CollAlgorithm gather_binomial_algorithm = {
    .collective = COLL_GATHER,
    .name = "binomial",
    .aliases = {"ompi:2", "mpich:binomial"},
    .summary = "a binomial tree: each child sends the blocks of its subtree, the smallest first",
    .run = gather_binomial,
    .peers = PEERS_SHIFT,
    .same_as = same_binomial_in_order,
    .cost = "ceil(log2 p) alpha + (p-1) m beta; eager: the longest chain of subtrees",
    .formula = formula,
    .source = "Open MPI 4.1, gather binomial; MPICH, gather binomial",
};
