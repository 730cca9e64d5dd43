// What:   In log2 p rounds, pairs of ranks at distance 1, 2, 4 .. exchange their whole vectors and reduce. If p is not
//         a power of two, pairs fold into one rank first, and the other rank gets the result at the end. See
//         shapes/fold.c.
// Cost:   T = (f+2e) (alpha + m beta) + (f+e) m gamma, f = floor(log2 p), e = 0 if p = 2^f else 1.
// Source: Open MPI 4.1, allreduce recursive_doubling; MPICH, allreduce recursive_doubling.
// Needs:  nothing.
//
//   p = 8      round 1   0-1   2-3   4-5   6-7
//              round 2   0-2   1-3   4-6   5-7
//              round 3   0-4   1-5   2-6   3-7
#include "coll.h"
#include "times/times.h"

// Replaces every rank's vector by the reduction over the 2^d ranks of the group, in their order.
static void exchange(const Coll *c)
{
    const Slice inbox = coll_scratch(c, c->out.len);
    coll_phase(c, "doubling");
    for (int m = 1; m < c->p; m *= 2) {
        coll_sendrecv(c, c->rank ^ m, c->out, c->rank ^ m, inbox);
        reduce_in_order(c, c->out, inbox, c->rank & m);
    }
}

static void allreduce_recursive_doubling(const Coll *c)
{
    fold_run(c, PRESTEP_MPICH, exchange);
}

static int64_t formula(const CollPoint *x)
{
    const int f = log2_floor(x->p), e = !is_pow2(x->p);
    return (f + 2 * e) * u(x, x->m) + (f + e) * g(x, x->m);
}

const CollAlgorithm allreduce_recursive_doubling_algorithm = {
    .collective = COLL_ALLREDUCE,
    .name = "recursive_doubling",
    .aliases = {"ompi:3", "mpich:recursive_doubling", "smpi:rdb", "libnbc:recursive_doubling", "intel:1"},
    .summary = "pairs at distance 1, 2, 4 .. exchange and reduce the whole vector",
    .run = allreduce_recursive_doubling,
    .ordered = true,
    .peers = PEERS_XOR,
    .same_as = same_fold,
    .cost = "(f+2e) (alpha + m beta) + (f+e) m gamma, f = floor(log2 p), e = 0 if p = 2^f else 1",
    .formula = formula,
    .source = "Open MPI 4.1, allreduce recursive_doubling; MPICH, allreduce recursive_doubling",
};
