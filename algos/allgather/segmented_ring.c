// What:   All blocks travel around a ring of the ranks in segments: in every step, a rank sends the next segment of
//         what it has to the next rank, its own block first, and receives the next one from the rank before. Blocks
//         that are not longer than a segment travel as in ring. Empty blocks are not sent, unless all are empty.
// Cost:   T = (p-1) S (alpha + m/S beta). m is the size of a block, in bytes; S is the number of its segments.
// Source: MPICH, allgatherv ring.
// Needs:  nothing.
//
//   p = 8, 7 S times      0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> 0
#include "coll.h"
#include "times/times.h"

// A place in the blocks that pass a rank: in block i, from byte `at` on; `left` bytes are still to pass.
typedef struct RingPlace {
    int i;
    size_t at, left;
} RingPlace;

// Returns the next segment, which is empty if the block at this place is, or if nothing is left; then goes on.
static Slice pass(const Coll *c, const Blocks *b, RingPlace *place)
{
    const Slice whole = block(b, place->i), rest = slice_at(whole, place->at, whole.len - place->at);
    const Slice next = place->left ? slice_at(rest, 0, blocks_first(c, rest, c->par.segment)) : slice_at(rest, 0, 0);
    place->at += next.len;
    place->left -= next.len;
    if (place->at == whole.len) {
        place->i = (place->i + c->p - 1) % c->p;
        place->at = 0;
    }
    return next;
}

static void allgatherv_segmented_ring(const Coll *c)
{
    const int right = (c->rank + 1) % c->p, left = (c->rank + c->p - 1) % c->p;
    const Blocks b = coll_out(c);
    size_t total = 0;
    for (int i = 0; i < c->p; i++)
        total += block(&b, i).len;
    coll_copy(c, block(&b, c->rank), c->in);
    RingPlace out = {c->rank, 0, total - block(&b, right).len}, in = {left, 0, total - c->in.len};
    for (int i = 1; total == 0 && i < c->p; i++)
        coll_sendrecv(c, right, block(&b, c->rank), left, block(&b, c->rank));
    while (out.left > 0 || in.left > 0) {
        const Slice send = pass(c, &b, &out), receive = pass(c, &b, &in);
        coll_exchange(c, send.len ? right : -1, send, receive.len ? left : -1, receive);
    }
}

static int64_t formula(const CollPoint *x)
{
    const int64_t S = segments(x, x->m);
    return (x->p - 1) * S * u(x, x->m / S);
}

const CollAlgorithm allgatherv_segmented_ring_algorithm = {
    .collective = COLL_ALLGATHERV,
    .name = "segmented_ring",
    .aliases = {"mpich:ring"},
    .summary = "all blocks travel around a ring in segments; every rank passes on the segment that it got last",
    .run = allgatherv_segmented_ring,
    .params = {{"segment", PARAM_SIZE, offsetof(CollParams, segment), 32 << 10, 0, INT64_MAX, NULL,
                "segment size, in bytes; 0 sends a block at once", CUT_NOT}},
    .peers = PEERS_SHIFT,
    .same_as = same_always,
    .cost = "(p-1) S (alpha + m/S beta)",
    .formula = formula,
    .source = "MPICH, allgatherv ring",
};
