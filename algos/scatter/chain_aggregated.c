// What:   k chains of consecutive ranks hang below the root; a rank gets the blocks of its chain from itself on as one
//         message, keeps the first and passes the others on.
// Cost:   k | p-1, l = (p-1)/k: (k+l-1) alpha + (k l + l(l-1)/2) m beta; else the slowest of the chains, k =
//         min(chains, p-1).
// Source: named by the report on Open MPI's collectives; in no library. The chains are those of Open MPI 4.1, bcast
//         chain.
// Needs:  nothing. Chains beyond p-1 are cut.
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
    for (int v = 1; v < p; v += tree_chain_span(v, p, x->par.chains)) { // the chains' heads
        const int64_t l = tree_chain_span(v, p, x->par.chains);
        sent += u(x, l * x->m);
        end = later(end, sent + (l - 1) * x->alpha + l * (l - 1) / 2 * x->m * x->beta);
    }
    return end;
}

const CollAlgorithm scatter_chain_aggregated_algorithm = {
    .collective = COLL_SCATTER,
    .name = "chain_aggregated",
    .summary = "down several chains of ranks each passes on, in one message, the blocks of all behind it",
    .run = scatter_chain_aggregated,
    .params = {CHAINS},
    .peers = PEERS_SHIFT,
    .same_as = same_chain_run,
    .cost = "k | p-1, l = (p-1)/k: (k+l-1) alpha + (k l + l(l-1)/2) m beta; else the slowest of the chains, "
            "k = min(chains, p-1)",
    .formula = formula,
    .source = "named by the report on Open MPI's collectives; in no library",
};
