// What:   reduce to rank 0 over the in-order binomial tree, then broadcast over the binomial tree.
// Cost:   p = 2^d: 2 d u + d g, u = alpha + m beta, g = m gamma; else c u + R(p), c = ceil(log2 p), R(1) = 0, R(p) =
//         max(a, max(a-g, R(p-2^(c-1))) + u) + g, a = (c-1)(u+g); eager: without a-g.
// Source: Open MPI 4.1, allreduce nonoverlapping.
// Needs:  nothing.
//
//   p = 8      1 -> 0   3 -> 2   5 -> 4   7 -> 6      2 -> 0   6 -> 4      4 -> 0
//              0 -> 1      0 -> 2   1 -> 3      0 -> 4   1 -> 5   2 -> 6   3 -> 7
#include "coll.h"
#include "times/times.h"

static void allreduce_reduce_bcast(const Coll *c)
{
    const Blocks whole = blocks_size(c, c->out, 0);
    tree_reduce(c, tree_binomial_in_order(c, 0), c->out);
    tree_bcast(c, tree_binomial(c, 0), &whole);
}

// When the root of an in-order binomial tree of so many ranks has reduced all of them. All its children but the last
// one have full subtrees and keep it busy, u + g each; the last one comes when it is there, its port is free and
// (rendezvous) its receive posted, which is when the last but two was reduced.
static int64_t reduced(const CollPoint *x, int ranks)
{
    if (ranks == 1)
        return 0;
    const int children = log2_ceil(ranks);
    const int64_t um = u(x, x->m), gm = g(x, x->m), others = (children - 1) * (um + gm);
    int64_t last = reduced(x, ranks - (1 << (children - 1)));
    if (!x->eager && children > 1)
        last = later(last, others - gm);
    last += um;
    return later(last, others) + gm;
}

static int64_t formula(const CollPoint *x)
{
    return reduced(x, x->p) + log2_ceil(x->p) * u(x, x->m);
}

const CollAlgorithm allreduce_reduce_bcast_algorithm = {
    .collective = COLL_ALLREDUCE,
    .name = "reduce_bcast",
    .aliases = {"ompi:2", "reduce_bcast_binomial", "smpi:redbcast"},
    .summary = "reduce to rank 0, then broadcast, over binomial trees",
    .run = allreduce_reduce_bcast,
    .ordered = true,
    .peers = PEERS_SHIFT,
    .cost = "p = 2^d: 2 d u + d g, u = alpha + m beta, g = m gamma; else c u + R(p), c = ceil(log2 p), R(1) = 0, "
            "R(p) = max(a, max(a-g, R(p-2^(c-1))) + u) + g, a = (c-1)(u+g); eager: without a-g",
    .formula = formula,
    .source = "Open MPI 4.1, allreduce nonoverlapping",
};
