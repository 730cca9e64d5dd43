// What:   The root has k children, each the head of a chain of consecutive ranks. From the end of each chain on, a rank
//         adds its own block to the blocks that it has received and sends them on as one message. See shapes/runs.c.
// Cost:   k | p-1, l = (p-1)/k: (k+l-1) alpha + (k l + l(l-1)/2) m beta; else chain by chain, k = min(chains, p-1);
//         eager, l = ceil((p-1)/k): l alpha + l(l+1)/2 m beta. l is the length of a chain, and m is the size of a
//         block, in bytes. The root receives from one chain after the other, the last chain first.
// Source: named by the report on Open MPI's collectives; in no library. It mirrors scatter chain_aggregated. A comment
//         in Open MPI's source lists it as still to be written; the chains are those of Open MPI 4.1, bcast chain.
// Needs:  nothing. If the parameter chains is above p-1, there are p-1 chains.
//
//   p = 8, 2 chains      4 -> 3 (2 blocks) -> 2 (3) -> 1 (4) -> 0
//                        7 -> 6 (2 blocks) -> 5 (3) -> 0
#include "coll.h"
#include "times/times.h"

static void gather_chain(const Coll *c)
{
    const Runs r = runs_chain(c, c->par.chains);
    runs_gather(c, &r, runs_whole);
}

// Returns when the head of a chain of l ranks has all blocks of the chain.
static int64_t collected(const CollPoint *x, int64_t l)
{
    return (l - 1) * x->alpha + l * (l - 1) / 2 * x->m * x->beta;
}

static int64_t formula(const CollPoint *x)
{
    const int p = x->p;
    if (p == 1)
        return 0;
    const int k = tree_chain_count(p, x->par.chains);
    const int64_t base = (p - 1) / k, longer = (p - 1) % k, longest = base + (longer > 0);
    if (x->eager)
        return collected(x, longest) + u(x, longest * x->m);
    const int64_t others = collected(x, base) + (k - longer) * u(x, base * x->m), ready = collected(x, longest);
    return later(others, ready) + longer * u(x, longest * x->m);
}

const CollAlgorithm gather_chain_algorithm = {
    .collective = COLL_GATHER,
    .name = "chain",
    .aliases = {"chain_aggregated"},
    .summary = "several chains of ranks: each rank sends the blocks of all ranks behind it on as one message",
    .run = gather_chain,
    .params = {CHAINS},
    .peers = PEERS_SHIFT,
    .same_as = same_chain_run,
    .cost = "k | p-1, l = (p-1)/k: (k+l-1) alpha + (k l + l(l-1)/2) m beta; else chain by chain, k = min(chains, p-1); "
            "eager, l = ceil((p-1)/k): l alpha + l(l+1)/2 m beta",
    .formula = formula,
    .source = "named by the report on Open MPI's collectives; in no library",
};
