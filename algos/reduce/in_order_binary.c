// What:   The vectors travel in segments up a binary tree whose subtrees are runs of consecutive ranks, so that the
//         reduction keeps the order of the ranks. The tree's root is rank p-1, which sends the result to the
//         operation's root if that is another rank. A leaf may have several segments under way, which does not change
//         T. See shapes/tree.h and shapes/tree_engines.c.
// Cost:   the tree's recurrence, + alpha + m beta if the root is not p-1; gamma = 0, S = 1: D (alpha + m beta) for the
//         tree, D as for bcast bintree. S is the number of segments. Under eager the tree takes floor(log2 p) (alpha +
//         m beta) instead of D (alpha + m beta). times/tree_time.c has the recurrence.
// Source: Open MPI 4.1, reduce in_order_binary.
// Needs:  nothing.
//
//   p = 8            7 -> 0
//                3       6
//              1   2   4   5
//            0
#include "coll.h"
#include "times/times.h"

static void reduce_in_order_binary(const Coll *c)
{
    reduce_over(c, c->p - 1, tree_binary_in_order(c, c->p - 1));
}

static int64_t formula(const CollPoint *x)
{
    if (x->p == 1)
        return 0;
    if (x->gamma == 0 && segments(x, x->m) == 1)
        return ((x->eager ? log2_floor(x->p) : times_binary_rounds(x->p)) + 1) * u(x, x->m);
    return tree_reduce_time(x, tree_binary_in_order, x->p - 1) + u(x, x->m);
}

const CollAlgorithm reduce_in_order_binary_algorithm = {
    .collective = COLL_REDUCE,
    .name = "in_order_binary",
    .aliases = {"ompi:6", "smpi:ompi_in_order_binary"},
    .summary = "segments travel up a binary tree that keeps the order of the ranks, to rank p-1",
    .run = reduce_in_order_binary,
    .params = {SEGMENT, MAX_REQUESTS(0)},
    .ordered = true,
    .peers = PEERS_SHIFT,
    .cost = "the tree's recurrence, + alpha + m beta if the root is not p-1; "
            "gamma = 0, S = 1: D (alpha + m beta) for the tree, D as for bcast bintree",
    .formula = formula,
    .source = "Open MPI 4.1, reduce in_order_binary",
};
