// What:   A tree for machines on which a rank can send its next message long before the last one has arrived. A rank
//         that has the message sends it to another rank in each step, and L is the number of steps until it has
//         arrived. In t steps f(t) = f(t-1) + f(t-L) ranks are reached, f = 1 below L. See shapes/postal.h for the
//         tree.
// Cost:   the tree's recurrence; L = 1: S ceil(log2 p) (alpha + m/S beta); L >= p-1: (p-1) (alpha + m beta).
// Source: Bar-Noy, Kipnis, Designing broadcasting algorithms in the postal model, 1994; Karp, Sahay, Santos, Schauser
//         1993, the same tree under LogP.
// Needs:  nothing.
//
//   p = 8, L = 2      0 -> 5   0 -> 3   0 -> 2   0 -> 1
//                              5 -> 7   5 -> 6   3 -> 4
#include "coll.h"
#include "times/times.h"

_Static_assert((int)POSTAL_PATTERN <= (int)COLL_MAX_PATTERN, "a pattern has room");

static void bcast_postal(const Coll *c)
{
    const Blocks segments = blocks_size(c, c->out, c->par.segment);
    tree_bcast(c, tree_postal(c, c->root), &segments);
}

static int64_t formula(const CollPoint *x)
{
    return tree_bcast_time(x, tree_postal, 0);
}

const CollAlgorithm bcast_postal_algorithm = {
    .collective = COLL_BCAST,
    .name = "postal",
    .summary = "a tree in which a rank sends on before its last message has arrived: f(t) = f(t-1) + f(t-L) ranks",
    .run = bcast_postal,
    .params = {SEGMENT, POSTAL_LATENCY},
    .peers = PEERS_SHIFT,
    .pattern = postal_pattern,
    .cost = "the tree's recurrence; L = 1: S ceil(log2 p) (alpha + m/S beta); L >= p-1: (p-1) (alpha + m beta)",
    .formula = formula,
    .source = "Bar-Noy, Kipnis, Designing broadcasting algorithms in the postal model, 1994; Karp, Sahay, Santos, "
              "Schauser 1993, the same tree under LogP",
};
