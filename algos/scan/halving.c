// What:   h rounds halve the vector, as in a reduce-scatter: pairs at distance 1, 2, 4 .. exchange halves of what they
//         have, and add. A rank then has 1/2^h of the sum over its group of 2^h ranks. The ranks with the same part make
//         an exscan of it (shapes/prefix.c). Then the h rounds run backwards: a rank knows what comes before its group,
//         and the sum over the lower half of the group, so it knows what comes before the upper half.
//         The messages of the first `pieces` rounds, which are the longest, travel in two pieces, so that one is reduced
//         while the other travels: on the way up, what the next round sends goes first, on the way down what the rank
//         has had longest.
//         If 2^h does not divide p, units of three ranks at the end take the place of pairs; the third rank has no
//         part, and hands half of its vector to each of the others. There are at least two groups, so that the largest
//         number of halvings is floor(log2 p) - 1.
// Cost:   scan halving: T = 2 (h alpha + (m-s) (beta+gamma)) + max(g-u, 0) + T_exscan(p/2^h) of s bytes, s = m/2^h, u =
//         alpha + m/2 beta, g = m/2 gamma; h = 0: T_exscan + m gamma.
//         exscan halving: T = 2 (h alpha + (m-s) (beta+gamma)) + T_exscan(p/2^h) of s bytes, s = m/2^h. This
//         is for one piece where 2^h divides p; else the formula follows the clocks of the groups that differ.
// Source: Rabenseifner, Optimization of collective reduction operations, 2004, whose halvings of an allreduce these are,
//         with a scan in their middle; Träff 2025 for the exscan.
// Needs:  nothing.
//
//   p = 8, halvings = 2      sums         0-1   2-3   4-5   6-7 (m/2)      0-2   1-3 (m/4)      4 -> 6   5 -> 7 (m/4)
//                            exscan       0 -> 4   1 -> 5   2 -> 6   3 -> 7 (m/4)
//                            prefixes     0 -> 2   1 -> 3   4-6   5-7 (m/4)      0-1   2-3   4-5   6-7 (m/2)
#include "coll.h"
#include "times/times.h"

enum { UNIT = 2 }; // ranks of a unit that have parts

// How the ranks are divided.
typedef struct Halving {
    int levels; // rounds that halve
    int parts;  // 2^levels, the ranks of a group that have a part of the vector each
    int groups;
    int two;       // the units of two ranks; those behind them have three
    int w;         // the caller's number among the ranks that have parts, or that of its unit's first rank
    int third;     // the third rank of the caller's unit, or -1
    bool is_third; // .. the caller is this rank
} Halving;

// With one group, a halving would cost a round more than an exscan of two groups, and save nothing.
static int levels_of(int p, const CollParams *par)
{
    const int most = p > 1 ? log2_floor(p) - 1 : 0;
    return par->halvings < most ? par->halvings : most;
}

static Halving halving_of(const Coll *c)
{
    const int h = levels_of(c->p, &c->par);
    const int rest = c->p % (1 << h), n = c->p - rest;
    Halving x = {.levels = h, .parts = 1 << h, .groups = n >> h, .two = n / UNIT - rest, .w = c->rank, .third = -1};
    const int beyond = c->rank - UNIT * x.two;
    if (rest > 0 && beyond >= 0) {
        const int unit = x.two + beyond / 3, i = beyond % 3;
        x.is_third = i == 2;
        x.third = UNIT * x.two + beyond / 3 * 3 + 2;
        x.w = UNIT * unit + (x.is_third ? 0 : i);
    }
    return x;
}

static int rank_of(const Halving *x, int w)
{
    return w < UNIT * x->two || x->levels == 0 ? w : w + w / UNIT - x->two;
}

static int lane_rank(const Coll *up, int i)
{
    const Halving x = halving_of(up);
    return rank_of(&x, i * x.parts + x.w % x.parts);
}

// A run of blocks.
typedef struct HalvingRun {
    int first, n;
} HalvingRun;

static HalvingRun half(HalvingRun r, int which)
{
    return (HalvingRun){r.first + which * r.n / 2, r.n / 2};
}

// What a rank has: a buffer for a run of blocks, which begin at this byte of the vector.
typedef struct Room {
    Slice slice;
    size_t begin;
} Room;

