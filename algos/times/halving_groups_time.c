// The time of scan and exscan halving (scan/halving.c) where the groups of 2^h ranks are not alike, because units at the
// end have three ranks. Only the last groups have such units. On the way up we follow their ranks one by one, and one
// group that stands for all others. The exscan is run once for all lanes that begin it at the same times, and the way down
// once for all groups that begin it at the same times.
#include "times/halving_time.h"
#include "api/integers.h"
#include "shapes/prefix.h"
#include <glib.h>
#include <string.h>

// A rank: its clock; when it issued and posted the messages of the level; when its ports are free; since when its in-port
// has taken messages without a pause, and when the last of them began; and when what its partner and its unit's third
// rank sent is there.
typedef struct HalvingSeat {
    int64_t now, issue, post, out, in, begin, last;
    int64_t come[2], of_third[2];
} HalvingSeat;

enum { MOST_FOLLOWED = 5 }; // at most three groups have units of three

typedef struct HalvingGroups {
    const CollPoint *x;
    int h, parts, groups;
    int two; // the units of two ranks; those behind them have three
    bool exclusive;
    bool sure;                // false if a rank may have taken messages in another order than that of its receives
    int regular;              // the first groups, which have no units of three and are not the last one
    int followed;             // the groups that are followed on the way up
    int group[MOST_FOLLOWED]; // their numbers, in order; the first regular one stands for all
    HalvingSeat *third[MOST_FOLLOWED]; // the third ranks of their units
    int64_t *up[MOST_FOLLOWED];        // when their ranks begin the exscan
    HalvingSeat *seat;                 // the ranks of the group that is being followed
    int *lane;                         // the kind of each lane: lanes of a kind take equally long
    int kinds;
    int64_t **exscan; // when each group has ended the exscan of a lane of this kind
} HalvingGroups;

static bool has_third(const HalvingGroups *k, int group, int i)
{
    return k->h > 0 && (group * k->parts + i) / 2 >= k->two;
}

// Sends a message. If `late`, the receiver posted its receive before that of the one before it. A port that is free takes
// the message whose receive was posted first of those that are offered, so the order is certain if the message is offered
// after the port has begun to take messages without a pause.
static int64_t send(HalvingGroups *k, HalvingSeat *from, HalvingSeat *to, int64_t cost, bool late)
{
    int64_t start = later(from->issue, from->out);
    if (!k->x->eager && cost == 0)
        start = later(start, to->post); // it passes at once
    else if (!k->x->eager) {
        start = later(start, to->post);
        k->sure &= start >= to->begin && !(late && start <= to->last);
        to->begin = start > to->in ? start : to->begin;
        to->last = start = later(start, to->in);
        to->in = start + cost;
    }
    return from->out = start + cost;
}

// ---- Sums go up ----------------------------------------------------------------------------------------------------

static bool is_of_use(const HalvingGroups *k, int w, int level)
{
    return (((int64_t)w >> (level + 1)) + 1) << (level + 1) < (int64_t)k->groups * k->parts ||
           (level == 0 && !k->exclusive);
}

static void exchange(HalvingGroups *k, HalvingLevel of, bool use, HalvingSeat *lower, HalvingSeat *upper,
                     HalvingSeat *third)
{
    for (int i = 0; third && use && i < of.n; i++)
        lower->of_third[i] = send(k, third, lower, of.u, false);
    for (int i = 0; i < of.n; i++)
        upper->come[i] = send(k, lower, upper, of.u, false);
    for (int i = 0; (use || third) && i < of.n; i++)
        lower->come[i] = send(k, upper, lower, of.u, false);
    for (int i = 0; third && use && i < of.n; i++)
        upper->of_third[i] = send(k, third, upper, of.u, false);
}

