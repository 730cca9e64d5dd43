// What:   The vectors travel up a binary tree in segments; every rank reduces its children's segments into its own. See
//         shapes/tree.c for the tree, and shapes/tree_engines.c for the order in which a rank receives and reduces. A
//         leaf may have several segments under way, which does not change T.
// Cost:   p = 2^(f+1)-1, f >= 2: (f+S-1) (u + max(u,g) + g), eager (f+S-1) (u+2g), u = alpha + m/S beta, g = m/S gamma;
//         else the tree's recurrence. S is the number of segments. With gamma = 0 and S = 1 the recurrence gives D u
//         for any p, eager floor(log2 p) u, D as for bcast bintree. times/tree_time.c has the recurrence.
// Source: Open MPI 4.1, reduce binary.
// Needs:  a commutative operation.
//
//   p = 8            0
//                1       2
//              3   5   4   6
//             7
#include "coll.h"
#include "times/times.h"

static void reduce_binary(const Coll *c)
{
    reduce_over(c, c->root, tree_binary(c, c->root));
}

static int64_t formula(const CollPoint *x)
{
    const int64_t S = segments(x, x->m), um = u(x, x->m / S), gm = g(x, x->m / S);
    const int f = log2_floor(x->p);
    if (is_pow2(x->p + 1) && f >= 2)
        return (f + S - 1) * (x->eager ? um + 2 * gm : um + later(um, gm) + gm);
    if (x->gamma == 0 && S == 1 && x->p > 1)
        return (x->eager ? f : times_binary_rounds(x->p)) * um;
    return tree_reduce_time(x, tree_binary, 0);
}

const CollAlgorithm reduce_binary_algorithm = {
    .collective = COLL_REDUCE,
    .name = "binary",
    .aliases = {"ompi:4", "smpi:ompi_binary"},
    .presets = {{"smpi:ompi_binary", "segment", 32 << 10}},
    .summary = "segments travel up a binary tree and are reduced at every rank",
    .run = reduce_binary,
    .needs = {&need_commutative},
    .params = {SEGMENT, MAX_REQUESTS(0)},
    .peers = PEERS_SHIFT,
    .same_as = same_binary,
    .cost = "p = 2^(f+1)-1, f >= 2: (f+S-1) (u + max(u,g) + g), eager (f+S-1) (u+2g), u = alpha + m/S beta, "
            "g = m/S gamma; else the tree's recurrence",
    .formula = formula,
    .source = "Open MPI 4.1, reduce binary",
};
