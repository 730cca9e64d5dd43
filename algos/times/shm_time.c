// Times of the shapes in shared memory, as recurrences over fragments (shapes/shm.c).
#include "times/times.h"
#include "shapes/shm.h"
#include <glib.h>

static int n_fragments(const CollPoint *x)
{
    const int64_t f = (int64_t)x->par.fragment;
    return x->m == 0 ? 1 : (int)((x->m + f - 1) / f);
}

static int64_t fragment_length(const CollPoint *x, int i)
{
    const int64_t f = (int64_t)x->par.fragment;
    return x->m < (i + 1) * f ? x->m - i * f : f;
}

// Beyond `lanes` readers at a time, a read takes longer in proportion to the number of readers.
static int64_t read_time(const CollPoint *x, int i, int readers)
{
    return fragment_length(x, i) * (x->read / x->lanes) * later(x->lanes, readers);
}

// A rank's clock t; for each fragment in its queue, when the rank had written it (w) and when the last reader had read
// it (r). shm_sets_* use r for the counters of the sets instead.
typedef struct Track {
    int64_t t, *w, *r;
} Track;

static Track *tracks_new(int p, int n)
{
    Track *k = g_new0(Track, p);
    for (int v = 0; v < p; v++) {
        k[v].w = g_new0(int64_t, n);
        k[v].r = g_new0(int64_t, n);
    }
    return k;
}

static int64_t tracks_end(Track *k, int p)
{
    int64_t t = 0;
    for (int v = 0; v < p; v++) {
        t = later(t, k[v].t);
        g_free(k[v].w);
        g_free(k[v].r);
    }
    g_free(k);
    return t;
}

// A rank writes fragment i into its queue at t, or when its slot is free. Returns when it has done so.
static int64_t put(const CollPoint *x, Track *own, int i, int64_t t)
{
    const int s = x->par.slots;
    const int64_t free = i >= s ? later(t, own->r[i - s] + x->flag) : t;
    return own->w[i] = free + fragment_length(x, i) * x->write;
}

// A rank reads fragment i out of a child's queue at t, or when it is there, and reduces it, which takes `add`. It frees
// the slot after the reduction if that is `fused` with the read. Returns when the rank has done so.
static int64_t reduce_child(const CollPoint *x, Track *child, int i, int64_t t, int64_t add, bool fused)
{
    t = later(t, child->w[i] + x->flag) + read_time(x, i, 1);
    child->r[i] = fused ? t + add : t;
    return t + add;
}

int64_t shm_bcast_time(const CollPoint *x, int k)
{
    const int n = n_fragments(x), p = x->p;
    Track *at = tracks_new(p, n);
    for (int i = 0; p > 1 && i < n; i++) // the flat tree of one rank has no radix
        for (int v = 0; v < p; v++) {
            const int parent = v ? tree_knomial_parent(v, k) : 0;
            int64_t t = at[v].t;
            if (v > 0) {
                t = later(t, at[parent].w[i] + x->flag) + read_time(x, i, tree_knomial_children(parent, p, k));
                at[parent].r[i] = later(at[parent].r[i], t);
            }
            if (tree_knomial_children(v, p, k) > 0)
                t = put(x, &at[v], i, t);
            at[v].t = t;
        }
    return tracks_end(at, p);
}

int64_t shm_single_bcast_time(const CollPoint *x, int k)
{
    const int p = x->p;
    int64_t *at = g_new0(int64_t, p), end = 0;
    for (int v = 1; v < p; v++) {
        const int parent = tree_knomial_parent(v, k), readers = tree_knomial_children(parent, p, k);
        at[v] = at[parent] + x->flag + x->single + x->m * (x->read / x->lanes) * later(x->lanes, readers);
        end = later(end, at[v] + x->flag); // the parent sees that its buffer is free
    }
    g_free(at);
    return end;
}

int64_t shm_single_reduce_time(const CollPoint *x)
{
    const int64_t add = g(x, x->m);
    return x->p == 1 ? 0 : x->flag + (x->p - 1) * (x->single + x->m * x->read) + (x->p - 2) * add + later(add, x->flag);
}

