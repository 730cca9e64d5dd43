// Ranks whose operations leave no request open, in the gears chain and flow: a rank shows whom it waits for, and the
// later of two ranks that wait for each other makes the transfer. So there are no queues of requests, and a rank's
// state is one cache line. Private to these gears.
#pragma once
#include "base/limits.h"
#include "engine/replay/gears.h"

// What stands in place of a peer once both ends know the message, while the message waits in line for what ranks share.
// (-1 stands for no message.)
enum { UNDER_WAY = -2 };

typedef struct Blocked {
    double t;
    ClockTally n;
    int32_t to;      // the receiver of the message that it wants to send; -1 for none, UNDER_WAY
    int64_t out, in; // the lengths of the messages to `to` and from `from`, in bytes
    int32_t from;    // the sender of the message that it wants to receive; -1 for none, UNDER_WAY
    uint32_t pc, round;
    // paired: its messages are halves of a sendrecv. Only with BlockingRun.further: that has one rank at its other ends
    // (swaps), its text has ended a receive before (reacts), and will have when this operation is over (received).
    uint32_t list : 28, paired : 1, swaps : 1, reacts : 1, received : 1;
} __attribute__((aligned(64))) Blocked;
_Static_assert(sizeof(Blocked) == 64 || sizeof(ClockTally) > 20, "a rank is a cache line");
_Static_assert(LIMIT_RANKS < 1 << 28, "there are no more lists than ranks");

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
    bool once; // it receives at most one message, so that its in-port delays none
} OpList;

enum { AHEAD = 16 }; // how many ranks wait for their peers' state to reach the cache

typedef struct BlockingRun {
    const Schedule *s;
    Hockney model;
    int n; // the ranks that are replayed
    OpList *lists;
    Blocked *ranks;
    Aside *aside; // NULL if the schedule has neither sendrecvs nor loops
    // The rank with whose start a chain begins: origin[v] for v's clock, origin[n + v] for the half in its Aside. NULL
    // if all ranks begin at 0.
    uint32_t *origin;
    bool further; // under measured: `far` or `swap` may make messages longer
    int *runnable, n_runnable;
    // A ring of ranks that have come to a message but have not looked at their peers, whose state is on its way to the
    // cache.
    int coming[AHEAD];
    uint32_t first_coming, n_coming;
    // The rest is used only if messages may be eager, under measured.
    struct BlockedPort *ports; // by rank
    struct Mail *mail;
    int32_t n_mail, max_mail, free_mail; // entries that have been used, all entries, the first free one of those used
    int32_t waiting;                     // mail of all ranks
    int *paused;                         // a ring of p ranks
    int first_paused, n_paused;
    bool crowded;  // the rank that runs now shall pause
    bool unsure;   // see in_port_follows
    bool given_up; // messages began in another order than their receives, or searches for mail take too long
    int64_t searched;
} BlockingRun;

// The functions that are ALWAYS_INLINED, here and in blocking.c, are compiled several times: for ranks that all begin
// at 0 and for skewed ranks, so that the first variant need not keep an origin for every message, and with and without
// eager messages.

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

// Ends one half of v's operation, the receive or the send. If the other half is over too (or there is none), sets v's
// clock and returns true; otherwise keeps the end of this half in v's Aside. If both ends are equal, the receive's
// counts.
static inline ALWAYS_INLINED bool finish_half(BlockingRun *x, int v, bool receives, Stamp end, bool skewed)
{
    Blocked *r = &x->ranks[v];
    *(receives ? &r->from : &r->to) = -1;
    if (!x->aside) { // then no operation has two halves
        set_clock(x, v, stamp_latest(clock_of(x, v, skewed), end), skewed);
        return true;
    }
    Aside *half = &x->aside[v];
    uint32_t *half_origin = skewed ? &x->origin[x->n + v] : NULL;
    if (r->from != -1 || r->to != -1) {
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

// What a message costs its two ends.
typedef struct MessageCost {
    int level;
    uint64_t bytes;
    Prices *prices; // under measured; otherwise NULL
    PriceKind time; // of the prices: T
} MessageCost;

Prices *blocked_prices(const BlockingRun *x, const MessageCost *c);

// Returns the cost of the message that v sends to d.
static inline ALWAYS_INLINED MessageCost cost_of(const BlockingRun *x, int v, int d)
{
    const Blocked *from = &x->ranks[v], *to = &x->ranks[d];
    MessageCost c = {.level = cost_level(&x->model, v, d), .bytes = (uint64_t)from->out};
    if (G_UNLIKELY(cost_is_measured(&x->model))) {
        c.prices = blocked_prices(x, &c);
        c.time = prices_time(c.prices, from->paired && to->paired, from->swaps && to->swaps);
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
static inline void agree_on(const BlockingRun *x, int from, int64_t sent, int to)
{
    if (G_UNLIKELY(sent != x->ranks[to].in))
        g_error("rank %d sends %" G_GINT64_FORMAT " bytes to rank %d, which receives %" G_GINT64_FORMAT,
                rank_of(x->s, from), sent, rank_of(x->s, to), x->ranks[to].in);
}

static inline void agree(const BlockingRun *x, int from, int to)
{
    agree_on(x, from, x->ranks[from].out, to);
}

// Runs v up to its next message, and shows that. Returns false at v's end.
static inline ALWAYS_INLINED bool advance(BlockingRun *x, int v, bool mirror)
{
    const Schedule *s = x->s;
    const int origin = mirror ? 0 : v; // seen from 0, a peer's number is its distance
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
        case OP_FRESH:
        case OP_CONNECT:
        case OP_MATCH:
        case OP_BOUNCE: {
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
            return false;
        default:
            break;
        }
        r->paired = op->kind == OP_SENDRECV;
        if (op->kind != OP_SEND) {
            r->from = op_peer(s, origin, op, op->from, d->from, round);
            __builtin_prefetch(&x->ranks[mirror ? v : r->from], 1);
            r->in = (int64_t)length_of(s, v, op->in_cut, op->in, d->in, round);
        }
        if (op->kind != OP_RECV) {
            r->to = op_peer(s, origin, op, op->to, d->to, round);
            __builtin_prefetch(&x->ranks[mirror ? v : r->to], 1);
            r->out = (int64_t)length_of(s, v, op->out_cut, op->out, d->out, round);
        }
        if (G_UNLIKELY(x->further)) {
            const bool received = r->received;
            r->swaps = op->kind == OP_SENDRECV && r->to == r->from;
            r->reacts = received;
            r->received = received || op->kind != OP_SEND;
        }
        r->pc++;
        return true;
    }
}

// Sets up the ranks v = 0 .. n-1, and frees what that needs. `notes` says that every rank's in-port is to note its last
// message.
void blocked_begin(BlockingRun *x, const GearInput *in, int n, bool notes);
void blocked_end(BlockingRun *x);
// Returns the memory that a rank needs, in bytes.
size_t blocked_rank_bytes(const Schedule *s, bool skewed);
// Returns the result, or NULL if ranks are stuck.
Replay *blocked_result(const BlockingRun *x, const GearInput *in);
