// What:   The tree of bcast postal, taken from its leaves: a rank adds what its children send, the smallest subtree
//         first, and sends the sum on. A message is under way for L steps, and a rank takes another one in each step.
//         See shapes/postal.h for the tree.
// Cost:   the tree's recurrence; gamma = 0, L = 1, one segment: ceil(log2 p) (alpha + m beta).
// Source: Bar-Noy, Kipnis 1994, whose broadcast it mirrors; Karp, Sahay, Santos, Schauser 1993, summation under LogP.
// Needs:  a commutative operation; else binomial runs.
//
//   p = 8, L = 2      4 -> 3   7 -> 5   6 -> 5   2 -> 0   1 -> 0
//                     3 -> 0   5 -> 0
#include "coll.h"
#include "times/times.h"

static void reduce_postal(const Coll *c)
{
    reduce_over(c, c->root, tree_postal_reversed(c, c->root));
}

static int64_t formula(const CollPoint *x)
{
    return tree_reduce_time(x, tree_postal_reversed, 0);
}

const CollAlgorithm reduce_postal_algorithm = {
    .collective = COLL_REDUCE,
    .name = "postal",
    .summary = "the mirrored tree of bcast postal: a rank takes messages while others are under way",
    .run = reduce_postal,
    .needs = {&need_commutative},
    .otherwise = "binomial",
    .params = {SEGMENT, POSTAL_LATENCY},
    .peers = PEERS_SHIFT,
    .pattern = postal_pattern,
    .cost = "the tree's recurrence; gamma = 0, L = 1, one segment: ceil(log2 p) (alpha + m beta)",
    .formula = formula,
    .source = "Bar-Noy, Kipnis 1994, whose broadcast it mirrors; Karp, Sahay, Santos, Schauser 1993, summation under "
              "LogP",
};
