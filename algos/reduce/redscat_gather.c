// What:   Recursive halving reduces each part of the vector to one rank; then the parts are gathered at the root, in
//         messages that double. If p is not a power of two, each odd rank of the first pairs first folds into its even
//         neighbour. See shapes/butterfly.c and shapes/fold.c.
// Cost:   p = 2^d: 2 d alpha + (p-1)/p m (2 beta + gamma); else, P = 2^f: mpich (2f+1) alpha + (1 + 2(P-1)/P) m beta +
//         (1 + (P-1)/P) m gamma; ompi alpha more, m/2 gamma less. mpich and ompi are the values of prestep, and
//         f = floor(log2 p). If the root is folded away, T is larger by alpha + m/P beta.
// Source: Rabenseifner 2004; Open MPI 4.1, reduce redscat_gather; MPICH, reduce_scatter_gather.
// Needs:  a commutative operation, count >= 2^floor(log2 p); else linear runs.
//
//   p = 8      halving    r xor 1 (m/2)   r xor 2 (m/4)   r xor 4 (m/8)
//              gather     4 .. 7 -> 0 .. 3 (m/8)   2 3 -> 0 1 (m/4)   1 -> 0 (m/2)
#include "coll.h"
#include "times/times.h"

// Translates v to a rank. The even rank of each pair plays under both pre-steps, so rank 0 always plays.
static int player(const Coll *up, int v)
{
    return fold_ranks(up, PRESTEP_OMPI).map(up, v);
}

static bool root_folded(const Coll *c)
{
    return c->root % 2 == 1 && c->root < 2 * (c->p - pow2_floor(c->p));
}

// Translates v to a rank during the gather, where a root that was folded away takes the place of rank 0.
static int gatherer(const Coll *up, int v)
{
    return v == 0 && root_folded(up) ? up->root : player(up, v);
}

// Gathers the parts at rank `top` of the group, by the steps of the halving backwards.
static void gather(const Coll *c, const Parts *part, int top)
{
    for (int m = c->p / 2; m >= 1; m /= 2) {
        const int peer = c->rank ^ m;
        if ((c->rank ^ top) & m) {
            coll_send(c, peer, parts_left(part, c->rank, m));
            return;
        }
        coll_recv(c, peer, parts_left(part, peer, m));
    }
}

static void reduce_redscat_gather(const Coll *c)
{
    const int P = pow2_floor(c->p), r = c->p - P;
    const Slice acc = reduce_acc(c);
    const Parts part = {
        .blocks = blocks_even(c, acc, P), .n = P, .k = 2, .nearest = true, .cut_anew = c->par.prestep == PRESTEP_OMPI};
    const Fold f = fold_ranks(c, PRESTEP_OMPI);
    int v = f.v;
    coll_copy(c, acc, c->in);
    fold_reduce(c, &f, c->par.prestep, acc);
    if (v >= 0) {
        const Coll group = coll_sub(c, P, v, player);
        coll_phase(&group, "reduce-scatter");
        parts_halve(&group, &part);
    }
    if (root_folded(c) && (c->rank == 0 || c->rank == c->root)) {
        coll_phase(c, "to the root");
        const Slice first = parts_left(&part, 0, P / 2);
        if (c->rank == 0)
            coll_send(c, c->root, first);
        else
            coll_recv(c, 0, first);
        v = c->rank == 0 ? -1 : 0;
    }
    if (v >= 0) {
        const Coll group = coll_sub(c, P, v, gatherer);
        coll_phase(&group, "gather");
        gather(&group, &part, root_folded(c) ? 0 : c->root < 2 * r ? c->root / 2 : c->root - r);
    }
}

static int64_t formula(const CollPoint *x)
{
    const int f = log2_floor(x->p), P = 1 << f;
    const int64_t part = x->m - x->m / P; // (P-1)/P m
    if (is_pow2(x->p))
        return 2 * f * x->alpha + part * (2 * x->beta + x->gamma);
    if (x->par.prestep == PRESTEP_OMPI)
        return (2 * f + 2) * x->alpha + (x->m + 2 * part) * x->beta + (x->m / 2 + part) * x->gamma;
    return (2 * f + 1) * x->alpha + (x->m + 2 * part) * x->beta + (x->m + part) * x->gamma;
}

// The ranks that are folded away have the same schedule. So do other ranks that send in the same step of the gather, if
// they agree on whether a rank folds into them.
static int same_as(const Coll *c)
{
    const int r = c->p - pow2_floor(c->p);
    if (same_fold_even(c) == c->rank || c->root != 0)
        return coll_v(c);
    const int v = fold_ranks(c, PRESTEP_OMPI).v, high = v > 0 ? pow2_floor(v) : 0;
    return v < 0 ? 1 : v < r ? 2 * high : (high > r ? high : r) + r;
}

const CollAlgorithm reduce_redscat_gather_algorithm = {
    .collective = COLL_REDUCE,
    .name = "redscat_gather",
    .aliases = {"ompi:7", "rabenseifner", "mpich:reduce_scatter_gather", "smpi:scatter_gather", "smpi:rab",
                "libnbc:rabenseifner", "intel:5"},
    .presets = {{"mpich:reduce_scatter_gather", "prestep", PRESTEP_MPICH},
                {"smpi:scatter_gather", "prestep", PRESTEP_MPICH}},
    .summary = "a recursive-halving reduce-scatter, then a binomial gather",
    .run = reduce_redscat_gather,
    .needs = {&need_commutative, &need_count_pow2},
    .otherwise = "linear",
    .params = {PRESTEP},
    .peers = PEERS_XOR,
    .same_as = same_as,
    .cost = "p = 2^d: 2 d alpha + (p-1)/p m (2 beta + gamma); else, P = 2^f: mpich (2f+1) alpha + "
            "(1 + 2(P-1)/P) m beta + (1 + (P-1)/P) m gamma; ompi alpha more, m/2 gamma less",
    .formula = formula,
    .source = "Rabenseifner 2004; Open MPI 4.1, reduce redscat_gather; MPICH, reduce_scatter_gather",
};