static void add_halves(HalvingLevel of, bool upper, bool use, bool three, HalvingSeat *s)
{
    for (int i = 0; i < of.n; i++) {
        if (upper || use || three)
            s->now = later(s->now, s->come[i]);
        s->now += use || three ? of.g : 0;
        if (use && three)
            s->now = later(s->now, s->of_third[i]) + of.g;
        if (i == 0)
            s->issue = s->post = s->now;
    }
}

static void up(HalvingGroups *k, int followed)
{
    const int group = k->group[followed], first = group * k->parts;
    HalvingSeat *s = k->seat, *third = k->third[followed];
    for (int i = 0; i < k->parts; i++)
        s[i] = third[i / 2] = (HalvingSeat){.last = -1};
    for (int l = 0; l < k->h; l++) {
        const HalvingLevel of = halving_level(k->x, k->h, l);
        for (int i = 0; i < k->parts; i++)
            if ((i >> l & 1) == 0)
                exchange(k, of, is_of_use(k, first + i, l), &s[i], &s[i | 1 << l],
                         l == 0 && has_third(k, group, i) ? &third[i / 2] : NULL);
        for (int i = 0; i < k->parts; i++)
            add_halves(of, i >> l & 1, is_of_use(k, first + i, l), l == 0 && has_third(k, group, i), &s[i]);
    }
    for (int i = 0; i < k->parts; i++) {
        k->up[followed][i] = later(s[i].now, s[i].out);
        third[i / 2].post = third[i / 2].out;
    }
}

// ---- The exscan of a lane ------------------------------------------------------------------------------------------

// Returns true if the ranks of two lanes begin at the same times.
static bool lanes_alike(const HalvingGroups *k, int a, int b)
{
    for (int i = 0; i < k->followed; i++)
        if (k->up[i][a] != k->up[i][b])
            return false;
    return true;
}

// Finds the kinds of lanes, and runs the exscan of each.
static void run_lanes(HalvingGroups *k)
{
    g_autofree int *example = g_new(int, k->parts);
    for (int lane = 0; lane < k->parts; lane++) {
        int kind = 0;
        while (kind < k->kinds && !lanes_alike(k, example[kind], lane))
            kind++;
        k->lane[lane] = kind;
        if (kind < k->kinds)
            continue;
        example[k->kinds] = lane;
        int64_t *t = k->exscan[k->kinds++] = g_new(int64_t, k->groups);
        for (int i = 0, group = 0; group < k->groups; group++) {
            i += i + 1 < k->followed && k->group[i + 1] == group;
            t[group] = k->up[i][lane];
        }
        prefix_two_phase_times(k->x, k->x->m >> k->h, k->groups, t);
    }
}

// ---- Prefixes come down --------------------------------------------------------------------------------------------

// The levels' exchange of partners that have something before them, if `any`, and their third rank's messages.
static void give(HalvingGroups *k, HalvingLevel of, bool any, bool ends, int64_t come[2][2], HalvingSeat *lower,
                 HalvingSeat *upper, HalvingSeat *third)
{
    const int64_t add = any ? of.g : 0;
    for (int i = 0; i < of.n; i++) {
        for (int j = 0; j < 2 && i == of.n - 1; j++) {
            lower->now = later(lower->now, come[0][j]);
            upper->now = later(upper->now, come[1][j]);
        }
        if (i == 0) {
            lower->post = lower->now;
            upper->post = upper->now;
        }
        upper->issue = upper->now += third ? add : 0;
        if (third)
            send(k, upper, third, of.u, false);
        lower->issue = lower->now += add;
        upper->come[i] = send(k, lower, upper, of.u, false);
        if (ends) {
            upper->issue = upper->now += add;
            lower->come[i] = send(k, upper, lower, of.u, false);
        } else if (any) {
            lower->come[i] = send(k, upper, lower, of.u, false);
            upper->now = later(upper->now + add, lower->come[i]);
        }
        lower->issue = lower->now += third ? add : 0;
        if (third)
            send(k, lower, third, of.u, true);
    }
    lower->now += ends ? of.n * add : 0;
    upper->now += ends ? of.n * add : 0;
}

