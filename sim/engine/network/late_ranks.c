#include "engine/network/late_ranks.h"
#include "engine/replay/vectorised.h"
#include <math.h>
#include <string.h>

enum {
    MASKS = 128,        // of kinds that are kept
    MANY_KINDS = 4,     // of a class, so that a look at each switch is quicker
    MOST_UNLIMITED = 6, // sets and classes while no limit is known
};

// A class of messages that take the same time.
typedef struct TimeClass {
    KindTime time;
    double sum;
} TimeClass;

// Messages of one class that begin at one clock.
typedef struct Start {
    double end;
    int set, class;
} Start;

struct LateRules {
    int n;
    size_t words;
    uint64_t last; // the bits of the last word that stand for ranks
    bool meets;
    double limit_s, lost_s;
    int most;   // sets that are kept, and classes that are looked at
    int starts; // how many of the next are set
    bool has_class[LATE_SETS];
    uint64_t *start; // by set: the senders that begin at its clock
    uint64_t *class; // by class: the senders of its messages
    uint64_t *near;  // by how many hosts send to the further switch: the others
    bool *has_near;  // .. if it is set
    uint64_t *mask;  // of kinds: all hosts of the switches whose nearer (further) messages are of that kind
    int *mask_of[2]; // by kind, for near and far: its mask, -1 for none
    bool *chosen;    // by kind
    uint32_t room;   // of mask_of
    int masks, by;   // how many are set; for rounds by so many switches
    int hosts;       // of a switch; of `near`
    uint64_t *twice, *turned, *taken, *begun, *covered; // scratch
};

LateRules *late_ranks_new(int n, bool meets)
{
    LateRules *x = g_new0(LateRules, 1);
    const size_t words = ((size_t)n + 63) / 64;
    *x = (LateRules){.n = n, .words = words, .meets = meets, .limit_s = INFINITY, .lost_s = INFINITY, .by = -1};
    x->last = n % 64 ? (UINT64_C(1) << n % 64) - 1 : UINT64_MAX;
    x->start = g_new(uint64_t, LATE_SETS * words);
    x->class = g_new(uint64_t, LATE_SETS * words);
    x->mask = g_new(uint64_t, MASKS * words);
    x->twice = g_new(uint64_t, 2 * words + 2);
    x->turned = g_new(uint64_t, words);
    x->taken = g_new(uint64_t, words);
    x->begun = g_new(uint64_t, words);
    x->covered = g_new(uint64_t, words);
    return x;
}

void late_ranks_free(LateRules *x)
{
    if (!x)
        return;
    g_free(x->start);
    g_free(x->class);
    g_free(x->near);
    g_free(x->has_near);
    g_free(x->mask);
    g_free(x->chosen);
    g_free(x->mask_of[0]);
    g_free(x->mask_of[1]);
    g_free(x->twice);
    g_free(x->turned);
    g_free(x->taken);
    g_free(x->begun);
    g_free(x->covered);
    g_free(x);
}

size_t late_ranks_bytes(const LateRules *x)
{
    return LATE_SETS * x->words * sizeof(uint64_t);
}

void late_ranks_limit(LateRules *x, double delay_s)
{
    x->limit_s = delay_s;
    x->most = isinf(delay_s) ? MOST_UNLIMITED : LATE_SETS;
    x->lost_s = INFINITY;
}

double late_ranks_lost(const LateRules *x)
{
    return x->lost_s;
}

// ---- Bits -----------------------------------------------------------------------------------------------------------

static VECTORISED void shift_words(uint64_t *restrict to, const uint64_t *restrict from, size_t words, int by)
{
    for (size_t i = 0; i < words; i++)
        to[i] = from[i] >> by | from[i + 1] << (64 - by);
}

// Sets to[] to the set of all v for which v + by, modulo n, is in a set.
static void turn(const LateRules *x, uint64_t *to, const uint64_t *set, int by)
{
    const size_t words = x->words, full = (size_t)x->n / 64;
    const int rest = x->n % 64;
    uint64_t *const twice = x->twice; // the set, and then the set again
    memcpy(twice, set, words * sizeof *set);
    if (rest == 0) {
        memcpy(twice + words, set, words * sizeof *set);
    } else {
        twice[full] |= set[0] << rest;
        for (size_t i = 1; i < words; i++)
            twice[full + i] = set[i] << rest | set[i - 1] >> (64 - rest);
        twice[full + words] = set[words - 1] >> (64 - rest);
    }
    if (by % 64)
        shift_words(to, twice + by / 64, words, by % 64);
    else
        memcpy(to, twice + by / 64, words * sizeof *to);
    to[words - 1] &= x->last;
}

