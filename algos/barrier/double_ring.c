// What:   A signal travels around the ring of the ranks twice. After the first round rank 0 knows that all ranks have
//         entered the barrier; the second round lets them leave.
// Cost:   T = 2 p alpha.
// Source: Open MPI 4.1, barrier double_ring.
// Needs:  nothing.
//
//   p = 8, twice      0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> 0
#include "coll.h"
#include "times/times.h"

static void barrier_double_ring(const Coll *c)
{
    const int right = (c->rank + 1) % c->p, left = (c->rank + c->p - 1) % c->p;
    for (int round = 0; round < 2 && c->p > 1; round++) {
        coll_phase(c, round == 0 ? "first round" : "second round");
        if (c->rank > 0)
            coll_recv(c, left, c->out);
        coll_send(c, right, c->out);
        if (c->rank == 0)
            coll_recv(c, left, c->out);
    }
}

static int64_t formula(const CollPoint *x)
{
    return x->p == 1 ? 0 : 2 * x->p * x->alpha;
}

const CollAlgorithm barrier_double_ring_algorithm = {
    .collective = COLL_BARRIER,
    .name = "double_ring",
    .aliases = {"ompi:2", "smpi:ompi_doublering"},
    .summary = "a signal travels around the ring twice",
    .run = barrier_double_ring,
    .peers = PEERS_SHIFT,
    .same_as = same_linear,
    .cost = "2 p alpha",
    .formula = formula,
    .source = "Open MPI 4.1, barrier double_ring",
};
