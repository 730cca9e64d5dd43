// What:   The two ranks exchange the blocks that they have for each other.
// Cost:   p = 2: alpha + m beta. m is the size of a block, in bytes.
// Source: Open MPI 4.1, alltoall two_procs.
// Needs:  p = 2.
//
//   p = 2      0-1
#include "coll.h"
#include "times/times.h"

static void alltoall_two_procs(const Coll *c)
{
    const int other = 1 - c->rank;
    const Blocks in = coll_in(c), out = coll_out(c);
    coll_copy(c, block(&out, c->rank), block(&in, c->rank));
    coll_sendrecv(c, other, block(&in, other), other, block(&out, other));
}

static int64_t formula(const CollPoint *x)
{
    return u(x, x->m);
}

const CollAlgorithm alltoall_two_procs_algorithm = {
    .collective = COLL_ALLTOALL,
    .name = "two_procs",
    .aliases = {"ompi:5"},
    .summary = "the two ranks exchange the blocks that they have for each other",
    .run = alltoall_two_procs,
    .needs = {&need_two},
    .peers = PEERS_SHIFT,
    .same_as = same_always,
    .cost = "p = 2: alpha + m beta",
    .formula = formula,
    .source = "Open MPI 4.1, alltoall two_procs",
};
