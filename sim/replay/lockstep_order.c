// Whether each rank's port takes messages in the order of the steps, under measured (LockstepOrder).
#include "replay/clocks.h"
#include "replay/lengths.h"
#include "replay/lockstep.h"
#include <math.h>
#include <string.h>

// Returns true if every rank receives from one rank only.
static bool has_one_source(const Lockstep *l)
{
    int source = -1;
    for (Cursor at = {l->first, 0}; l->k->ops[at.pc].kind != OP_END; at.pc++) {
        if (l->k->ops[at.pc].kind != OP_SENDRECV)
            continue;
        const int from = from_v(l, 0, at);
        if ((source >= 0 && from != source) || stride_at(l, at)->from)
            return false;
        source = from;
    }
    return true;
}

void lockstep_order_begin(Lockstep *l, const double *now, const double *begun)
{
    l->order = (LockstepOrder){.source = -1, .begun = begun};
    if (!cost_is_measured(&l->model) || (!begun && has_one_source(l)) || lengths_of(l->s, l->model.site).none_eager)
        return;
    l->order.matters = true;
    if (!now)
        return;
    l->order.low = INFINITY;
    for (int v = 0; v < l->p; v++) {
        l->order.low = MIN(l->order.low, now[v]);
        l->order.high = MAX(l->order.high, now[v]);
    }
}

// What the messages of an exchange may be, at all levels and with all lengths that there are.
typedef struct ExchangeKind {
    double least, most; // their times
    bool eager, meets;  // some are eager; some use rendezvous
} ExchangeKind;

static void add_length(const Lockstep *l, uint64_t bytes, ExchangeKind *x)
{
    for (int level = l->stretch ? 0 : far_level(&l->model); level <= far_level(&l->model); level++) {
        const double time = prices_at(l->model.site, level, bytes)->of[PRICE_STEP].value;
        const bool eager = prices_eager(l->model.site, level, bytes);
        x->least = MIN(x->least, time);
        x->most = MAX(x->most, time);
        x->eager |= eager;
        x->meets |= !eager;
    }
}

// Returns how many bytes the operation receives or works on at least, and at most, at some rank.
static uint64_t least_bytes(const Lockstep *l, const Op *op)
{
    return op->in_cut ? l->s->cuts[op->in_cut].size : op->in.bytes;
}

static uint64_t most_bytes(const Lockstep *l, const Op *op)
{
    const Cut *cut = &l->s->cuts[op->in_cut];
    return least_bytes(l, op) + (op->in_cut && cut->longer ? cut->elem : 0);
}

static void note_work(Lockstep *l, const Op *op)
{
    const double a = cost_own(&l->model, op->kind - OP_REDUCE, least_bytes(l, op)),
                 b = cost_own(&l->model, op->kind - OP_REDUCE, most_bytes(l, op));
    l->order.low += MIN(a, b);
    l->order.high += MAX(a, b);
}

// Returns true if every rank's message of this exchange, from the rank `from` away, begins after that of the last one.
// An eager message begins when its sender is ready, and another one when both of its ends are.
static bool all_rise(const Lockstep *l, int from, const double *now, const double *before)
{
    const LockstepOrder *o = &l->order;
    const bool xor = l->s->peers == PEERS_XOR;
    const int run = xor? (from | o->source) & -(from | o->source) : l->p;
    bool rise = true;
    for (int v = 0, end; v < l->p && rise; v = end) {
        const int source = xor? v ^ from : (v + from) % l->p, last = xor? v ^ o->source : (v + o->source) % l->p;
        end = MIN(v + run, v + l->p - MAX(MAX(source, last), v));
        rise = clocks_later(now + source, before + last, before + (o->meets ? v : last), (size_t)(end - v));
    }
    return rise;
}

// Returns true if every rank's first message in lockstep, from the rank `from` away, begins after the last one before.
static bool all_follow(const Lockstep *l, int from, const double *now)
{
    bool follow = true;
    for (int v = 0; v < l->p && follow; v++) {
        const int source = l->s->peers == PEERS_XOR ? v ^ from : (v + from) % l->p;
        follow = now[source] > l->order.begun[rank_of(l->s, v)];
    }
    return follow;
}

bool lockstep_order_holds(Lockstep *l, Cursor at, const double *now, double *other)
{
    LockstepOrder *o = &l->order;
    if (!o->matters)
        return true;
    const Op *op = &l->k->ops[at.pc];
    if (op_works(op->kind)) {
        note_work(l, op);
        return true;
    }
    ExchangeKind x = {.least = INFINITY};
    add_length(l, least_bytes(l, op), &x);
    add_length(l, most_bytes(l, op), &x);
    const int from = from_v(l, 0, at);
    if (x.eager && o->begun && !all_follow(l, from, now))
        return false;
    o->begun = NULL;
    const bool may_overtake = x.eager && o->source >= 0 && o->source != from && o->low <= o->latest;
    if (may_overtake && !all_rise(l, from, now, other))
        return false;
    o->source = from;
    o->meets = x.meets;
    o->latest = o->high;
    o->low += x.least; // every rank's clock becomes a message's time later than that of its source
    o->high += x.most;
    if (l->s->peers == PEERS_XOR && o->low <= o->latest)
        memcpy(other, now, (size_t)l->p * sizeof *now);
    return true;
}
