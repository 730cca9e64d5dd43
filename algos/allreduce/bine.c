// What:   The butterfly has the peers of swing, at distances 1, 1, 3, 5, 11 .. to one side and the other in turn. A
//         rank does not reduce the part with its own number, but the part whose number follows from the rank written in
//         base -2. This makes every message contiguous without packing, and in an allreduce it does not matter which
//         rank reduces which part. If p is not a power of two, pairs fold into one rank first, and the other rank gets
//         the result at the end. See shapes/butterfly.c and shapes/fold.c.
// Cost:   p = 2^d: 2 d alpha + (p-1)/p m (2 beta + gamma); else, P = 2^f: (2f+2) alpha + (2 + 2(P-1)/P) m beta + (1 +
//         (P-1)/P) m gamma.
// Source: De Sensi et al., Bine Trees, SC 2025. This is the paper's butterfly with remapped parts: it halves at growing
//         distance, and doubles by the same steps backwards.
// Needs:  a commutative operation, count >= 2^floor(log2 p); else recursive_doubling runs.
//
//   p = 8      0-1 2-3 4-5 6-7 (m/2)   0-7 1-2 3-4 5-6 (m/4)   0-3 1-6 2-5 4-7 (m/8)   and back
//   keeps      halves 0 1 1 0 0 1 1 0  quarters of these 0 0 1 0 1 1 0 1  eighths 0 0 0 1 1 1 1 0
#include "coll.h"
#include "times/times.h"

// Returns the number that rank v has in Parts: bit s says which half the rank keeps in step s. Peers of step s
// agree in the bits below s. The number is the Gray code of the base -2 digits of v if v is odd, and of p - v if v is
// even.
static int label(int v, int p)
{
    const unsigned negative = 0xaaaaaaaa, mod = (unsigned)p - 1; // the digits of negative weight
    const unsigned x = v % 2 ? (unsigned)v : (unsigned)(p - v), digits = ((x + negative) ^ negative) & mod;
    return (int)(digits ^ digits >> 1);
}

static void scatter_and_gather(const Coll *c)
{
    const Parts part = {.blocks = blocks_even(c, c->out, c->p), .n = c->p, .k = 2, .nearest = true};
    const Slice inbox = coll_scratch(c, parts_left(&part, 0, 1).len);
    const int own = label(c->rank, c->p), steps = log2_floor(c->p);
    coll_phase(c, "reduce-scatter");
    for (int s = 0; s < steps; s++) {
        const int m = 1 << s, peer = butterfly_swing_peer(c->rank, s, c->p);
        const Slice keep = parts_left(&part, own, m), give = parts_left(&part, own ^ m, m);
        coll_sendrecv(c, peer, give, peer, slice_like(inbox, keep));
        coll_reduce(c, keep, keep, slice_like(inbox, keep));
    }
    coll_phase(c, "allgather");
    for (int s = steps - 1; s >= 0; s--) {
        const int m = 1 << s, peer = butterfly_swing_peer(c->rank, s, c->p);
        coll_sendrecv(c, peer, parts_left(&part, own, m), peer, parts_left(&part, own ^ m, m));
    }
}

static void allreduce_bine(const Coll *c)
{
    fold_run(c, PRESTEP_MPICH, scatter_and_gather);
}

const CollAlgorithm allreduce_bine_algorithm = {
    .collective = COLL_ALLREDUCE,
    .name = "bine",
    .summary = "the butterfly of swing, with parts assigned so that every message is contiguous",
    .run = allreduce_bine,
    .needs = {&need_commutative, &need_count_pow2},
    .otherwise = "recursive_doubling",
    .peers = PEERS_SHIFT,
    .same_as = same_swing,
    .cost = FOLD_HALVE_DOUBLE_COST,
    .formula = fold_halve_double_time,
    .source = "De Sensi et al., Bine Trees, SC 2025",
};