int64_t shm_reduce_time(const CollPoint *x, int k, bool fused)
{
    const int n = n_fragments(x), p = x->p;
    Track *at = tracks_new(p, n);
    for (int i = 0; p > 1 && i < n; i++)
        for (int v = p - 1; v >= 0; v--) {
            const int64_t add = g(x, fragment_length(x, i));
            int64_t t = at[v].t, d = 1, operands = 0;
            while (d * k < p && v % (d * k) == 0)
                d *= k;
            for (; d >= 1; d /= k)
                for (int64_t child = v + (k - 1) * d; v % (d * k) == 0 && child > v; child -= d)
                    if (child < p)
                        t = reduce_child(x, &at[child], i, t, operands++ ? add : 0, fused);
            t += operands ? add : 0;
            if (v > 0)
                t = put(x, &at[v], i, t);
            at[v].t = t;
        }
    return tracks_end(at, p);
}

// Adds shm_release_bcast over the k-ary tree to the tracks. Track.r is when a rank raises its gather flag.
static void release_bcast(const CollPoint *x, Track *at, int k)
{
    const int n = n_fragments(x), p = x->p, s = x->par.slots;
    for (int i = 0; p > 1 && i < n; i++) {
        for (int v = 0; v < p; v++) {
            if (v > 0)
                at[v].t = later(at[v].t, at[(v - 1) / k].w[i] + x->flag);
            for (int64_t child = 1; v == 0 && i >= s && child <= k && child < p; child++)
                at[0].t = later(at[0].t, at[child].r[i - s] + x->flag);
            at[v].t += v == 0 ? fragment_length(x, i) * x->write : 0;
            at[v].w[i] = at[v].t;
            at[v].t += v > 0 ? read_time(x, i, p - 1) : 0;
        }
        for (int v = p - 1; v > 0; v--) {
            for (int64_t child = (int64_t)v * k + 1; child <= (int64_t)v * k + k && child < p; child++)
                at[v].t = later(at[v].t, at[child].r[i] + x->flag);
            at[v].r[i] = at[v].t;
        }
    }
}

// Adds shm_reduce over the k-ary tree to the tracks, where fragments are reduced in their slots.
static void kary_reduce(const CollPoint *x, Track *at, int k)
{
    const int n = n_fragments(x), p = x->p;
    for (int i = 0; p > 1 && i < n; i++)
        for (int v = p - 1; v >= 0; v--) {
            const int64_t add = g(x, fragment_length(x, i));
            int64_t t = at[v].t, operands = 0;
            for (int64_t child = (int64_t)v * k + k; child > (int64_t)v * k; child--)
                if (child < p)
                    t = reduce_child(x, &at[child], i, t, operands++ ? add : 0, true);
            t += operands ? add : 0;
            if (v > 0)
                t = put(x, &at[v], i, t);
            at[v].t = t;
        }
}

int64_t shm_release_bcast_time(const CollPoint *x, int k)
{
    Track *at = tracks_new(x->p, n_fragments(x));
    release_bcast(x, at, k);
    return tracks_end(at, x->p);
}

int64_t shm_kary_reduce_time(const CollPoint *x, int k)
{
    Track *at = tracks_new(x->p, n_fragments(x));
    kary_reduce(x, at, k);
    return tracks_end(at, x->p);
}

int64_t shm_kary_allreduce_time(const CollPoint *x, int k)
{
    Track *at = tracks_new(x->p, n_fragments(x));
    kary_reduce(x, at, k);
    release_bcast(x, at, k); // its flags take the place of those that nobody reads any more
    return tracks_end(at, x->p);
}

// Adds a barrier, in which flags gather at rank 0 and one flag releases all.
static void meet(const CollPoint *x, Track *at)
{
    for (int v = 1; v < x->p; v++)
        at[0].t = later(at[0].t, at[v].t + x->flag);
    for (int v = 1; v < x->p; v++)
        at[v].t = later(at[v].t, at[0].t + x->flag);
}

int64_t shm_queue_bcast_time(const CollPoint *x)
{
    const int n = n_fragments(x), p = x->p;
    Track *at = tracks_new(p, n);
    for (int i = 0; p > 1 && i < n; i++) {
        if (i > 0 && i % x->par.slots == 0)
            meet(x, at);
        at[0].t += fragment_length(x, i) * x->write;
        for (int v = 1; v < p; v++)
            at[v].t = later(at[v].t, at[0].t + x->flag) + read_time(x, i, p - 1);
    }
    return tracks_end(at, p);
}

