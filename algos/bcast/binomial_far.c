// What:   The message travels down a binomial tree, and every rank serves the farthest of its children first: the root
//         sends to rank root + p/2 and keeps the nearer half of the ranks, and so does each rank with its own part. The
//         subtree of a rank is a run of consecutive ranks, as in gather binomial and scatter binomial. In bcast
//         binomial, the root sends to the nearest rank first. See tree_knomial in shapes/tree.h for the tree.
// Cost:   T = ceil(log2 p) (alpha + m beta).
// Source: MPICH, bcast binomial; document 001.
// Needs:  nothing.
//
//   p = 8      round 1   0 -> 4
//              round 2   0 -> 2   4 -> 6
//              round 3   0 -> 1   2 -> 3   4 -> 5   6 -> 7
#include "coll.h"
#include "times/times.h"

static void bcast_binomial_far(const Coll *c)
{
    const Tree t = tree_knomial(c, c->root, 2);
    if (t.parent >= 0)
        coll_recv(c, t.parent, c->out);
    for (int i = 0; i < t.n; i++)
        coll_send(c, t.child[i], c->out);
}

static int64_t formula(const CollPoint *x)
{
    return log2_ceil(x->p) * u(x, x->m);
}

const CollAlgorithm bcast_binomial_far_algorithm = {
    .collective = COLL_BCAST,
    .name = "binomial_far",
    .aliases = {"mpich:binomial", "smpi:binomial_tree", "intel:1"},
    .summary = "a binomial tree whose ranks serve the farthest child first, so that subtrees are consecutive ranks",
    .run = bcast_binomial_far,
    .peers = PEERS_SHIFT,
    .same_as = same_binomial_in_order,
    .cost = "ceil(log2 p) (alpha + m beta)",
    .formula = formula,
    .source = "MPICH, bcast binomial; document 001",
};
