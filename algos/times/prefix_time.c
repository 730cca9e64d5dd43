// Times of the steps of a scan or an exscan (shapes/prefix.c).
#include "times/times.h"
#include "api/integers.h"
#include "shapes/prefix.h"
#include <glib.h>
#include <stdlib.h>
#include <string.h>

PrefixTime *prefix_time_new(const CollPoint *x, bool exclusive)
{
    PrefixTime *s = calloc((size_t)x->p, sizeof *s);
    for (int v = 0; v < x->p; v++)
        s[v].exclusive = exclusive;
    return s;
}

// Adds the reduction that brings `through` up to date, if the rank needs it before it sends.
static void before_send(const CollPoint *x, PrefixTime *s)
{
    s->t += s->stale ? g(x, x->m) : 0;
    s->stale = false;
}

// Adds the reduction of what was received into `out`. An exscan's first message goes straight to `out`.
static void after_receive(const CollPoint *x, PrefixTime *s)
{
    s->t += !s->exclusive || s->any ? g(x, x->m) : 0;
    s->any = true;
    s->stale = s->exclusive;
}

void prefix_time_pass(const CollPoint *x, PrefixTime *s, int from, int to)
{
    before_send(x, &s[from]);
    times_pass(x, &s[from].t, &s[to].t, x->m);
    after_receive(x, &s[to]);
}

void prefix_time_shift(const CollPoint *x, PrefixTime *s, int d)
{
    int64_t *t = malloc((size_t)x->p * sizeof *t);
    for (int v = 0; v + d < x->p; v++)
        before_send(x, &s[v]);
    for (int v = 0; v < x->p; v++)
        t[v] = s[v].t;
    for (int v = 0; v + d < x->p; v++) {
        int64_t from = t[v], to = t[v + d];
        times_pass(x, &from, &to, x->m);
        s[v].t = later(s[v].t, from);
        s[v + d].t = later(s[v + d].t, to);
    }
    for (int v = d; v < x->p; v++)
        after_receive(x, &s[v]);
    free(t);
}

int64_t prefix_time_free(const CollPoint *x, PrefixTime *s)
{
    int64_t end = 0;
    for (int v = 0; v < x->p; v++)
        end = later(end, s[v].t);
    free(s);
    return end;
}

void prefix_doubling_times(const CollPoint *x, bool exclusive, int64_t *t)
{
    for (int m = 1; m < x->p; m *= 2)
        for (int v = 0; v + m < x->p; v++) {
            if (v & m)
                continue;
            // The upper rank of an exscan may have no prefix yet; it then copies instead of reducing.
            const bool copies = exclusive && v % m == 0;
            t[v] = t[v + m] = times_exchange(x, t[v], t[v + m], x->m, x->m) + g(x, x->m);
            t[v + m] += copies ? 0 : g(x, x->m);
        }
}

int64_t prefix_chain_time(const CollPoint *x, bool exclusive)
{
    const int64_t S = segments(x, x->m), um = u(x, x->m / S), gm = g(x, x->m / S), hops = x->p - 1;
    const int64_t reductions = exclusive ? hops - 1 : hops;
    return hops == 0 ? 0 : hops * um + reductions * gm + (S - 1) * (reductions > 0 ? later(um, gm) : um);
}

int64_t prefix_two_phase_time(const CollPoint *x, int64_t bytes)
{
    const int q = log2_ceil(x->p), inclusive = prefix_inclusive_rounds(x->p);
    const int64_t um = u(x, bytes), gm = g(x, bytes);
    if (q == 0)
        return 0;
    // Under eager the last message is early if its sender receives nothing in the round before it.
    const int64_t d = prefix_distance(inclusive, q - 1), before = q > 1 ? prefix_distance(inclusive, q - 2) : 0;
    if (x->eager && x->p - 1 - d < before + (q - 2 >= inclusive))
        return -1;
    // In the rounds from the third on that send sums, a rank adds to its prefix while messages travel. A rank that does
    // so in the last round of all receives nothing more.
    const int n = (inclusive < q ? inclusive : q - 1) - 2, hidden = n > 0 ? n : 0;
    return (q - hidden) * um + hidden * later(um, gm) + (inclusive > 1 ? q : q - 1) * gm;
}

void prefix_two_phase_times(const CollPoint *x, int64_t bytes, int p, int64_t *t)
{
    const int q = log2_ceil(p), inclusive = prefix_inclusive_rounds(p);
    const int64_t um = u(x, bytes), gm = g(x, bytes);
    g_autofree int64_t *before = g_new(int64_t, p);
    g_autofree bool *any = g_new0(bool, p), *late = g_new0(bool, p);
    for (int i = 0; i < q; i++) {
        const bool self = i < inclusive;
        const int64_t d = prefix_distance(inclusive, i);
        memcpy(before, t, (size_t)p * sizeof *t);
        for (int r = 0; r < p; r++) {
            const bool sends = r + d < p && (self || r > 0), receives = self ? r >= d : r > d;
            t[r] += late[r] ? gm : 0;
            late[r] = false;
            if (sends)
                t[r] = later(t[r], um + (x->eager ? before[r] : later(before[r], before[r + d])));
            if (!receives)
                continue;
            t[r] = later(t[r], um + (x->eager ? before[r - d] : later(before[r - d], before[r])));
            const bool next = i + 1 < inclusive && r + 2 * d < p;
            t[r] += next || any[r] ? gm : 0;
            late[r] = any[r] && next;
            any[r] = true;
        }
    }
    for (int r = 0; r < p; r++)
        t[r] += late[r] ? gm : 0;
}
