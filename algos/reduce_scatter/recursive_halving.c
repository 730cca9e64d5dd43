// What:   In log2 p rounds, pairs of ranks at distance p/2 .. 2, 1 exchange halves of the blocks that they have: each
//         rank sends the half that its peer keeps, and reduces the half that it keeps. If p is not a power of two, the
//         even rank of each of the first pairs first sends its vector to the odd rank, and receives its block at the
//         end. See shapes/butterfly.c and shapes/fold.c.
// Cost:   p = 2^d: d alpha + (p-1)/p m (beta + gamma); else (f+2) alpha + (1+X+1/p) m beta + (1+X) m gamma, X = (P-1 +
//         sum_{i=1..f} min(r, P/2^i)) / p, P = 2^f, r = p-P; eager: by each rank's halves. m is the size of the whole
//         vector, in bytes. Eager never takes longer than rendezvous.
// Source: Open MPI 4.1, reduce_scatter recursive_halving; MPICH, reduce_scatter recursive_halving.
//         Both libraries leave empty messages out, except in the first step.
// Needs:  a commutative operation.
//
//   p = 8      r xor 4 (4 blocks)   r xor 2 (2 blocks)   r xor 1 (1 block)
#include "coll.h"
#include "times/times.h"
#include <stdlib.h>

static void reduce_scatter_recursive_halving(const Coll *c)
{
    const Fold f = fold_ranks(c, PRESTEP_MPICH);
    const Slice acc = coll_scratch(c, c->in.len);
    const Blocks in = coll_in(c), b = blocks_of(acc, &in);
    coll_copy(c, acc, c->in);
    fold_reduce(c, &f, PRESTEP_MPICH, acc);
    if (f.v >= 0) {
        const Coll group = coll_sub(c, pow2_floor(c->p), f.v, f.map);
        const Parts part = {.blocks = b, .n = group.p, .k = 2, .doubled = c->p - group.p, .skip_empty = true};
        coll_phase(c, "reduce-scatter");
        parts_halve(&group, &part);
        coll_phase(c, "unfold");
        if (f.other >= 0 && block(&b, f.other).len > 0)
            coll_send(c, f.other, block(&b, f.other));
    } else if (block(&b, c->rank).len > 0) {
        coll_phase(c, "unfold");
        coll_recv(c, f.other, block(&b, c->rank));
    }
    coll_copy(c, c->out, block(&b, c->rank));
}

// Returns when the last of the P ranks has halved, or has sent the block of its folded neighbour back.
static int64_t eager_time(const CollPoint *x, int P, int r)
{
    int64_t *t = calloc((size_t)P, sizeof *t);
    for (int v = 0; v < r; v++)
        t[v] = u(x, x->m) + g(x, x->m);
    butterfly_halve_time(x, P, false, t);
    for (int v = 0; v < r; v++)
        t[v] += u(x, x->m / x->p);
    const int64_t end = times_latest(t, P);
    free(t);
    return end;
}

static int64_t formula(const CollPoint *x)
{
    const int f = log2_floor(x->p), P = 1 << f, r = x->p - P;
    const int64_t one = x->m / x->p;
    if (r == 0)
        return f * x->alpha + (x->m - one) * (x->beta + x->gamma);
    if (x->eager)
        return eager_time(x, P, r);
    int64_t blocks_moved = P - 1;
    for (int i = 1; i <= f; i++)
        blocks_moved += r < P >> i ? r : P >> i;
    return (f + 2) * x->alpha + (x->m + (blocks_moved + 1) * one) * x->beta + (x->m + blocks_moved * one) * x->gamma;
}

#define COMMON                                                                                                         \
    .name = "recursive_halving", .summary = "pairs exchange halves of their blocks, the farthest pairs first",         \
    .run = reduce_scatter_recursive_halving, .needs = {&need_commutative}, .peers = PEERS_XOR,                         \
    .same_as = same_pow2_even,                                                                                         \
    .cost = "p = 2^d: d alpha + (p-1)/p m (beta + gamma); else (f+2) alpha + (1+X+1/p) m beta + (1+X) m gamma, "       \
            "X = (P-1 + sum_{i=1..f} min(r, P/2^i)) / p, P = 2^f, r = p-P; eager: by each rank's halves",              \
    .formula = formula,                                                                                                \
    .source = "Open MPI 4.1, reduce_scatter recursive_halving; MPICH, reduce_scatter recursive_halving"

const CollAlgorithm reduce_scatter_recursive_halving_algorithm = {
    COMMON,
    .collective = COLL_REDUCE_SCATTER,
    .aliases = {"ompi:2", "mpich:recursive_halving", "smpi:ompi_basic_recursivehalving", "intel:1"},
};

const CollAlgorithm reduce_scatter_block_recursive_halving_algorithm = {
    COMMON,
    .collective = COLL_REDUCE_SCATTER_BLOCK,
    .aliases = {"ompi:3", "mpich:recursive_halving", "smpi:ompi_basic_recursivehalving"},
};
