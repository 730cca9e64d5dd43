// What:   In step i = 1 .. p-1, rank r sends a block to rank r+i and receives a block from rank r-i.
// Cost:   T = (p-1) (alpha + m beta). m is the size of the block for one rank, in bytes.
// Source: alltoall pairwise: Open MPI 4.1, alltoall pairwise.
//         alltoallv pairwise: Open MPI 4.1, alltoallv pairwise.
//         MPICH, alltoall pairwise, where p is not a power of two; else it runs pairwise_xor.
// Needs:  nothing.
//
//   p = 8      step 1   r -> r+1      step 2   r -> r+2      ..      step 7   r -> r+7
#include "coll.h"
#include "times/times.h"

static void alltoall_pairwise(const Coll *c)
{
    const Blocks in = coll_in(c), out = coll_out(c);
    coll_copy(c, block(&out, c->rank), block(&in, c->rank));
    for (int i = 1; i < c->p; i++) {
        const int to = (c->rank + i) % c->p, from = (c->rank - i + c->p) % c->p;
        coll_sendrecv(c, to, block(&in, to), from, block(&out, from));
    }
}

static int64_t formula(const CollPoint *x)
{
    return (x->p - 1) * u(x, x->m);
}

#define COMMON                                                                                                         \
    .name = "pairwise", .summary = "every rank sends to one other rank at a time, the nearest first",                  \
    .run = alltoall_pairwise, .peers = PEERS_SHIFT, .same_as = same_always, .cost = "(p-1) (alpha + m beta)",          \
    .formula = formula

const CollAlgorithm alltoall_pairwise_algorithm = {
    COMMON,
    .collective = COLL_ALLTOALL,
    .aliases = {"ompi:2", "smpi:ring", "intel:3"},
    .source = "Open MPI 4.1, alltoall pairwise",
};

const CollAlgorithm alltoallv_pairwise_algorithm = {
    COMMON,
    .collective = COLL_ALLTOALLV,
    .aliases = {"ompi:2", "smpi:ring"},
    .source = "Open MPI 4.1, alltoallv pairwise",
};
