// What:   The vectors travel up an in-order binomial tree: a rank receives from one child, reduces, and only then
//         receives from the next child. See shapes/tree.c for the tree.
// Cost:   T = ceil(log2 p) (alpha + m beta + m gamma); eager, p not a power of two: a recurrence over the last child.
// Source: MPICH, reduce binomial.
// Needs:  nothing. If the operation is not commutative, the tree's root is rank 0, which sends the result to the root.
//
//   p = 8      1 -> 0   3 -> 2   5 -> 4   7 -> 6
//              2 -> 0   6 -> 4
//              4 -> 0
#include "coll.h"
#include "times/times.h"

static void reduce_binomial_blocking(const Coll *c)
{
    const int top = reduce_top(c);
    const Tree t = tree_binomial_in_order(c, top);
    const Slice into = reduce_room(c, t), inbox = coll_scratch(c, c->in.len);
    coll_copy(c, into, c->in);
    for (int i = 0; i < t.n; i++) {
        coll_recv(c, t.child[i], inbox);
        coll_reduce(c, into, into, inbox);
    }
    if (t.parent >= 0)
        coll_send(c, t.parent, into);
    reduce_hand_over(c, top, into);
}

// Returns when the root of a tree of n ranks is done, under eager. The tree is a tree of the first d = 2^i ranks plus,
// as the last child of its root, a tree of the other n-d <= d ranks.
static int64_t tree(const CollPoint *x, int n)
{
    const int d = n > 1 ? pow2_floor(n - 1) : 0;
    if (d == 0)
        return 0;
    return later(tree(x, d), tree(x, n - d) + u(x, x->m)) + g(x, x->m);
}

static int64_t formula(const CollPoint *x)
{
    return x->eager ? tree(x, x->p) : log2_ceil(x->p) * (u(x, x->m) + g(x, x->m));
}

static int same_as(const Coll *c)
{
    return same_under_top(c, same_binomial_in_order);
}

const CollAlgorithm reduce_binomial_blocking_algorithm = {
    .collective = COLL_REDUCE,
    .name = "binomial_blocking",
    .aliases = {"mpich:binomial", "smpi:binomial", "libnbc:binomial", "intel:2"},
    .summary = "an in-order binomial tree; a rank receives from one child and reduces, then from the next",
    .run = reduce_binomial_blocking,
    .ordered = true,
    .peers = PEERS_SHIFT,
    .same_as = same_as,
    .cost = "ceil(log2 p) (alpha + m beta + m gamma); eager, p not a power of two: a recurrence over the last child",
    .formula = formula,
    .source = "MPICH, reduce binomial",
};
