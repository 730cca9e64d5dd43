// The blocking gear, for rendezvous schedules in which no operation leaves a request open and no two transfers compete
// for a port. A rank shows whom it waits for, and the later of two ranks that wait for each other computes the
// transfer. So there are no queues, and a rank's state is one cache line.
#include "replay/gears.h"
#include "base/budget.h"
#include <stdlib.h>
#include <string.h>

typedef struct Blocked {
    double t;
    ClockTally n;
    int32_t to;      // the receiver of the message that it wants to send; -1 for none
    int64_t out, in; // the lengths of the messages to `to` and from `from`, in bytes
    int32_t from;    // the sender of the message that it wants to receive; -1 for none
    uint32_t pc, round;
    uint32_t list : 31, paired : 1; // paired: its messages are halves of a sendrecv
} __attribute__((aligned(64))) Blocked;
_Static_assert(sizeof(Blocked) == 64 || sizeof(ClockTally) > 20, "a rank is a cache line");

// The part of a rank's state that has no room in its cache line. Only sendrecvs and loops need it.
typedef struct Aside {
    double t;        // when one half of a sendrecv ended whose other half is not over yet; otherwise -1
    ClockTally n;    // what the chain of that half has paid
    uint32_t rounds; // the number of rounds of the loop that the rank is in
} Aside;

// The operations of a class. Classes that differ only in the numbers of their loops' rounds share one list, which then
// stays in the cache however many of these classes there are.
typedef struct OpList {
    const Op *ops;
    const Stride *strides;
} OpList;

enum { AHEAD = 16 }; // how many ranks wait for their peers' state to reach the cache

typedef struct BlockingRun {
    const Schedule *s;
    Hockney model;
    OpList *lists;
    Blocked *ranks;
    Aside *aside; // NULL if the schedule has neither sendrecvs nor loops
    // The rank with whose start a chain begins: origin[v] for v's clock, origin[p + v] for the half in its Aside. NULL
    // if all ranks begin at 0.
    uint32_t *origin;
    int *runnable, n_runnable;
    // A ring of ranks that have come to a message but have not looked at their peers, whose state is on its way to the
    // cache.
    int coming[AHEAD];
    uint32_t first_coming, n_coming;
} BlockingRun;

// All functions from here to run_all() that are ALWAYS_INLINED are compiled twice, for ranks that all begin at 0 and
// for skewed ranks, so that the first variant need not keep an origin for every message.

// Returns v's clock. Its node is the rank with whose start the chain begins if ranks are skewed, and otherwise 0.
static inline ALWAYS_INLINED Stamp clock_of(const BlockingRun *x, int v, bool skewed)
{
    const Blocked *r = &x->ranks[v];
    return (Stamp){.t = r->t, .n = r->n, .node = skewed ? x->origin[v] : 0};
}

static inline ALWAYS_INLINED void set_clock(BlockingRun *x, int v, Stamp now, bool skewed)
{
    x->ranks[v].t = now.t;
    x->ranks[v].n = now.n;
    if (skewed)
        x->origin[v] = now.node;
}

// What a message costs its two ends.
typedef struct MessageCost {
    int level;
    uint64_t bytes;
    Prices *prices; // under measured; otherwise NULL
    PriceKind time; // of the prices: T
} MessageCost;

static __attribute__((noinline)) Prices *prices_of(const BlockingRun *x, const MessageCost *c)
{
    return prices_at(x->model.site, c->level, c->bytes);
}

// Returns the cost of the message that v sends to d.
static inline ALWAYS_INLINED MessageCost cost_of(const BlockingRun *x, int v, int d)
{
    const Blocked *from = &x->ranks[v], *to = &x->ranks[d];
    MessageCost c = {.level = cost_level(&x->model, v, d), .bytes = (uint64_t)from->out};
    if (G_UNLIKELY(cost_is_measured(&x->model))) {
        c.prices = prices_of(x, &c);
        c.time = from->paired && to->paired ? prices_of_step(x->model.site, c.level) : PRICE_ONE;
    }
    return c;
}

// Returns when a message is over for one end, which is ready at `ours`, while the other one is ready at `theirs`. Under
// measured, the sender is done when its port is free again.
static inline ALWAYS_INLINED Stamp end_of(const BlockingRun *x, const MessageCost *c, bool receives, Stamp ours,
                                          Stamp theirs)
{
    const Stamp begin = stamp_latest(ours, theirs);
    if (G_UNLIKELY(c->prices))
        return stamp_price(x->model.site, begin, c->prices, receives ? c->time : PRICE_GAP);
    return stamp_message(&x->model, begin, c->level, c->bytes);
}

