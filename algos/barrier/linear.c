// What:   Every rank signals rank 0; then rank 0 signals every rank.
// Cost:   T = 2(p-1) alpha; eager: p alpha.
// Source: Open MPI 4.1, barrier basic_linear.
// Needs:  nothing.
//
//   p = 8      1 -> 0   2 -> 0   ..   7 -> 0      0 -> 1   0 -> 2   ..   0 -> 7
#include "coll.h"
#include "times/times.h"

static void barrier_linear(const Coll *c)
{
    coll_phase(c, "gather");
    if (c->rank > 0) {
        coll_send(c, 0, c->out);
        coll_phase(c, "release");
        coll_recv(c, 0, c->out);
        return;
    }
    for (int r = 1; r < c->p; r++)
        coll_recv(c, r, c->out);
    coll_phase(c, "release");
    for (int r = 1; r < c->p; r++)
        coll_send(c, r, c->out);
}

static int64_t formula(const CollPoint *x)
{
    return (x->eager && x->p > 1 ? x->p : 2 * (x->p - 1)) * x->alpha;
}

const CollAlgorithm barrier_linear_algorithm = {
    .collective = COLL_BARRIER,
    .name = "linear",
    .aliases = {"ompi:1", "smpi:ompi_basic_linear"},
    .summary = "every rank signals rank 0, then rank 0 signals every rank",
    .run = barrier_linear,
    .peers = PEERS_ABSOLUTE,
    .same_as = same_linear,
    .cost = "2(p-1) alpha; eager: p alpha",
    .formula = formula,
    .source = "Open MPI 4.1, barrier basic_linear",
};
