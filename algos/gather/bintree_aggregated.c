// What:   The blocks travel up a binary tree: a rank receives the blocks of each child's subtree as one message, then
//         sends them with its own block to its parent. See shapes/runs.c.
// Cost:   p = 2^(f+1)-1: 2f alpha + 2(p-1-f) m beta; else a recurrence over the tree. m is the size of a block, in
//         bytes. A child sends its blocks when it has all of them.
// Source: named by the report on Open MPI's collectives; in no library. A comment in Open MPI's source lists it as
//         still to be written; the tree is that of Open MPI 4.1, bcast binary_tree.
// Needs:  nothing.
//
//   p = 8            0
//                1       2            7 -> 3
//              3   5   4   6          5 -> 1, then 3 -> 1 (2 blocks); 6 -> 2, then 4 -> 2
//             7                       2 -> 0 (3), then 1 -> 0 (4)
#include "coll.h"
#include "times/times.h"

static void gather_bintree_aggregated(const Coll *c)
{
    const Runs r = runs_binary(c);
    runs_gather(c, &r, runs_whole);
}

// Returns when v has the blocks of its subtree. Under eager nothing waits for a port.
static int64_t subtree(const CollPoint *x, int v)
{
    int64_t t = 0;
    for (int i = 2, level = pow2_floor(v + 1); i >= 1; i--) {
        if (v + i * level >= x->p)
            continue;
        const int64_t ready = subtree(x, v + i * level);
        t = later(t, (x->eager ? ready : later(ready, t)) + u(x, tree_binary_span(v + i * level, x->p) * x->m));
    }
    return t;
}

static int64_t formula(const CollPoint *x)
{
    return subtree(x, 0);
}

const CollAlgorithm gather_bintree_aggregated_algorithm = {
    .collective = COLL_GATHER,
    .name = "bintree_aggregated",
    .aliases = {"bintree"},
    .summary = "a binary tree: each rank sends the blocks of its subtree to its parent as one message",
    .run = gather_bintree_aggregated,
    .peers = PEERS_SHIFT,
    .same_as = same_binary_run,
    .cost = "p = 2^(f+1)-1: 2f alpha + 2(p-1-f) m beta; else a recurrence over the tree",
    .formula = formula,
    .source = "named by the report on Open MPI's collectives; in no library",
};