typedef struct HalvingWalk {
    const Coll *c;
    bool exclusive;
    Halving x;
    Blocks cut;     // of the vector
    Room got[31];   // what came from the partner at a level
    Room sum[32];   // the sum over the caller's group of 2^l ranks; sum[1] is that over the unit
    Room two;       // the sum over the first two ranks of the unit
    Room of_third;  // what came from the third rank
    Room before;    // the sum over all ranks before the group
    Room spare[31]; // for a level on the way down
    Room result;
} HalvingWalk;

static Slice run_of(const HalvingWalk *k, HalvingRun r)
{
    return blocks(&k->cut, r.first, r.first + r.n);
}
static Room room(const HalvingWalk *k, HalvingRun r)
{
    const Slice s = run_of(k, r);
    return (Room){coll_scratch(k->c, s.len), s.off};
}
static Slice in(const HalvingWalk *k, Room room, HalvingRun r)
{
    const Slice s = run_of(k, r);
    return slice_at(room.slice, s.off - room.begin, s.len);
}

static int bit(const HalvingWalk *k, int level)
{
    return k->x.w >> level & 1;
}
// The run that the caller or its partner keeps at this level.
static HalvingRun kept(const HalvingWalk *k, int level, bool partner)
{
    HalvingRun r = {0, k->x.parts};
    for (int i = 0; i < level; i++)
        r = half(r, bit(k, i));
    return half(r, bit(k, level) ^ partner);
}
static bool has_third(const HalvingWalk *k, int level)
{
    return level == 0 && k->x.third >= 0;
}
static int partner_at(const HalvingWalk *k, int level)
{
    return rank_of(&k->x, k->x.w ^ 1 << level);
}

// Returns the number of pieces in which a run travels at this level, at most 2, and sets `piece`. Going up, what the
// ranks send on at the next level comes first; coming down, what they have had since that level.
static int pieces(const HalvingWalk *k, int level, HalvingRun r, bool down, HalvingRun piece[2])
{
    piece[0] = r;
    if (level + 1 >= k->x.levels || level >= k->c->par.choice)
        return 1;
    const int first = bit(k, level + 1) ^ !down;
    piece[0] = half(r, first);
    piece[1] = half(r, !first);
    return 2;
}

// Begins to receive a run, or to send it, and writes the requests.
static void receive(const HalvingWalk *k, int from, int level, bool down, Room into, HalvingRun r, CollReq come[2])
{
    HalvingRun piece[2];
    for (int i = 0; i < pieces(k, level, r, down, piece); i++)
        come[i] = coll_irecv(k->c, from, in(k, into, piece[i]));
}
static void send(const HalvingWalk *k, int to, int level, bool down, Room from, HalvingRun r)
{
    HalvingRun piece[2];
    for (int i = 0; i < pieces(k, level, r, down, piece); i++)
        coll_isend(k->c, to, in(k, from, piece[i]));
}

// ---- Sums go up ----------------------------------------------------------------------------------------------------

// Returns true if the sum over the caller's group at this level is of use: to later ranks, or for results within a unit.
static bool is_of_use(const HalvingWalk *k, int level)
{
    const int64_t group = (k->x.w >> (level + 1)) + 1;
    return group << (level + 1) < (int64_t)k->x.groups * k->x.parts || (level == 0 && !k->exclusive);
}

// Begins the exchange of halves with the partner, and with the third rank of the unit if the level has one. The three
// messages among three ranks take two turns at every port, because the lower rank hears the third rank first.
static void exchange(const HalvingWalk *k, int level, CollReq come[2], CollReq third[2])
{
    const bool upper = bit(k, level), use = is_of_use(k, level), three = has_third(k, level);
    const HalvingRun keep = kept(k, level, false);
    if (three && use && !upper)
        receive(k, k->x.third, level, false, k->of_third, keep, third);
    if (upper || use || three)
        receive(k, partner_at(k, level), level, false, k->got[level], keep, come);
    if (!upper || use || three)
        send(k, partner_at(k, level), level, false, k->sum[level], kept(k, level, true));
    if (three && use && upper)
        receive(k, k->x.third, level, false, k->of_third, keep, third);
}

