// What:   The root posts the sends of all blocks without waiting. If max_requests is 2 or more, the root waits for the
//         send to every rank whose number is a multiple of max_requests.
// Cost:   T = (p-1) (alpha + m beta). m is the size of a block, in bytes. On one port the sends leave one after the
//         other in both cases.
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
    .summary = "the root sends the blocks without waiting, except for a blocking send now and then",
    .run = scatter_linear_nb,
    .params = {{"max_requests", PARAM_INT, offsetof(CollParams, max_requests), 0, 0, INT32_MAX, NULL,
                "the root waits for the sends to ranks that are multiples of this; 0 and 1: it waits for none",
                CUT_NOT}},
    .peers = PEERS_ABSOLUTE,
    .same_as = same_linear,
    .cost = "(p-1) (alpha + m beta)",
    .formula = formula,
    .source = "Open MPI 4.1, scatter linear_nb",
};
