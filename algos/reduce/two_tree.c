// What:   The steps of the two-tree broadcast run backwards: partial results of each half of the vector travel up its
//         own binary tree, in segments. See bcast/two_tree.c and shapes/two_tree.c.
// Cost:   T = (2c-3 + 2S + e) (alpha + m/(2S) (beta + gamma)), c = ceil(log2 p), S segments of a half, e = 1 for p =
//         2^c, 2^c-1; p = 2^k+1 >= 3: one reduction less; eager: a recurrence over all ranks' clocks.
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

static void reduce_two_tree(const Coll *c)
{
    const Slice acc = reduce_acc(c);
    coll_copy(c, acc, c->in);
    two_tree_reduce(c, acc);
}

static int64_t formula(const CollPoint *x)
{
    const int64_t S = segments(x, x->m / 2), steps = two_tree_steps(x->p, S), part = x->m / 2 / S;
    if (x->eager)
        return two_tree_eager_time(x, false);
    return steps * u(x, part) + (steps - two_tree_idles(x->p)) * g(x, part);
}

const CollAlgorithm reduce_two_tree_algorithm = {
    .collective = COLL_REDUCE,
    .name = "two_tree",
    .summary = "each half of the vector travels up its own binary tree; a leaf of one is an inner node of the other",
    .run = reduce_two_tree,
    .needs = {&need_commutative},
    .params = {SEGMENT},
    .peers = PEERS_SHIFT,
    .cost = "(2c-3 + 2S + e) (alpha + m/(2S) (beta + gamma)), c = ceil(log2 p), S segments of a half, e = 1 for "
            "p = 2^c, 2^c-1; p = 2^k+1 >= 3: one reduction less; eager: a recurrence over all ranks' clocks",
    .formula = formula,
    .source = "Sanders, Speck, Träff 2009; NCCL 2.4, double binary trees",
};