// Sets sum[l + 1], the sum over the caller's group of 2^(l+1) ranks or units, and got[l], what the partner at level l
// sent for it, of the runs that the caller keeps.
static void up(HalvingWalk *k)
{
    const Coll *c = k->c;
    const CollReq first = coll_mark(c);
    CollReq come[2], third[2];
    for (int l = 0; l < k->x.levels; l++) {
        k->got[l] = room(k, kept(k, l, false));
        k->sum[l + 1] = room(k, kept(k, l, false));
    }
    k->of_third = room(k, has_third(k, 0) ? kept(k, 0, false) : (HalvingRun){0});
    k->two = has_third(k, 0) ? room(k, kept(k, 0, false)) : k->sum[1];
    if (k->x.levels > 0)
        exchange(k, 0, come, third);
    for (int l = 0; l < k->x.levels; l++) {
        const CollReq came[2] = {come[0], come[1]};
        const bool upper = bit(k, l), use = is_of_use(k, l), three = has_third(k, l);
        HalvingRun piece[2];
        const int n = pieces(k, l, kept(k, l, false), false, piece);
        for (int i = 0; i < n; i++) {
            const Slice mine = in(k, k->sum[l], piece[i]), got = in(k, k->got[l], piece[i]),
                        both = in(k, three ? k->two : k->sum[l + 1], piece[i]);
            if (upper || use || three)
                coll_wait(c, came[i]);
            if (use || three)
                coll_reduce(c, both, upper ? got : mine, upper ? mine : got);
            if (use && three) {
                coll_wait(c, third[i]);
                coll_reduce(c, in(k, k->sum[1], piece[i]), both, in(k, k->of_third, piece[i]));
            }
            if (i == 0 && l + 1 < k->x.levels)
                exchange(k, l + 1, come, third);
        }
    }
    coll_waitall(c, first);
}

// ---- Prefixes come down --------------------------------------------------------------------------------------------

// Adds what comes before, if anything does, in front of a piece of `sum`. Returns where the result is.
static Slice add(const HalvingWalk *k, bool any, Room into, Room sum, HalvingRun r)
{
    if (any)
        coll_reduce(k->c, in(k, into, r), in(k, k->before, r), in(k, sum, r));
    return in(k, any ? into : sum, r);
}

// Gives a piece of the result, or of what comes before, to the partner at a level, and at level 0 to the third rank.
// The caller may have something before its group.
static void give(const HalvingWalk *k, int level, bool any, bool ends, HalvingRun r)
{
    const Coll *c = k->c;
    const bool upper = bit(k, level), three = has_third(k, level);
    const Room *low = upper ? &k->got[level] : &k->sum[level], *sum = level == 0 ? &k->two : &k->sum[level + 1];
    if (three && upper)
        coll_isend(c, k->x.third, add(k, any, k->of_third, ends ? k->sum[1] : *sum, r));
    if (ends || !upper) {
        coll_isend(c, partner_at(k, level), add(k, any, k->spare[level], ends && !upper ? *sum : *low, r));
    } else {
        CollReq sent = 0;
        if (any)
            sent = coll_isend(c, partner_at(k, level), in(k, k->before, r));
        const Slice before = add(k, any, k->spare[level], *low, r);
        if (any)
            coll_wait(c, sent);
        coll_copy(c, in(k, k->before, r), before);
    }
    if (three && !upper)
        coll_isend(c, k->x.third, add(k, any, k->of_third, ends ? k->sum[1] : *sum, r));
}

// Turns what comes before the group into what comes before each of its ranks, or into their results.
static void down(HalvingWalk *k)
{
    const Coll *c = k->c;
    const CollReq mark = coll_mark(c);
    CollReq come[2] = {0};
    int coming = 0; // pieces of the level above that are on their way
    for (int l = k->x.levels - 1; l >= 0; l--) {
        const bool any = k->x.w >> (l + 1) > 0, ends = l == 0 && !k->exclusive, receives = bit(k, l) || any || ends;
        const CollReq came[2] = {come[0], come[1]};
        HalvingRun piece[2];
        const int n = pieces(k, l, kept(k, l, false), true, piece);
        k->spare[l] = room(k, kept(k, l, false));
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < coming && i == n - 1; j++)
                coll_wait(c, came[j]);
            if (i == 0 && receives)
                receive(k, partner_at(k, l), l, true, ends ? k->result : k->before, kept(k, l, true), come);
            give(k, l, any, ends, piece[i]);
        }
        for (int i = 0; i < n && ends; i++) {
            const Room keep = bit(k, l) ? k->two : k->sum[0];
            coll_copy(c, in(k, k->result, piece[i]), add(k, any, k->result, keep, piece[i]));
        }
        coming = receives ? n : 0;
    }
    coll_waitall(c, mark);
}

