// Broadcast and reduction through queues in shared memory: a fragment is copied into a slot and out of it, and a flag,
// polled, says each time that it is done.
#include "times/times.h"
#include <stdlib.h>
#include <string.h>

int shm_fragments(const Coll *c)
{
    return blocks_size(c, c->in, c->par.fragment).n;
}

// Fragment k into the own queue; `reused`: once the readers have read what is in its slot.
static void put(const Coll *c, Slice data, int k, bool reused, int n, const int *reader)
{
    for (int i = 0; reused && i < n; i++)
        coll_await(c, reader[i], c->rank, k + 1 - c->par.slots);
    coll_copy(c, coll_slot(c, c->rank, k, n, data.len), data);
    coll_raise(c, c->rank, k + 1);
}

static void get(const Coll *c, Slice into, int k, int from, int readers)
{
    coll_await(c, from, from, k + 1);
    coll_copy(c, into, coll_slot(c, from, k, readers, into.len));
    coll_raise(c, from, k + 1);
}

void shm_bcast(const Coll *c, Tree t, int readers, int first)
{
    const Blocks fragments = blocks_size(c, c->out, c->par.fragment);
    for (int i = 0; i < fragments.n; i++) {
        const Slice here = block(&fragments, i);
        if (t.parent >= 0)
            get(c, here, first + i, t.parent, readers);
        if (t.n > 0)
            put(c, here, first + i, i >= c->par.slots, t.n, t.child);
    }
}

static int descending(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

// The sum of fragment i of the children's, by descending rank, and of our own, in its place among them: where it is,
// `sum` unless there is but our own. raises: the children are told at once that their slots are free.
static Slice add_up(const Coll *c, int n, const int *child, Slice own, Slice acc, Slice sum, int i, bool raises)
{
    int at = 0; // our own place
    while (at < n && child[at] > c->rank)
        at++;
    Slice so_far = own;
    for (int j = 0; j <= n; j++) {
        const int who = j == at ? c->rank : child[j < at ? j : j - 1];
        Slice next = own;
        if (j != at) {
            coll_await(c, who, who, i + 1);
            next = coll_slot(c, who, i, 1, own.len);
        }
        if (j > 0) {
            coll_reduce(c, j == n ? sum : acc, next, so_far);
            so_far = j == n ? sum : acc;
        } else if (j != at) {
            coll_copy(c, acc, next);
            so_far = acc;
        }
        if (j != at && raises)
            coll_raise(c, who, i + 1);
    }
    return so_far;
}

void shm_reduce(const Coll *c, Tree t, int from)
{
    const Blocks in = blocks_size(c, c->in, c->par.fragment), out = blocks_size(c, c->out, c->par.fragment);
    const Slice room = coll_scratch(c, t.n ? block(&in, 0).len : 0);
    int *child = coll_ints(c, (size_t)t.n);
    if (t.n > 0)
        memcpy(child, t.child, (size_t)t.n * sizeof *child);
    qsort(child, (size_t)t.n, sizeof *child, descending);
    // The result of a fragment is taken before the next one that needs its slot is given: later, nobody could go on;
    // earlier, every fragment would wait for the one before it to come back.
    const int late = from < 0 ? 0 : c->par.slots < in.n ? c->par.slots : in.n;
    for (int i = 0; i < in.n + late; i++) {
        if (from >= 0 && i >= late)
            get(c, block(&out, i - late), i - late, from, 1);
        if (i >= in.n)
            continue;
        const Slice own = block(&in, i), acc = slice_like(room, t.n ? own : (Slice){0});
        const Slice sum = add_up(c, t.n, child, own, acc, t.parent < 0 ? block(&out, i) : acc, i, true);
        if (t.parent < 0)
            coll_copy(c, block(&out, i), sum);
        else
            put(c, sum, i, i >= c->par.slots, 1, &t.parent);
    }
}

// ---- Sets of slots -------------------------------------------------------------------------------------------------

typedef struct Sets {
    int n, slots; // of each
} Sets;

static Sets sets_of(const CollParams *par)
{
    const int n = par->slots > 1 ? 2 : 1;
    return (Sets){n, par->slots / n};
}

// The view in which a slot that is in neither set does not exist.
static Coll in_sets(const Coll *c)
{
    const Sets sets = sets_of(&c->par);
    Coll view = *c;
    view.par.slots = sets.n * sets.slots;
    return view;
}

// The set's counter is an atomic word that all ranks change: its cache line goes from one to the next, here in the
// order of v, so that it is known who is next. With the flag of the fragment that follows in that set it is a barrier.
static void pass_counter(const Coll *c, bool waits, int n)
{
    if (waits)
        coll_await(c, coll_rank(c, coll_v(c) - 1), c->root, n);
    coll_raise(c, c->root, n);
}

void shm_sets_bcast(const Coll *whole, int first)
{
    const Coll view = in_sets(whole), *c = &view;
    const Blocks fragments = blocks_size(c, c->out, c->par.fragment);
    const Sets sets = sets_of(&c->par);
    const int v = coll_v(c), last = coll_rank(c, c->p - 1);
    for (int i = 0; c->p > 1 && i < fragments.n; i++) {
        const Slice here = block(&fragments, i);
        const int set = i / sets.slots;
        const Slice slot = coll_slot(c, c->root, i, c->p - 1, here.len);
        if (v > 0) {
            coll_await(c, c->root, c->root, first + i + 1);
            coll_copy(c, here, slot);
            if ((i + 1) % sets.slots == 0)
                pass_counter(c, v > 1, first + set + 1);
        } else {
            if (i % sets.slots == 0 && set >= sets.n)
                coll_await(c, last, c->root, first + set - sets.n + 1);
            coll_copy(c, slot, here);
            coll_raise(c, c->root, first + i + 1);
        }
    }
}

void shm_sets_reduce(const Coll *whole)
{
    const Coll view = in_sets(whole), *c = &view;
    const Blocks in = blocks_size(c, c->in, c->par.fragment), out = blocks_size(c, c->out, c->par.fragment);
    const Sets sets = sets_of(&c->par);
    const Tree t = tree_flat(c, c->root);
    const Slice room = coll_scratch(c, t.n ? block(&in, 0).len : 0);
    for (int i = 0; i < in.n; i++) {
        const Slice own = block(&in, i);
        const int set = i / sets.slots;
        if (c->rank != c->root) {
            if (i % sets.slots == 0 && set >= sets.n)
                pass_counter(c, true, set - sets.n + 1);
            coll_copy(c, coll_slot(c, c->rank, i, 1, own.len), own);
            coll_raise(c, c->rank, i + 1);
            continue;
        }
        const Slice acc = slice_like(room, t.n ? own : (Slice){0});
        coll_copy(c, block(&out, i), add_up(c, t.n, t.child, own, acc, block(&out, i), i, false));
        if ((i + 1) % sets.slots == 0 && t.n > 0)
            coll_raise(c, c->root, set + 1);
    }
}

// ---- Times ---------------------------------------------------------------------------------------------------------

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

static int64_t read_time(const CollPoint *x, int i, int readers)
{
    return fragment_length(x, i) * (x->read / x->lanes) * later(x->lanes, readers);
}

// A rank's clock and, by fragments, when it was written (w) and when the last one had read it (r).
typedef struct Track {
    int64_t t, *w, *r;
} Track;

static Track *tracks_new(int p, int n)
{
    Track *k = calloc((size_t)p, sizeof *k);
    for (int v = 0; v < p; v++) {
        k[v].w = calloc((size_t)n, sizeof(int64_t));
        k[v].r = calloc((size_t)n, sizeof(int64_t));
    }
    return k;
}

static int64_t tracks_end(Track *k, int p)
{
    int64_t t = 0;
    for (int v = 0; v < p; v++) {
        t = later(t, k[v].t);
        free(k[v].w);
        free(k[v].r);
    }
    free(k);
    return t;
}

int64_t shm_bcast_time(const CollPoint *x, int k)
{
    const int n = n_fragments(x), p = x->p, s = x->par.slots;
    Track *at = tracks_new(p, n);
    for (int i = 0; i < n; i++)
        for (int v = 0; v < p; v++) {
            const int parent = v ? knomial_parent(v, k) : 0;
            int64_t t = at[v].t;
            if (v > 0) {
                t = later(t, at[parent].w[i] + x->flag) + read_time(x, i, knomial_children(parent, p, k));
                at[parent].r[i] = later(at[parent].r[i], t);
            }
            if (knomial_children(v, p, k) > 0)
                at[v].w[i] = t = (i >= s ? later(t, at[v].r[i - s] + x->flag) : t) + fragment_length(x, i) * x->write;
            at[v].t = t;
        }
    return tracks_end(at, p);
}

int64_t shm_reduce_time(const CollPoint *x, int k)
{
    const int n = n_fragments(x), p = x->p, s = x->par.slots;
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
                        at[child].r[i] = t =
                            later(t, at[child].w[i] + x->flag) + read_time(x, i, 1) + (operands++ ? add : 0);
            t += operands ? add : 0;
            if (v > 0)
                at[v].w[i] = t = (i >= s ? later(t, at[v].r[i - s] + x->flag) : t) + fragment_length(x, i) * x->write;
            at[v].t = t;
        }
    return tracks_end(at, p);
}

