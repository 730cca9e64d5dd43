// What:   Every rank posts a receive from each other rank and a send to each other rank, the nearest first. linear_sync
//         begins with max_requests receives and as many sends; it posts the next receive and send when two of its
//         requests have completed.
// Cost:   T = (p-1) (alpha + m beta). m is the size of the block for one rank, in bytes. max_requests does not change
//         T.
// Source: alltoall linear: Open MPI 4.1, alltoall basic_linear.
//         alltoall linear_sync: Open MPI 4.1, alltoall linear_sync.
//         alltoallv linear: Open MPI 4.1, alltoallv basic_linear.
//         MPICH waits for all requests that it has posted before it posts more; see scattered.
// Needs:  nothing.
//
//   p = 8      r -> r-1   r -> r-2   ..   r -> r-7
#include "coll.h"
#include "times/times.h"

static void alltoall_linear(const Coll *c)
{
    const int p = c->p, max = c->par.max_requests, at_first = max == 0 || max > p - 1 ? p - 1 : max;
    const Blocks in = coll_in(c), out = coll_out(c);
    coll_copy(c, block(&out, c->rank), block(&in, c->rank));
    for (int i = 1; i <= at_first; i++)
        coll_irecv(c, (c->rank + i) % p, block(&out, (c->rank + i) % p));
    for (int i = 1; i <= at_first; i++)
        coll_isend(c, (c->rank - i + p) % p, block(&in, (c->rank - i + p) % p));
    for (int i = at_first + 1; i < p; i++) {
        const int from = (c->rank + i) % p, to = (c->rank - i + p) % p;
        coll_throttle(c, 2 * max - 1);
        coll_irecv(c, from, block(&out, from));
        coll_isend(c, to, block(&in, to));
    }
    coll_waitall(c, 0);
}

static int64_t formula(const CollPoint *x)
{
    return (x->p - 1) * u(x, x->m);
}

#define COMMON                                                                                                         \
    .run = alltoall_linear, .peers = PEERS_SHIFT, .same_as = same_always, .cost = "(p-1) (alpha + m beta)",            \
    .formula = formula

const CollAlgorithm alltoall_linear_algorithm = {
    COMMON,
    .collective = COLL_ALLTOALL,
    .name = "linear",
    .aliases = {"ompi:1", "smpi:basic_linear", "intel:2"},
    .summary = "every rank sends to all other ranks at once",
    .source = "Open MPI 4.1, alltoall basic_linear",
};

const CollAlgorithm alltoall_linear_sync_algorithm = {
    COMMON,
    .collective = COLL_ALLTOALL,
    .name = "linear_sync",
    .aliases = {"ompi:4", "smpi:mvapich2_scatter_dest"},
    .presets = {{"smpi:mvapich2_scatter_dest", "max_requests", 4}},
    .summary = "every rank sends to all other ranks, to a few of them at a time",
    .params = {MAX_REQUESTS(0)},
    .source = "Open MPI 4.1, alltoall linear_sync",
};

const CollAlgorithm alltoallv_linear_algorithm = {
    COMMON,
    .collective = COLL_ALLTOALLV,
    .name = "linear",
    .aliases = {"ompi:1", "smpi:ompi_basic_linear", "intel:1"},
    .summary = "every rank sends to all other ranks at once",
    .source = "Open MPI 4.1, alltoallv basic_linear",
};
