// Walks the critical path of the lockstep gear backwards.
#include "engine/replay/lockstep.h"
#include <string.h>

// ---- One step of the path, backwards --------------------------------------------------------------------------------

// An exchange of v, which receives `in` bytes from its source and sends `out` bytes to its target.
typedef struct ExchangeAt {
    int v, source, target;
    uint64_t in, out;
    int link; // lockstep_link of the message that it receives
    bool swaps;
    double own, there, to; // the clocks of v, its source and its target before the exchange
} ExchangeAt;

static double clock_of(const Lockstep *l, const ClockRow *row, int v)
{
    return *clock_at(l, row, class_at(l, v), group_at(l, v));
}

// Returns a step of the path: the receive of v's message.
static PathStep receive_step(const Hockney *h, const ExchangeAt *x, OpKind kind)
{
    const bool sends = kind == OP_SEND; // an eager message, which the path shows at its sender
    PathStep step = {.rank = sends ? x->source : x->v, .peer = sends ? x->v : x->source, .kind = kind, .bytes = x->in};
    if (cost_is_measured(h))
        step.price = exchange_time(h, prices_at(h->site, cost_level(h, x->v, x->source), x->in), x->link, x->swaps);
    return step;
}

// Finds what determined v's clock after the exchange. Sets *step to the step of the path, by v's rather than ranks; its
// kind is OP_END if the clock did not change. Returns the v whose clock before the exchange the path goes on from. If
// times are equal, the receive counts before the send, the own clock before the peer's, and an eager message's gap
// before its T.
static int exchange_back(const Hockney *h, const ExchangeAt *x, PathStep *step)
{
    const ExchangeCost c = exchange_cost(h, x->link, x->in, cost_level(h, x->v, x->target), x->out, x->swaps);
    const double own = x->own, to = c.out_meets ? x->to : own;
    const double arrival = (c.in_meets ? MAX(own, x->there) : x->there) + c.in, received = MAX(arrival, own + c.busy),
                 sent = MAX(own, to) + c.out;
    if (MAX(received, sent) <= own) {
        step->kind = OP_END;
        return x->v;
    }
    if (sent > received) {
        *step = (PathStep){.rank = x->v, .peer = x->target, .kind = OP_SEND, .bytes = x->out, .price = PRICE_GAP};
        return to > own ? x->target : x->v;
    }
    if (c.in_meets) {
        *step = receive_step(h, x, OP_RECV);
        return x->there > own ? x->source : x->v;
    }
    if (arrival > own + c.busy) {
        *step = receive_step(h, x, OP_SEND);
        return x->source;
    }
    *step = (PathStep){.rank = x->v, .peer = x->source, .kind = OP_RECV, .bytes = x->in};
    step->price = prices_at(h->site, cost_level(h, x->v, x->source), x->in)->take; // only measured has a busy port
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
        x->value_s = prices_value(h->site, prices, x->price);
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

// Walks back over one step of w->v: adds what it contributed to the clock of w->v, and sets w->v to the rank from which
// that came.
static void walk_back(const Lockstep *l, const LockstepStep *step, const ClockRow *before, PathWalk *w)
{
    w->phase = step->phase;
    if (op_works(step->kind)) {
        PathStep x = {.rank = w->v, .peer = -1, .kind = step->kind, .bytes = in_bytes(l->s, step, w->v)};
        add_step(l->s, &l->model, &x, w);
        return;
    }
    const int v = w->v, source = peer_at(l, v, step->from), target = peer_at(l, v, step->to);
    const ExchangeAt x = {.v = v,
                          .source = source,
                          .target = target,
                          .in = in_bytes(l->s, step, v),
                          .out = out_bytes(l->s, step, v),
                          .link = lockstep_link(l, step, v),
                          .swaps = lockstep_swaps(step),
                          .own = clock_of(l, before, v),
                          .there = clock_of(l, before, source),
                          .to = clock_of(l, before, target)};
    PathStep of;
    w->v = exchange_back(&l->model, &x, &of);
    if (of.kind != OP_END)
        add_step(l->s, &l->model, &of, w);
}

// ---- Walking the path ---------------------------------------------------------------------------------------------

// Returns how many groups away the peers of one step are at most, modulo l->groups.
static int64_t reach_of(const Lockstep *l, const LockstepStep *step)
{
    int most = 0;
    for (int c = 0; c < l->n && !op_works(step[c].kind); c++) {
        const int to = group_at(l, peer_at(l, c, step[c].to)), from = group_at(l, peer_at(l, c, step[c].from));
        most = MAX(most, MAX(MIN(to, l->groups - to), MIN(from, l->groups - from)));
    }
    return most;
}

// Copies the clocks of the row's groups from those of all ranks.
static void copy_row(const Lockstep *l, const double *clocks, const ClockRow *row)
{
    const int before_wrap = MIN(row->width, l->groups - row->first);
    for (int c = 0; c < l->n; c++, clocks += l->groups) {
        double *to = row->clock + (ptrdiff_t)c * row->width;
        memcpy(to, clocks + row->first, (size_t)before_wrap * sizeof *to);
        memcpy(to + before_wrap, clocks, (size_t)(row->width - before_wrap) * sizeof *to);
    }
}

// Sets step[] to those of all classes in n steps from checkpoint i on.
static void steps_from(Lockstep *l, const Checkpoints *ck, int64_t i, int64_t n, LockstepStep *step)
{
    memcpy(l->at, ck->cursors + i * l->n, (size_t)l->n * sizeof *l->at);
    for (int64_t k = 0; k < n; k++, lockstep_go_on(l)) {
        lockstep_find_steps(l);
        memcpy(step + k * l->n, l->step, (size_t)l->n * sizeof *step);
    }
}

// Runs the stretch from checkpoint i again, and walks it back. Only the ranks run on which the clock of w->v at the end
// of the stretch can depend, a window of consecutive groups; with XOR all ranks run, as their loops are over all.
static void walk_stretch(Lockstep *l, const Checkpoints *ck, int64_t i, PathWalk *w)
{
    const int64_t n = MIN(ck->every, l->steps - i * ck->every);
    g_autofree LockstepStep *step = g_new(LockstepStep, n * l->n);
    g_autofree ClockRow *row = g_new(ClockRow, n); // the clocks before each step
    const int middle = group_at(l, w->v);
    steps_from(l, ck, i, n, step);
    size_t total = 0;
    for (int64_t k = n, reach = 0; k-- > 0;) {
        reach += reach_of(l, step + k * l->n);
        const bool window = !is_xor(l) && 2 * reach + 1 < l->groups;
        row[k].width = window ? (int)(2 * reach + 1) : l->groups;
        row[k].first = window ? (int)((middle - reach + l->groups) % l->groups) : 0;
        total += (size_t)row[k].width * (size_t)l->n;
    }
    g_autofree double *clocks = g_new(double, total);
    row[0].clock = clocks;
    copy_row(l, ck->clocks + i * l->p, &row[0]);
    for (int64_t k = 1; k < n; k++) {
        row[k].clock = row[k - 1].clock + (ptrdiff_t)row[k - 1].width * l->n;
        lockstep_row_step(l, step + (k - 1) * l->n, &row[k - 1], &row[k]);
    }
    for (int64_t k = n; k-- > 0;)
        walk_back(l, &step[k * l->n + class_at(l, w->v)], &row[k], w);
}

void lockstep_walk(Lockstep *l, const Checkpoints *ck, PathWalk *w)
{
    for (int64_t i = (l->steps + ck->every - 1) / ck->every; i-- > 0;)
        walk_stretch(l, ck, i, w);
}
