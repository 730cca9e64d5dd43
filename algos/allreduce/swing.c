// What:   In this butterfly a rank's peers swing from one side to the other, at distance 1, 1, 3, 5, 11 .., so that
//         they are near on a ring or torus of ranks while messages are long. In the reduce-scatter, a rank sends its
//         peer the blocks of the peer and of all ranks that the peer reaches in later steps; the allgather takes the
//         same steps backwards. If p is a power of two, the ranks first pack the blocks in an order that makes every
//         message contiguous, and unpack them at the end. If p is another even number, two peers can reach the same
//         rank, and one of them gets its block; every message is packed. If p is odd, pairs fold into one rank first,
//         and the other rank gets the result at the end. See shapes/butterfly.c and shapes/fold.c.
// Cost:   p even: 2 ceil(log2 p) alpha + (p-1)/p m (2 beta + gamma); else, P = 2^f: (2f+2) alpha + (2 + 2(P-1)/P) m
//         beta + (1 + (P-1)/P) m gamma.
// Source: De Sensi et al., Swing, NSDI 2024. This is the paper's bandwidth-optimal version on one ring; the fold for
//         odd p is ours.
// Needs:  a commutative operation, count >= 2^floor(log2 p); else recursive_doubling runs.
//
//   p = 8      0-1 2-3 4-5 6-7 (m/2)   0-7 1-2 3-4 5-6 (m/4)   0-3 1-6 2-5 4-7 (m/8)   and back
//   p = 6      0-1 2-3 4-5 (m/3)   0-5 1-2 3-4 (m/3)   0-3 1-4 2-5 (m/6)   and back
#include "coll.h"
#include "times/times.h"

// Fills `ranks` with 0 .. p-1 in an order in which, for every s, the ranks that exchange messages with each other from
// step s on are contiguous. Returns the caller's place in it.
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

// Returns how many bytes the n blocks `which` have together.
static size_t bytes(const Blocks *b, int n, const int *which)
{
    size_t sum = (size_t)n * b->size;
    for (int i = 0; i < n && b->longer; i++)
        sum += which[i] < b->longer ? b->elem : 0;
    return sum;
}

// Makes step s of the reduce-scatter, all later steps, and step s of the allgather. `line` has the blocks of `ranks`;
// the caller keeps the half that contains its `place`, and sends the other half.
static void swing(const Coll *c, Slice line, const Blocks *b, const int *ranks, int place, int s)
{
    const int n = c->p >> (s + 1), upper = (place & n) != 0, peer = butterfly_swing_peer(c->rank, s, c->p);
    if (n == 0)
        return;
    const size_t middle = bytes(b, n, ranks);
    const Slice low = slice_at(line, 0, middle), high = slice_at(line, middle, line.len - middle);
    const Slice keep = upper ? high : low, give = upper ? low : high;
    const Slice inbox = coll_scratch(c, keep.len);
    coll_phase(c, "reduce-scatter");
    coll_sendrecv(c, peer, give, peer, inbox);
    coll_reduce(c, keep, keep, inbox);
    swing(c, keep, b, ranks + upper * n, place, s + 1);
    coll_phase(c, "allgather");
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

// The same if p is even, but no power of two: the blocks of a message lie wherever they are.
static void swing_listed(const Coll *c)
{
    const Blocks b = blocks_even(c, c->out, c->p);
    SwingStep step[32];
    const int steps = butterfly_swing(c, step);
    coll_copy(c, c->out, c->in);
    coll_phase(c, "reduce-scatter");
    for (int i = steps - 1; i >= 0; i--)
        exchange_reduced_listed(c, &b, step[i].n, step[i].peer, step[i].take, step[i].peer, step[i].give);
    coll_phase(c, "allgather");
    for (int i = 0; i < steps; i++)
        exchange_listed(c, &b, step[i].n, step[i].peer, step[i].give, step[i].peer, step[i].take);
}

static void allreduce_swing(const Coll *c)
{
    if (c->p % 2 == 0 && !is_pow2(c->p))
        swing_listed(c);
    else
        fold_run(c, PRESTEP_MPICH, scatter_and_gather);
}

static int64_t formula(const CollPoint *x)
{
    if (x->p % 2)
        return fold_halve_double_time(x);
    return 2 * log2_ceil(x->p) * x->alpha + (x->m - x->m / x->p) * (2 * x->beta + x->gamma);
}

const CollAlgorithm allreduce_swing_algorithm = {
    .collective = COLL_ALLREDUCE,
    .name = "swing",
    .summary = "a butterfly with peers at distance 1, 1, 3, 5, 11 .., to one side and the other in turn",
    .run = allreduce_swing,
    .needs = {&need_commutative, &need_count_pow2},
    .otherwise = "recursive_doubling",
    .peers = PEERS_SHIFT,
    .same_as = same_swing,
    .cost = "p even: 2 ceil(log2 p) alpha + (p-1)/p m (2 beta + gamma); else, P = 2^f: (2f+2) alpha + (2 + 2(P-1)/P) m "
            "beta + (1 + (P-1)/P) m gamma",
    .formula = formula,
    .source = "De Sensi et al., Swing, NSDI 2024",
};
