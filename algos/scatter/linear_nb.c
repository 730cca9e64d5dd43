// What:   the root sends every rank its block without waiting; where max_requests is 2 or more, it waits for the send
//         to every rank whose number it divides.
// Cost:   T = (p-1) (alpha + m beta). On one port the sends queue up either way.
// Source: Open MPI 4.1, scatter linear_nb.
// Needs:  nothing.
//
//   p = 8      0 -> 1   0 -> 2   0 -> 3   0 -> 4   0 -> 5   0 -> 6   0 -> 7
#include "coll.h"
#include "times/times.h"

static void scatter_linear_nb(const Coll *c)
{
    if (c->rank != c->root) {
        coll_recv(c, c->root, c->out);
        return;
    }
    const Blocks b = coll_in(c);
    const CollReq sends = coll_mark(c);
    for (int r = 0; r < c->p; r++) {
        if (r == c->root)
            coll_copy(c, c->out, block(&b, r));
        else if (c->par.max_requests > 1 && r % c->par.max_requests == 0)
            coll_send(c, r, block(&b, r));
        else
            coll_isend(c, r, block(&b, r));
    }
    coll_waitall(c, sends);
}

static int64_t formula(const CollPoint *x)
{
    return (x->p - 1) * u(x, x->m);
}

const CollAlgorithm scatter_linear_nb_algorithm = {
    .collective = COLL_SCATTER,
    .name = "linear_nb",
    .aliases = {"ompi:3", "smpi:ompi_linear_nb"},
    .summary = "the root sends every rank its block without waiting, but for one now and then",
    .run = scatter_linear_nb,
    .params = {{"max_requests", PARAM_INT, offsetof(CollParams, max_requests), 0, 0, INT32_MAX, NULL,
                "the root waits for the send to every rank that it divides; 0, 1: to none", false}},
    .peers = PEERS_ABSOLUTE,
    .same_as = same_linear,
    .cost = "(p-1) (alpha + m beta)",
    .formula = formula,
    .source = "Open MPI 4.1, scatter linear_nb",
};
