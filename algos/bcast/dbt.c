// What:   The root sends the halves of the message to the roots of two in-order binary trees over all ranks, and each
//         half travels down its tree. A rank is an inner node of at most one tree. It passes the first half on before
//         it waits for the second. The trees are the same for every root; a message to the root is left out. See
//         shapes/dbt.c for the trees.
// Cost:   p = 2: 2 (alpha + m/2 beta); else about 2 log2 p (alpha + m/2 beta) in each tree, at the same time.
// Source: UCC, bcast dbt; Sanders, Speck, Träff 2009.
// Needs:  nothing.
//
//   p = 8      0 -> 7   7 -> 3   3 -> 1 5   1 -> 2   5 -> 4 6 (first half)
//              0 -> 4   4 -> 2 6   2 -> 1 3   6 -> 5 7 (second half)
#include "coll.h"

const CollAlgorithm bcast_dbt_algorithm = {
    .collective = COLL_BCAST,
    .name = "dbt",
    .aliases = {"ucc:dbt"},
    .summary = "each half of the message travels down its own in-order binary tree over all ranks",
    .run = dbt_bcast,
    .peers = PEERS_SHIFT,
    .pattern = dbt_pattern,
    .cost = "p = 2: 2 (alpha + m/2 beta); else about 2 log2 p (alpha + m/2 beta) in each tree, at the same time",
    .unknown = "the two trees meet at ports in an order that no short formula follows",
    .source = "UCC, bcast dbt; Sanders, Speck, Träff 2009",
};
