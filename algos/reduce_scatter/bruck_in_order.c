// What:   Bruck's allgather backwards, the nearest peers first, so that sums keep the order of the ranks. In rounds d =
//         1, 2, 4 .. rank r has sums of the blocks of r, r+d, r+2d .. (mod p), each over the ranks r-d+1 .. r, and
//         sends every second one of them, from r+d on, to rank r+d, which puts them in front of its own. If these ranks
//         reach around, below rank 0, there are two sums, of the first ranks and of the last ones, because other ranks
//         come between these in the order. At the end the two are added.
// Cost:   a recurrence over the ranks: ceil(log2 p) messages of (p-1)/p m together, and up to m/2 more at ranks whose
//         sums are two; m the whole vector.
// Source: Bruck et al. 1997, the allgather backwards; the sums in two parts are ours.
// Needs:  nothing.
//
//   p = 5      to r+1 (2 blocks)   to r+2 (1 block; rank 0 2 blocks)   to r+4 (1 block)
#include "coll.h"
#include "times/times.h"

// A rank sends n blocks to the one at distance d: those that are d, 3d .. after its own. Their sums have d ranks each;
// that of the last block has `last`, which may be fewer.
typedef struct BruckRound {
    int d, n, last;
} BruckRound;

static BruckRound round_at(int p, int d)
{
    const int n = (p - 1 - d) / (2 * d) + 1, left = p - d * (2 * n - 1);
    return (BruckRound){d, n, left < d ? left : d};
}

// Returns how many of the sums that rank r sends are two: all, all but the last, or none.
static int high_sent(const BruckRound *x, int r)
{
    return r >= x->d - 1 ? 0 : r < x->last - 1 ? x->n : x->n - 1;
}

// The sums that a rank has of the blocks: those of the first ranks, and those of the last ones.
typedef struct BruckSums {
    Blocks low, high;
} BruckSums;

// Puts n sums that came in front of those of the blocks `which`, or in their place if these have not begun.
static void put(const Coll *c, const Blocks *sums, int n, const int *which, Slice came, bool begun)
{
    if (begun) {
        const Slice own = slice_like(coll_scratch(c, came.len), came);
        coll_pack(c, own, sums, n, which);
        coll_reduce(c, own, came, own);
        coll_unpack(c, sums, n, which, own);
    } else {
        coll_unpack(c, sums, n, which, came);
    }
}

// Returns the numbers of n blocks; NULL if nobody needs the copies, and their lengths are known without a list.
static const int *numbers(const Coll *c, const Blocks *b, int first, int step, int n)
{
    return b->even && !coll_copies(c) ? NULL : blocks_numbers(c, first, step, n, c->p);
}

// Returns the length of n of these blocks together.
static size_t total(const Blocks *b, int first, int step, int n, const int *which)
{
    return which ? blocks_total(b, n, which) : blocks_total_stepped(b, first, step, n);
}

static void take_round(const Coll *c, const BruckSums *x, const BruckRound *round)
{
    const int p = c->p, d = round->d, n = round->n, step = (int)(2LL * d % p);
    const int to = (c->rank + d) % p, from = (c->rank + p - d) % p;
    const int high = high_sent(round, c->rank), his = from > c->rank ? 0 : high_sent(round, from);
    const Blocks *b = &x->low; // those of x->high are as long
    const int *give = numbers(c, b, to, step, n), *take = numbers(c, b, c->rank, step, n);
    const size_t low_len = total(b, to, step, n, give), high_len = total(b, to, step, high, give);
    const size_t low_in = total(b, c->rank, step, n, take), high_in = total(b, c->rank, step, his, take);
    const Slice send = coll_scratch(c, low_len + high_len), got = coll_scratch(c, low_in + high_in);
    coll_pack(c, slice_at(send, 0, low_len), &x->low, n, give);
    if (high > 0)
        coll_pack(c, slice_at(send, low_len, high_len), &x->high, high, give);
    coll_sendrecv(c, to, send, from, got);
    const Slice first = slice_at(got, 0, low_in);
    if (from > c->rank) // around the end: all of it are ranks behind those of the high sums
        put(c, &x->high, n, take, first, c->rank < d - 1);
    else
        put(c, &x->low, n, take, first, true);
    if (his > 0)
        put(c, &x->high, his, take, slice_at(got, low_in, high_in), false);
}

static void reduce_scatter_bruck_in_order(const Coll *c)
{
    const Blocks in = coll_in(c);
    const BruckSums x = {blocks_of(coll_scratch(c, c->in.len), &in), blocks_of(coll_scratch(c, c->in.len), &in)};
    coll_copy(c, x.low.all, c->in);
    for (int64_t d = 1; d < c->p; d *= 2) {
        const BruckRound round = round_at(c->p, (int)d);
        take_round(c, &x, &round);
    }
    if (c->rank < c->p - 1)
        coll_reduce(c, c->out, block(&x.low, c->rank), block(&x.high, c->rank));
    else
        coll_copy(c, c->out, block(&x.low, c->rank));
}

// Ranks whose blocks have the same lengths differ by how many of their sums, and of those that come, are two.
static int pattern(const Coll *c, int *x)
{
    if (c->counts || c->in.len / c->elem % (size_t)c->p != 0)
        return 0;
    int n = 0;
    for (int64_t d = 1; d < c->p; d *= 2) {
        const BruckRound round = round_at(c->p, (int)d);
        const int from = (int)((c->rank + c->p - d) % c->p);
        x[n++] = high_sent(&round, c->rank);
        x[n++] = from > c->rank ? -1 - (c->rank < d - 1) : high_sent(&round, from);
    }
    x[n++] = c->rank < c->p - 1;
    return n;
}

static int64_t formula(const CollPoint *x)
{
    const int p = x->p;
    const int64_t one = x->m / p;
    Clocks k = clocks_new(p);
    for (int64_t d = 1; d < p; d *= 2) {
        const BruckRound round = round_at(p, (int)d);
        clocks_shift(&k, (int)d);
        for (int v = 0; v < p; v++)
            k.bytes[v] = (round.n + high_sent(&round, v)) * one;
        clocks_round(&k, x, false);
        for (int v = 0; v < p; v++)
            k.now[v] += k.from[v] < v || v < d - 1 ? g(x, round.n * one) : 0;
    }
    for (int v = 0; v < p - 1; v++)
        k.now[v] += g(x, one);
    return clocks_free(&k);
}

#define COMMON                                                                                                         \
    .name = "bruck_in_order",                                                                                          \
    .summary = "Bruck's allgather backwards, the nearest peers first, with sums in the order of the ranks, for any p", \
    .run = reduce_scatter_bruck_in_order, .ordered = true, .peers = PEERS_SHIFT, .pattern = pattern,                   \
    .cost = "a recurrence over the ranks: ceil(log2 p) messages of (p-1)/p m together, and up to m/2 more at ranks "   \
            "whose sums are two; m the whole vector",                                                                  \
    .formula = formula, .source = "Bruck et al. 1997, the allgather backwards; the sums in two parts are ours"

const CollAlgorithm reduce_scatter_bruck_in_order_algorithm = {COMMON, .collective = COLL_REDUCE_SCATTER};
const CollAlgorithm reduce_scatter_block_bruck_in_order_algorithm = {COMMON, .collective = COLL_REDUCE_SCATTER_BLOCK};
