// What:   an in-order binomial tree: a rank sends each child the blocks of its whole subtree, the largest first.
// Cost:   T = ceil(log2 p) alpha + (p-1) m beta, m bytes a block.
// Source: Open MPI 4.1 coll/base, scatter binomial; MPICH scatter binomial.
// Needs:  nothing.
//
//   p = 8      0 -> 4 (4 blocks)
//              0 -> 2   4 -> 6 (2 blocks)
//              0 -> 1   2 -> 3   4 -> 5   6 -> 7
#include "coll.h"

static void scatter_binomial(const Coll *c)
{
    const int v = coll_v(c), n = tree_span(v, c->p);
    const Tree t = tree_binomial_in_order(c, c->root);
    const size_t m = c->out.len;
    Slice held = c->out; // the blocks of this subtree, in the order of v
    if (v == 0 && c->root == 0) {
        held = c->in;
    } else if (v == 0) {
        const size_t before = (size_t)c->root * m, after = c->in.len - before;
        held = coll_scratch(c, c->in.len);
        coll_copy(c, slice_at(held, 0, after), slice_at(c->in, before, after));
        coll_copy(c, slice_at(held, after, before), slice_at(c->in, 0, before));
    } else if (n > 1) {
        held = coll_scratch(c, (size_t)n * m);
    }
    if (t.parent >= 0)
        coll_recv(c, t.parent, held);
    for (int i = t.n - 1; i >= 0; i--) {
        const int span = tree_span(v + (1 << i), c->p);
        coll_send(c, t.child[i], slice_at(held, ((size_t)1 << i) * m, (size_t)span * m));
    }
    coll_copy(c, c->out, slice_at(held, 0, m));
}

static int64_t formula(const CollPoint *x)
{
    return log2_ceil(x->p) * x->alpha + (x->p - 1) * x->m * x->beta;
}

const CollAlgorithm scatter_binomial_algorithm = {
    .collective = COLL_SCATTER,
    .name = "binomial",
    .aliases = {"ompi:2", "mpich:binomial"},
    .summary = "a binomial tree: each child gets the blocks of its subtree, the largest first",
    .run = scatter_binomial,
    .peers = PEERS_SHIFT,
    .same_as = same_binomial_in_order,
    .cost = "ceil(log2 p) alpha + (p-1) m beta",
    .formula = formula,
    .source = "Open MPI 4.1, scatter binomial; MPICH, scatter binomial",
};
