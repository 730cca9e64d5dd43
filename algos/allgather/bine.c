// What:   Each rank first sends its block to the rank that has its place in the butterfly of allreduce bine. Then this
//         butterfly's steps backwards, at distance .. 11, 5, 3, 1, 1, double what a rank has. Every message is
//         contiguous without packing; swing packs, and saves the first message. See shapes/bine.c.
// Cost:   p = 2^d >= 4: (d+1) alpha + p m beta; p = 2: alpha + m beta. m is the size of a block, in bytes.
// Source: De Sensi et al., Bine Trees, SC 2025. The paper calls this way to make messages contiguous "send".
// Needs:  p a power of two; else bruck runs.
//
//   p = 8      1->3 2->7 3->4 4->1 5->6 6->2 7->5   0-3 1-6 2-5 4-7   0-7 1-2 3-4 5-6 (2 blocks)   0-1 2-3 4-5 6-7 (4)
#include "coll.h"
#include "times/times.h"

static void allgather_bine(const Coll *c)
{
    const Blocks out = coll_out(c), b = c->counts ? blocks_turned(c, &out, 0) : out;
    const int place = bine_place(c->rank, c->p);
    coll_phase(c, "to the places");
    coll_sendrecv(c, bine_at_place(c->rank, c->p), c->in, place, block(&b, place));
    coll_phase(c, "allgather");
    bine_halve_back(c, &b);
    if (c->counts)
        exchange_unpack(c, &out, 0, 1, b.all);
}

static int64_t formula(const CollPoint *x)
{
    const int moves = x->p > 2; // some rank is not at its place
    return (log2_floor(x->p) + moves) * x->alpha + (x->p - 1 + moves) * x->m * x->beta;
}

#define COMMON                                                                                                         \
    .name = "bine", .summary = "blocks move to their places in a butterfly that then doubles runs of blocks",          \
    .run = allgather_bine, .needs = {&need_pow2}, .otherwise = "bruck", .peers = PEERS_SHIFT,                          \
    .cost = "p = 2^d >= 4: (d+1) alpha + p m beta; p = 2: alpha + m beta", .formula = formula,                         \
    .source = "De Sensi et al., Bine Trees, SC 2025"

const CollAlgorithm allgather_bine_algorithm = {COMMON, .collective = COLL_ALLGATHER};
const CollAlgorithm allgatherv_bine_algorithm = {COMMON, .collective = COLL_ALLGATHERV};
