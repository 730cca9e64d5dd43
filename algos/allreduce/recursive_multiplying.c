// What:   In log_k p rounds, groups of k ranks at distance 1, k, k^2 .. exchange their whole vectors, all with all, and
//         reduce. If p is not a power of k, ranks fold into others first and get the result at the end: with P =
//         k^floor(log_k p), rank r >= P folds into rank r mod P; in recexch, runs of up to k ranks fold into their last
//         rank. In recursive_knomial, pairs fold until f k^d ranks are left, f = floor(p/P), and the last groups are of
//         f ranks. See shapes/fold.h for the folds, and shapes/butterfly.h for the peers.
// Cost:   allreduce recursive_multiplying: T = (2N + (k-1) d) (alpha + m beta) + (N + (k-1) d) m gamma, P = k^d <= p <
//         k P, N = ceil((p-P)/P); eager: (N-1) (alpha + m beta) less where N > 0; rendezvous, N > 0, k > 2: at least
//         that.
//         allreduce recexch: T = (2N + (k-1) d) (alpha + m beta) + (N + (k-1) d) m gamma, P = k^d <= p < k P, N =
//         min(k-1, p-P); eager: (N-1) (alpha + m beta) less where N > 0; rendezvous, N > 0, k > 2: at least that.
//         allreduce recursive_knomial: N = (k-1) d + f-1, P = k^d <= p < k P, f = floor(p/P): N (alpha + m beta + m
//         gamma); p != f P: 2 (alpha + m beta) + m gamma more; rendezvous, k > 2, p != f P: at least that.
//         In the other two, N is the largest number of ranks that fold into one. "At least that": early messages can
//         take ports that late ones need, so T can be larger than the formula.
// Source: allreduce recursive_multiplying: Wilkins et al. 2023; MPICH, recursive_multiplying.
//         allreduce recexch: MPICH, recexch.
//         allreduce recursive_knomial: UCC, allreduce knomial.
//         Here a rank takes its peers in an order in which no two ranks send to the same rank at a time.
// Needs:  allreduce recursive_multiplying: a commutative operation or p = radix^d; else recursive_doubling runs.
//         allreduce recexch: nothing.
//         allreduce recursive_knomial: nothing.
//
//   p = 9, k = 3      {0,1,2} {3,4,5} {6,7,8}      {0,3,6} {1,4,7} {2,5,8}
#include "coll.h"
#include "times/times.h"

// Replaces every rank's vector by the reduction over the ranks of the group, in their order.
static void exchange(const Coll *c)
{
    const Slice acc = c->out;
    const Slice inboxes = coll_scratch(c, c->p > 1 ? (size_t)butterfly_base(c->p, c->par.radix, 1) * acc.len : 0);
    coll_phase(c, "exchange");
    for (int m = 1, k; m < c->p; m *= k) {
        k = butterfly_base(c->p, c->par.radix, m);
        const int digit = c->rank / m % k, first = c->rank - digit * m;
        const CollReq all = coll_mark(c);
        for (int j = 1; j < k; j++) {
            const int from = butterfly_digit_peer(c->rank, k, m, -j);
            coll_irecv(c, from, slice_at(inboxes, (size_t)((from - first) / m) * acc.len, acc.len));
            coll_isend(c, butterfly_digit_peer(c->rank, k, m, j), acc);
        }
        coll_waitall(c, all);
        for (int i = digit - 1; i >= 0; i--)
            coll_reduce(c, acc, slice_at(inboxes, (size_t)i * acc.len, acc.len), acc);
        for (int i = digit + 1; i < k; i++)
            coll_reduce(c, acc, acc, slice_at(inboxes, (size_t)i * acc.len, acc.len));
    }
}

static void allreduce_recursive_multiplying(const Coll *c)
{
    const FoldRadix f = fold_beyond(c);
    fold_radix_run(c, &f, exchange);
}

static void allreduce_recexch(const Coll *c)
{
    const FoldRadix f = fold_runs(c);
    fold_radix_run(c, &f, exchange);
}

static void allreduce_recursive_knomial(const Coll *c)
{
    const FoldRadix f = fold_pairs(c);
    fold_radix_run(c, &f, exchange);
}

static bool in_order_holds(const Coll *c)
{
    return c->commutative || pow_floor(c->p, c->par.radix) == c->p;
}
static const CollNeed need_in_order = {in_order_holds, "not commutative, and p is not radix^d",
                                       "a commutative operation or p = radix^d"};

