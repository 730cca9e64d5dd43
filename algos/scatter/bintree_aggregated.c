// What:   The blocks travel down a binary tree: a rank receives the blocks of its subtree as one message, and sends
//         each child the blocks of the child's subtree. See shapes/runs.c.
// Cost:   p = 2^(f+1)-1: 2f alpha + 2(p-1-f) m beta; else a recurrence over the tree. m is the size of a block, in
//         bytes. A rank serves one child after the other.
// Source: named by the report on Open MPI's collectives; in no library. The tree is that of Open MPI 4.1, bcast
//         binary_tree.
// Needs:  nothing.
//
//   p = 8            0
//                1       2            0 -> 1 (4 blocks), then 0 -> 2 (3)
//              3   5   4   6          1 -> 3 (2), then 1 -> 5; 2 -> 4, then 2 -> 6
//             7                       3 -> 7
#include "coll.h"
#include "times/times.h"

static void scatter_bintree_aggregated(const Coll *c)
{
    const Runs r = runs_binary(c);
    runs_scatter(c, &r);
}

// Returns when all of v's subtree have their blocks, if v has the subtree's blocks at time t.
static int64_t subtree(const CollPoint *x, int v, int64_t t)
{
    int64_t end = t;
    for (int i = 1, level = pow2_floor(v + 1); i <= 2 && v + i * level < x->p; i++) {
        t += u(x, tree_binary_span(v + i * level, x->p) * x->m);
        end = later(end, subtree(x, v + i * level, t));
    }
    return end;
}

static int64_t formula(const CollPoint *x)
{
    return subtree(x, 0, 0);
}

const CollAlgorithm scatter_bintree_aggregated_algorithm = {
    .collective = COLL_SCATTER,
    .name = "bintree_aggregated",
    .aliases = {"bintree"},
    .summary = "a binary tree: each child gets the blocks of its subtree as one message",
    .run = scatter_bintree_aggregated,
    .peers = PEERS_SHIFT,
    .same_as = same_binary_run,
    .cost = "p = 2^(f+1)-1: 2f alpha + 2(p-1-f) m beta; else a recurrence over the tree",
    .formula = formula,
    .source = "named by the report on Open MPI's collectives; in no library",
};
