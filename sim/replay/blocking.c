// The dataflow gear under rendezvous where no operation leaves a request behind: a rank shows whom it waits for, and the
// later of two that wait for each other computes the transfer. No queues, and a cache line for each rank.
#include "replay/gears.h"
#include <stdlib.h>
#include <string.h>

typedef struct Blocked {
    double t;
    int64_t beta, gamma;
    int64_t out, in; // bytes
    int32_t alpha;
    int32_t to, from; // whom it waits for; -1: nobody
    uint32_t pc, round, list;
} __attribute__((aligned(64))) Blocked;
_Static_assert(sizeof(Blocked) == 64, "a rank is a cache line");

// What of a rank has no room there.
typedef struct Aside {
    double t; // of a sendrecv whose other half is missing: the end of this one; else -1
    int64_t beta, gamma;
    int32_t alpha;
    uint32_t rounds; // of the loop that it is in
} Aside;

// The operations of classes that differ in the rounds of their loops alone: one list, so that it stays in the cache however
// many the classes are.
typedef struct List {
    const Op *ops;
    const Stride *strides;
} List;

enum { AHEAD = 16 };

typedef struct Run {
    const Schedule *s;
    Hockney model;
    List *lists;
    Blocked *ranks;
    Aside *aside;
    int *runnable, n_runnable;
    // Ranks that have come to an operation and not looked at their peers, whose state is on its way to the cache.
    int coming[AHEAD];
    uint32_t first_coming, n_coming;
} Run;

static Stamp stamp(const Blocked *r)
{
    return (Stamp){.t = r->t, .beta = r->beta, .gamma = r->gamma, .alpha = r->alpha};
}

static void set(Blocked *r, Stamp x)
{
    r->t = x.t;
    r->beta = x.beta;
    r->gamma = x.gamma;
    r->alpha = x.alpha;
}

// When a message ends that the one side has been ready for since `ours`, the other since `theirs`.
static Stamp end_of(const Run *x, Stamp ours, Stamp theirs, int64_t bytes)
{
    Stamp end = latest(ours, theirs);
    end.t += x->model.alpha + (double)bytes * x->model.beta;
    end.alpha++;
    end.beta += bytes;
    return end;
}

static void agree(const Run *x, int from, int to)
{
    if (G_UNLIKELY(x->ranks[from].out != x->ranks[to].in))
        g_error("rank %d sends %" G_GINT64_FORMAT " bytes to rank %d, which receives %" G_GINT64_FORMAT,
                rank_of(x->s, from), x->ranks[from].out, rank_of(x->s, to), x->ranks[to].in);
}

// One half of v's operation is over; true if that was all.
static bool finish_half(Run *x, int v, bool receives, Stamp end)
{
    Blocked *r = &x->ranks[v];
    *(receives ? &r->from : &r->to) = -1;
    Aside *half = &x->aside[v];
    if (r->from >= 0 || r->to >= 0) {
        half->t = end.t;
        half->beta = end.beta;
        half->gamma = end.gamma;
        half->alpha = end.alpha;
        return false;
    }
    if (half->t < 0) {
        set(r, latest(stamp(r), end));
    } else {
        const Stamp other = {.t = half->t, .beta = half->beta, .gamma = half->gamma, .alpha = half->alpha};
        const Stamp received = receives ? end : other, sent = receives ? other : end;
        set(r, latest(latest(stamp(r), received), sent));
        half->t = -1;
    }
    return true;
}

// v's message to d, for which both are ready.
static void transfer_one(Run *x, int v, int d, int self)
{
    const Stamp ours = stamp(&x->ranks[v]), theirs = stamp(&x->ranks[d]);
    const int64_t bytes = x->ranks[v].out;
    agree(x, v, d);
    const bool sent = finish_half(x, v, false, end_of(x, ours, theirs, bytes));
    const bool received = finish_half(x, d, true, end_of(x, theirs, ours, bytes));
    const int other = v == self ? d : v;
    if (v == self ? received : sent)
        x->runnable[x->n_runnable++] = other;
}

// Both ways at once.
static void exchange(Run *x, int v, int d)
{
    Blocked *a = &x->ranks[v], *b = &x->ranks[d];
    agree(x, v, d);
    agree(x, d, v);
    const Stamp ours = stamp(a), theirs = stamp(b);
    set(a, latest(latest(ours, end_of(x, ours, theirs, a->in)), end_of(x, ours, theirs, a->out)));
    set(b, latest(latest(theirs, end_of(x, theirs, ours, b->in)), end_of(x, theirs, ours, b->out)));
    a->to = a->from = b->to = b->from = -1;
    x->runnable[x->n_runnable++] = d;
}

// Does what is possible of the operation that v has come to; true if that is all of it.
static bool meet(Run *x, int v)
{
    const Blocked *r = &x->ranks[v];
    const int to = r->to, from = r->from;
    if (to >= 0 && to == from) {
        const Blocked *d = &x->ranks[to];
        if (d->to == v && d->from == v) {
            exchange(x, v, to);
            return true;
        }
    }
    if (from >= 0 && x->ranks[from].to == v)
        transfer_one(x, from, v, v);
    if (to >= 0 && x->ranks[to].from == v)
        transfer_one(x, v, to, v);
    return r->to < 0 && r->from < 0;
}

