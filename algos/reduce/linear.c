// What:   The root receives the vector of one rank after the other, from rank p-1 down to rank 0, and reduces each into
//         the result.
// Cost:   T = (p-1) (alpha + m beta + m gamma); eager: alpha + m beta + (p-1) m gamma.
// Source: Open MPI 4.1, reduce linear.
// Needs:  nothing.
//
//   p = 8      7 -> 0   6 -> 0   5 -> 0   4 -> 0   3 -> 0   2 -> 0   1 -> 0
#include "coll.h"
#include "times/times.h"

static void reduce_linear(const Coll *c)
{
    if (c->rank != c->root) {
        coll_send(c, c->root, c->in);
        return;
    }
    // In place, the result accumulates in the buffer of the root's own vector, so we copy the vector away first.
    const Slice own = coll_scratch(c, c->in.len), inbox = coll_scratch(c, c->in.len);
    coll_copy(c, own, c->in);
    for (int r = c->p - 1; r >= 0; r--) {
        const Slice got = r == c->rank ? own : r == c->p - 1 ? c->out : inbox;
        if (r != c->rank)
            coll_recv(c, r, got);
        if (r < c->p - 1)
            coll_reduce(c, c->out, got, c->out);
        else
            coll_copy(c, c->out, got);
    }
}

static int64_t formula(const CollPoint *x)
{
    if (x->eager && x->p > 1)
        return u(x, x->m) + (x->p - 1) * g(x, x->m);
    return (x->p - 1) * (u(x, x->m) + g(x, x->m));
}

const CollAlgorithm reduce_linear_algorithm = {
    .collective = COLL_REDUCE,
    .name = "linear",
    .aliases = {"ompi:1", "smpi:ompi_basic_linear", "smpi:flat_tree"},
    .summary = "the root receives and reduces the vectors of all ranks in turn",
    .run = reduce_linear,
    .ordered = true,
    .peers = PEERS_ABSOLUTE,
    .same_as = same_linear,
    .cost = "(p-1) (alpha + m beta + m gamma); eager: alpha + m beta + (p-1) m gamma",
    .formula = formula,
    .source = "Open MPI 4.1, reduce linear",
};
