// What:   Rank 0 receives and reduces the vectors of all ranks, then sends the result to every rank. See
//         reduce/linear.c and bcast/linear.c.
// Cost:   T = 2(p-1) (alpha + m beta) + (p-1) m gamma; eager: p (alpha + m beta) + (p-1) m gamma.
// Source: Open MPI 4.1, allreduce basic_linear.
// Needs:  nothing.
//
//   p = 4      3 -> 0   2 -> 0   1 -> 0      0 -> 1   0 -> 2   0 -> 3
#include "coll.h"
#include "times/times.h"

static void allreduce_linear(const Coll *c)
{
    coll_call(c, &reduce_linear_algorithm);
    Coll result = *c;
    result.in = c->out;
    coll_call(&result, &bcast_linear_algorithm);
}

static int64_t formula(const CollPoint *x)
{
    return call_time(x, &reduce_linear_algorithm, x->p, x->m) + call_time(x, &bcast_linear_algorithm, x->p, x->m);
}

const CollAlgorithm allreduce_linear_algorithm = {
    .collective = COLL_ALLREDUCE,
    .name = "linear",
    .aliases = {"ompi:1"},
    .summary = "a linear reduction to rank 0, then a linear broadcast",
    .run = allreduce_linear,
    .ordered = true,
    .peers = PEERS_ABSOLUTE,
    .same_as = same_linear,
    .cost = "2(p-1) (alpha + m beta) + (p-1) m gamma; eager: p (alpha + m beta) + (p-1) m gamma",
    .formula = formula,
    .source = "Open MPI 4.1, allreduce basic_linear",
};
