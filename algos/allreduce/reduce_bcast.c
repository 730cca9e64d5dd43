// What:   The vectors are reduced to rank 0 over the in-order binomial tree; then rank 0 broadcasts the result over the
//         binomial tree. See shapes/tree.c and shapes/tree_engines.c.
// Cost:   p = 2^d: 2 d u + d g, u = alpha + m beta, g = m gamma; else c u + R(p), c = ceil(log2 p), R(1) = 0, R(p) =
//         max(a, max(a-g, R(p-2^(c-1))) + u) + g, a = (c-1)(u+g); eager: without a-g. R(p) is the time of the
//         reduction.
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

// Returns when the root of an in-order binomial tree of so many ranks has reduced them all. All its children except the
// last one have full subtrees and keep it busy, for u + g each. The transfer from the last child begins when that child
// is ready, the root's port is free and, under rendezvous, the receive is posted: the root posts it when it begins to
// wait for the child before.
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
    .summary = "a reduction to rank 0, then a broadcast, over binomial trees",
    .run = allreduce_reduce_bcast,
    .ordered = true,
    .peers = PEERS_SHIFT,
    .cost = "p = 2^d: 2 d u + d g, u = alpha + m beta, g = m gamma; else c u + R(p), c = ceil(log2 p), R(1) = 0, "
            "R(p) = max(a, max(a-g, R(p-2^(c-1))) + u) + g, a = (c-1)(u+g); eager: without a-g",
    .formula = formula,
    .source = "Open MPI 4.1, allreduce nonoverlapping",
};
