// What:   The vectors travel up an in-order binomial tree in segments. While a rank reduces one child's segment, the
//         next child's segment arrives. A leaf may have several segments under way, see shapes/tree_engines.c, which
//         does not change T. The tree is that of shapes/tree.c.
// Cost:   p = 2^d: d (S max(u,g) + min(u,g)), u = alpha + m/S beta, g = m/S gamma; S = 1, g <= u: ceil(log2 p) u +
//         floor(log2 p) g; else, and eager, the tree's recurrence. S is the number of segments; times/tree_time.c has
//         the recurrence.
// Source: Open MPI 4.1, reduce binomial.
// Needs:  nothing. If the operation is not commutative, the tree's root is rank 0, which sends the result to the root.
//
//   p = 8      1 -> 0   3 -> 2   5 -> 4   7 -> 6
//              2 -> 0   6 -> 4
//              4 -> 0
#include "coll.h"
#include "times/times.h"

static void reduce_binomial(const Coll *c)
{
    const int top = reduce_top(c);
    reduce_over(c, top, tree_binomial_in_order(c, top));
}

static int same_as(const Coll *c)
{
    return same_under_top(c, same_binomial_in_order);
}

const CollAlgorithm reduce_binomial_algorithm = {
    .collective = COLL_REDUCE,
    .name = "binomial",
    .aliases = {"ompi:5", "smpi:ompi_binomial"},
    .summary = "an in-order binomial tree; a rank reduces one child's segment while the next one arrives",
    .run = reduce_binomial,
    .params = {SEGMENT, MAX_REQUESTS(0)},
    .ordered = true,
    .peers = PEERS_SHIFT,
    .same_as = same_as,
    .cost = "p = 2^d: d (S max(u,g) + min(u,g)), u = alpha + m/S beta, g = m/S gamma; S = 1, g <= u: "
            "ceil(log2 p) u + floor(log2 p) g; else, and eager, the tree's recurrence",
    .formula = tree_reduce_binomial_time,
    .source = "Open MPI 4.1, reduce binomial",
};
