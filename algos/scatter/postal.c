// What:   The blocks travel down the tree of bcast postal: a rank sends each child the blocks of its subtree as one
//         message, the largest subtree first, and another one in each of the L steps that a message is under way. See
//         shapes/postal.h for the tree, and shapes/runs.c.
// Cost:   the tree's recurrence; L = 1: ceil(log2 p) alpha + (p-1) m beta. m is the size of a block, in bytes.
// Source: Bar-Noy, Kipnis 1994, whose tree the blocks take.
// Needs:  nothing.
//
//   p = 8, L = 2      0 -> 5 (3 blocks)   0 -> 3 (2 blocks)
//                     0 -> 2   0 -> 1   5 -> 7   5 -> 6   3 -> 4
#include "coll.h"
#include "times/times.h"

static void scatter_postal(const Coll *c)
{
    const Runs r = runs_postal(c);
    runs_scatter(c, &r);
}

static int64_t formula(const CollPoint *x)
{
    return tree_scatter_time(x, tree_postal, 0);
}

const CollAlgorithm scatter_postal_algorithm = {
    .collective = COLL_SCATTER,
    .name = "postal",
    .summary = "the tree of bcast postal: each child gets the blocks of its subtree, the largest subtree first",
    .run = scatter_postal,
    .params = {POSTAL_LATENCY},
    .peers = PEERS_SHIFT,
    .pattern = postal_pattern,
    .cost = "the tree's recurrence; L = 1: ceil(log2 p) alpha + (p-1) m beta",
    .formula = formula,
    .source = "Bar-Noy, Kipnis 1994, whose tree the blocks take",
};
