// What:   a butterfly whose peers swing from one side to the other, at distance 1, 1, 3, 5, 11 ..: near on a ring or
//         torus of ranks while messages are long. Reduce-scatter: a rank sends its peer the blocks of all ranks that
//         this one reaches in later steps; allgather: the same backwards. The blocks stand so that every message is
//         one piece, and are put in order at the end. Where p is no power of two, pairs fold into one rank first and
//         get the result at the end.
// Cost:   p = 2^d: 2 d alpha + (p-1)/p m (2 beta + gamma); else, P = 2^f: (2f+2) alpha + (2 + 2(P-1)/P) m beta + (1 +
//         (P-1)/P) m gamma.
// Source: De Sensi et al., Swing, NSDI 2024. This is the bandwidth-optimal version on one ring; its fold differs from
//         ours.
// Needs:  a commutative operation, count >= 2^floor(log2 p); else recursive_doubling runs.
//
//   p = 8      0-1 2-3 4-5 6-7 (m/2)   0-7 1-2 3-4 5-6 (m/4)   0-3 1-6 2-5 4-7 (m/8)   and back
#include "coll.h"
#include "times/times.h"

// Fills `ranks` so that those that meet from step s on stand next to each other; returns where the caller stands.
static int line_up(const Coll *c, int *ranks)
{
    ranks[0] = 0;
    for (int s = 0, half = c->p / 2; half >= 1; s++, half /= 2) {
        const int rho = butterfly_swing_peer(0, s, c->p);
        for (int i = 0; i < c->p; i += 2 * half)
            ranks[i + half] = (ranks[i] + (ranks[i] % 2 ? -rho : rho)) & (c->p - 1);
    }
    int place = 0;
    while (ranks[place] != c->rank)
        place++;
    return place;
}

static size_t bytes(const Blocks *b, int n, const int *which)
{
    size_t sum = (size_t)n * b->size;
    for (int i = 0; i < n && b->longer; i++)
        sum += which[i] < b->longer ? b->elem : 0;
    return sum;
}

// Step s, the later ones, and step s backwards; `line` has the blocks of these ranks, half of which the caller keeps.
static void swing(const Coll *c, Slice line, const Blocks *b, const int *ranks, int place, int s)
{
    const int n = c->p >> (s + 1), upper = (place & n) != 0, peer = butterfly_swing_peer(c->rank, s, c->p);
    if (n == 0)
        return;
    const size_t middle = bytes(b, n, ranks);
    const Slice low = slice_at(line, 0, middle), high = slice_at(line, middle, line.len - middle);
    const Slice keep = upper ? high : low, give = upper ? low : high;
    const Slice inbox = coll_scratch(c, keep.len);
    coll_sendrecv(c, peer, give, peer, inbox);
    coll_reduce(c, keep, keep, inbox);
    swing(c, keep, b, ranks + upper * n, place, s + 1);
    coll_sendrecv(c, peer, keep, peer, give);
}

static void scatter_and_gather(const Coll *c)
{
    const Blocks b = blocks_even(c, c->out, c->p);
    int *ranks = coll_ints(c, (size_t)c->p);
    const int place = line_up(c, ranks);
    const Slice line = coll_scratch(c, c->out.len);
    coll_pack(c, line, &b, c->p, ranks);
    swing(c, line, &b, ranks, place, 0);
    coll_unpack(c, &b, c->p, ranks, line);
}

static void allreduce_swing(const Coll *c)
{
    fold_run(c, PRESTEP_MPICH, scatter_and_gather);
}

const CollAlgorithm allreduce_swing_algorithm = {
    .collective = COLL_ALLREDUCE,
    .name = "swing",
    .summary = "a butterfly at distance 1, 1, 3, 5, 11 .., to one side and the other in turn",
    .run = allreduce_swing,
    .needs = {&need_commutative, &need_count_pow2},
    .otherwise = "recursive_doubling",
    .peers = PEERS_SHIFT,
    .same_as = same_swing,
    .cost = FOLD_HALVE_DOUBLE_COST,
    .formula = fold_halve_double_time,
    .source = "De Sensi et al., Swing, NSDI 2024",
};
