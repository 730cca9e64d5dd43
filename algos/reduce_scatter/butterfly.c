// What:   In log2 p rounds, pairs of ranks at distance 1, 2, 4 .. exchange halves of the blocks that they have: each
//         rank sends the half that its peer keeps, and reduces the half that it keeps. This keeps the order of the
//         ranks, but rank v ends with block mirror(v), whose number is v with its bits reversed; so v and mirror(v)
//         exchange their blocks. If p is not a power of two, the even rank of each of the first pairs first sends its
//         vector to the odd rank, and receives its block at the end. See shapes/butterfly.c and shapes/fold.c.
// Cost:   reduce_scatter butterfly: p = 2^d >= 4: (d+1) alpha + m beta + (p-1)/p m gamma; p = 2: alpha + m/2 (beta +
//         gamma); else a recurrence over the ranks' halves.
//         reduce_scatter_block butterfly: p = 2^d: d alpha + (p-1)/p m (beta + gamma); else a recurrence over the
//         ranks' halves.
//         m is the size of the whole vector, in bytes. If p is a power of two, reduce_scatter_block permutes the blocks
//         first, as mirrored does, and needs no exchange at the end.
// Source: reduce_scatter butterfly: Träff 2005; Open MPI 4.1, reduce_scatter butterfly.
//         reduce_scatter_block butterfly: Träff 2005; Open MPI 4.1, reduce_scatter_block butterfly.
//         The paper is in EuroPVM/MPI 2005.
// Needs:  nothing.
//
//   p = 8      r xor 1 (4 blocks)   r xor 2 (2 blocks)   r xor 4 (1 block)
//              1 <-> 4   3 <-> 6 (1 block)
#include "coll.h"
#include "times/times.h"
#include <stdlib.h>

static void reduce_scatter_butterfly(const Coll *c)
{
    const int P = pow2_floor(c->p), r = c->p - P;
    const Fold f = fold_ranks(c, PRESTEP_MPICH);
    const Slice acc = coll_scratch(c, c->in.len);
    const Blocks in = coll_in(c), b = blocks_of(acc, &in);
    coll_copy(c, acc, c->in);
    fold_reduce(c, &f, PRESTEP_MPICH, acc);
    if (f.v < 0) {
        coll_phase(c, "to the owners");
        coll_recv(c, f.map(c, butterfly_mirror(c->rank / 2, P)), c->out);
        return;
    }
    const Coll group = coll_sub(c, P, f.v, f.map);
    const Parts part = {.blocks = b, .n = P, .k = 2, .doubled = r, .nearest = true};
    coll_phase(c, "reduce-scatter");
    parts_halve(&group, &part);
    coll_phase(c, "to the owners");
    const int v = butterfly_mirror(f.v, P),
              owner = f.map(c, v); // this rank has the part of v, and v has the part of this rank
    if (v < r)
        coll_send(c, owner - 1, block(&b, owner - 1));
    if (v == f.v)
        coll_copy(c, c->out, block(&b, c->rank));
    else
        coll_sendrecv(&group, v, block(&b, owner), v, c->out);
}

// Ranks are alike if v xor mirror(v) is equal, because this is the peer of the last exchange relative to v. The lower
// half of its bits determines the upper half.
static int same_as(const Coll *c)
{
    return same_pow2_even(c) == 0 ? (c->rank ^ butterfly_mirror(c->rank, c->p)) & ((1 << log2_floor(c->p) / 2) - 1)
                                  : c->rank;
}

// On a power of two of ranks, every block has the same length, and nothing needs to come back (mirrored.c).
static void reduce_scatter_block_butterfly(const Coll *c)
{
    if (is_pow2(c->p) && !c->counts)
        coll_call(c, &reduce_scatter_block_mirrored_algorithm);
    else
        reduce_scatter_butterfly(c);
}

static int64_t formula(const CollPoint *x)
{
    const int f = log2_floor(x->p), P = 1 << f, r = x->p - P;
    const int64_t one = x->m / x->p;
    if (r == 0)
        return (f + (f >= 2)) * x->alpha + (f >= 2 ? x->m : x->m - one) * x->beta + (x->m - one) * x->gamma;
    int64_t *t = calloc((size_t)P, sizeof *t);
    for (int v = 0; v < r; v++)
        t[v] = u(x, x->m) + g(x, x->m);
    butterfly_halve_time(x, P, true, t);
    for (int v = 0; v < P; v++)
        t[v] += butterfly_mirror(v, P) < r ? u(x, one) : 0;
    for (int v = 0; v < P; v++) {
        const int w = butterfly_mirror(v, P);
        if (v < w)
            t[v] = t[w] = times_exchange(x, t[v], t[w], one, one);
    }
    const int64_t end = times_latest(t, P);
    free(t);
    return end;
}

static int64_t block_formula(const CollPoint *x)
{
    const int64_t one = x->m / x->p;
    return is_pow2(x->p) ? log2_floor(x->p) * x->alpha + (x->m - one) * (x->beta + x->gamma) : formula(x);
}

#define COMMON                                                                                                         \
    .name = "butterfly",                                                                                               \
    .summary = "pairs exchange halves of their blocks, the nearest pairs first; then mirrored ranks exchange a block", \
    .ordered = true, .peers = PEERS_XOR

const CollAlgorithm reduce_scatter_butterfly_algorithm = {
    COMMON,
    .collective = COLL_REDUCE_SCATTER,
    .aliases = {"ompi:4", "smpi:ompi_butterfly"},
    .run = reduce_scatter_butterfly,
    .same_as = same_as,
    .cost = "p = 2^d >= 4: (d+1) alpha + m beta + (p-1)/p m gamma; p = 2: alpha + m/2 (beta + gamma); else a "
            "recurrence over the ranks' halves",
    .formula = formula,
    .source = "Träff 2005; Open MPI 4.1, reduce_scatter butterfly",
};

const CollAlgorithm reduce_scatter_block_butterfly_algorithm = {
    COMMON,
    .collective = COLL_REDUCE_SCATTER_BLOCK,
    .aliases = {"ompi:4", "smpi:ompi_butterfly"},
    .run = reduce_scatter_block_butterfly,
    .same_as = same_pow2_even,
    .cost = "p = 2^d: d alpha + (p-1)/p m (beta + gamma); else a recurrence over the ranks' halves",
    .formula = block_formula,
    .source = "Träff 2005; Open MPI 4.1, reduce_scatter_block butterfly",
};
