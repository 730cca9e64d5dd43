// What:   The message travels down a binomial tree: in every round, each rank that has the message sends it to one that
//         does not, so that the number of ranks that have it doubles. See shapes/tree.c for the tree, and
//         shapes/tree_engines.c for the order in which a rank sends and receives.
// Cost:   T = S ceil(log2 p) (alpha + m/S beta). S is the number of segments; more segments only add latency.
// Source: Open MPI 4.1, bcast binomial. MPICH's tree of this name is bcast binomial_far.
// Needs:  nothing.
//
//   p = 8      round 1   0 -> 1
//              round 2   0 -> 2   1 -> 3
//              round 3   0 -> 4   1 -> 5   2 -> 6   3 -> 7
#include "coll.h"
#include "times/times.h"

static void bcast_binomial(const Coll *c)
{
    const Blocks segments = blocks_size(c, c->out, c->par.segment);
    tree_bcast(c, tree_binomial(c, c->root), &segments);
}

static int64_t formula(const CollPoint *x)
{
    const int64_t S = segments(x, x->m);
    return S * log2_ceil(x->p) * u(x, x->m / S);
}

const CollAlgorithm bcast_binomial_algorithm = {
    .collective = COLL_BCAST,
    .name = "binomial",
    .aliases = {"ompi:6", "libnbc:binomial"},
    .summary = "a binomial tree: the number of ranks that have the message doubles in every round",
    .run = bcast_binomial,
    .params = {SEGMENT},
    .peers = PEERS_SHIFT,
    .same_as = same_binomial,
    .cost = "S ceil(log2 p) (alpha + m/S beta)",
    .formula = formula,
    .source = "Open MPI 4.1, bcast binomial",
};