// Returns when the last rank of a group is done.
static int64_t down(HalvingGroups *k, int group, HalvingSeat *third)
{
    const int first = group * k->parts;
    int64_t end = 0;
    for (int i = 0; i < k->parts; i++) {
        const int64_t add = k->h == 0 && group > 0 && !k->exclusive ? g(k->x, k->x->m) : 0,
                      now = k->exscan[k->lane[i]][group] + add;
        k->seat[i] = (HalvingSeat){.now = now, .last = -1};
    }
    for (int l = k->h - 1; l >= 0; l--) {
        const HalvingLevel of = halving_level(k->x, k->h, l);
        const bool ends = l == 0 && !k->exclusive;
        for (int i = 0; i < k->parts; i++) {
            HalvingSeat *lower = &k->seat[i], *upper = &k->seat[i | 1 << l];
            if (i >> l & 1)
                continue;
            int64_t come[2][2];
            memcpy(come[0], lower->come, sizeof come[0]);
            memcpy(come[1], upper->come, sizeof come[1]);
            memset(lower->come, 0, sizeof lower->come);
            memset(upper->come, 0, sizeof upper->come);
            give(k, of, (first + i) >> (l + 1) > 0, ends, come, lower, upper,
                 l == 0 && has_third(k, group, i) ? &third[i / 2] : NULL);
        }
    }
    for (int i = 0; i < k->parts; i++) {
        const HalvingSeat *s = &k->seat[i];
        end = later(end, later(later(s->now, s->out), later(s->come[0], s->come[1])));
        if (third && has_third(k, group, i))
            end = later(end, later(later(third[i / 2].in, third[i / 2].post), s->out));
    }
    return end;
}

// Returns true if the exscans of two groups end at the same times.
static bool groups_alike(const HalvingGroups *k, int a, int b)
{
    for (int i = 0; i < k->kinds; i++)
        if (k->exscan[i][a] != k->exscan[i][b])
            return false;
    return true;
}

static int64_t run_groups(HalvingGroups *k)
{
    g_autofree int *example = g_new(int, k->groups);
    int64_t end = 0;
    for (int group = 0, n = 0; group < k->regular; group++) {
        int i = group > 0; // the first group has nothing before it
        while (i < n && !groups_alike(k, example[i], group))
            i++;
        if (i < n)
            continue;
        example[n++] = group;
        end = later(end, down(k, group, NULL));
    }
    for (int i = k->regular > 0; i < k->followed; i++)
        end = later(end, down(k, k->group[i], k->third[i]));
    return end;
}

int64_t halving_groups_time(const CollPoint *x, int h, bool exclusive)
{
    const int parts = 1 << h, rest = x->p % parts, n = x->p - rest;
    HalvingGroups k = {
        .x = x, .h = h, .parts = parts, .groups = n >> h, .two = n / 2 - rest, .exclusive = exclusive, .sure = true};
    k.regular = MIN(2 * k.two >> h, k.groups - 1);
    if (k.regular > 0)
        k.group[k.followed++] = 0;
    for (int group = k.regular; group < k.groups; group++)
        k.group[k.followed++] = group;
    k.seat = g_new(HalvingSeat, parts);
    k.lane = g_new(int, parts);
    k.exscan = g_new0(int64_t *, parts);
    for (int i = 0; i < k.followed; i++) {
        k.third[i] = g_new(HalvingSeat, parts);
        k.up[i] = g_new(int64_t, parts);
        up(&k, i);
    }
    run_lanes(&k);
    const int64_t end = run_groups(&k);
    for (int i = 0; i < k.followed; i++) {
        g_free(k.third[i]);
        g_free(k.up[i]);
    }
    for (int i = 0; i < k.kinds; i++)
        g_free(k.exscan[i]);
    g_free(k.exscan);
    g_free(k.lane);
    g_free(k.seat);
    return k.sure ? end : -1;
}
