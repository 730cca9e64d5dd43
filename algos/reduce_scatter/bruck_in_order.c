// What:   Bruck's allgather backwards, the nearest peers first, so that sums keep the order of the ranks. In rounds d =
//         1, 2, 4 .. rank r has sums of the blocks of r, r+d, r+2d .. (mod p), each over the ranks r-d+1 .. r, and
//         sends every second one of them, from r+d on, to rank r+d, which puts them in front of its own. If these ranks
//         reach around, below rank 0, there are two sums, of the first ranks and of the last ones, because other ranks
//         come between these in the order. At the end the two are added. In bruck_in_order_overlap, a
//         rank first adds up what it sends next, and the rest while that travels.
// Cost:   a recurrence over the ranks: ceil(log2 p) messages of (p-1)/p m together, and up to m/2 more at ranks whose
//         sums are two; m the whole vector.
// Source: Bruck et al. 1997, the allgather backwards; the sums in two parts are ours.
// Needs:  nothing.
//
//   p = 5      to r+1 (2 blocks)   to r+2 (1 block; rank 0 2 blocks)   to r+4 (1 block)
#include "coll.h"
#include "times/times.h"
#include <stdlib.h>

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

// The blocks of a message in two parts: every second one, which the receiver sends on in the next round, and the rest.
typedef struct BruckHalf {
    int n, high;      // so many blocks; so many of the sums are two
    int first, step;  // the numbers of the blocks are first, first + step .. (mod p)
    const int *which; // or NULL, as numbers() returns them
} BruckHalf;

static BruckHalf half_of(const Coll *c, const Blocks *b, const BruckRound *x, int first, int high, bool next)
{
    const int begin = (int)((first + (next ? 2LL * x->d : 0)) % c->p), step = (int)(4LL * x->d % c->p);
    const int n = next ? x->n / 2 : (x->n + 1) / 2;
    return (BruckHalf){n, next ? high / 2 : (high + 1) / 2, begin, step, numbers(c, b, begin, step, n)};
}

// Returns the length of the first n blocks of a half.
static size_t half_total(const Blocks *b, const BruckHalf *half, int n)
{
    return half->which ? blocks_total(b, n, half->which) : blocks_total_stepped(b, half->first, half->step, n);
}

// What came in a round for one half of the blocks, and how it is added.
typedef struct BruckCame {
    BruckHalf half;
    Slice low, high;
    bool behind, begun; // `low` comes from behind the end, and goes to the high sums, which have begun or not
} BruckCame;

static void add(const Coll *c, const BruckSums *x, const BruckCame *came)
{
    const BruckHalf *half = &came->half;
    if (half->n > 0 && came->behind) // around the end: all of it are ranks behind those of the high sums
        put(c, &x->high, half->n, half->which, came->low, came->begun);
    else if (half->n > 0)
        put(c, &x->low, half->n, half->which, came->low, true);
    if (half->high > 0)
        put(c, &x->high, half->high, half->which, came->high, false);
}

// Returns the sums of both halves, the next one first, as one slice: the low sums of a half and then its high ones.
static Slice both(const Coll *c, const BruckSums *x, const BruckHalf half[2], BruckCame came[2])
{
    size_t len = 0, at = 0, low[2], high[2];
    for (int i = 0; i < 2; i++) {
        low[i] = half_total(&x->low, &half[i], half[i].n); // the blocks of x->high are as long
        high[i] = half_total(&x->low, &half[i], half[i].high);
        len += low[i] + high[i];
    }
    const Slice all = coll_scratch(c, len);
    for (int i = 0; i < 2; i++, at += low[i - 1] + high[i - 1])
        came[i] = (BruckCame){half[i], slice_at(all, at, low[i]), slice_at(all, at + low[i], high[i]), false, false};
    return all;
}

// Takes a round. `rest` is what is still to be added of the round before, and then what is to be added of this one.
static void take_round(const Coll *c, const BruckSums *x, const BruckRound *round, BruckCame *rest, bool overlap)
{
    const int p = c->p, d = round->d, to = (c->rank + d) % p, from = (c->rank + p - d) % p;
    const int high = high_sent(round, c->rank), his = from > c->rank ? 0 : high_sent(round, from);
    BruckHalf give[2], take[2];
    for (int i = 0; i < 2; i++) {
        give[i] = half_of(c, &x->low, round, to, high, i == 0);
        take[i] = half_of(c, &x->low, round, c->rank, his, i == 0);
    }
    BruckCame sent[2], came[2];
    const Slice send = both(c, x, give, sent), got = both(c, x, take, came);
    for (int i = 0; i < 2; i++) {
        if (give[i].n > 0)
            coll_pack(c, sent[i].low, &x->low, give[i].n, give[i].which);
        if (give[i].high > 0)
            coll_pack(c, sent[i].high, &x->high, give[i].high, give[i].which);
    }
    const CollReq receive = coll_irecv(c, from, got);
    coll_isend(c, to, send);
    add(c, x, rest);
    coll_waitall(c, receive);
    for (int i = 0; i < 2; i++) {
        came[i].behind = from > c->rank;
        came[i].begun = c->rank < d - 1;
    }
    add(c, x, &came[0]);
    *rest = came[1];
    if (!overlap) {
        add(c, x, rest);
        rest->half.n = rest->half.high = 0;
    }
}

