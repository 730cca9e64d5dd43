// What:   The root has k children, each the head of a chain of consecutive ranks. The message travels down all chains
//         in segments. See shapes/tree.c for the chains, and shapes/tree_engines.c for the order in which a rank sends
//         and receives.
// Cost:   T = (floor((p-1)/k) + k-1 + (S-1) k) (alpha + m/S beta), k = min(chains, p-1). S is the number of segments.
// Source: Open MPI 4.1, bcast chain.
// Needs:  nothing. If the parameter chains is above p-1, there are p-1 chains.
//
//   p = 8, 2 chains      0 -> 1 -> 2 -> 3 -> 4
//                          -> 5 -> 6 -> 7
#include "coll.h"
#include "times/times.h"

static void bcast_chain(const Coll *c)
{
    const Blocks segments = blocks_size(c, c->out, c->par.segment);
    tree_bcast(c, tree_chain(c, c->root, c->par.chains), &segments);
}

static int64_t formula(const CollPoint *x)
{
    const int64_t S = segments(x, x->m);
    const int k = tree_chain_count(x->p, x->par.chains);
    return k == 0 ? 0 : ((x->p - 1) / k + k - 1 + (S - 1) * k) * u(x, x->m / S);
}

const CollAlgorithm bcast_chain_algorithm = {
    .collective = COLL_BCAST,
    .name = "chain",
    .aliases = {"ompi:2"},
    .summary = "the message travels in segments down several chains of ranks below the root",
    .run = bcast_chain,
    .params = {SEGMENT, CHAINS},
    .peers = PEERS_SHIFT,
    .same_as = same_chain,
    .cost = "(floor((p-1)/k) + k-1 + (S-1) k) (alpha + m/S beta), k = min(chains, p-1)",
    .formula = formula,
    .source = "Open MPI 4.1, bcast chain",
};
