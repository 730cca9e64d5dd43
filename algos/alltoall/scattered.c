// What:   Every rank exchanges blocks with max_requests ranks at a time, its own number counted among the first ones:
//         it posts a receive from each rank of the batch, then a send to each, and waits for all of them before the
//         next batch. In linear_sync, a rank posts more as soon as two of its requests have completed.
// Cost:   T = (p-1) (alpha + m beta). m is the size of the block for one rank, in bytes. max_requests does not change
//         T.
// Source: alltoall scattered: MPICH, alltoall scattered.
//         alltoallv scattered: MPICH, alltoallv scattered.
//         The library's own message to itself is a copy here.
// Needs:  nothing.
//
//   p = 8, max_requests = 4      r -> r-1   r -> r-2   r -> r-3      r -> r-4   r -> r-5   r -> r-6   r -> r-7
#include "coll.h"
#include "times/times.h"

static void alltoall_scattered(const Coll *c)
{
    const int p = c->p, batch = c->par.max_requests == 0 || c->par.max_requests > p ? p : c->par.max_requests;
    const Blocks in = coll_in(c), out = coll_out(c);
    coll_copy(c, block(&out, c->rank), block(&in, c->rank));
    for (int first = 0; first < p; first += batch) {
        const int end = batch < p - first ? first + batch : p;
        for (int i = first ? first : 1; i < end; i++)
            coll_irecv(c, (c->rank + i) % p, block(&out, (c->rank + i) % p));
        for (int i = first ? first : 1; i < end; i++)
            coll_isend(c, (c->rank - i + p) % p, block(&in, (c->rank - i + p) % p));
        coll_waitall(c, 0);
    }
}

static int64_t formula(const CollPoint *x)
{
    return (x->p - 1) * u(x, x->m);
}

#define COMMON                                                                                                         \
    .name = "scattered", .run = alltoall_scattered,                                                                    \
    .summary = "every rank exchanges blocks with a batch of ranks at once, then with the next batch",                  \
    .params = {MAX_REQUESTS(32)}, .peers = PEERS_SHIFT, .same_as = same_always, .cost = "(p-1) (alpha + m beta)",      \
    .formula = formula

const CollAlgorithm alltoall_scattered_algorithm = {
    COMMON,
    .collective = COLL_ALLTOALL,
    .aliases = {"mpich:scattered"},
    .source = "MPICH, alltoall scattered",
};

const CollAlgorithm alltoallv_scattered_algorithm = {
    COMMON,
    .collective = COLL_ALLTOALLV,
    .aliases = {"mpich:scattered"},
    .source = "MPICH, alltoallv scattered",
};