// v up to the next message.
static void advance(Run *x, int v)
{
    const Schedule *s = x->s;
    Blocked *r = &x->ranks[v];
    const List *k = &x->lists[r->list];
    static const Stride none;
    for (;;) {
        const Op *op = &k->ops[r->pc];
        const uint32_t round = r->round;
        const Stride *d = G_UNLIKELY(round) ? &k->strides[r->pc] : &none;
        switch ((OpKind)op->kind) {
        case OP_REDUCE: {
            const size_t bytes = length_of(s, v, op->in_cut, op->in, d->in, round);
            r->t += (double)bytes * x->model.gamma;
            r->gamma += (int64_t)bytes;
            r->pc++;
            continue;
        }
        case OP_LOOP:
            if (round == 0)
                x->aside[v].rounds = (uint32_t)class_of(s, v)->ops[r->pc].out.bytes;
            if (++r->round < x->aside[v].rounds) {
                r->pc -= (uint32_t)op->to;
            } else {
                r->round = 0;
                r->pc++;
            }
            continue;
        case OP_END:
            return;
        default:
            break;
        }
        if (op->kind != OP_SEND) {
            r->from = op_peer(s, v, op, op->from, d->from, round);
            __builtin_prefetch(&x->ranks[r->from], 1);
            r->in = (int64_t)length_of(s, v, op->in_cut, op->in, d->in, round);
        }
        if (op->kind != OP_RECV) {
            r->to = op_peer(s, v, op, op->to, d->to, round);
            __builtin_prefetch(&x->ranks[r->to], 1);
            r->out = (int64_t)length_of(s, v, op->out_cut, op->out, d->out, round);
        }
        r->pc++;
        x->coming[(x->first_coming + x->n_coming++) % AHEAD] = v;
        return;
    }
}

static void run_all(Run *x)
{
    int next = 0;
    do {
        if (x->n_runnable > 0)
            advance(x, x->runnable[--x->n_runnable]);
        else if (next < x->s->p)
            advance(x, next++);
        while (x->n_coming == AHEAD || (x->n_coming > 0 && x->n_runnable == 0 && next == x->s->p)) {
            const int v = x->coming[x->first_coming++ % AHEAD];
            const Blocked *r = &x->ranks[v];
            x->n_coming--;
            // If its peers have come since, it goes on by their doing.
            if ((r->to >= 0 || r->from >= 0) && meet(x, v))
                advance(x, v);
        }
    } while (x->n_runnable > 0 || next < x->s->p);
}

bool blocking_applies(const Schedule *s, const Hockney *model, const ReplayOptions *o)
{
    const uint32_t allowed =
        1u << OP_END | 1u << OP_SEND | 1u << OP_RECV | 1u << OP_SENDRECV | 1u << OP_REDUCE | 1u << OP_LOOP;
    return !(s->kinds & ~allowed) && model->transfer == TRANSFER_RENDEZVOUS && !o->path;
}

static bool same_list(const Class *a, const Class *b)
{
    if (a->n_ops != b->n_ops || a->loops != b->loops)
        return false;
    for (uint32_t i = 0; i < a->n_ops; i++) {
        const bool loops = a->ops[i].kind == OP_LOOP && b->ops[i].kind == OP_LOOP && a->ops[i].to == b->ops[i].to;
        if (!loops && memcmp(&a->ops[i], &b->ops[i], sizeof(Op)) != 0)
            return false;
    }
    return !a->loops || memcmp(a->strides, b->strides, a->n_ops * sizeof(Stride)) == 0;
}

// Classes that follow each other are those that may be alike; returns the number of each one's list.
static uint32_t *share_lists(Run *x)
{
    const Schedule *s = x->s;
    uint32_t *list = g_new(uint32_t, s->n_classes), n = 0;
    x->lists = g_new(List, s->n_classes);
    for (uint32_t i = 0; i < s->n_classes; i++) {
        const Class *k = &s->classes[i];
        if (i == 0 || !same_list(k - 1, k))
            x->lists[n++] = (List){k->ops, k->strides};
        list[i] = n - 1;
    }
    return list;
}

static Replay *finish(const Run *x, const ReplayOptions *o)
{
    const int p = x->s->p;
    Replay *r = g_new0(Replay, 1);
    Stamp last = {.t = -1};
    if (o->clocks)
        r->clocks = g_new(Stamp, p);
    for (int rank = 0; rank < p; rank++) {
        const Stamp now = stamp(&x->ranks[v_of_rank(x->s, rank)]);
        last = latest(last, now);
        if (o->clocks)
            r->clocks[rank] = now;
    }
    r->gear = GEAR_DATAFLOW;
    r->simulated = p;
    r->certificate = (Certificate){last.alpha, last.beta, last.gamma};
    r->time_s = o->start ? last.t : certificate_time(&r->certificate, &x->model);
    r->stuck = g_array_new(FALSE, FALSE, sizeof(Stuck));
    return r;
}

Replay *blocking_replay(const Schedule *s, const Hockney *model, const ReplayOptions *o)
{
    const int p = s->p;
    const size_t bytes = (size_t)p * sizeof(Blocked);
    Run x = {.s = s,
             .model = *model,
             .ranks = aligned_alloc(64, bytes),
             .aside = g_new(Aside, p),
             .runnable = g_new(int, p)};
    g_assert(x.ranks);
    g_autofree uint32_t *list = share_lists(&x);
    for (int v = 0; v < p; v++) {
        x.ranks[v] = (Blocked){.t = o->start ? o->start[rank_of(s, v)] : 0,
                               .to = -1,
                               .from = -1,
                               .list = list[s->class_of ? s->class_of[v] : 0]};
        x.aside[v].t = -1;
    }
    run_all(&x);
    bool stuck = false;
    for (int v = 0; v < p; v++)
        stuck |= x.ranks[v].to >= 0 || x.ranks[v].from >= 0;
    Replay *r = stuck ? NULL : finish(&x, o);
    free(x.ranks);
    g_free(x.aside);
    g_free(x.lists);
    g_free(x.runnable);
    return r;
}
