// What:   Every rank posts, for each other rank from the next one on, the receive of its block and the send of its own
//         block to it, then waits for all of them.
// Cost:   T = (p-1) (alpha + m beta). m is the size of a block, in bytes.
// Source: Open MPI main, allgather direct_messaging.
// Needs:  nothing.
//
//   p = 8      r -> r+1   r -> r+2   ..   r -> r+7
#include "coll.h"
#include "times/times.h"

static void allgather_direct(const Coll *c)
{
    const int p = c->p;
    const Blocks b = coll_out(c);
    coll_copy(c, block(&b, c->rank), c->in);
    for (int i = 1; i < p; i++) {
        coll_irecv(c, (c->rank + i) % p, block(&b, (c->rank + i) % p));
        coll_isend(c, (c->rank + i) % p, c->in);
    }
    coll_waitall(c, 0);
}

static int64_t formula(const CollPoint *x)
{
    return (x->p - 1) * u(x, x->m);
}

const CollAlgorithm allgather_direct_algorithm = {
    .collective = COLL_ALLGATHER,
    .name = "direct",
    .aliases = {"ompi-main:8", "smpi:spreading_simple", "ucc:linear", "libnbc:linear"},
    .summary = "every rank sends its block to all other ranks at once",
    .run = allgather_direct,
    .peers = PEERS_SHIFT,
    .same_as = same_always,
    .cost = "(p-1) (alpha + m beta)",
    .formula = formula,
    .source = "Open MPI main, allgather direct_messaging",
};
