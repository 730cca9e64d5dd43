// What:   The message travels down a binary tree in segments. See shapes/tree.c for the tree, and shapes/tree_engines.c
//         for the order in which a rank sends and receives.
// Cost:   T = (D + 2(S-1)) (alpha + m/S beta), D = max(2f-2, f + floor(log2(p+1-2^f))), f = floor(log2 p), p >= 3. S is
//         the number of segments.
// Source: Open MPI 4.1, bcast binary_tree.
// Needs:  nothing.
//
//   p = 8            0
//                1       2
//              3   5   4   6
//             7
#include "coll.h"
#include "times/times.h"

static void bcast_bintree(const Coll *c)
{
    const Blocks segments = blocks_size(c, c->out, c->par.segment);
    tree_bcast(c, tree_binary(c, c->root), &segments);
}

static int64_t formula(const CollPoint *x)
{
    const int64_t S = segments(x, x->m);
    if (x->p <= 2)
        return x->p == 1 ? 0 : S * u(x, x->m / S);
    return (times_binary_rounds(x->p) + 2 * (S - 1)) * u(x, x->m / S);
}

const CollAlgorithm bcast_bintree_algorithm = {
    .collective = COLL_BCAST,
    .name = "bintree",
    .aliases = {"ompi:5"},
    .summary = "the message travels down a binary tree in segments",
    .run = bcast_bintree,
    .params = {SEGMENT},
    .peers = PEERS_SHIFT,
    .same_as = same_binary,
    .cost = "(D + 2(S-1)) (alpha + m/S beta), D = max(2f-2, f + floor(log2(p+1-2^f))), f = floor(log2 p), p >= 3",
    .formula = formula,
    .source = "Open MPI 4.1, bcast binary_tree",
};