// Returns T if up to N ranks fold into one. Returns -1 under rendezvous if ranks fold and k > 2: messages of ranks into
// which no rank folds may then take a port that the message of a late rank needs.
static int64_t time_with(const CollPoint *x, int N)
{
    int64_t n = 0; // the number of exchanges
    if (!x->eager && N > 0 && x->par.radix > 2 && x->par.radix <= x->p)
        return -1;
    for (int64_t P = x->par.radix; P <= x->p; P *= x->par.radix)
        n += x->par.radix - 1;
    const int64_t in = x->eager && N > 0 ? 1 : N; // under eager all vectors that fold into a rank arrive at once
    return (in + n + N) * u(x, x->m) + (N + n) * g(x, x->m);
}

static int64_t formula_multiplying(const CollPoint *x)
{
    return time_with(x, (x->p - 1) / pow_floor(x->p, x->par.radix));
}

static int64_t formula_recexch(const CollPoint *x)
{
    const int out = x->p - pow_floor(x->p, x->par.radix);
    return time_with(x, out < x->par.radix - 1 ? out : x->par.radix - 1);
}

// Here a rank has one other folded into it or none, and the last groups are of floor(p/P) ranks.
static int64_t formula_knomial(const CollPoint *x)
{
    const int k = x->par.radix, P = pow_floor(x->p, k), out = x->p % P;
    if (!x->eager && out && k > 2)
        return -1;
    const int64_t n = (P > 1 ? times_knomial_rounds(P, k) : 0) + x->p / P - 1;
    return (n + (out ? 2 : 0)) * u(x, x->m) + (n + (out ? 1 : 0)) * g(x, x->m);
}

#define COMMON                                                                                                         \
    .collective = COLL_ALLREDUCE, .ordered = true, .peers = PEERS_XOR,                                                 \
    .unknown = "rendezvous and ranks fold: early messages take ports that late ones need"
#define COST  "(2N + (k-1) d) (alpha + m beta) + (N + (k-1) d) m gamma, P = k^d <= p < k P, N = "
#define EAGER "; eager: (N-1) (alpha + m beta) less where N > 0; rendezvous, N > 0, k > 2: at least that"

const CollAlgorithm allreduce_recursive_multiplying_algorithm = {
    COMMON,
    .name = "recursive_multiplying",
    .aliases = {"mpich:recursive_multiplying"},
    .summary = "groups of k ranks at distance 1, k, k^2 .. exchange their whole vectors, all with all",
    .run = allreduce_recursive_multiplying,
    .needs = {&need_in_order},
    .otherwise = "recursive_doubling",
    .params = {RADIX(2, "k, the number of ranks that exchange all with all")},
    .same_as = same_fold_beyond,
    .cost = COST "ceil((p-P)/P)" EAGER,
    .formula = formula_multiplying,
    .source = "Wilkins et al. 2023; MPICH, recursive_multiplying",
};

const CollAlgorithm allreduce_recexch_algorithm = {
    COMMON,
    .name = "recexch",
    .aliases = {"mpich:recexch"},
    .summary = "recursive multiplying that keeps the order of the ranks: runs of k ranks fold if p is not a power of k",
    .run = allreduce_recexch,
    .params = {RADIX(2, "k, the number of ranks that exchange all with all")},
    .same_as = same_fold_runs,
    .cost = COST "min(k-1, p-P)" EAGER,
    .formula = formula_recexch,
    .source = "MPICH, recexch",
};

const CollAlgorithm allreduce_recursive_knomial_algorithm = {
    COMMON,
    .name = "recursive_knomial",
    .aliases = {"ucc:knomial"},
    .summary = "recursive multiplying among f k^d ranks, f < k: pairs fold until such a number is left",
    .run = allreduce_recursive_knomial,
    .params = {RADIX_OF_PAIRS(4, "k, the number of ranks that exchange all with all")},
    .pattern = symmetry_fold_pairs,
    .cost =
        "N = (k-1) d + f-1, P = k^d <= p < k P, f = floor(p/P): N (alpha + m beta + m gamma); p != f P: 2 (alpha + m "
        "beta) + m gamma more; rendezvous, k > 2, p != f P: at least that",
    .formula = formula_knomial,
    .source = "UCC, allreduce knomial",
};
