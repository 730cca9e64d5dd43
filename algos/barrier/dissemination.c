// What:   In rounds d = 1, k, k^2 .., rank r signals the ranks r+d, r+2d .. r+(k-1)d, and waits for a signal from the
//         ranks r-d, r-2d .. r-(k-1)d. A signal is an empty message.
// Cost:   T = N alpha, N = (k-1)(h-1) + floor((p-1)/k^(h-1)), h = ceil(log_k p); k = 2: ceil(log2 p). N is the number
//         of messages that a rank sends.
// Source: Hensgen, Finkel, Manber 1988; Open MPI 4.1, barrier bruck; MPICH, barrier dissemination.
// Needs:  nothing.
//
//   p = 8      round 1   r -> r+1
//              round 2   r -> r+2
//              round 3   r -> r+4
#include "coll.h"
#include "times/times.h"

static void barrier_dissemination(const Coll *c)
{
    const int p = c->p, k = c->par.radix;
    for (int64_t d = 1; d < p; d *= k)
        for (int j = 1; j < k && j * d < p; j++) {
            const int far = (int)(j * d);
            coll_sendrecv(c, (c->rank + far) % p, c->out, (c->rank - far + p) % p, c->out);
        }
}

static int64_t formula(const CollPoint *x)
{
    return times_knomial_rounds(x->p, x->par.radix) * x->alpha;
}

const CollAlgorithm barrier_dissemination_algorithm = {
    .collective = COLL_BARRIER,
    .name = "dissemination",
    .aliases = {"ompi:4", "mpich:dissemination", "smpi:ompi_bruck", "intel:1"},
    .summary = "every rank signals k-1 ranks at multiples of the distance 1, k, k^2 ..",
    .run = barrier_dissemination,
    .params = {RADIX(2, "k, the growth factor of a round")},
    .peers = PEERS_SHIFT,
    .same_as = same_always,
    .cost = "N alpha, N = (k-1)(h-1) + floor((p-1)/k^(h-1)), h = ceil(log_k p); k = 2: ceil(log2 p)",
    .formula = formula,
    .source = "Hensgen, Finkel, Manber 1988; Open MPI 4.1, barrier bruck; MPICH, barrier dissemination",
};
