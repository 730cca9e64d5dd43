// What:   As in hybrid, h rounds halve the vector, the ranks that have the same part add it up in exchanges of this
//         part, and the h rounds run backwards; but all sums keep the order of the ranks. Neighbours halve first, then
//         ranks at distance 2, 4 and so on. If 2^h does not divide p, pairs fold into one rank first, as in
//         rabenseifner. In a halving, a rank first reduces what it sends next, and the rest while that travels.
//         The exchanges are those of recursive doubling as long as the number of groups is even. The n groups that are
//         left, n odd, stand in a ring and take a census (shapes/census.c). There, each sum is that of a window: a
//         member and those behind it. A window that reaches around the ring, as that of member 0 does first, has two
//         sums, of the first members and of the last ones, because other members come between these in the order.
// Cost:   2^h divides p: 2h alpha + (m-s) (2 beta + gamma) - sum of min(u,g) for the halvings' messages of m/4, m/8 ..
//         s + t (alpha + s (beta + gamma)) + W, s = m / 2^h, p / 2^h = 2^t n, n odd; W = 0 for n = 1, else a recurrence
//         over the n members, with ceil(log2 n) messages of s to 2s. Else, P = 2^floor(log2 p): 2 (alpha + m beta) + m
//         gamma and the cost for P ranks; prestep ompi alpha more, m/2 gamma less.
// Source: van de Geijn, On global combine operations, 1994; Bar-Noy, Kipnis, Schieber 1993; the windows are ours.
// Needs:  nothing.
//
//   p = 5   halvings = 0   to r+1 (m)   to r+1 (m)   to r+2 (m; rank 1 2m)
//   p = 6   halvings = 1   r xor 1 (m/2)   to r+2, to r+2 (m/2)   r xor 1 (m/2)
#include "coll.h"
#include "times/times.h"

// ---- Windows around a ring ------------------------------------------------------------------------------------------

// What member q sends while windows have w members: its sum, or its rest, the sum without q itself. Either has a low
// part, of the members up to q, and a high part, of the last members of the ring, or one of the two.
typedef struct Window {
    bool low, high;
} Window;

static Window window_of(int q, int w, bool rest)
{
    return (Window){.low = !rest || (w > 1 && q > 0), .high = q < w - 1};
}

// The vectors of a member: the parts of its sum, and the low part of its rest. The rest shares the high part, so sum
// and rest are each one slice, and a rest begins with its high part.
typedef struct WindowSums {
    Blocks all, inbox;
} WindowSums;
enum { LOW, HIGH, REST };

static Slice sent(const WindowSums *x, Window w, bool rest)
{
    return rest ? blocks(&x->all, w.high ? HIGH : REST, w.low ? REST + 1 : REST)
                : blocks(&x->all, LOW, w.high ? HIGH + 1 : HIGH);
}

// Puts `part` in front of `sum`, which may not have begun.
static void prepend(const Coll *c, Slice sum, bool begun, Slice part)
{
    if (begun)
        coll_reduce(c, sum, part, sum);
    else
        coll_copy(c, sum, part);
}

// Takes round k of the census for member q of n, who are `stride` ranks apart; its window has w members so far.
static void take_round(const Coll *c, const WindowSums *x, const CensusRound *k, int n, int stride, int w)
{
    const int q = c->rank / stride, at = c->rank % stride, from = (q + n - k->distance) % n;
    const Window mine = window_of(q, w, k->rest), his = window_of(from, w, k->rest);
    coll_sendrecv(c, (q + k->distance) % n * stride + at, sent(x, mine, k->rest), from * stride + at,
                  blocks(&x->inbox, 0, his.low + his.high));
    const Slice first = block(&x->inbox, 0), second = block(&x->inbox, 1);
    if (from > q) { // around the ring: all of it are members behind the high part
        prepend(c, block(&x->all, HIGH), mine.high, first);
        return;
    }
    const Slice low = k->rest && his.high ? second : first, high = k->rest ? first : second;
    if (his.low && k->keep)
        prepend(c, block(&x->all, REST), window_of(q, w, true).low, low);
    if (his.low)
        prepend(c, block(&x->all, LOW), true, low);
    if (his.high)
        coll_copy(c, block(&x->all, HIGH), high);
}

// Replaces the part by the sum of all n members.
static void windows(const Coll *c, int n, int stride, Slice part)
{
    const Census census = census_ring(n, stride);
    const WindowSums x = {blocks_even(c, coll_scratch(c, 3 * part.len), 3),
                          blocks_even(c, coll_scratch(c, 2 * part.len), 2)};
    coll_copy(c, block(&x.all, LOW), part);
    for (int i = 0, w = 1; i < census.rounds; w = census.round[i++].members)
        take_round(c, &x, &census.round[i], n, stride, w);
    if (c->rank / stride < n - 1)
        coll_reduce(c, part, block(&x.all, LOW), block(&x.all, HIGH));
    else
        coll_copy(c, part, block(&x.all, LOW));
}

