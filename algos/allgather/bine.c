// What:   Each rank first sends its block to the rank that has its place in the butterfly of allreduce bine. Then this
//         butterfly's steps backwards, at distance .. 11, 5, 3, 1, 1, double what a rank has. Every message is
//         contiguous without packing; swing packs, and saves the first message. If p is not a power of two, pairs have
//         one place, and one rank of each hands the result to the other one. See shapes/bine.c and shapes/fold.c.
// Cost:   p = 2^d >= 4: (d+1) alpha + p m beta; p = 2: alpha + m beta. m is the size of a block, in bytes.
// Source: De Sensi et al., Bine Trees, SC 2025. The paper calls this way to make messages contiguous "send". The pairs
//         are ours: for even p the authors' program sends block by block in the steps of swing, which packs.
// Needs:  nothing.
//
//   p = 8      1->3 2->7 3->4 4->1 5->6 6->2 7->5   0-3 1-6 2-5 4-7   0-7 1-2 3-4 5-6 (2 blocks)   0-1 2-3 4-5 6-7 (4)
#include "coll.h"
#include "times/times.h"

static void to_the_places(const Coll *c, const Fold *f, const Blocks *b)
{
    const int P = pow2_floor(c->p), r = c->p - P;
    const int v = f->v >= 0 ? f->v : c->rank / 2; // the player that has this rank's block
    const CollReq first = coll_mark(c);
    if (f->v >= 0) {
        const int place = bine_place(f->v, P), last = f->map(c, place);
        for (int i = last - (place < r); i <= last; i++)
            if (i != c->rank)
                coll_irecv(c, i, block(b, i));
    }
    const int to = f->map(c, bine_at_place(v, P));
    if (to == c->rank)
        coll_copy(c, block(b, c->rank), c->in);
    else
        coll_isend(c, to, c->in);
    coll_waitall(c, first);
}

static void allgather_bine(const Coll *c)
{
    const Blocks out = coll_out(c), b = c->counts ? blocks_turned(c, &out, 0) : out;
    const Fold f = fold_ranks(c, PRESTEP_MPICH);
    coll_phase(c, "to the places");
    to_the_places(c, &f, &b);
    coll_phase(c, "allgather");
    if (f.v >= 0) {
        const Coll group = coll_sub(c, pow2_floor(c->p), f.v, f.map);
        bine_halve_back(&group, &b);
    }
    fold_return(c, &f, b.all);
    if (c->counts)
        exchange_unpack(c, &out, 0, 1, b.all);
}

static int64_t formula(const CollPoint *x)
{
    const int moves = x->p > 2; // some rank is not at its place
    return is_pow2(x->p) ? (log2_floor(x->p) + moves) * x->alpha + (x->p - 1 + moves) * x->m * x->beta : -1;
}

#define COMMON                                                                                                         \
    .name = "bine", .summary = "blocks move to their places in a butterfly that then doubles runs of blocks",          \
    .run = allgather_bine, .peers = PEERS_SHIFT,                                                                       \
    .cost = "p = 2^d >= 4: (d+1) alpha + p m beta; p = 2: alpha + m beta", .formula = formula,                         \
    .unknown = "p is not a power of two: ranks that stand for two send more",                                          \
    .source = "De Sensi et al., Bine Trees, SC 2025"

const CollAlgorithm allgather_bine_algorithm = {COMMON, .collective = COLL_ALLGATHER};
const CollAlgorithm allgatherv_bine_algorithm = {COMMON, .collective = COLL_ALLGATHERV};
