// What:   The root has k children, each the head of a chain of consecutive ranks. A rank receives its own block and
//         the blocks of all ranks behind it in its chain as one message, keeps its own, and sends the others on. See
//         shapes/runs.c.
// Cost:   k | p-1, l = (p-1)/k: (k+l-1) alpha + (k l + l(l-1)/2) m beta; else the slowest of the chains, k =
//         min(chains, p-1). l is the length of a chain, and m is the size of a block, in bytes.
// Source: named by the report on Open MPI's collectives; in no library. The chains are those of Open MPI 4.1, bcast
//         chain.
// Needs:  nothing. If the parameter chains is above p-1, there are p-1 chains.
//
//   p = 8, 2 chains      0 -> 1 (4 blocks) -> 2 (3) -> 3 (2) -> 4 (1)
//                          -> 5 (3 blocks) -> 6 (2) -> 7 (1)
#include "coll.h"
#include "times/times.h"

static void scatter_chain_aggregated(const Coll *c)
{
    const Runs r = runs_chain(c, c->par.chains);
    runs_scatter(c, &r);
}

static int64_t formula(const CollPoint *x)
{
    const int p = x->p;
    int64_t sent = 0, end = 0;
    for (int v = 1; v < p; v += tree_chain_span(v, p, x->par.chains)) { // from head to head
        const int64_t l = tree_chain_span(v, p, x->par.chains);
        sent += u(x, l * x->m);
        end = later(end, sent + (l - 1) * x->alpha + l * (l - 1) / 2 * x->m * x->beta);
    }
    return end;
}

const CollAlgorithm scatter_chain_aggregated_algorithm = {
    .collective = COLL_SCATTER,
    .name = "chain_aggregated",
    .summary = "several chains of ranks: each rank sends the blocks of all ranks behind it on as one message",
    .run = scatter_chain_aggregated,
    .params = {CHAINS},
    .peers = PEERS_SHIFT,
    .same_as = same_chain_run,
    .cost = "k | p-1, l = (p-1)/k: (k+l-1) alpha + (k l + l(l-1)/2) m beta; else the slowest of the chains, "
            "k = min(chains, p-1)",
    .formula = formula,
    .source = "named by the report on Open MPI's collectives; in no library",
};
