// What:   The blocks travel up the distance-halving Bine tree of bcast bine: a rank receives the blocks of each child's
//         subtree as one message, the smallest subtree first, then sends them with its own block to its parent. A
//         subtree is a run of consecutive ranks, but a rank holds its own block first, and the root unpacks what it
//         receives. See shapes/bine.c and shapes/runs.c.
// Cost:   T = ceil(log2 p) alpha + (p-1) m beta; eager: the longest chain of subtrees. m is the size of a block, in
//         bytes.
// Source: De Sensi et al., Bine Trees, SC 2025. The paper's tree has 2^d ranks, as bcast bine says.
// Needs:  nothing.
//
//   p = 8      1 -> 0   2 -> 3   5 -> 4   6 -> 7
//              7 -> 0   4 -> 3 (2 blocks)
//              3 -> 0 (4 blocks)
#include "coll.h"
#include "times/times.h"

static void gather_bine(const Coll *c)
{
    const Runs r = runs_bine(c);
    runs_gather(c, &r, runs_whole);
}

// Returns when the root of a subtree of n ranks has their blocks, under eager.
static int64_t gathered(const CollPoint *x, int n)
{
    return n == 1 ? 0 : later(gathered(x, n - n / 2), gathered(x, n / 2) + u(x, n / 2 * x->m));
}

static int64_t formula(const CollPoint *x)
{
    return x->eager ? gathered(x, x->p) : log2_ceil(x->p) * x->alpha + (x->p - 1) * x->m * x->beta;
}

const CollAlgorithm gather_bine_algorithm = {
    .collective = COLL_GATHER,
    .name = "bine",
    .summary = "a binomial tree with shorter distances, to one side and the other in turn, the nearest child first",
    .run = gather_bine,
    .peers = PEERS_SHIFT,
    .pattern = bine_pattern,
    .cost = "ceil(log2 p) alpha + (p-1) m beta; eager: the longest chain of subtrees",
    .formula = formula,
    .source = "De Sensi et al., Bine Trees, SC 2025",
};
