// What:   recursive halving reduces each part of the vector to one rank, recursive doubling gathers the parts again.
//         Where p is no power of two, pairs fold into one rank first and get the result at the end.
// Cost:   p = 2^d: T = 2 d alpha + (p-1)/p m (2 beta + gamma). Other p, P = 2^f: as `cost` below says.
// Source: Thakur, Rabenseifner, Gropp 2005; Open MPI 4.1 allreduce rabenseifner, MPICH reduce_scatter_allgather.
// Needs:  2^floor(log2 p) elements and a commutative operation; else recursive doubling runs.
//
//   p = 8      halving    r xor 1 (m/2)   r xor 2 (m/4)   r xor 4 (m/8)
//              doubling   r xor 4 (m/8)   r xor 2 (m/4)   r xor 1 (m/2)
#include "coll.h"

// The parts [from, to) of P that rank v holds once the vector was halved by masks 1 .. below m, nearest first.
static void held(const Coll *c, int m, int *from, int *to)
{
    *from = 0;
    *to = c->p;
    for (int i = 1; i < m; i *= 2) {
        const int mid = (*from + *to) / 2;
        *(c->rank & i ? from : to) = mid;
    }
}

static void halve_and_double(const Coll *c, Slice acc)
{
    const Blocks part = blocks_even(c, acc, c->p);
    const Slice inbox = coll_scratch(c, blocks(&part, 0, (c->p + 1) / 2).len);
    int from, to;
    for (int m = 1; m < c->p; m *= 2) {
        held(c, m, &from, &to);
        const int mid = (from + to) / 2, upper = (c->rank & m) != 0;
        const Slice keep = upper ? blocks(&part, mid, to) : blocks(&part, from, mid);
        const Slice give = upper ? blocks(&part, from, mid) : blocks(&part, mid, to);
        coll_sendrecv(c, c->rank ^ m, give, c->rank ^ m, slice_like(inbox, keep));
        coll_reduce(c, keep, keep, slice_like(inbox, keep));
    }
    for (int m = c->p / 2; m >= 1; m /= 2) {
        held(c, m, &from, &to);
        const int mid = (from + to) / 2, upper = (c->rank & m) != 0;
        const Slice have = upper ? blocks(&part, mid, to) : blocks(&part, from, mid);
        const Slice want = upper ? blocks(&part, from, mid) : blocks(&part, mid, to);
        coll_sendrecv(c, c->rank ^ m, have, c->rank ^ m, want);
    }
}

static void allreduce_rabenseifner(const Coll *c)
{
    const Fold f = fold_ranks(c, c->par.prestep);
    coll_copy(c, c->out, c->in);
    fold_reduce(c, &f, c->par.prestep, c->out);
    if (f.v >= 0) {
        const Coll group = coll_sub(c, pow2_floor(c->p), f.v, f.map);
        halve_and_double(&group, c->out);
    }
    fold_return(c, &f, c->out);
}

static int64_t formula(const CollPoint *x)
{
    const int f = log2_floor(x->p), P = 1 << f;
    const int64_t part = x->m - x->m / P; // (P-1)/P m
    if (is_pow2(x->p))
        return 2 * f * x->alpha + part * (2 * x->beta + x->gamma);
    if (x->par.prestep == PRESTEP_OMPI)
        return (2 * f + 3) * x->alpha + (2 * x->m + 2 * part) * x->beta + (x->m / 2 + part) * x->gamma;
    return (2 * f + 2) * x->alpha + (2 * x->m + 2 * part) * x->beta + (x->m + part) * x->gamma;
}

const CollAlgorithm allreduce_rabenseifner_algorithm = {
    .collective = COLL_ALLREDUCE,
    .name = "rabenseifner",
    .aliases = {"ompi:6", "mpich:reduce_scatter_allgather"},
    .summary = "recursive-halving reduce-scatter, then recursive-doubling allgather",
    .run = allreduce_rabenseifner,
    .needs = {&need_commutative, &need_count_pow2},
    .otherwise = "recursive_doubling",
    .params = {PRESTEP},
    .peers = PEERS_XOR,
    .same_as = same_fold_even,
    .cost = "p = 2^d: 2 d alpha + (p-1)/p m (2 beta + gamma); else, P = 2^f: ompi (2f+3) alpha + (2 + 2(P-1)/P) m beta "
            "+ (1/2 + (P-1)/P) m gamma, mpich (2f+2) alpha + (2 + 2(P-1)/P) m beta + (1 + (P-1)/P) m gamma",
    .formula = formula,
    .source = "Thakur, Rabenseifner, Gropp 2005; Open MPI 4.1, allreduce rabenseifner; MPICH, reduce_scatter_allgather",
};
