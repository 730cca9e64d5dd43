// What:   In rounds d = 1, k, k^2 .., rank r signals the ranks r+d, r+2d .. r+(k-1)d, and waits for a signal from the
//         ranks r-d, r-2d .. r-(k-1)d, all modulo p. A signal is an empty message, and those of a round are under way
//         together. In the last round some of these ranks may have been signalled before; they are signalled again. k
//         is at most p.
// Cost:   T = N alpha, N = (k-1) ceil(log_k p) less the signals to itself. N is the number of messages that a rank
//         sends.
// Source: MPICH main, barrier k_dissemination.
// Needs:  nothing.
//
//   p = 5, k = 3      round 1   r -> r+1   r -> r+2
//                     round 2   r -> r+3   r -> r+1
#include "coll.h"
#include "times/times.h"

static int growth(int p, int radix)
{
    return radix < p ? radix : p;
}

static void barrier_k_dissemination(const Coll *c)
{
    const int p = c->p, k = growth(p, c->par.radix);
    for (int64_t d = 1; d < p; d *= k) {
        const CollReq round = coll_mark(c);
        for (int j = 1; j < k; j++) {
            const int far = (int)(j * d % p);
            if (far == 0)
                continue;
            coll_irecv(c, (c->rank - far + p) % p, c->out);
            coll_isend(c, (c->rank + far) % p, c->out);
        }
        coll_waitall(c, round);
    }
}

static int64_t formula(const CollPoint *x)
{
    const int k = growth(x->p, x->par.radix);
    int64_t messages = 0;
    for (int64_t d = 1; d < x->p; d *= k)
        for (int j = 1; j < k; j++)
            messages += j * d % x->p != 0;
    return messages * x->alpha;
}

const CollAlgorithm barrier_k_dissemination_algorithm = {
    .collective = COLL_BARRIER,
    .name = "k_dissemination",
    .aliases = {"mpich:k_dissemination"},
    .summary = "dissemination with k-1 signals in every round, all under way together",
    .run = barrier_k_dissemination,
    .params = {RADIX(2, "k, the growth factor of a round")},
    .peers = PEERS_SHIFT,
    .same_as = same_always,
    .cost = "N alpha, N = (k-1) ceil(log_k p) less the signals to itself",
    .formula = formula,
    .source = "MPICH main, barrier k_dissemination",
};