// Adds b to a[], takes away what is covered, and adds the rest to that. Returns whether something is left.
static VECTORISED bool take_new(uint64_t *restrict a, const uint64_t *restrict b, uint64_t *restrict covered,
                                size_t words)
{
    uint64_t any = 0;
    for (size_t i = 0; i < words; i++) {
        const uint64_t all = covered[i] | a[i] | b[i];
        a[i] = all ^ covered[i];
        covered[i] = all;
        any |= a[i];
    }
    return any;
}

static VECTORISED bool find_both(uint64_t *restrict to, const uint64_t *restrict a, const uint64_t *restrict b,
                                 size_t words)
{
    uint64_t any = 0;
    for (size_t i = 0; i < words; i++) {
        to[i] = a[i] & b[i];
        any |= to[i];
    }
    return any;
}

static VECTORISED void add_set(uint64_t *restrict to, const uint64_t *restrict set, size_t words)
{
    for (size_t i = 0; i < words; i++)
        to[i] |= set[i];
}

static VECTORISED void add_where(uint64_t *restrict to, const uint64_t *restrict set, const uint64_t *restrict where,
                                 uint64_t flip, size_t words)
{
    for (size_t i = 0; i < words; i++)
        to[i] |= set[i] & (where[i] ^ flip);
}

static bool is_all(const LateRules *x, const uint64_t *set)
{
    for (size_t i = 0; i + 1 < x->words; i++)
        if (set[i] != UINT64_MAX)
            return false;
    return set[x->words - 1] == x->last;
}

// Adds n ranks from `first` on.
static void add_run(uint64_t *set, int first, int n)
{
    while (n > 0) {
        const int bit = first % 64, some = MIN(n, 64 - bit);
        set[first / 64] |= (some == 64 ? UINT64_MAX : (UINT64_C(1) << some) - 1) << bit;
        first += some;
        n -= some;
    }
}

// ---- The messages of a round ----------------------------------------------------------------------------------------

// Returns the hosts that send to the nearer one of two switches.
static const uint64_t *near_hosts(LateRules *x, const ShiftRound *r)
{
    if (x->hosts != r->hosts) {
        x->hosts = r->hosts;
        x->near = g_renew(uint64_t, x->near, (size_t)r->hosts * x->words);
        g_free(x->has_near);
        x->has_near = g_new0(bool, r->hosts);
    }
    uint64_t *const set = x->near + (size_t)r->more * x->words;
    if (!x->has_near[r->more]) {
        memset(set, 0, x->words * sizeof *set);
        for (int s = 0; s < r->switches; s++)
            add_run(set, s * r->hosts, r->hosts - r->more);
        x->has_near[r->more] = true;
    }
    return set;
}

static void forget_masks(LateRules *x, const ShiftRound *r, int by)
{
    if (r->kinds > x->room) {
        x->room = 2 * r->kinds;
        x->chosen = g_renew(bool, x->chosen, x->room);
        for (int i = 0; i < 2; i++)
            x->mask_of[i] = g_renew(int, x->mask_of[i], x->room);
    }
    for (int i = 0; i < 2; i++)
        for (uint32_t kind = 0; kind < r->kinds; kind++)
            x->mask_of[i][kind] = -1;
    x->masks = 0;
    x->by = by;
}

// Returns all hosts of the switches whose nearer, or further, messages are of this kind.
static const uint64_t *mask_of(LateRules *x, const ShiftRound *r, int which, uint32_t kind)
{
    if (x->mask_of[which][kind] < 0) {
        if (x->masks == MASKS)
            forget_masks(x, r, x->by);
        uint64_t *const set = x->mask + (size_t)x->masks * x->words;
        memset(set, 0, x->words * sizeof *set);
        for (int s = 0, end; s < r->switches; s = end) {
            for (end = s; end < r->switches && r->of[which][end] == kind; end++)
                continue;
            if (end > s)
                add_run(set, s * r->hosts, (end - s) * r->hosts);
            else
                end++;
        }
        x->mask_of[which][kind] = x->masks++;
    }
    return x->mask + (size_t)x->mask_of[which][kind] * x->words;
}

