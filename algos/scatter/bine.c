// What:   The blocks travel down the distance-halving Bine tree of bcast bine: a rank sends each child the blocks of
//         its subtree as one message, the largest subtree first. A subtree is a run of consecutive ranks, but the block
//         of its root comes first in the message, so the root packs. See shapes/bine.c and shapes/runs.c.
// Cost:   T = ceil(log2 p) alpha + (p-1) m beta. m is the size of a block, in bytes.
// Source: De Sensi et al., Bine Trees, SC 2025. The paper's tree has 2^d ranks, as bcast bine says.
// Needs:  nothing.
//
//   p = 8      0 -> 3 (4 blocks)
//              0 -> 7   3 -> 4 (2 blocks)
//              0 -> 1   3 -> 2   4 -> 5   7 -> 6
#include "coll.h"
#include "times/times.h"

static void scatter_bine(const Coll *c)
{
    const Runs r = runs_bine(c);
    runs_scatter(c, &r);
}

static int64_t formula(const CollPoint *x)
{
    return log2_ceil(x->p) * x->alpha + (x->p - 1) * x->m * x->beta;
}

const CollAlgorithm scatter_bine_algorithm = {
    .collective = COLL_SCATTER,
    .name = "bine",
    .summary = "a binomial tree with shorter distances, to one side and the other in turn, the farthest child first",
    .run = scatter_bine,
    .peers = PEERS_SHIFT,
    .pattern = bine_pattern,
    .cost = "ceil(log2 p) alpha + (p-1) m beta",
    .formula = formula,
    .source = "De Sensi et al., Bine Trees, SC 2025",
};