int64_t shm_sets_bcast_time(const CollPoint *x)
{
    const int n = n_fragments(x), p = x->p;
    const Sets sets = sets_of(&x->par);
    Track *at = tracks_new(p, n);
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
    return tracks_end(at, p);
}

int64_t shm_sets_reduce_time(const CollPoint *x)
{
    const int n = n_fragments(x), p = x->p;
    const Sets sets = sets_of(&x->par);
    Track *at = tracks_new(p, n);
    for (int i = 0; p > 1 && i < n; i++) {
        const int set = i / sets.slots, before = set - sets.n;
        for (int v = 1; v < p; v++) {
            if (i % sets.slots == 0 && before >= 0)
                at[v].r[before] = at[v].t = later(at[v].t, at[v - 1].r[before] + x->flag);
            at[v].t += fragment_length(x, i) * x->write;
        }
        for (int v = p - 1; v > 0; v--)
            at[0].t =
                later(at[0].t, at[v].t + x->flag) + read_time(x, i, 1) + (v < p - 1 ? g(x, fragment_length(x, i)) : 0);
        at[0].t += g(x, fragment_length(x, i));
        if ((i + 1) % sets.slots == 0)
            at[0].r[set] = at[0].t;
    }
    return tracks_end(at, p);
}

// Whole pages of so many bytes.
static size_t in_pages(size_t bytes)
{
    enum { PAGE = 4096 };
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

size_t shm_segment(int p, const CollParams *par)
{
    const size_t slots = (size_t)p * (size_t)par->slots, flags = (size_t)p * sizeof(uint32_t);
    return slots * (in_pages(par->fragment) + in_pages(flags));
}
