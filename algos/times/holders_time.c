// Times of the hybrids, which halve a vector, move whole parts over trees, and gather or scatter the parts.
#include "shapes/holders.h"
#include "api/integers.h"
#include "times/times.h"
#include <glib.h>

// Adds the rounds of circulant_halve_overlap.
static void halve(const CollPoint *x, const Holders *h, int64_t part, const Clocks *k)
{
    int came = 0;
    for (int round = h->graph.q - 1; round >= h->graph.q - h->halvings; round--) {
        const int skip = h->graph.skip[round], end = h->graph.skip[round + 1], late = came < skip ? came : skip;
        for (int v = 0; v < k->p; v++) {
            k->to[v] = (v + skip) % k->p;
            k->from[v] = (v + k->p - skip % k->p) % k->p;
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
        for (int v = 0; v < k->p; v++) {
            k->to[v] = (v + k->p - skip) % k->p;
            k->from[v] = (v + skip) % k->p;
            k->bytes[v] = part * holders_count(h, v, 0, end - skip);
        }
        clocks_round(k, x, false);
    }
}

// Adds the rounds of the trees of holders: a reduction from the leaves up, or a broadcast.
static void trees(const CollPoint *x, const Holders *h, int64_t part, bool down, const Clocks *k)
{
    const int p = x->p, rounds = log2_ceil(h->n);
    clocks_bytes(k, part);
    for (int i = 0; i < rounds; i++) {
        const int d = 1 << (down ? rounds - 1 - i : i);
        for (int v = 0; v < p; v++) {
            const HoldersSeat s = holders_seat(h, v);
            (down ? k->from : k->to)[v] = holders_has_parent(&s, d) ? (v + d) % p : -1;
            (down ? k->to : k->from)[v] = holders_has_child(h, &s, d) ? (v + p - d) % p : -1;
        }
        clocks_round(k, x, !down);
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
    if (in_step)
        return clocks_free(&k) + (h.graph.q - h.halvings) * (u(x, part) + g(x, part)) + h.halvings * x->alpha +
               (x->m - part) * x->beta;
    trees(x, &h, part, false, &k);
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
    trees(x, &h, part, true, &k);
    halve_back(x, &h, part, &k);
    return clocks_free(&k);
}
