// Times of the hybrids, which halve a vector, move whole parts over trees, and gather or scatter the parts.
#include "shapes/holders.h"
#include "api/integers.h"
#include "times/times.h"
#include <glib.h>
#include <string.h>

// Adds the rounds of circulant_halve_overlap.
static void halve(const CollPoint *x, const Holders *h, int64_t part, const Clocks *k)
{
    int came = 0;
    for (int round = h->graph.q - 1; round >= h->graph.q - h->halvings; round--) {
        const int skip = h->graph.skip[round], end = h->graph.skip[round + 1], late = came < skip ? came : skip;
        clocks_shift(k, skip);
        for (int v = 0; v < k->p; v++) {
            k->bytes[v] = part * holders_count(h, v, skip, end);
            k->now[v] += g(x, part * holders_count(h, v, late, came));
        }
        clocks_round(k, x, false);
        for (int v = 0; v < k->p; v++)
            k->now[v] = later(k->now[v], k->before[v] + g(x, part * holders_count(h, v, 0, late)));
        came = end - skip;
    }
    for (int v = 0; v < k->p; v++)
        k->now[v] += g(x, part * holders_count(h, v, 0, came));
}

// Adds the rounds of circulant_halve_back.
static void halve_back(const CollPoint *x, const Holders *h, int64_t part, const Clocks *k)
{
    for (int round = h->graph.q - h->halvings; round < h->graph.q; round++) {
        const int skip = h->graph.skip[round], end = h->graph.skip[round + 1];
        clocks_shift(k, -skip);
        for (int v = 0; v < k->p; v++)
            k->bytes[v] = part * holders_count(h, v, 0, end - skip);
        clocks_round(k, x, false);
    }
}

// Adds the trees of reduce hybrid. An owner that also holds the part of the next one sends that at once.
static void reduce_parts(const CollPoint *x, const Holders *h, const Clocks *k)
{
    CollKept kept = {0};
    CollPoint tree = *x;
    tree.p = h->n;
    tree.m = x->m / h->parts;
    tree.kept = &kept;
    g_autofree int64_t *t = g_new(int64_t, h->n);
    memcpy(k->before, k->now, (size_t)k->p * sizeof *k->now);
    for (int part = 0; part < h->parts; part++) {
        const int owner = holders_owner(h, part);
        for (int i = 0; i < h->n; i++)
            t[i] = k->before[(owner + k->p - i) % k->p];
        tree_reduce_times(&tree, tree_binomial_in_order, 0, t);
        for (int i = 0; i < h->n; i++) {
            int64_t *now = &k->now[(owner + k->p - i) % k->p];
            *now = later(*now, t[i]);
        }
    }
    if (kept.data)
        kept.free(kept.data);
}

// Adds the trees of bcast hybrid.
static void bcast_parts(const CollPoint *x, const Holders *h, int64_t part, const Clocks *k)
{
    clocks_bytes(k, part);
    for (int d = 1 << log2_ceil(h->n) >> 1; d >= 1; d /= 2) {
        for (int v = 0; v < x->p; v++) {
            const HoldersSeat s = holders_seat(h, v);
            k->from[v] = holders_has_parent(&s, d) ? (v + d) % x->p : -1;
            k->to[v] = holders_has_child(h, &s, d) ? (v + x->p - d) % x->p : -1;
        }
        clocks_round(k, x, false);
    }
}

// Adds the binomial gather of the parts at the root, or the scatter from there.
static void gather(const CollPoint *x, const Holders *h, int64_t part, bool scatter, const Clocks *k)
{
    const int rounds = log2_ceil(h->parts);
    for (int i = 0; i < rounds; i++) {
        const int d = 1 << (scatter ? rounds - 1 - i : i);
        for (int near = 0; near + d < h->parts; near += 2 * d) {
            int64_t *up = &k->now[holders_owner(h, near)], *low = &k->now[holders_owner(h, near + d)];
            const int64_t bytes = part * tree_binomial_span(near + d, h->parts);
            times_pass(x, scatter ? up : low, scatter ? low : up, bytes);
        }
    }
}

int64_t holders_reduce_time(const CollPoint *x)
{
    const Holders h = holders_of(x->p, x->par.halvings);
    const int64_t part = x->m / h.parts;
    const bool in_step = x->p % h.parts == 0 && !x->eager;
    Clocks k = clocks_new(in_step ? 1 : x->p);
    halve(x, &h, part, &k);
    if (in_step) {
        CollPoint tree = *x;
        tree.p = h.n;
        tree.m = part;
        tree.kept = NULL;
        return clocks_free(&k) + tree_reduce_binomial_time(&tree) + h.halvings * x->alpha + (x->m - part) * x->beta;
    }
    reduce_parts(x, &h, &k);
    gather(x, &h, part, false, &k);
    return clocks_free(&k);
}

int64_t holders_bcast_time(const CollPoint *x)
{
    const Holders h = holders_of(x->p, x->par.halvings);
    const int64_t part = x->m / h.parts;
    if (x->p % h.parts == 0)
        return (h.graph.q + h.halvings) * x->alpha + (2 * (x->m - part) + (h.graph.q - h.halvings) * part) * x->beta;
    Clocks k = clocks_new(x->p);
    gather(x, &h, part, true, &k);
    bcast_parts(x, &h, part, &k);
    halve_back(x, &h, part, &k);
    return clocks_free(&k);
}