// Aborts unless both ends of a message have the same length, because the algorithm's text is then wrong.
static void agree(const BlockingRun *x, int from, int to)
{
    if (G_UNLIKELY(x->ranks[from].out != x->ranks[to].in))
        g_error("rank %d sends %" G_GINT64_FORMAT " bytes to rank %d, which receives %" G_GINT64_FORMAT,
                rank_of(x->s, from), x->ranks[from].out, rank_of(x->s, to), x->ranks[to].in);
}

// Ends one half of v's operation, the receive or the send. If the other half is over too (or there is none), sets v's
// clock and returns true; otherwise keeps the end of this half in v's Aside. Of equal ends, the receive's counts.
static inline ALWAYS_INLINED bool finish_half(BlockingRun *x, int v, bool receives, Stamp end, bool skewed)
{
    Blocked *r = &x->ranks[v];
    *(receives ? &r->from : &r->to) = -1;
    if (!x->aside) { // then no operation has two halves
        set_clock(x, v, stamp_latest(clock_of(x, v, skewed), end), skewed);
        return true;
    }
    Aside *half = &x->aside[v];
    uint32_t *half_origin = skewed ? &x->origin[x->s->p + v] : NULL;
    if (r->from >= 0 || r->to >= 0) {
        half->t = end.t;
        half->n = end.n;
        if (half_origin)
            *half_origin = end.node;
        return false;
    }
    Stamp now = clock_of(x, v, skewed);
    if (half->t < 0) {
        now = stamp_latest(now, end);
    } else {
        const Stamp other = {.t = half->t, .n = half->n, .node = half_origin ? *half_origin : 0};
        now = stamp_latest(stamp_latest(now, receives ? end : other), receives ? other : end);
        half->t = -1;
    }
    set_clock(x, v, now, skewed);
    return true;
}

// Transfers v's message to d, for which both are ready. `self`, which is v or d, is the rank that runs now; the other
// one becomes runnable if its operation is over.
static inline ALWAYS_INLINED void transfer_one(BlockingRun *x, int v, int d, int self, bool skewed)
{
    const Stamp ours = clock_of(x, v, skewed), theirs = clock_of(x, d, skewed);
    const MessageCost cost = cost_of(x, v, d);
    agree(x, v, d);
    const Stamp left = end_of(x, &cost, false, ours, theirs), arrived = end_of(x, &cost, true, theirs, ours);
    const bool sent = finish_half(x, v, false, left, skewed);
    const bool received = finish_half(x, d, true, arrived, skewed);
    const int other = v == self ? d : v;
    if (v == self ? received : sent)
        x->runnable[x->n_runnable++] = other;
}

// Transfers the messages of v, which runs now, and d to each other; d becomes runnable.
static inline ALWAYS_INLINED void exchange(BlockingRun *x, int v, int d, bool skewed)
{
    Blocked *a = &x->ranks[v], *b = &x->ranks[d];
    agree(x, v, d);
    agree(x, d, v);
    const Stamp ours = clock_of(x, v, skewed), theirs = clock_of(x, d, skewed);
    const MessageCost out = cost_of(x, v, d), in = cost_of(x, d, v);
    const Stamp received = end_of(x, &in, true, ours, theirs), sent = end_of(x, &out, false, ours, theirs);
    set_clock(x, v, stamp_latest(stamp_latest(ours, received), sent), skewed);
    const Stamp received_d = end_of(x, &out, true, theirs, ours), sent_d = end_of(x, &in, false, theirs, ours);
    set_clock(x, d, stamp_latest(stamp_latest(theirs, received_d), sent_d), skewed);
    a->to = a->from = b->to = b->from = -1;
    x->runnable[x->n_runnable++] = d;
}

// Makes the transfers of v's operation whose other sides are ready. Returns true if the operation is over.
static inline ALWAYS_INLINED bool meet(BlockingRun *x, int v, bool skewed)
{
    const Blocked *r = &x->ranks[v];
    const int to = r->to, from = r->from;
    if (to >= 0 && to == from) {
        const Blocked *d = &x->ranks[to];
        if (d->to == v && d->from == v) {
            exchange(x, v, to, skewed);
            return true;
        }
    }
    if (from >= 0 && x->ranks[from].to == v)
        transfer_one(x, from, v, v, skewed);
    if (to >= 0 && x->ranks[to].from == v)
        transfer_one(x, v, to, v, skewed);
    return r->to < 0 && r->from < 0;
}

