// What:   In every round, groups of k ranks at distance 1, k, k^2 .. exchange signals, each rank with the k-1 others.
//         If p is not a power of k, the other ranks of a run of up to k ranks first signal the last rank of the run,
//         and wait for its signal at the end. See shapes/fold.h for the runs, and shapes/butterfly.h for the peers.
//         In recursive_knomial, pairs fold until f k^d ranks are left, f = floor(p / k^d), and the last groups are of f
//         ranks.
// Cost:   barrier recexch: p = k^d: (k-1) d alpha; k = 2: (f+2e) alpha, f = floor(log2 p), e = 0 if p = 2^f else 1.
//         barrier recursive_knomial: p = f P, P = k^d <= p < k P: ((k-1) d + f-1) alpha; k = 2, other p: (d+2) alpha.
// Source: barrier recexch: MPICH, barrier recexch.
//         barrier recursive_knomial: UCC, barrier knomial.
// Needs:  nothing.
//
//   p = 9, k = 3      {0,1,2} {3,4,5} {6,7,8}      {0,3,6} {1,4,7} {2,5,8}
#include "coll.h"
#include "times/times.h"

static void exchange(const Coll *c)
{
    coll_phase(c, "exchange");
    for (int m = 1, k; m < c->p; m *= k) {
        k = butterfly_base(c->p, c->par.radix, m);
        const CollReq all = coll_mark(c);
        for (int j = 1; j < k; j++) {
            coll_irecv(c, butterfly_digit_peer(c->rank, k, m, -j), c->out);
            coll_isend(c, butterfly_digit_peer(c->rank, k, m, j), c->out);
        }
        coll_waitall(c, all);
    }
}

// A barrier is an allreduce of empty vectors, whose messages are the signals.
static void barrier_recexch(const Coll *c)
{
    const FoldRadix f = fold_runs(c);
    fold_radix_run(c, &f, exchange);
}

static void barrier_recursive_knomial(const Coll *c)
{
    const FoldRadix f = fold_pairs(c);
    fold_radix_run(c, &f, exchange);
}

static int64_t formula(const CollPoint *x)
{
    const int k = x->par.radix, P = pow_floor(x->p, k);
    if (P != x->p && k > 2)
        return -1;
    return ((P > 1 ? times_knomial_rounds(P, k) : 0) + 2 * (P != x->p)) * x->alpha;
}

const CollAlgorithm barrier_recexch_algorithm = {
    .collective = COLL_BARRIER,
    .name = "recexch",
    .aliases = {"mpich:recexch"},
    .summary = "groups of k ranks at distance 1, k, k^2 .. exchange signals, all with all",
    .run = barrier_recexch,
    .params = {RADIX(2, "k, the number of ranks that signal each other")},
    .peers = PEERS_XOR,
    .same_as = same_fold_runs,
    .cost = "p = k^d: (k-1) d alpha; k = 2: (f+2e) alpha, f = floor(log2 p), e = 0 if p = 2^f else 1",
    .formula = formula,
    .unknown = "k > 2 and p is not a power of k: ranks that have no run begin early, so the ranks are not in step",
    .source = "MPICH, barrier recexch",
};

static int64_t formula_knomial(const CollPoint *x)
{
    const int k = x->par.radix, P = pow_floor(x->p, k), out = x->p % P;
    if (out && k > 2)
        return -1;
    return ((P > 1 ? times_knomial_rounds(P, k) : 0) + x->p / P - 1 + (out ? 2 : 0)) * x->alpha;
}

const CollAlgorithm barrier_recursive_knomial_algorithm = {
    .collective = COLL_BARRIER,
    .name = "recursive_knomial",
    .aliases = {"ucc:knomial"},
    .summary = "recexch among f k^d ranks, f < k: pairs signal until such a number is left",
    .run = barrier_recursive_knomial,
    .params = {RADIX_OF_PAIRS(4, "k, the number of ranks that signal each other")},
    .peers = PEERS_XOR,
    .pattern = symmetry_fold_pairs,
    .cost = "p = f P, P = k^d <= p < k P: ((k-1) d + f-1) alpha; k = 2, other p: (d+2) alpha",
    .formula = formula_knomial,
    .unknown = "k > 2 and p is not f k^d: ranks that are in no pair begin early, so the ranks are not in step",
    .source = "UCC, barrier knomial",
};
