// What:   The trees of bcast dbt, taken from their leaves: a rank adds the first halves of its children to its own, the
//         left child's first, sends the sum on, and does the same with the second halves. The roots of the trees send
//         what they have to the root. See shapes/dbt.c for the trees.
// Cost:   about 2 log2 p (alpha + m/2 (beta + gamma)) in each tree, at the same time, and alpha + m/2 beta to the root.
// Source: UCC, reduce dbt, which takes the half whose children are ready first; Sanders, Speck, Träff 2009.
// Needs:  a commutative operation; else binomial runs.
//
//   p = 8      2 -> 1   4 6 -> 5   0 -> 1   1 5 -> 3   3 -> 7   7 -> 0 (first half)
//              1 3 -> 2   5 7 -> 6   2 6 -> 4   4 -> 0 (second half)
#include "coll.h"

const CollAlgorithm reduce_dbt_algorithm = {
    .collective = COLL_REDUCE,
    .name = "dbt",
    .aliases = {"ucc:dbt"},
    .summary = "each half of the vector travels up its own in-order binary tree over all ranks",
    .run = dbt_reduce,
    .needs = {&need_commutative},
    .otherwise = "binomial",
    .peers = PEERS_SHIFT,
    .pattern = dbt_pattern,
    .cost =
        "about 2 log2 p (alpha + m/2 (beta + gamma)) in each tree, at the same time, and alpha + m/2 beta to the root",
    .unknown = "the two trees meet at ports in an order that no short formula follows",
    .source = "UCC, reduce dbt, which takes the half whose children are ready first; Sanders, Speck, Träff 2009",
};
