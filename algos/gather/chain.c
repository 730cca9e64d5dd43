// What:   k chains of consecutive ranks hang below the root; from each chain's end on, a rank adds its own block to
//         what it got and passes all on as one message.
// Cost:   k | p-1, l = (p-1)/k: (k+l-1) alpha + (k l + l(l-1)/2) m beta; else chain by chain, k = min(chains, p-1);
//         eager, l = ceil((p-1)/k): l alpha + l(l+1)/2 m beta. The root takes the chains one after the other, the last
//         first.
// Source: named by the report on Open MPI's collectives; in no library. It mirrors scatter chain_aggregated. Open MPI's
//         source only remarks that it is to be done; the chains are those of Open MPI 4.1, bcast chain.
// Needs:  nothing. Chains beyond p-1 are cut.
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

// When the head of a chain of l ranks holds all its blocks.
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
    .summary = "up several chains of ranks each passes on, in one message, the blocks of all behind it",
    .run = gather_chain,
    .params = {CHAINS},
    .peers = PEERS_SHIFT,
    .same_as = same_chain_run,
    .cost = "k | p-1, l = (p-1)/k: (k+l-1) alpha + (k l + l(l-1)/2) m beta; else chain by chain, k = min(chains, p-1); "
            "eager, l = ceil((p-1)/k): l alpha + l(l+1)/2 m beta",
    .formula = formula,
    .source = "named by the report on Open MPI's collectives; in no library",
};