// The third rank of a unit hands its halves to the others, and gets its result from them.
static void third(const HalvingWalk *k)
{
    const CollReq mark = coll_mark(k->c);
    const HalvingRun whole = {0, k->x.parts};
    CollReq come[2];
    coll_phase(k->c, "sums");
    for (int i = 0; i < 2 && is_of_use(k, 0); i++)
        send(k, k->c->rank - 2 + i, 0, false, k->sum[0], half(whole, i));
    coll_waitall(k->c, mark);
    coll_phase(k->c, "prefixes");
    for (int i = 0; i < 2; i++)
        receive(k, k->c->rank - 2 + i, 0, true, k->result, half(whole, i), come);
    coll_waitall(k->c, mark);
}

static void halving(const Coll *c, bool exclusive)
{
    HalvingWalk k = {.c = c, .exclusive = exclusive, .x = halving_of(c)};
    const HalvingRun whole = {0, k.x.parts};
    const Slice own = prefix_own(c, exclusive);
    k.sum[0] = (Room){own, own.off};
    k.cut = blocks_spread(c, own, k.x.parts);
    k.result = (Room){c->out, own.off};
    if (k.x.is_third) {
        third(&k);
        return;
    }
    k.before = exclusive ? k.result : room(&k, whole);
    coll_phase(c, "sums");
    up(&k);
    const HalvingRun left = k.x.levels > 0 ? kept(&k, k.x.levels - 1, false) : whole;
    Coll lane = coll_sub(c, k.x.groups, k.x.w >> k.x.levels, lane_rank);
    lane.in = in(&k, k.sum[k.x.levels], left);
    lane.out = in(&k, k.before, left);
    coll_phase(c, "exscan");
    prefix_two_phase(&lane);
    coll_phase(c, "prefixes");
    down(&k);
    if (k.x.levels == 0 && !exclusive && c->rank > 0)
        coll_reduce(c, c->out, k.before.slice, c->out);
}

static void scan_halving(const Coll *c)
{
    halving(c, false);
}

static void exscan_halving(const Coll *c)
{
    halving(c, true);
}

static int same_as(const Coll *c)
{
    const Halving x = halving_of(c);
    if (c->p % x.parts != 0)
        return c->rank;
    return prefix_two_phase_same(c->rank / x.parts, x.groups) * x.parts + c->rank % x.parts;
}

static int64_t scan_formula(const CollPoint *x)
{
    return halving_time(x, levels_of(x->p, &x->par), false);
}

static int64_t exscan_formula(const CollPoint *x)
{
    return halving_time(x, levels_of(x->p, &x->par), true);
}

#define COMMON                                                                                                         \
    .name = "halving",                                                                                                 \
    .summary = "rounds that halve the vector, an exscan of each part, and the halvings backwards, for any p",          \
    .params = {HALVINGS_UP_TO("floor(log2 p) - 1", CUT_TWO_GROUPS, 2),                                                 \
               {"pieces", PARAM_INT, offsetof(CollParams, choice), 0, 0, 30, NULL,                                     \
                "number of first halvings, but for the last, whose messages travel in two pieces; more than "          \
                "floor(log2 p) - 1 means that",                                                                        \
                CUT_TWO_GROUPS}},                                                                                      \
    .ordered = true, .peers = PEERS_SHIFT, .same_as = same_as,                                                         \
    .unknown = "a rank may take messages in another order than that of its receives",                                  \
    .source = "Rabenseifner, Optimization of collective reduction operations, 2004, whose halvings of an allreduce "   \
              "these are, with a scan in their middle; Träff 2025 for the exscan"

const CollAlgorithm scan_halving_algorithm = {
    COMMON,
    .collective = COLL_SCAN,
    .run = scan_halving,
    .cost = "2 (h alpha + (m-s) (beta+gamma)) + max(g-u, 0) + T_exscan(p/2^h) of s bytes, s = m/2^h, u = alpha + m/2 "
            "beta, g = m/2 gamma; h = 0: T_exscan + m gamma",
    .formula = scan_formula,
};

const CollAlgorithm exscan_halving_algorithm = {
    COMMON,
    .collective = COLL_EXSCAN,
    .run = exscan_halving,
    .cost = "2 (h alpha + (m-s) (beta+gamma)) + T_exscan(p/2^h) of s bytes, s = m/2^h",
    .formula = exscan_formula,
};
