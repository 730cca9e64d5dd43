// What:   The message travels down a distance-halving Bine tree: a binomial tree whose ranks send to the farthest child
//         first, to one side of them and the other in turn, so that the distances are about p/3, p/6, p/12 .. in place
//         of p/2, p/4, p/8 .. See shapes/bine.c for the tree, and shapes/tree_engines.c for the order in which a rank
//         sends and receives.
// Cost:   T = S ceil(log2 p) (alpha + m/S beta). S is the number of segments; more segments only add latency.
// Source: De Sensi et al., Bine Trees, SC 2025. The paper's tree has 2^d ranks; for other p, the larger half of a
//         subtree keeps its root.
// Needs:  nothing.
//
//   p = 8      round 1   0 -> 3
//              round 2   0 -> 7   3 -> 4
//              round 3   0 -> 1   3 -> 2   4 -> 5   7 -> 6
#include "coll.h"
#include "times/times.h"

static void bcast_bine(const Coll *c)
{
    const Blocks segments = blocks_size(c, c->out, c->par.segment);
    tree_bcast(c, tree_bine(c, c->root), &segments);
}

static int64_t formula(const CollPoint *x)
{
    const int64_t S = segments(x, x->m);
    return S * log2_ceil(x->p) * u(x, x->m / S);
}

const CollAlgorithm bcast_bine_algorithm = {
    .collective = COLL_BCAST,
    .name = "bine",
    .summary = "a binomial tree with shorter distances, to one side and the other in turn, the farthest child first",
    .run = bcast_bine,
    .params = {SEGMENT},
    .peers = PEERS_SHIFT,
    .pattern = bine_pattern,
    .cost = "S ceil(log2 p) (alpha + m/S beta)",
    .formula = formula,
    .source = "De Sensi et al., Bine Trees, SC 2025",
};
