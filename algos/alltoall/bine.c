// What:   Like bruck, but over the butterfly of allreduce bine: in step s, at distance 1, 1, 3, 5, 11 .. to one side
//         and the other in turn, a rank sends its peer the blocks whose way to their rank goes through step s. These
//         are half of the p blocks that it has. See shapes/bine.c.
// Cost:   T = d alpha + d p/2 m beta, p = 2^d. m is the size of one block, in bytes.
// Source: De Sensi et al., Bine Trees, SC 2025.
// Needs:  p a power of two; else bruck runs.
//
//   p = 8      0-1 2-3 4-5 6-7 (4 blocks)   0-7 1-2 3-4 5-6 (4 blocks)   0-3 1-6 2-5 4-7 (4 blocks)
#include "coll.h"
#include "times/times.h"

// Place i of a rank has at first the block for the rank to which the steps in i lead: bit s is step s. At the end it
// has the block from the rank that the same steps backwards lead to.
static void alltoall_bine(const Coll *c)
{
    const int p = c->p, d = log2_floor(p);
    const Blocks in = coll_in(c), out = coll_out(c), places = blocks_of(coll_scratch(c, c->in.len), &in);
    int *to = coll_ints(c, (size_t)p), *from = coll_ints(c, (size_t)p), *which = coll_ints(c, (size_t)p / 2);
    const Slice outbox = coll_scratch(c, c->in.len / 2), inbox = coll_scratch(c, c->in.len / 2);
    to[0] = from[0] = c->rank;
    for (int s = 0; s < d; s++)
        for (int i = 0, m = 1 << s; i < m; i++)
            to[m + i] = butterfly_swing_peer(to[i], s, p);
    for (int i = 1; i < p; i++) {
        from[i] = c->rank;
        for (int s = d - 1; s >= 0; s--)
            from[i] = i >> s & 1 ? butterfly_swing_peer(from[i], s, p) : from[i];
    }
    coll_pack(c, places.all, &in, p, to);
    for (int s = 0; s < d; s++) {
        const int peer = butterfly_swing_peer(c->rank, s, p);
        for (int i = 0, n = 0; i < p; i++)
            if (i >> s & 1)
                which[n++] = i;
        coll_pack(c, outbox, &places, p / 2, which);
        coll_sendrecv(c, peer, outbox, peer, inbox);
        coll_unpack(c, &places, p / 2, which, inbox);
    }
    coll_unpack(c, &out, p, from, places.all);
}

static int64_t formula(const CollPoint *x)
{
    return log2_floor(x->p) * (x->alpha + x->p / 2 * x->m * x->beta);
}

const CollAlgorithm alltoall_bine_algorithm = {
    .collective = COLL_ALLTOALL,
    .name = "bine",
    .summary = "blocks travel by the steps of a butterfly, to one side and the other in turn, many in one message",
    .run = alltoall_bine,
    .needs = {&need_pow2},
    .otherwise = "bruck",
    .peers = PEERS_SHIFT,
    .same_as = same_parity,
    .cost = "d alpha + d p/2 m beta, p = 2^d",
    .formula = formula,
    .source = "De Sensi et al., Bine Trees, SC 2025",
};
