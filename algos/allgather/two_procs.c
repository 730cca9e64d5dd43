// What:   The two ranks exchange their blocks.
// Cost:   p = 2: alpha + m beta. m is the size of a block, in bytes.
// Source: allgather two_procs: Open MPI 4.1, allgather two_procs.
//         allgatherv two_procs: Open MPI 4.1, allgatherv two_procs.
// Needs:  p = 2.
//
//   p = 2      0-1
#include "coll.h"
#include "times/times.h"

static void allgather_two_procs(const Coll *c)
{
    const int other = 1 - c->rank;
    const Blocks b = coll_out(c);
    coll_copy(c, block(&b, c->rank), c->in);
    coll_sendrecv(c, other, c->in, other, block(&b, other));
}

static int64_t formula(const CollPoint *x)
{
    return u(x, x->m);
}

#define COMMON                                                                                                         \
    .name = "two_procs", .summary = "the two ranks exchange their blocks", .run = allgather_two_procs,                 \
    .needs = {&need_two}, .peers = PEERS_SHIFT, .same_as = same_always, .cost = "p = 2: alpha + m beta",               \
    .formula = formula

const CollAlgorithm allgather_two_procs_algorithm = {
    COMMON,
    .collective = COLL_ALLGATHER,
    .aliases = {"ompi:6"},
    .source = "Open MPI 4.1, allgather two_procs",
};

const CollAlgorithm allgatherv_two_procs_algorithm = {
    COMMON,
    .collective = COLL_ALLGATHERV,
    .aliases = {"ompi:5"},
    .source = "Open MPI 4.1, allgatherv two_procs",
};
