// What:   In round i = 0, 1 .., pairs of ranks at distance 2^i signal each other. With P = 2^floor(log2 p), the ranks
//         from P on do not take part: they first signal a partner below P, and wait for its signal at the end.
// Cost:   T = (f+2e) alpha, f = floor(log2 p), e = 0 if p = 2^f else 1.
// Source: Open MPI 4.1, barrier recursive_doubling.
// Needs:  nothing.
//
//   p = 6      4 -> 0   5 -> 1      0-1   2-3      0-2   1-3      0 -> 4   1 -> 5
#include "coll.h"
#include "times/times.h"

static void barrier_recursive_doubling(const Coll *c)
{
    const int P = pow2_floor(c->p), r = c->p - P;
    coll_phase(c, "fold");
    if (c->rank >= P) {
        coll_sendrecv(c, c->rank - P, c->out, c->rank - P, c->out);
        return;
    }
    if (c->rank < r)
        coll_recv(c, c->rank + P, c->out);
    coll_phase(c, "doubling");
    for (int m = 1; m < P; m *= 2)
        coll_sendrecv(c, c->rank ^ m, c->out, c->rank ^ m, c->out);
    coll_phase(c, "unfold");
    if (c->rank < r)
        coll_send(c, c->rank + P, c->out);
}

static int64_t formula(const CollPoint *x)
{
    return (log2_floor(x->p) + 2 * !is_pow2(x->p)) * x->alpha;
}

// There are three kinds of ranks: those below P with a partner, those below P without one, and those from P on.
static int same_as(const Coll *c)
{
    const int P = pow2_floor(c->p), r = c->p - P;
    return c->rank >= P ? P : c->rank < r ? 0 : r;
}

const CollAlgorithm barrier_recursive_doubling_algorithm = {
    .collective = COLL_BARRIER,
    .name = "recursive_doubling",
    .aliases = {"ompi:3", "smpi:ompi_recursivedoubling", "smpi:mvapich2_pair", "intel:2"},
    .summary = "pairs at distance 1, 2, 4 .. signal each other",
    .run = barrier_recursive_doubling,
    .peers = PEERS_XOR,
    .same_as = same_as,
    .cost = "(f+2e) alpha, f = floor(log2 p), e = 0 if p = 2^f else 1",
    .formula = formula,
    .source = "Open MPI 4.1, barrier recursive_doubling",
};
