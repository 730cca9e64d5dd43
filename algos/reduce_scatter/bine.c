// What:   The butterfly of allreduce bine halves the vector, at distance 1, 1, 3, 5, 11 .. to one side and the other
//         in turn. Every message is contiguous without packing, but a rank ends with the block of its place, and sends
//         it to the rank whose block it is. (swing packs, and saves the last message.) If p is not a power of two,
//         pairs fold into one rank first, and a place has the blocks of both. See shapes/bine.c and shapes/fold.c.
// Cost:   p = 2^d >= 4: (d+1) alpha + m beta + (p-1)/p m gamma; p = 2: alpha + m/2 (beta + gamma). m is the size of
//         the whole vector, in bytes.
// Source: De Sensi et al., Bine Trees, SC 2025. The paper calls this way to make messages contiguous "send". The fold
//         is ours; swing has the steps for even p.
// Needs:  a commutative operation; else recursive_doubling runs.
//
//   p = 8      0-1 2-3 4-5 6-7 (4 blocks)   0-7 1-2 3-4 5-6 (2 blocks)   0-3 1-6 2-5 4-7
//              1->4 2->6 3->1 4->3 5->7 6->5 7->2
#include "coll.h"
#include "times/times.h"

static void to_the_owners(const Coll *c, const Fold *f, const Blocks *b)
{
    const int P = pow2_floor(c->p), r = c->p - P;
    const int v = f->v >= 0 ? f->v : c->rank / 2; // the player that has this rank's block
    const int from = f->map(c, bine_at_place(v, P));
    const CollReq first = coll_mark(c);
    if (from == c->rank)
        coll_copy(c, c->out, block(b, c->rank));
    else
        coll_irecv(c, from, c->out);
    if (f->v >= 0) {
        const int place = bine_place(f->v, P), last = f->map(c, place);
        for (int i = last - (place < r); i <= last; i++)
            if (i != c->rank)
                coll_isend(c, i, block(b, i));
    }
    coll_waitall(c, first);
}

static void reduce_scatter_bine(const Coll *c)
{
    const Blocks in = coll_in(c), acc = blocks_turned(c, &in, 0);
    const Fold f = fold_ranks(c, PRESTEP_MPICH);
    exchange_pack(c, acc.all, &in, 0, 1);
    fold_reduce(c, &f, PRESTEP_MPICH, acc.all);
    coll_phase(c, "reduce-scatter");
    if (f.v >= 0) {
        const Coll group = coll_sub(c, pow2_floor(c->p), f.v, f.map);
        bine_halve(&group, &acc);
    }
    coll_phase(c, "to the owners");
    to_the_owners(c, &f, &acc);
}

static int64_t formula(const CollPoint *x)
{
    if (!is_pow2(x->p))
        return -1;
    const int moves = x->p > 2; // some rank is not at its place
    const int64_t one = x->m / x->p, halved = x->m - one;
    return (log2_floor(x->p) + moves) * x->alpha + (halved + moves * one) * x->beta + halved * x->gamma;
}

#define COMMON                                                                                                         \
    .name = "bine", .summary = "a butterfly that halves runs of blocks; then a block moves to its owner",              \
    .run = reduce_scatter_bine, .needs = {&need_commutative}, .otherwise = "recursive_doubling", .peers = PEERS_SHIFT, \
    .cost = "p = 2^d >= 4: (d+1) alpha + m beta + (p-1)/p m gamma; p = 2: alpha + m/2 (beta + gamma)",                 \
    .formula = formula, .unknown = "p is not a power of two: the ranks are not in step",                               \
    .source = "De Sensi et al., Bine Trees, SC 2025"

const CollAlgorithm reduce_scatter_bine_algorithm = {COMMON, .collective = COLL_REDUCE_SCATTER};
const CollAlgorithm reduce_scatter_block_bine_algorithm = {COMMON, .collective = COLL_REDUCE_SCATTER_BLOCK};
