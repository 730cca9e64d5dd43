// What:   The root sends the whole message to every other rank. It posts all sends at once; on one port they leave one
//         after the other.
// Cost:   T = (p-1) (alpha + m beta). The root sends all p-1 messages.
// Source: Open MPI 4.1, bcast basic_linear.
// Needs:  nothing.
//
//   p = 8      0 -> 1   0 -> 2   0 -> 3   0 -> 4   0 -> 5   0 -> 6   0 -> 7
#include "coll.h"
#include "times/times.h"

static void bcast_linear(const Coll *c)
{
    if (c->rank != c->root) {
        coll_recv(c, c->root, c->out);
        return;
    }
    for (int r = 0; r < c->p; r++)
        if (r != c->root)
            coll_isend(c, r, c->out);
    coll_waitall(c, 0);
}

static int64_t formula(const CollPoint *x)
{
    return (x->p - 1) * u(x, x->m);
}

const CollAlgorithm bcast_linear_algorithm = {
    .collective = COLL_BCAST,
    .name = "linear",
    .aliases = {"ompi:1", "smpi:flattree", "libnbc:linear"},
    .summary = "the root sends the message to every rank in turn",
    .run = bcast_linear,
    .peers = PEERS_ABSOLUTE,
    .same_as = same_linear,
    .cost = "(p-1) (alpha + m beta)",
    .formula = formula,
    .source = "Open MPI 4.1, bcast basic_linear",
};
