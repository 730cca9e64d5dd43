// Whether each rank's port takes messages in the order of the steps, under measured (LockstepOrder).
#include "engine/replay/clocks.h"
#include "engine/replay/lengths.h"
#include "engine/replay/lockstep.h"
#include <math.h>
#include <string.h>

// Returns true if every rank receives from one rank only.
static bool has_one_source(const Lockstep *l)
{
    static const Stride none;
    for (int c = 0; c < l->n; c++) {
        const Class *k = l->k[c];
        int source = -1;
        for (Cursor at = {l->first, 0}; k->ops[at.pc].kind != OP_END; at.pc++) {
            if (k->ops[at.pc].kind != OP_SENDRECV)
                continue;
            const int from = peer_of(l->s, 0, k->ops[at.pc].from, 0, 0);
            if ((source >= 0 && from != source) || (k->loops ? &k->strides[at.pc] : &none)->from)
                return false;
            source = from;
        }
    }
    return true;
}

void lockstep_order_begin(Lockstep *l, const double *now, const double *begun)
{
    l->order.begun = begun;
    for (int c = 0; c < l->n; c++)
        l->order.source[c] = -1;
    if (!cost_is_measured(&l->model) || (!begun && has_one_source(l)) || lengths_of(l->s, l->model.site).none_eager)
        return;
    l->order.matters = true;
    if (!now)
        return;
    l->order.low = INFINITY;
    for (int i = 0; i < l->p; i++) {
        l->order.low = MIN(l->order.low, now[i]);
        l->order.high = MAX(l->order.high, now[i]);
    }
}

// What the messages of an exchange may be, at all levels and with all lengths that there are.
typedef struct ExchangeKind {
    double least, most; // their times
    bool eager, meets;  // some are eager; some use rendezvous
} ExchangeKind;

// Adds what the messages of so many bytes may be that a class receives in a step.
static void add_length(const Lockstep *l, int class, uint64_t bytes, ExchangeKind *x)
{
    const LockstepStep *step = &l->step[class];
    const bool alike = !l->stretch, go_far = l->far && alike && lockstep_link(l, step, class) > far_level(&l->model);
    for (int level = alike ? far_level(&l->model) : 0; level <= far_level(&l->model); level++) {
        const Prices *prices = prices_at(l->model.site, level, bytes);
        const double time = prices->of[prices_time(prices, true, lockstep_swaps(step))].value,
                     longer = prices->far ? time + l->model.site->prices->far : time;
        const bool eager = prices_eager(l->model.site, level, bytes);
        x->least = MIN(x->least, go_far ? longer : time);
        x->most = MAX(x->most, go_far || !alike ? longer : time);
        x->most = eager ? MAX(x->most, prices->of[prices->take].value) : x->most; // a receive takes that long at least
        x->eager |= eager;
        x->meets |= !eager;
    }
}

// Returns how many bytes a step receives or works on at least, and at most, at some rank of the class.
static uint64_t least_bytes(const Lockstep *l, const LockstepStep *x)
{
    const Cut *cut = &l->s->cuts[x->in_cut];
    return x->in_cut ? (uint64_t)x->in.blocks.count * cut->size : x->in.bytes;
}

static uint64_t most_bytes(const Lockstep *l, const LockstepStep *x)
{
    const Cut *cut = &l->s->cuts[x->in_cut];
    return least_bytes(l, x) + (x->in_cut && cut->longer ? (uint64_t)x->in.blocks.count * cut->elem : 0);
}

static void note_work(Lockstep *l)
{
    double least = INFINITY, most = 0;
    for (const LockstepStep *x = l->step; x < l->step + l->n; x++) {
        const double a = cost_own(&l->model, x->kind - OP_REDUCE, least_bytes(l, x)),
                     b = cost_own(&l->model, x->kind - OP_REDUCE, most_bytes(l, x));
        least = MIN(least, MIN(a, b));
        most = MAX(most, MAX(a, b));
    }
    l->order.low += least;
    l->order.high += most;
}

// Returns true if what each rank of a class receives in this exchange, from the rank `from` away, begins after what it
// received in the last one. An eager message begins when its sender is ready, and another one when both of its ends
// are.
static bool all_rise(const Lockstep *l, int class, int from, const double *now, const double *before)
{
    const int last_from = l->order.source[class];
    const int run = is_xor(l) ? (from | last_from) & -(from | last_from) : l->groups;
    bool rise = true;
    for (int g = 0, end; g < l->groups && rise; g = end) {
        const int v = g * l->n + class, source = peer_at(l, v, from), last = peer_at(l, v, last_from);
        const double *then = before + place_at(l, last);
        end = MIN(g + run, g + l->groups - MAX(MAX(group_at(l, source), group_at(l, last)), g));
        rise = clocks_later(now + place_at(l, source), then, l->order.meets ? before + place_at(l, v) : then,
                            (size_t)(end - g));
    }
    return rise;
}

// Returns true if every rank's first message in lockstep, from the rank `from` away, begins after the last one before.
static bool all_follow(const Lockstep *l, int class, int from, const double *now)
{
    bool follow = true;
    for (int v = class; v < l->p && follow; v += l->n)
        follow = now[place_at(l, peer_at(l, v, from))] > l->order.begun[rank_of(l->s, v)];
    return follow;
}

bool lockstep_order_holds(Lockstep *l, const double *now, double *other)
{
    LockstepOrder *o = &l->order;
    if (!o->matters)
        return true;
    if (op_works(l->step->kind)) {
        note_work(l);
        return true;
    }
    ExchangeKind all = {.least = INFINITY};
    for (int c = 0; c < l->n; c++) {
        ExchangeKind x = {.least = INFINITY};
        const int from = l->step[c].from;
        add_length(l, c, least_bytes(l, &l->step[c]), &x);
        add_length(l, c, most_bytes(l, &l->step[c]), &x);
        const bool may_overtake = x.eager && o->source[c] >= 0 && o->source[c] != from && o->low <= o->latest;
        if ((x.eager && o->begun && !all_follow(l, c, from, now)) ||
            (may_overtake && !all_rise(l, c, from, now, other)))
            return false;
        o->source[c] = from;
        all.least = MIN(all.least, x.least);
        all.most = MAX(all.most, x.most);
        all.meets |= x.meets;
    }
    o->begun = NULL;
    o->meets = all.meets;
    o->latest = o->high;
    o->low += all.least; // every rank's clock becomes a message's time later than that of its source
    o->high += all.most;
    if (is_xor(l) && o->low <= o->latest)
        memcpy(other, now, (size_t)l->p * sizeof *now);
    return true;
}
