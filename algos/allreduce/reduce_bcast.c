// What:   reduce to rank 0 over the in-order binomial tree, then broadcast over the binomial tree.
// Cost:   p = 2^d: T = 2 d (alpha + m beta) + d m gamma.
// Source: Open MPI 4.1 coll/base, allreduce nonoverlapping.
// Needs:  nothing.
//
//   p = 8      1 -> 0   3 -> 2   5 -> 4   7 -> 6      2 -> 0   6 -> 4      4 -> 0
//              0 -> 1      0 -> 2   1 -> 3      0 -> 4   1 -> 5   2 -> 6   3 -> 7
#include "coll.h"

static void allreduce_reduce_bcast(const Coll *c)
{
    const Blocks whole = blocks_size(c, c->out, 0);
    reduce_tree(c, tree_binomial_in_order(c, 0), c->out);
    bcast_tree(c, tree_binomial(c, 0), &whole);
}

static int64_t formula(const CollPoint *x)
{
    return is_pow2(x->p) ? log2_floor(x->p) * (2 * u(x, x->m) + g(x, x->m)) : -1;
}

const CollAlgorithm allreduce_reduce_bcast_algorithm = {
    .collective = COLL_ALLREDUCE,
    .name = "reduce_bcast",
    .aliases = {"ompi:2", "reduce_bcast_binomial"},
    .summary = "reduce to rank 0, then broadcast, over binomial trees",
    .run = allreduce_reduce_bcast,
    .ordered = true,
    .peers = PEERS_SHIFT,
    .cost = "p = 2^d: 2 d (alpha + m beta) + d m gamma",
    .formula = formula,
    .source = "Open MPI 4.1, allreduce nonoverlapping",
};