// Returns the time of the windows among n members with this many bytes.
static int64_t windows_time(const CollPoint *x, int n, int64_t bytes)
{
    const Census census = census_ring(n, 1);
    Clocks k = clocks_new(n);
    for (int i = 0, w = 1; i < census.rounds; w = census.round[i++].members) {
        const CensusRound r = census.round[i];
        clocks_shift(&k, r.distance);
        for (int q = 0; q < n; q++) {
            const Window mine = window_of(q, w, r.rest);
            k.bytes[q] = (mine.low + mine.high) * bytes;
        }
        clocks_round(&k, x, false);
        for (int q = 0; q < n; q++) {
            const Window mine = window_of(q, w, r.rest), his = window_of(k.from[q], w, r.rest);
            const bool adds_rest = his.low && r.keep && window_of(q, w, true).low;
            k.now[q] += (k.from[q] > q ? mine.high : his.low + adds_rest) * g(x, bytes);
        }
    }
    for (int q = 0; q < n - 1; q++)
        k.now[q] += g(x, bytes);
    return clocks_free(&k);
}

// ---- The whole ------------------------------------------------------------------------------------------------------

// Exchanges the part with the peer, and adds what comes in the order of the two ranks.
static void exchange(const Coll *c, int peer, Slice part)
{
    const Slice got = slice_like(coll_scratch(c, part.len), part);
    coll_sendrecv(c, peer, part, peer, got);
    reduce_in_order(c, part, got, peer < c->rank);
}

static void run(const Coll *c)
{
    const int h = butterfly_halvings(&c->par, c->p);
    Slice at[32] = {c->out};
    coll_phase(c, "reduce-scatter");
    butterfly_halve_in_order(c, h, at);
    coll_phase(c, "census");
    int n = c->p >> h, stride = 1 << h;
    for (; n % 2 == 0; n /= 2, stride *= 2)
        exchange(c, c->rank ^ stride, at[h]);
    if (n > 1)
        windows(c, n, stride, at[h]);
    coll_phase(c, "allgather");
    butterfly_halve_back(c, h, at);
}

static void allreduce_hybrid_in_order(const Coll *c)
{
    if (butterfly_folds(c->p, butterfly_halvings(&c->par, c->p))) {
        fold_run(c, c->par.prestep, run);
        return;
    }
    coll_copy(c, c->out, c->in);
    run(c);
}

// Ranks are alike if all halves are as long, and if they are the same member of the ring.
static int same_as(const Coll *c)
{
    const int h = butterfly_halvings(&c->par, c->p), n = c->p >> __builtin_ctz((unsigned)c->p);
    if (c->in.len / c->elem % ((size_t)1 << (h > 0 ? h : 1)) != 0)
        return c->rank;
    return butterfly_folds(c->p, h) ? same_fold(c) : c->rank / (c->p / n) * (c->p / n);
}

static int64_t formula(const CollPoint *x)
{
    const int h = butterfly_halvings(&x->par, x->p);
    const bool fold = butterfly_folds(x->p, h);
    const int64_t part = x->m >> h, far = x->m - part;
    const int64_t outer = fold ? fold_reduce_time(x) + u(x, x->m) : 0;
    int n = (fold ? pow2_floor(x->p) : x->p) >> h, doublings = 0;
    for (; n % 2 == 0; n /= 2)
        doublings++;
    const Circulant parts = circulant_graph(1 << h);
    return outer + circulant_overlap_time(x, &parts, h, part) + h * x->alpha + far * x->beta +
           doublings * (u(x, part) + g(x, part)) + (n > 1 ? windows_time(x, n, part) : 0);
}

const CollAlgorithm allreduce_hybrid_in_order_algorithm = {
    .collective = COLL_ALLREDUCE,
    .name = "hybrid_in_order",
    .summary =
        "rounds that halve the vector, exchanges of whole parts, and the halvings backwards, in the ranks' order",
    .run = allreduce_hybrid_in_order,
    .ordered = true,
    .params = {HALVINGS_UP_TO("floor(log2 p)", CUT_ROUNDS, 2), PRESTEP},
    .peers = PEERS_XOR,
    .same_as = same_as,
    .cost = "2^h divides p: 2h alpha + (m-s) (2 beta + gamma) - sum of min(u,g) for the halvings' messages of m/4, m/8 "
            ".. s + t (alpha + s (beta + gamma)) + W, s = m / 2^h, p / 2^h "
            "= 2^t n, n odd; W = 0 for n = 1, else a recurrence over the n members, with ceil(log2 n) messages of s to "
            "2s. Else, P = 2^floor(log2 p): 2 (alpha + m beta) + m gamma and the cost for P ranks; prestep ompi alpha "
            "more, m/2 gamma less",
    .formula = formula,
    .source = "van de Geijn, On global combine operations, 1994; Bar-Noy, Kipnis, Schieber 1993; the windows are ours",
};
