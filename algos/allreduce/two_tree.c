// What:   A two-tree reduction to rank 0 is followed by a two-tree broadcast: each half of the vector travels up and
//         down its own binary tree, in segments. See shapes/two_tree.c for the trees and the steps.
// Cost:   T = (2c-3 + 2S + e) (2 alpha + m/(2S) (2 beta + gamma)), c = ceil(log2 p), S segments of a half, e = 1 for p
//         = 2^c, 2^c-1; p = 2^k+1 >= 3: one reduction less; eager: a recurrence over all ranks' clocks.
// Source: Sanders, Speck, Träff 2009; NCCL 2.4, double binary trees.
// Needs:  a commutative operation.
//
//   p = 8      first        1               second       4
//                         /   \                        /   \.
//                        2     3                      5     6
//                       / \   / \                    / \   / \.
//                      7   4 5   6                  7   1 2   3
#include "coll.h"
#include "times/times.h"

static void allreduce_two_tree(const Coll *c)
{
    // The broadcast does not overlap with the reduction, because each of them keeps both ports of an inner node busy.
    coll_copy(c, c->out, c->in);
    coll_phase(c, "reduce");
    two_tree_reduce(c, c->out);
    coll_phase(c, "bcast");
    two_tree_bcast(c, c->out);
}

static int64_t formula(const CollPoint *x)
{
    const int64_t S = segments(x, x->m / 2), steps = two_tree_steps(x->p, S), part = x->m / 2 / S;
    if (x->eager)
        return two_tree_eager_time(x, true);
    return 2 * steps * u(x, part) + (steps - two_tree_idles(x->p)) * g(x, part);
}

const CollAlgorithm allreduce_two_tree_algorithm = {
    .collective = COLL_ALLREDUCE,
    .name = "two_tree",
    .summary = "each half of the vector travels up its own binary tree, then down",
    .run = allreduce_two_tree,
    .needs = {&need_commutative},
    .params = {SEGMENT},
    .peers = PEERS_SHIFT,
    .cost = "(2c-3 + 2S + e) (2 alpha + m/(2S) (2 beta + gamma)), c = ceil(log2 p), S segments of a half, e = 1 for "
            "p = 2^c, 2^c-1; p = 2^k+1 >= 3: one reduction less; eager: a recurrence over all ranks' clocks",
    .formula = formula,
    .source = "Sanders, Speck, Träff 2009; NCCL 2.4, double binary trees",
};
