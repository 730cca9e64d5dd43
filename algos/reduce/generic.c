// What:   The vectors travel in segments up the tree that the parameter selects; every rank reduces its children's
//         segments into its own. A leaf may have several segments under way. See shapes/tree.h for the trees, and
//         shapes/tree_engines.c for the order in which a rank receives and reduces.
// Cost:   the tree's recurrence: a rank sends a segment when it has reduced its last child's. A rank has two receives
//         open. max_requests does not change T, because a port sends one message after the other. times/tree_time.c has
//         the recurrence.
// Source: Open MPI 4.1, reduce_generic.
// Needs:  a commutative operation or a tree in order.
//
//   p = 8, tree = in_order_binomial      1 -> 0   3 -> 2   5 -> 4   7 -> 6
//                                        2 -> 0   6 -> 4
//                                        4 -> 0
#include "coll.h"
#include "times/times.h"

static bool keeps_order(const Coll *c)
{
    return c->commutative ||
           (c->par.choice != TREE_BINARY && c->par.choice != TREE_BINOMIAL && c->par.choice != TREE_KNOMIAL);
}

static const CollNeed need_order = {keeps_order, "the operation is not commutative, and the tree is not in order",
                                    "a commutative operation or a tree in order"};

static void reduce_generic(const Coll *c)
{
    const int top = c->commutative ? c->root : c->par.choice == TREE_IN_ORDER_BINARY ? c->p - 1 : 0;
    reduce_over(c, top, tree_chosen(c, top));
}

static int64_t formula(const CollPoint *x)
{
    return tree_reduce_time(x, tree_chosen, 0);
}

static int same_as(const Coll *c)
{
    return c->commutative ? same_chosen(c) : coll_v(c);
}

// In the in-order binary tree, ranks do the same if the peers' distances are the same.
static int pattern(const Coll *c, int *x)
{
    if (!c->commutative || c->par.choice != TREE_IN_ORDER_BINARY)
        return 0;
    const Tree t = tree_binary_in_order(c, c->root);
    int n = 0;
    x[n++] = t.parent < 0 ? -1 : (t.parent - c->rank + c->p) % c->p;
    for (int i = 0; i < t.n; i++)
        x[n++] = (t.child[i] - c->rank + c->p) % c->p;
    return n;
}

const CollAlgorithm reduce_generic_algorithm = {
    .collective = COLL_REDUCE,
    .name = "generic",
    .summary = "segments travel up a tree of your choice and are reduced at every rank",
    .run = reduce_generic,
    .needs = {&need_order},
    .params = {CHOICE("tree", tree_names, "shape of the tree"), SEGMENT, MAX_REQUESTS(0)},
    .ordered = true,
    .peers = PEERS_SHIFT,
    .same_as = same_as,
    .pattern = pattern,
    .cost = "the tree's recurrence: a rank sends a segment when it has reduced its last child's",
    .formula = formula,
    .source = "Open MPI 4.1, reduce_generic",
};