// Finds the slowest classes of messages, at most `most`, and no faster one than `least`. Returns how many these are; sets
// *left to what the slowest message takes that is left out, but may matter; -INFINITY if there is none.
static int find_classes(const ShiftRound *r, const KindTime *time, double least, int most, TimeClass *class,
                        double *left)
{
    int n = 0;
    *left = -INFINITY;
    for (uint32_t kind = 0; kind < r->kinds; kind++) {
        const TimeClass y = {time[kind], time[kind].once + time[kind].load};
        int at = n;
        if (y.sum < least)
            continue;
        while (at > 0 && class[at - 1].sum < y.sum)
            at--;
        bool known = false;
        for (int i = at; i > 0 && class[i - 1].sum == y.sum && !known; i--)
            known = class[i - 1].time.once == y.time.once;
        if (known)
            continue;
        if (n == most)
            *left = MAX(*left, at == n ? y.sum : class[n - 1].sum);
        if (at == most)
            continue;
        n = MIN(n + 1, most);
        memmove(class + at + 1, class + at, (size_t)(n - 1 - at) * sizeof *class);
        class[at] = y;
    }
    return n;
}

// Adds the senders of a kind's messages.
static void add_kind(LateRules *x, const ShiftRound *r, uint32_t kind, uint64_t *to)
{
    if (r->more == 0) {
        add_set(to, mask_of(x, r, 0, kind), x->words);
        return;
    }
    const uint64_t *near = near_hosts(x, r);
    add_where(to, mask_of(x, r, 0, kind), near, 0, x->words);
    add_where(to, mask_of(x, r, 1, kind), near, UINT64_MAX, x->words);
}

// Adds the senders of all kinds that are chosen.
static void add_chosen(const LateRules *x, const ShiftRound *r, uint64_t *to)
{
    const int near = r->hosts - r->more;
    for (int s = 0; s < r->switches; s++) {
        if (x->chosen[r->of[0][s]])
            add_run(to, s * r->hosts, near);
        if (r->more && x->chosen[r->of[1][s]])
            add_run(to, s * r->hosts + near, r->more);
    }
}

// Returns the senders of a class.
static const uint64_t *senders_of(LateRules *x, const LateRound *l, const TimeClass *class, int at)
{
    const ShiftRound *r = l->round;
    uint64_t *const to = x->class + (size_t)at * x->words;
    if (x->has_class[at])
        return to;
    x->has_class[at] = true;
    memset(to, 0, x->words * sizeof *to);
    if (x->by != l->k / r->hosts || r->kinds > x->room)
        forget_masks(x, r, l->k / r->hosts);
    uint32_t kinds = 0;
    for (uint32_t kind = 0; kind < r->kinds; kind++) {
        x->chosen[kind] = l->time[kind].once == class[at].time.once && l->time[kind].load == class[at].time.load;
        kinds += x->chosen[kind];
    }
    if (kinds > MANY_KINDS)
        add_chosen(x, r, to);
    else
        for (uint32_t kind = 0; kind < r->kinds; kind++)
            if (x->chosen[kind])
                add_kind(x, r, kind, to);
    return to;
}

// ---- A round --------------------------------------------------------------------------------------------------------

// Returns the senders whose messages begin at the clock of a set. The sets before it were asked for.
static const uint64_t *starts_at(LateRules *x, const LateRanks *now, int away, int set)
{
    uint64_t *const start = x->start + (size_t)set * x->words;
    if (set < x->starts)
        return start;
    g_assert(set == x->starts++);
    memcpy(start, now->bits + (size_t)set * x->words, x->words * sizeof *start);
    if (!x->meets)
        return start;
    turn(x, x->turned, start, away);
    take_new(start, x->turned, x->begun, x->words);
    return start;
}

// Lists the messages that end at `least` or later, the latest ones first.
static int list_starts(const LateRanks *now, const TimeClass *class, int classes, double least, Start *start)
{
    int n = 0;
    for (int i = 0; i < now->sets; i++)
        for (int j = 0; j < classes; j++) {
            const double end = now->clock[i] + class[j].time.once + class[j].time.load;
            if (end < least)
                break;
            int at = n++;
            for (; at > 0 && start[at - 1].end < end; at--)
                start[at] = start[at - 1];
            start[at] = (Start){end, i, j};
        }
    return n;
}

// Adds the two ends of some messages, as far as they are not covered.
static void add_ends(LateRules *x, const LateRound *l, const TimeClass *class, const Start *start, const LateRanks *now,
                     LateRanks *next)
{
    const int away = l->k % x->n;
    const bool merges = next->sets > 0 && next->clock[next->sets - 1] == start->end;
    uint64_t *const to = next->bits + (size_t)next->sets * x->words;
    if (!find_both(x->taken, starts_at(x, now, away, start->set), senders_of(x, l, class, start->class), x->words))
        return;
    turn(x, x->turned, x->taken, (x->n - away) % x->n);
    if (!take_new(x->taken, x->turned, x->covered, x->words))
        return;
    if (merges) {
        add_set(to - x->words, x->taken, x->words);
        return;
    }
    memcpy(to, x->taken, x->words * sizeof *to);
    next->clock[next->sets++] = start->end;
}

