// What:   segments run up any of the trees, reduced at every rank; leaves may have several segments under way.
// Cost:   the tree's recurrence, segment by segment: a rank sends what it has reduced when its last child's is in. A
//         rank has two receives open. max_requests changes nothing, because a port sends in turn.
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

static const CollNeed need_order = {keeps_order, "not commutative", "a commutative operation or a tree in order"};

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

const CollAlgorithm reduce_generic_algorithm = {
    .collective = COLL_REDUCE,
    .name = "generic",
    .summary = "segments run up a tree of your choice",
    .run = reduce_generic,
    .needs = {&need_order},
    .params = {CHOICE("tree", tree_names, "shape of the tree"), SEGMENT, MAX_REQUESTS(0)},
    .ordered = true,
    .peers = PEERS_SHIFT,
    .same_as = same_as,
    .cost = "the tree's recurrence, segment by segment: a rank sends what it has reduced when its last child's is in",
    .formula = formula,
    .source = "Open MPI 4.1, reduce_generic",
};
