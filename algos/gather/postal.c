// What:   The blocks travel up the tree of bcast postal: a rank is ready for the blocks of the subtrees of all its
//         children at once, and then sends them with its own block to its parent. A message is under way for L steps,
//         and a rank takes another one in each step. The root receives into place if it is rank 0. See shapes/postal.h
//         for the tree, and shapes/runs.c.
// Cost:   the tree's recurrence; L = 1: ceil(log2 p) alpha + (p-1) m beta. m is the size of a block, in bytes.
// Source: Bar-Noy, Kipnis 1994, whose broadcast it mirrors; UCC, gather knomial, receives from children at once.
// Needs:  nothing.
//
//   p = 8, L = 2      4 -> 3   7 -> 5   6 -> 5   2 -> 0   1 -> 0
//                     3 -> 0 (2 blocks)   5 -> 0 (3 blocks)
#include "coll.h"
#include "times/times.h"

static void gather_postal(const Coll *c)
{
    const Runs r = runs_postal(c);
    runs_gather_at_once(c, &r);
}

// Returns when v's subtree of n ranks is gathered. Under rendezvous the port takes, of the children that are ready, the
// one whose receive was posted first, the smallest subtree; under eager the one that was ready first.
static int64_t formula(const CollPoint *x)
{
    return tree_gather_time(x, tree_postal_reversed, 0);
}

const CollAlgorithm gather_postal_algorithm = {
    .collective = COLL_GATHER,
    .name = "postal",
    .summary = "the mirrored tree of bcast postal: each child sends the blocks of its subtree",
    .run = gather_postal,
    .params = {POSTAL_LATENCY},
    .peers = PEERS_SHIFT,
    .pattern = postal_pattern,
    .cost = "the tree's recurrence; L = 1: ceil(log2 p) alpha + (p-1) m beta",
    .formula = formula,
    .source = "Bar-Noy, Kipnis 1994, whose broadcast it mirrors; UCC, gather knomial, receives from children at once",
};