static void run_rounds(const Coll *c, bool overlap)
{
    const Blocks in = coll_in(c);
    const BruckSums x = {blocks_of(coll_scratch(c, c->in.len), &in), blocks_of(coll_scratch(c, c->in.len), &in)};
    BruckCame rest = {.half = {.n = 0}};
    coll_copy(c, x.low.all, c->in);
    for (int64_t d = 1; d < c->p; d *= 2) {
        const BruckRound round = round_at(c->p, (int)d);
        take_round(c, &x, &round, &rest, overlap);
    }
    add(c, &x, &rest);
    if (c->rank < c->p - 1)
        coll_reduce(c, c->out, block(&x.low, c->rank), block(&x.high, c->rank));
    else
        coll_copy(c, c->out, block(&x.low, c->rank));
}

static void reduce_scatter_bruck_in_order(const Coll *c)
{
    run_rounds(c, false);
}

static void reduce_scatter_bruck_in_order_overlap(const Coll *c)
{
    run_rounds(c, true);
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

// Returns how long v adds up sums of so many blocks that it has received in a round.
static int64_t added(const CollPoint *x, const Clocks *k, int v, int d, int64_t blocks)
{
    return k->from[v] < v || v < d - 1 ? g(x, blocks * (x->m / x->p)) : 0;
}

static int64_t rounds_time(const CollPoint *x, bool overlap)
{
    const int p = x->p;
    const int64_t one = x->m / p;
    Clocks k = clocks_new(p);
    int64_t *rest = calloc((size_t)p, sizeof *rest); // what is still to be added, once the next round is under way
    for (int64_t d = 1; d < p; d *= 2) {
        const BruckRound round = round_at(p, (int)d);
        clocks_shift(&k, (int)d);
        for (int v = 0; v < p; v++)
            k.bytes[v] = (round.n + high_sent(&round, v)) * one;
        clocks_round(&k, x, false);
        for (int v = 0; v < p; v++) {
            k.now[v] =
                later(k.now[v], k.before[v] + rest[v]) + added(x, &k, v, (int)d, overlap ? round.n / 2 : round.n);
            rest[v] = overlap ? added(x, &k, v, (int)d, round.n - round.n / 2) : 0;
        }
    }
    for (int v = 0; v < p; v++)
        k.now[v] += rest[v] + (v < p - 1 ? g(x, one) : 0);
    free(rest);
    return clocks_free(&k);
}

static int64_t formula(const CollPoint *x)
{
    return rounds_time(x, false);
}

static int64_t formula_overlap(const CollPoint *x)
{
    return rounds_time(x, true);
}

#define COMMON                                                                                                         \
    .ordered = true, .peers = PEERS_SHIFT, .pattern = pattern,                                                         \
    .cost = "a recurrence over the ranks: ceil(log2 p) messages of (p-1)/p m together, and up to m/2 more at ranks "   \
            "whose sums are two; m the whole vector",                                                                  \
    .source = "Bruck et al. 1997, the allgather backwards; the sums in two parts are ours"
#define IN_STEP                                                                                                        \
    COMMON,                                                                                                            \
        .name = "bruck_in_order",                                                                                      \
        .summary =                                                                                                     \
            "Bruck's allgather backwards, the nearest peers first, with sums in the order of the ranks, for any p",    \
        .run = reduce_scatter_bruck_in_order, .formula = formula
#define OVERLAP                                                                                                        \
    COMMON, .name = "bruck_in_order_overlap",                                                                          \
            .summary = "like bruck_in_order, but sums that are not sent next are added up while others travel",        \
            .run = reduce_scatter_bruck_in_order_overlap, .formula = formula_overlap

const CollAlgorithm reduce_scatter_bruck_in_order_algorithm = {IN_STEP, .collective = COLL_REDUCE_SCATTER};
const CollAlgorithm reduce_scatter_bruck_in_order_overlap_algorithm = {OVERLAP, .collective = COLL_REDUCE_SCATTER};
const CollAlgorithm reduce_scatter_block_bruck_in_order_algorithm = {IN_STEP, .collective = COLL_REDUCE_SCATTER_BLOCK};
const CollAlgorithm reduce_scatter_block_bruck_in_order_overlap_algorithm = {OVERLAP,
                                                                             .collective = COLL_REDUCE_SCATTER_BLOCK};
