// What:   The root has k children, each the head of a chain of consecutive ranks. The vectors travel up all chains in
//         segments; every rank reduces what it receives into its own. A chain's last rank may have several segments under
//         way, see shapes/tree_engines.c, which does not change T. The chains are those of shapes/tree.c.
// Cost:   gamma = 0, eager: (ceil((p-1)/k) + S-1) (alpha + m/S beta), k = min(chains, p-1); else the tree's recurrence.
//         S is the number of segments; times/tree_time.c has the recurrence. One chain takes as long as pipeline.
// Source: Open MPI 4.1, reduce chain.
// Needs:  nothing. If the operation is not commutative, the tree's root is rank 0, which sends the result to the root.
//
//   p = 8, 2 chains      4 -> 3 -> 2 -> 1 -> 0
//                             7 -> 6 -> 5 -> 0
#include "coll.h"
#include "times/times.h"

static void reduce_chain(const Coll *c)
{
    const int top = reduce_top(c);
    reduce_over(c, top, tree_chain(c, top, c->par.chains));
}

static Tree chains(const Coll *c, int root)
{
    return tree_chain(c, root, c->par.chains);
}

static int64_t formula(const CollPoint *x)
{
    const int k = tree_chain_count(x->p, x->par.chains);
    const int64_t S = segments(x, x->m);
    if (k > 0 && x->gamma == 0 && x->eager)
        return ((x->p - 2) / k + S) * u(x, x->m / S);
    return tree_reduce_time(x, chains, 0);
}

static int same_as(const Coll *c)
{
    return same_under_top(c, same_chain);
}

const CollAlgorithm reduce_chain_algorithm = {
    .collective = COLL_REDUCE,
    .name = "chain",
    .aliases = {"ompi:2", "smpi:ompi_chain"},
    .summary = "segments travel up several chains of ranks below the root and are reduced at every rank",
    .run = reduce_chain,
    .params = {SEGMENT, CHAINS, MAX_REQUESTS(0)},
    .ordered = true,
    .peers = PEERS_SHIFT,
    .same_as = same_as,
    .cost = "gamma = 0, eager: (ceil((p-1)/k) + S-1) (alpha + m/S beta), k = min(chains, p-1); else the tree's "
            "recurrence",
    .formula = formula,
    .source = "Open MPI 4.1, reduce chain",
};
