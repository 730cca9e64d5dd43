// What:   The vectors travel up the distance-halving Bine tree of bcast bine in segments, from the nearest child first.
//         While a rank reduces one child's segment, the next child's segment arrives. See shapes/bine.c and
//         shapes/tree_engines.c.
// Cost:   p = 2^d: d (S max(u,g) + min(u,g)), u = alpha + m/S beta, g = m/S gamma; else, and eager, the tree's
//         recurrence. S is the number of segments; times/tree_time.c has the recurrence.
// Source: De Sensi et al., Bine Trees, SC 2025. The paper's tree has 2^d ranks, as bcast bine says.
// Needs:  a commutative operation; else binomial runs.
//
//   p = 8      1 -> 0   2 -> 3   5 -> 4   6 -> 7
//              7 -> 0   4 -> 3
//              3 -> 0
#include "coll.h"
#include "times/times.h"

static void reduce_bine(const Coll *c)
{
    reduce_over(c, c->root, tree_bine_nearest(c, c->root));
}

static int64_t formula(const CollPoint *x)
{
    const int64_t S = segments(x, x->m), um = u(x, x->m / S), gm = g(x, x->m / S);
    if (is_pow2(x->p) && !x->eager)
        return log2_floor(x->p) * (um > gm ? S * um + gm : S * gm + um);
    return tree_reduce_time(x, tree_bine_nearest, 0);
}

const CollAlgorithm reduce_bine_algorithm = {
    .collective = COLL_REDUCE,
    .name = "bine",
    .summary = "a binomial tree with shorter distances, to one side and the other in turn, the nearest child first",
    .run = reduce_bine,
    .needs = {&need_commutative},
    .otherwise = "binomial",
    .params = {SEGMENT},
    .peers = PEERS_SHIFT,
    .pattern = bine_pattern,
    .cost = "p = 2^d: d (S max(u,g) + min(u,g)), u = alpha + m/S beta, g = m/S gamma; else, and eager, the tree's "
            "recurrence",
    .formula = formula,
    .source = "De Sensi et al., Bine Trees, SC 2025",
};
