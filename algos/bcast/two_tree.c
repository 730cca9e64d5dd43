// What:   Each half of the message travels down its own binary tree, in segments. A rank is an inner node of at most
//         one tree and a leaf of the other, so that no rank sends more than the whole message. See shapes/two_tree.c
//         for the trees and the steps.
// Cost:   T = (2c-3 + 2S + e) (alpha + m/(2S) beta), c = ceil(log2 p), S segments of a half, e = 1 for p = 2^c, 2^c-1;
//         eager: one step less for p = 2^k+1 >= 3.
// Source: Sanders, Speck, Träff 2009; NCCL 2.4, double binary trees.
// Needs:  nothing.
//
//   p = 8      first        1               second       4
//                         /   \                        /   \.
//                        2     3                      5     6
//                       / \   / \                    / \   / \.
//                      7   4 5   6                  7   1 2   3
#include "coll.h"
#include "times/times.h"

static void bcast_two_tree(const Coll *c)
{
    two_tree_bcast(c, c->out);
}

static int64_t formula(const CollPoint *x)
{
    const int64_t S = segments(x, x->m / 2);
    return (two_tree_steps(x->p, S) - (x->eager && two_tree_idles(x->p))) * u(x, x->m / 2 / S);
}

const CollAlgorithm bcast_two_tree_algorithm = {
    .collective = COLL_BCAST,
    .name = "two_tree",
    .summary = "each half of the message travels down its own binary tree; a leaf of one is an inner node of the other",
    .run = bcast_two_tree,
    .params = {SEGMENT},
    .peers = PEERS_SHIFT,
    .cost = "(2c-3 + 2S + e) (alpha + m/(2S) beta), c = ceil(log2 p), S segments of a half, e = 1 for p = 2^c, 2^c-1; "
            "eager: one step less for p = 2^k+1 >= 3",
    .formula = formula,
    .source = "Sanders, Speck, Träff 2009; NCCL 2.4, double binary trees",
};