// Runs v up to its next message, and puts v into `coming`.
static void advance(BlockingRun *x, int v)
{
    const Schedule *s = x->s;
    Blocked *r = &x->ranks[v];
    const OpList *k = &x->lists[r->list];
    static const Stride none;
    for (;;) {
        const Op *op = &k->ops[r->pc];
        const uint32_t round = r->round;
        const Stride *d = G_UNLIKELY(round) ? &k->strides[r->pc] : &none;
        switch ((OpKind)op->kind) {
        case OP_REDUCE:
        case OP_COPY:
        case OP_FRESH: {
            const size_t bytes = length_of(s, v, op->in_cut, op->in, d->in, round);
            r->t += cost_own(&x->model, op->kind - OP_REDUCE, bytes);
            tally_own(&x->model, &r->n, op->kind - OP_REDUCE, bytes);
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
        r->paired = op->kind == OP_SENDRECV;
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

static inline ALWAYS_INLINED void run_all(BlockingRun *x, bool skewed)
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
            // If v's peers have completed its operation in the meantime, they have also made v runnable.
            if ((r->to >= 0 || r->from >= 0) && meet(x, v, skewed))
                advance(x, v);
        }
    } while (x->n_runnable > 0 || next < x->s->p);
}

// Returns true if two classes differ at most in the numbers of their loops' rounds.
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

// Makes the lists, and returns the number of each class's list; free it with g_free. It compares a class only with the
// one before it, because classes that are alike mostly follow each other.
static uint32_t *share_lists(BlockingRun *x)
{
    const Schedule *s = x->s;
    uint32_t *list = g_new(uint32_t, s->n_classes), n = 0;
    x->lists = g_new(OpList, s->n_classes);
    for (uint32_t i = 0; i < s->n_classes; i++) {
        const Class *k = &s->classes[i];
        if (i == 0 || !same_list(k - 1, k))
            x->lists[n++] = (OpList){k->ops, k->strides};
        list[i] = n - 1;
    }
    return list;
}

static Replay *finish(const BlockingRun *x, const GearInput *in)
{
    Replay *r = replay_new(x->s->p, in->clocks);
    for (int rank = 0; rank < x->s->p; rank++)
        replay_end_rank(r, rank, clock_of(x, v_of_rank(x->s, rank), x->origin != NULL));
    return r;
}

static void begin(BlockingRun *x, const GearInput *in, const uint32_t *list)
{
    const Schedule *s = x->s;
    for (int v = 0; v < s->p; v++) {
        const Stamp from = in->from ? in->from[rank_of(s, v)] : (Stamp){0};
        x->ranks[v] = (Blocked){.to = -1, .from = -1, .list = list[s->class_of ? s->class_of[v] : 0]};
        if (x->aside)
            x->aside[v].t = -1;
        set_clock(x, v, from, in->from != NULL);
    }
}

static bool needs_aside(const Schedule *s)
{
    return s->kinds & (1u << OP_SENDRECV | 1u << OP_LOOP);
}

size_t blocking_rank_bytes(const Schedule *s, bool skewed)
{
    return sizeof(Blocked) + sizeof(int) + (needs_aside(s) ? sizeof(Aside) : 0) + (skewed ? 2 * sizeof(uint32_t) : 0);
}

Replay *blocking_replay(const GearInput *in)
{
    const int p = in->s->p;
    const size_t bytes = (size_t)p * sizeof(Blocked);
    BlockingRun x = {.s = in->s,
                     .model = in->model,
                     .ranks = aligned_alloc(64, bytes),
                     .aside = needs_aside(in->s) ? g_new(Aside, p) : NULL,
                     .origin = in->from ? g_new(uint32_t, 2 * (size_t)p) : NULL,
                     .runnable = g_new(int, p)};
    if (!x.ranks)
        budget_exhausted(bytes);
    g_autofree uint32_t *list = share_lists(&x);
    begin(&x, in, list);
    if (in->from)
        run_all(&x, true);
    else
        run_all(&x, false);
    bool stuck = false;
    for (int v = 0; v < p; v++)
        stuck |= x.ranks[v].to >= 0 || x.ranks[v].from >= 0;
    Replay *r = stuck ? NULL : finish(&x, in);
    free(x.ranks);
    g_free(x.aside);
    g_free(x.lists);
    g_free(x.origin);
    g_free(x.runnable);
    return r;
}
