// What:   rounds d = 1, k, k^2 ..: a rank sends all it has to the k-1 ranks at distance d, 2d ..; blocks stand relative
// to
//         the rank and are rotated at the end.
// Cost:   T = N alpha + (p-1) m beta, m bytes a block, N = messages of a rank (k = 2: ceil(log2 p)), any p.
// Source: Bruck et al. 1997; Open MPI 4.1 coll/base, allgather bruck; MPICH allgather brucks.
// Needs:  nothing.
//
//   p = 8      from r+1 (1 block)   from r+2 (2 blocks)   from r+4 (4 blocks)
#include "coll.h"

static void allgather_bruck(const Coll *c)
{
    const int p = c->p, k = c->par.radix;
    const Slice all = coll_scratch(c, c->out.len); // block i is rank (r + i) mod p's
    const Blocks b = blocks_even(c, all, p), out = blocks_even(c, c->out, p);
    coll_copy(c, slice_like(block(&b, 0), c->in), c->in);
    for (int64_t d = 1; d < p; d *= k)
        for (int j = 1; j < k && j * d < p; j++) {
            const int far = (int)(j * d), n = d < p - far ? (int)d : p - far;
            coll_sendrecv(c, (c->rank - far + p) % p, blocks(&b, 0, n), (c->rank + far) % p, blocks(&b, far, far + n));
        }
    coll_copy(c, blocks(&out, c->rank, p), blocks(&b, 0, p - c->rank));
    coll_copy(c, blocks(&out, 0, c->rank), blocks(&b, p - c->rank, p));
}

static int64_t formula(const CollPoint *x)
{
    return knomial_rounds(x->p, x->par.radix) * x->alpha + (x->p - 1) * x->m * x->beta;
}

const CollAlgorithm allgather_bruck_algorithm = {
    .collective = COLL_ALLGATHER,
    .name = "bruck",
    .aliases = {"ompi:2", "mpich:brucks"},
    .summary = "the blocks that a rank has grow k-fold in every round, for any p",
    .run = allgather_bruck,
    .params = {RADIX(2, "growth in a round")},
    .peers = PEERS_SHIFT,
    .same_as = same_always,
    .cost = "N alpha + (p-1) m beta, N = (k-1)(h-1) + floor((p-1)/k^(h-1)), h = ceil(log_k p); k = 2: ceil(log2 p)",
    .formula = formula,
    .source = "Bruck et al. 1997; Open MPI 4.1, allgather bruck; MPICH, allgather brucks",
};
