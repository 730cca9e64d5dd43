// What:   The two ranks signal each other.
// Cost:   T = alpha.
// Source: Open MPI 4.1, barrier two_procs.
// Needs:  p = 2.
//
//   p = 2      0 <-> 1
#include "coll.h"
#include "times/times.h"

static void barrier_two_procs(const Coll *c)
{
    coll_sendrecv(c, 1 - c->rank, c->out, 1 - c->rank, c->out);
}

static int64_t formula(const CollPoint *x)
{
    return x->alpha;
}

const CollAlgorithm barrier_two_procs_algorithm = {
    .collective = COLL_BARRIER,
    .name = "two_procs",
    .aliases = {"ompi:5", "smpi:ompi_two_procs"},
    .summary = "the two ranks signal each other",
    .run = barrier_two_procs,
    .needs = {&need_two},
    .peers = PEERS_XOR,
    .same_as = same_always,
    .cost = "alpha",
    .formula = formula,
    .source = "Open MPI 4.1, barrier two_procs",
};