int64_t shm_queue_reduce_time(const CollPoint *x)
{
    const int n = n_fragments(x), p = x->p;
    Track *at = tracks_new(p, n);
    for (int i = 0; p > 1 && i < n; i++) {
        const int64_t add = g(x, fragment_length(x, i));
        if (i > 0 && i % x->par.slots == 0)
            meet(x, at);
        for (int v = p - 1; v > 0; v--) {
            at[v].t += fragment_length(x, i) * x->write;
            at[0].t = later(at[0].t, at[v].t + x->flag) + read_time(x, i, 1) + (v < p - 1 ? add : 0);
        }
        at[0].t += add;
    }
    return tracks_end(at, p);
}

int64_t shm_gather_time(const CollPoint *x)
{
    const int n = n_fragments(x), p = x->p;
    Track *at = tracks_new(p, n);
    for (int i = 0; i < n; i++)
        for (int v = 1; v < p; v++) {
            at[v].t = put(x, &at[v], i, at[v].t);
            at[0].t = reduce_child(x, &at[v], i, at[0].t, 0, false);
        }
    return tracks_end(at, p);
}

int64_t shm_scatter_time(const CollPoint *x)
{
    const int n = n_fragments(x), others = x->p - 1;
    Track *at = tracks_new(x->p, n);
    for (int i = 0, k = 0; i < n; i++)
        for (int v = 1; v <= others; v++, k++) {
            const int old = k - x->par.slots;
            if (old >= 0)
                at[0].t = later(at[0].t, at[old % others + 1].r[old / others] + x->flag);
            at[0].t += fragment_length(x, i) * x->write;
            at[v].r[i] = at[v].t = later(at[v].t, at[0].t + x->flag) + read_time(x, i, 1);
        }
    return tracks_end(at, x->p);
}

// Adds shm_sets_bcast to the tracks.
static void sets_bcast(const CollPoint *x, Track *at)
{
    const int n = n_fragments(x), p = x->p;
    const ShmSets sets = shm_sets(&x->par);
    for (int i = 0; p > 1 && i < n; i++) {
        const int set = i / sets.slots;
        if (i % sets.slots == 0 && set >= sets.n)
            at[0].t = later(at[0].t, at[p - 1].r[set - sets.n] + x->flag);
        at[0].t += fragment_length(x, i) * x->write;
        for (int v = 1; v < p; v++) {
            at[v].t = later(at[v].t, at[0].t + x->flag) + read_time(x, i, p - 1);
            if ((i + 1) % sets.slots == 0)
                at[v].r[set] = at[v].t = v > 1 ? later(at[v].t, at[v - 1].r[set] + x->flag) : at[v].t;
        }
    }
}

// Adds shm_sets_reduce to the tracks.
static void sets_reduce(const CollPoint *x, Track *at)
{
    const int n = n_fragments(x), p = x->p;
    const ShmSets sets = shm_sets(&x->par);
    for (int i = 0; p > 1 && i < n; i++) {
        const int set = i / sets.slots, before = set - sets.n;
        const bool reuses = i % sets.slots == 0 && before >= 0;
        if (reuses)
            at[0].t = later(at[0].t, at[p - 1].r[before] + x->flag);
        for (int v = 1; v < p; v++) {
            if (reuses)
                at[v].t = later(at[v].t, at[0].t + x->flag);
            at[v].w[i] = at[v].t += fragment_length(x, i) * x->write;
            if ((i + 1) % sets.slots == 0)
                at[v].r[set] = at[v].t = v > 1 ? later(at[v].t, at[v - 1].r[set] + x->flag) : at[v].t;
        }
        for (int v = p - 1; v > 0; v--)
            at[0].t = later(at[0].t, at[v].w[i] + x->flag) + read_time(x, i, 1) +
                      (v < p - 1 ? g(x, fragment_length(x, i)) : 0);
        at[0].t += g(x, fragment_length(x, i));
    }
}

int64_t shm_sets_bcast_time(const CollPoint *x)
{
    Track *at = tracks_new(x->p, n_fragments(x));
    sets_bcast(x, at);
    return tracks_end(at, x->p);
}

int64_t shm_sets_reduce_time(const CollPoint *x)
{
    Track *at = tracks_new(x->p, n_fragments(x));
    sets_reduce(x, at);
    return tracks_end(at, x->p);
}

int64_t shm_sets_allreduce_time(const CollPoint *x)
{
    Track *at = tracks_new(x->p, n_fragments(x));
    sets_reduce(x, at);
    sets_bcast(x, at); // its counters take the place of those that nobody reads any more
    return tracks_end(at, x->p);
}
