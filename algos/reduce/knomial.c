// What:   a k-nomial tree: a rank receives from all its children at once, then reduces one after the other.
// Cost:   p = k^d: T = (k-1) d (alpha + m beta) + (k-1) d (d+1)/2 m gamma. gamma = 0: N (alpha + m beta), N = the root's children.
// Source: Open MPI (main) coll/base, reduce knomial.
// Needs:  a commutative operation.
//
//   p = 8, k = 4           0
//                    4   1   2   3
//                  5 6 7
#include "coll.h"

static void reduce_knomial(const Coll *c)
{
    const Tree t = tree_knomial(c, c->root, c->par.radix);
    const size_t m = c->in.len;
    if (t.n == 0 && t.parent >= 0) {
        coll_send(c, t.parent, c->in);
        return;
    }
    const Slice into = t.parent < 0 ? c->out : coll_scratch(c, m);
    const Slice inbox = coll_scratch(c, (size_t)t.n * m);
    for (int i = 0; i < t.n; i++)
        coll_irecv(c, t.child[i], slice_at(inbox, (size_t)i * m, m));
    coll_waitall(c, 0);
    coll_copy(c, into, c->in);
    for (int i = 0; i < t.n; i++)
        coll_reduce(c, into, into, slice_at(inbox, (size_t)i * m, m));
    if (t.parent >= 0)
        coll_send(c, t.parent, into);
}

static int64_t formula(const CollPoint *x)
{
    const int k = x->par.radix;
    int64_t power = 1, d = 0;
    for (; power < x->p; power *= k)
        d++;
    if (x->eager)
        return -1;
    if (power == x->p)
        return (k - 1) * d * u(x, x->m) + (k - 1) * d * (d + 1) / 2 * g(x, x->m);
    return x->gamma == 0 ? knomial_rounds(x->p, k) * u(x, x->m) : -1;
}

const CollAlgorithm reduce_knomial_algorithm = {
    .collective = COLL_REDUCE,
    .name = "knomial",
    .aliases = {"ompi-main:8"},
    .summary = "a k-nomial tree: all children received at once, then reduced in turn",
    .run = reduce_knomial,
    .needs = {&need_commutative},
    .params = {RADIX(4, "k of the tree")},
    .peers = PEERS_SHIFT,
    .same_as = same_knomial,
    .cost = "p = k^d: (k-1) d (alpha + m beta) + (k-1) d (d+1)/2 m gamma; gamma = 0: N (alpha + m beta)",
    .formula = formula,
    .source = "Open MPI main, reduce knomial",
};