// Notes that ranks with clocks of up to this were lost.
static void lose(LateRules *x, const LateRanks *next, double clock)
{
    x->lost_s = MIN(x->lost_s, next->most_s - clock);
}

bool late_ranks_exchange(LateRules *x, const LateRound *l, const LateRanks *now, LateRanks *next)
{
    TimeClass class[LATE_SETS];
    Start start[LATE_SETS * LATE_SETS];
    const bool limited = !isinf(x->limit_s);
    double left;
    next->sets = 0;
    next->most_s = now->most_s + l->most_s;
    const double least = limited ? next->most_s - x->limit_s : 0; // no earlier clock matters
    const int classes =
        find_classes(l->round, l->time, least - now->clock[0] - 1e-9 * l->most_s, x->most, class, &left);
    const double lost = now->clock[0] + left;
    if (limited && left >= 0 && lost >= least)
        return false;
    const int starts = list_starts(now, class, classes, least, start);
    x->starts = 0;
    memset(x->has_class, 0, sizeof x->has_class);
    memset(x->begun, 0, x->words * sizeof *x->begun);
    memset(x->covered, 0, x->words * sizeof *x->covered);
    bool all = false;
    int i = 0;
    for (; i < starts && !all && start[i].end > lost; i++) {
        if (next->sets == x->most && start[i].end < next->clock[x->most - 1])
            break;
        add_ends(x, l, class, &start[i], now, next);
        all = is_all(x, x->covered);
    }
    if (all || (i == starts && left < 0))
        return true;
    if (!limited)
        lose(x, next, i < starts ? MAX(start[i].end, lost) : lost);
    return !limited;
}

void late_ranks_work(const LateRules *x, double own_s, const LateRanks *now, LateRanks *next)
{
    next->sets = now->sets;
    next->most_s = now->most_s + own_s;
    for (int i = 0; i < now->sets; i++)
        next->clock[i] = now->clock[i] + own_s;
    memcpy(next->bits, now->bits, (size_t)now->sets * x->words * sizeof *now->bits);
}

// ---- All ranks ------------------------------------------------------------------------------------------------------

void late_ranks_begin(const LateRules *x, LateRanks *y)
{
    y->sets = 1;
    y->most_s = y->clock[0] = 0;
    memset(y->bits, 0xff, x->words * sizeof *y->bits);
    y->bits[x->words - 1] = x->last;
}

double late_ranks_clock(const LateRules *x, const LateRanks *y, int v)
{
    for (int i = 0; i < y->sets; i++)
        if (y->bits[(size_t)i * x->words + (size_t)v / 64] >> v % 64 & 1)
            return y->clock[i];
    return -INFINITY;
}

int late_ranks_first(const LateRules *x, const LateRanks *y)
{
    int v = 0;
    while (v + 1 < x->n && !(y->bits[(size_t)v / 64] >> v % 64 & 1))
        v++;
    return v;
}

bool late_ranks_read(const LateRules *x, const double *clock, double most_s, LateRanks *y)
{
    y->sets = 0;
    y->most_s = most_s;
    for (int v = 0; v < x->n; v++) {
        int at = 0;
        if (clock[v] < most_s - x->limit_s)
            continue;
        while (at < y->sets && y->clock[at] > clock[v])
            at++;
        if (at < y->sets && y->clock[at] == clock[v])
            continue;
        if (y->sets == LATE_SETS)
            return false;
        memmove(y->clock + at + 1, y->clock + at, (size_t)(y->sets++ - at) * sizeof *y->clock);
        y->clock[at] = clock[v];
    }
    memset(y->bits, 0, (size_t)y->sets * x->words * sizeof *y->bits);
    for (int v = 0; v < x->n; v++)
        for (int i = 0; i < y->sets; i++)
            if (y->clock[i] == clock[v])
                y->bits[(size_t)i * x->words + (size_t)v / 64] |= UINT64_C(1) << v % 64;
    return true;
}

void late_ranks_write(const LateRules *x, const LateRanks *y, double *clock)
{
    for (int v = 0; v < x->n; v++)
        clock[v] = late_ranks_clock(x, y, v);
}
