// Parts that formulas share: messages between ranks that are not in step, and a clock for each rank.
#include "times/times.h"
#include <glib.h>
#include <string.h>

int64_t times_exchange(const CollPoint *x, int64_t mine, int64_t peers, int64_t give, int64_t get)
{
    const int64_t start = later(mine, peers);
    return later((x->eager ? mine : start) + u(x, give), (x->eager ? peers : start) + u(x, get));
}

void times_pass(const CollPoint *x, int64_t *from, int64_t *to, int64_t bytes)
{
    *from = (x->eager ? *from : later(*from, *to)) + u(x, bytes);
    *to = later(*to, *from);
}

int64_t times_latest(const int64_t *t, int n)
{
    int64_t last = t[0];
    for (int i = 1; i < n; i++)
        last = later(last, t[i]);
    return last;
}

Clocks clocks_new(int p)
{
    const size_t n = (size_t)p;
    return (Clocks){p, g_new0(int64_t, n), g_new0(int64_t, n), g_new0(int64_t, n), g_new0(int, n), g_new0(int, n)};
}

void clocks_bytes(const Clocks *k, int64_t bytes)
{
    for (int v = 0; v < k->p; v++)
        k->bytes[v] = bytes;
}

void clocks_shift(const Clocks *k, int d)
{
    const int up = (d % k->p + k->p) % k->p;
    for (int v = 0; v < k->p; v++) {
        k->to[v] = (v + up) % k->p;
        k->from[v] = (v + k->p - up) % k->p;
    }
}

// Returns when a message that rank v sends has arrived, under R and under E0.
static int64_t arrival(const Clocks *k, const CollPoint *x, int v)
{
    const int64_t mine = k->before[v];
    return (x->eager ? mine : later(mine, k->before[k->to[v]])) + u(x, k->bytes[v]);
}

void clocks_round(const Clocks *k, const CollPoint *x, bool reduce)
{
    memcpy(k->before, k->now, (size_t)k->p * sizeof *k->now);
    for (int v = 0; v < k->p; v++) {
        const int from = k->from[v];
        if (k->to[v] >= 0)
            k->now[v] = arrival(k, x, v);
        if (from >= 0)
            k->now[v] = later(k->now[v], arrival(k, x, from)) + (reduce ? g(x, k->bytes[from]) : 0);
    }
}

int64_t clocks_free(Clocks *k)
{
    const int64_t last = times_latest(k->now, k->p);
    g_free(k->now);
    g_free(k->before);
    g_free(k->bytes);
    g_free(k->to);
    g_free(k->from);
    return last;
}
