// Walks the critical path of the lockstep gear backwards.
#include "replay/lockstep.h"
#include <string.h>

// ---- One step of the path, backwards ------------------------------------------------------------------------------

// Returns a step of the path: the send or receive by v of a message. Under measured it takes T, or (`busy`) the gap until
// v's port is free again.
static PathStep message_step(const Hockney *h, OpKind kind, int v, int peer, uint64_t bytes, bool busy)
{
    PathStep x = {.rank = v, .peer = peer, .kind = kind, .bytes = bytes};
    if (cost_is_measured(h))
        x.price = busy ? PRICE_GAP : prices_of_step(h->site, site_level(h->site, v, peer));
    return x;
}

// Finds what determined v's clock after the exchange. Sets *step to the step of the path, by v's rather than ranks; its
// kind is OP_END if the clock did not change. Returns the v whose clock before the exchange the path goes on from. Of equal
// times the receive counts before the send, the own clock before the peer's, and an eager message's gap before its T.
static int exchange_back(const Hockney *h, const ExchangeAt *x, PathStep *step)
{
    const ExchangeCost c =
        exchange_cost(h, cost_level(h, x->v, x->source), x->in, cost_level(h, x->v, x->target), x->out);
    const double own = x->own, to = c.out_meets ? x->to : own;
    const double arrival = (c.in_meets ? MAX(own, x->there) : x->there) + c.in, received = MAX(arrival, own + c.busy),
                 sent = MAX(own, to) + c.out;
    if (MAX(received, sent) <= own) {
        step->kind = OP_END;
        return x->v;
    }
    if (sent > received) {
        *step = message_step(h, OP_SEND, x->v, x->target, x->out, true);
        return to > own ? x->target : x->v;
    }
    if (c.in_meets) {
        *step = message_step(h, OP_RECV, x->v, x->source, x->in, false);
        return x->there > own ? x->source : x->v;
    }
    if (arrival > own + c.busy) {
        *step = message_step(h, OP_SEND, x->source, x->v, x->in, false);
        return x->source;
    }
    *step = message_step(h, OP_RECV, x->v, x->source, x->in, true);
    return x->v;
}

// Adds a step to the path. Under measured, notes how long it takes.
static void add_step(const Schedule *s, const Hockney *h, PathStep *x, PathWalk *w)
{
    if (op_works(x->kind)) {
        x->value_s = cost_own(h, x->kind - OP_REDUCE, x->bytes);
        tally_own(h, &w->n, x->kind - OP_REDUCE, x->bytes);
    } else if (cost_is_measured(h)) {
        Prices *prices = prices_at(h->site, cost_level(h, x->rank, x->peer), x->bytes);
        x->value_s = prices->of[x->price].value;
        prices_count(h->site, &w->n, prices, x->price);
    } else {
        tally_message(h, &w->n, cost_level(h, x->rank, x->peer), x->bytes);
    }
    if (w->path) {
        x->phase = w->phase;
        x->rank = rank_of(s, x->rank);
        x->peer = x->peer < 0 ? -1 : rank_of(s, x->peer);
        g_array_append_vals(w->path, x, 1);
    }
}

void lockstep_back_work(const Schedule *s, const Hockney *h, OpKind kind, uint64_t bytes, PathWalk *w)
{
    add_step(s, h, &(PathStep){.rank = w->v, .peer = -1, .kind = kind, .bytes = bytes}, w);
}

void lockstep_back_exchange(const Schedule *s, const Hockney *h, const ExchangeAt *x, PathWalk *w)
{
    PathStep step;
    w->v = exchange_back(h, x, &step);
    if (step.kind != OP_END)
        add_step(s, h, &step, w);
}

// Walks back over one step: adds what it contributed to the clock of w->v, and sets w->v to the rank from which that
// came.
static void walk_back(const Lockstep *l, Cursor at, const ClockRow *before, PathWalk *w)
{
    const OpKind kind = l->k->ops[at.pc].kind;
    w->phase = l->k->ops[at.pc].phase;
    if (op_works(kind)) {
        lockstep_back_work(l->s, &l->model, kind, in_bytes(l, w->v, at), w);
        return;
    }
    ExchangeAt x = {.v = w->v,
                    .source = from_v(l, w->v, at),
                    .target = to_v(l, w->v, at),
                    .in = in_bytes(l, w->v, at),
                    .out = out_bytes(l, w->v, at),
                    .own = *clock_at(l, before, w->v)};
    x.there = *clock_at(l, before, x.source);
    x.to = *clock_at(l, before, x.target);
    lockstep_back_exchange(l->s, &l->model, &x, w);
}

// ---- Walking the path ---------------------------------------------------------------------------------------------

// Returns how far away from v the ranks are, modulo p, on whose clocks before this step v's clock after it depends.
static int reach_of(const Lockstep *l, Cursor at)
{
    if (op_works(l->k->ops[at.pc].kind))
        return 0;
    const int to = to_v(l, 0, at);
    return MIN(to, l->p - to);
}

// Runs the stretch from checkpoint i again, and walks it back. Only the ranks run on which the clock of w->v at the end
// of the stretch can depend, a window of consecutive v; with XOR all ranks run, as their loops are over all.
static void walk_stretch(Lockstep *l, const Checkpoints *ck, int64_t i, PathWalk *w)
{
    const int64_t n = MIN(ck->every, ck->steps - i * ck->every);
    g_autofree Cursor *at = g_new(Cursor, n);
    g_autofree ClockRow *row = g_new(ClockRow, n); // the clocks before each step
    at[0] = ck->cursors[i];
    for (int64_t k = 1; k < n; k++)
        at[k] = next_step(l->k, at[k - 1]);
    const bool all = l->s->peers == PEERS_XOR;
    size_t total = 0;
    for (int64_t k = n, reach = 0; k-- > 0;) {
        reach += reach_of(l, at[k]);
        const bool window = !all && 2 * reach + 1 < l->p;
        row[k].width = window ? (int)(2 * reach + 1) : l->p;
        row[k].first = window ? (int)((w->v - reach + l->p) % l->p) : 0;
        total += (size_t)row[k].width;
    }
    g_autofree double *clocks = g_new(double, total);
    const double *start = ck->clocks + i * l->p;
    row[0].clock = clocks;
    const int before_wrap = MIN(row[0].width, l->p - row[0].first);
    memcpy(clocks, start + row[0].first, (size_t)before_wrap * sizeof *clocks);
    memcpy(clocks + before_wrap, start, (size_t)(row[0].width - before_wrap) * sizeof *clocks);
    for (int64_t k = 1; k < n; k++) {
        row[k].clock = row[k - 1].clock + row[k - 1].width;
        lockstep_row_step(l, at[k - 1], &row[k - 1], &row[k]);
    }
    for (int64_t k = n; k-- > 0;)
        walk_back(l, at[k], &row[k], w);
}

void lockstep_walk(Lockstep *l, const Checkpoints *ck, PathWalk *w)
{
    for (int64_t i = (ck->steps + ck->every - 1) / ck->every; i-- > 0;)
        walk_stretch(l, ck, i, w);
}
