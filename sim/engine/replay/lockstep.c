// The lockstep gear, for schedules in which all ranks do the same kinds of operations, exchanges and their own work,
// and every rank's k-th exchange meets its partner's k-th. All ranks go through the schedule together, as loops over an
// array of clocks.
//
// Clocks do not know their certificates. If every rank pays the same in each step, one rank's certificate, which
// another gear finds, holds for all ranks. Otherwise (an even cut makes some blocks an element longer, ranks take turns
// or begin at different times) all clocks are kept at checkpoints, and the critical path is walked backwards from the
// end. For that, each stretch between two checkpoints runs again, but only for the ranks on which the path can depend.
#include "engine/replay/lockstep.h"
#include "engine/replay/path.h"
#include "engine/schedule/part.h"
#include <math.h>
#include <string.h>

// Memory for checkpoints, and for the clocks of a stretch; one checkpoint is kept even if it needs more.
enum { CHECKPOINT_BYTES = 24 << 20 };

// ---- Steps ----------------------------------------------------------------------------------------------------------

// Returns a length with the first block of this round.
static Length length_at(const Schedule *s, uint8_t cut, Length l, int32_t stride, uint32_t round)
{
    if (cut)
        l.blocks.first = cut_first(s, 0, l, stride, round);
    return l;
}

LockstepStep lockstep_step_at(const Schedule *s, const Class *k, Cursor at)
{
    static const Stride none;
    const Op *op = &k->ops[at.pc];
    const Stride *d = k->loops ? &k->strides[at.pc] : &none;
    LockstepStep x = {.kind = op->kind,
                      .phase = op->phase,
                      .in_cut = op->in_cut,
                      .in = length_at(s, op->in_cut, op->in, d->in, at.round)};
    if (op->kind != OP_SENDRECV)
        return x;
    x.to = peer_of(s, 0, op->to, d->to, at.round);
    x.from = peer_of(s, 0, op->from, d->from, at.round);
    x.out_cut = op->out_cut;
    x.out = length_at(s, op->out_cut, op->out, d->out, at.round);
    return x;
}

bool lockstep_steps_meet(const Schedule *s, const LockstepStep *step, int n)
{
    const bool xor = s->peers == PEERS_XOR;
    for (int c = 0; c < n; c++) {
        const LockstepStep *mine = &step[c], *other = &step[(xor? c ^ mine->to : c + (int64_t)mine->to) % n];
        if (mine->kind != step[0].kind)
            return false;
        if (op_works(mine->kind))
            continue;
        if (mine->to == 0 || mine->out_cut != other->in_cut ||
            (xor? other->from != mine->to : mine->to + (int64_t)other->from != s->p))
            return false;
        if (!mine->out_cut && mine->out.bytes != other->in.bytes)
            return false;
        if (mine->out_cut && (xor || mine->out.blocks.count != other->in.blocks.count ||
                              ((int64_t)mine->to + other->in.blocks.first - mine->out.blocks.first) % s->p != 0))
            return false;
    }
    return true;
}

void lockstep_find_steps(Lockstep *l)
{
    for (int c = 0; c < l->n; c++) {
        l->step[c] = lockstep_step_at(l->s, l->k[c], l->at[c]);
        l->step[c].begins = l->at[c].pc == l->begins[c] && l->at[c].round == 0;
    }
}

void lockstep_go_on(Lockstep *l)
{
    for (int c = 0; c < l->n; c++)
        l->at[c] = next_step(l->k[c], l->at[c]);
}

// ---- Setting up -----------------------------------------------------------------------------------------------------

// Returns the first sendrecv of a class from operation i on, or the END if there is none.
static uint32_t first_exchange(const Class *k, uint32_t i)
{
    while (k->ops[i].kind != OP_SENDRECV && k->ops[i].kind != OP_END)
        i++;
    return i;
}

// Returns, by v, whether its text receives a message before the tail of so many operations. Free with g_free.
static bool *received_before(const Schedule *s, uint32_t tail)
{
    g_autofree bool *of_class = g_new0(bool, s->n_classes);
    bool *received = g_new(bool, s->p);
    for (uint32_t i = 0; i < s->n_classes; i++)
        for (uint32_t j = 0; j + tail < s->classes[i].n_ops; j++)
            of_class[i] |= s->classes[i].ops[j].kind == OP_RECV || s->classes[i].ops[j].kind == OP_SENDRECV;
    for (int v = 0; v < s->p; v++)
        received[v] = of_class[s->class_of ? s->class_of[v] : 0];
    return received;
}

// Finds out whether messages may take `far` longer, and where that depends on the ranks.
static void begin_far(Lockstep *l)
{
    const Site *site = l->model.site;
    if (!cost_is_measured(&l->model) || site->measured->far == 0)
        return;
    l->far = true;
    if (l->first > 0)
        l->received = received_before(l->s, l->k[0]->n_ops - l->first);
    l->far_differs = l->received || !site_is_far_alike(site, l->s);
}

// Begins at operation `first` of every class.
static void begin(Lockstep *l, const GearInput *in, int n, uint32_t first)
{
    const Schedule *s = in->s;
    *l = (Lockstep){.s = s, .model = in->model, .p = s->p, .n = n, .groups = s->p / n, .first = first};
    l->k = g_new(const Class *, n);
    l->at = g_new0(Cursor, n);
    l->step = g_new(LockstepStep, n);
    l->order.source = g_new(int, n);
    l->begins = g_new(uint32_t, n);
    for (int c = 0; c < n; c++) {
        l->k[c] = n == 1 ? &s->classes[0] : class_of(s, c); // with one class, all are alike from `first` on
        l->at[c].pc = first;
        l->begins[c] = first_exchange(l->k[c], first);
    }
    begin_far(l);
    l->steps = class_steps(l->k[0], first, l->k[0]->n_ops - 1);
    l->to = l->from = -1;
    const bool differ = l->far_differs || (in->model.site && in->model.site->code);
    l->stretch = n == 1 && differ ? g_new(Stretch, s->p) : NULL;
}

static void end(Lockstep *l)
{
    g_free(l->k);
    g_free(l->at);
    g_free(l->step);
    g_free(l->order.source);
    g_free(l->begins);
    g_free(l->received);
    g_free(l->stretch);
}

// Returns how many steps there are from each checkpoint to the next. The clocks of a stretch take its length squared.
static int64_t checkpoint_every(int p, int n, int64_t steps)
{
    const int64_t most = CLAMP(CHECKPOINT_BYTES / (p * (int64_t)sizeof(double)), 1, MAX(steps, 1)),
                  every = (steps + most - 1) / most,
                  longest = (int64_t)sqrt((double)CHECKPOINT_BYTES / (2.0 * sizeof(double) * n));
    return MAX(MIN(every, longest), 1);
}

size_t lockstep_bytes(int p, int n, int64_t steps)
{
    const int64_t every = checkpoint_every(p, n, steps), width = MIN(2 * every + 1, p / n);
    const size_t clocks = (size_t)p * sizeof(double);
    // A run has two arrays of clocks, and one more if a single checkpoint does not fit into CHECKPOINT_BYTES.
    return 3 * clocks + (size_t)p * (sizeof(Stretch) + sizeof(bool)) +
           MAX((size_t)(steps / every) * clocks, CHECKPOINT_BYTES) +
           (n == 1 ? 0 : (size_t)(every * n * width) * sizeof(double));
}

static Checkpoints checkpoints_new(const Lockstep *l)
{
    Checkpoints ck = {.every = checkpoint_every(l->p, l->n, l->steps)};
    const size_t n = (size_t)(l->steps / ck.every) + 1;
    ck.clocks = g_malloc(n * (size_t)l->p * sizeof(double));
    ck.cursors = g_new(Cursor, n * (size_t)l->n);
    return ck;
}

// ---- The gear -------------------------------------------------------------------------------------------------------

// Returns the v of the last rank to end; if several end together, of the lowest rank of these.
static int last_v(const Lockstep *l, const double *now)
{
    int last = v_of_rank(l->s, 0);
    for (int rank = 1; rank < l->p; rank++) {
        const int v = v_of_rank(l->s, rank);
        if (now[place_at(l, v)] > now[place_at(l, last)])
            last = v;
    }
    return last;
}

// Returns t, the clock of w->v, as a stamp: walks from w->v to the start, and adds what the rank found there began
// with.
static Stamp stamp_of(Lockstep *l, const GearInput *in, const Checkpoints *ck, double t, PathWalk *w)
{
    lockstep_walk(l, ck, w);
    const int rank = rank_of(l->s, w->v);
    const Stamp from = in->from ? in->from[rank] : (Stamp){.node = (uint32_t)rank};
    return (Stamp){.t = t, .n = tally_sum(w->n, from.n), .node = from.node};
}

// Runs all clocks to the end, and fills in the checkpoints unless ck is NULL. Returns the clocks; free with g_free.
// Returns NULL if lockstep turns out not to hold.
static double *run_clocks(Lockstep *l, const GearInput *in, const Checkpoints *ck)
{
    const size_t bytes = (size_t)l->p * sizeof(double);
    double *now = g_malloc0(bytes), *other = g_malloc0(bytes);
    for (int v = 0; in->from && v < l->p; v++)
        now[place_at(l, v)] = in->from[rank_of(l->s, v)].t;
    bool holds = true;
    lockstep_order_begin(l, in->from ? now : NULL, in->begun);
    for (int64_t i = 0; holds && i < l->steps; i++, lockstep_go_on(l)) {
        if (ck && i % ck->every == 0) {
            memcpy(ck->clocks + i / ck->every * l->p, now, bytes);
            memcpy(ck->cursors + i / ck->every * l->n, l->at, (size_t)l->n * sizeof *l->at);
        }
        lockstep_find_steps(l);
        holds = lockstep_step(l, &now, &other);
    }
    g_free(other);
    if (!holds)
        g_clear_pointer(&now, g_free);
    return now;
}

// Completes `one`, the result of one rank in another gear, for all ranks, because every rank pays the same.
static Replay *finish_alike(const Lockstep *l, const GearInput *in, const double *now, Replay *one)
{
    one->clock_s = now[0];
    one->clocks = in->clocks ? g_new(Stamp, l->p) : NULL;
    for (int rank = 0; in->clocks && rank < l->p; rank++)
        one->clocks[rank] = (Stamp){.t = now[v_of_rank(l->s, rank)], .n = one->tally, .node = (uint32_t)rank};
    return one;
}

// Makes the result by walking back along the critical path, and along every rank's if all clocks are wanted.
static Replay *finish_walk(Lockstep *l, const GearInput *in, const double *now, const Checkpoints *ck)
{
    Replay *r = g_new0(Replay, 1);
    PathWalk w = {.v = last_v(l, now), .path = in->path ? g_array_new(FALSE, FALSE, sizeof(PathStep)) : NULL};
    const Stamp last = stamp_of(l, in, ck, now[place_at(l, w.v)], &w);
    r->stuck = g_array_new(FALSE, FALSE, sizeof(Stuck));
    r->tally = last.n;
    r->clock_s = last.t;
    r->origin = (int)last.node;
    r->path_from = rank_of(l->s, w.v);
    r->path = w.path;
    if (r->path)
        path_in_order(r->path);
    if (in->clocks)
        r->clocks = g_new(Stamp, l->p);
    for (int rank = 0; in->clocks && rank < l->p; rank++) {
        PathWalk each = {.v = v_of_rank(l->s, rank)};
        const double t = now[place_at(l, each.v)];
        r->clocks[rank] = in->times ? (Stamp){.t = t, .node = (uint32_t)rank} : stamp_of(l, in, ck, t, &each);
    }
    return r;
}

// Makes the result of a run from which only the last clock is wanted.
static Replay *finish_clock(const Lockstep *l, const double *now)
{
    Replay *r = g_new0(Replay, 1);
    r->stuck = g_array_new(FALSE, FALSE, sizeof(Stuck));
    r->clock_s = now[place_at(l, last_v(l, now))];
    return r;
}

Replay *lockstep_replay(const GearInput *in, int n, uint32_t first, Replay *one)
{
    Lockstep l;
    begin(&l, in, n, first);
    Checkpoints ck = {0};
    const bool walks = !one && !in->clock_only;
    if (walks)
        ck = checkpoints_new(&l);
    g_autofree double *now = run_clocks(&l, in, walks ? &ck : NULL);
    Replay *r = NULL;
    if (now)
        r = one ? finish_alike(&l, in, now, one) : walks ? finish_walk(&l, in, now, &ck) : finish_clock(&l, now);
    else if (one)
        replay_free(one);
    if (r)
        r->simulated = l.p;
    g_free(ck.clocks);
    g_free(ck.cursors);
    end(&l);
    return r;
}

Stamp lockstep_head(const GearInput *in, uint32_t n)
{
    const Class *k = &in->s->classes[0];
    Stamp t = {0};
    for (Cursor at = {0}; at.pc < n; at = next_step(k, at)) {
        const LockstepStep step = lockstep_step_at(in->s, k, at);
        const uint64_t bytes = in_bytes(in->s, &step, 0);
        if (op_works(step.kind))
            t = stamp_own(&in->model, t, step.kind - OP_REDUCE, bytes);
        else // a message that takes no time does not join the chain: the rank's own clock wins the tie
            t = stamp_latest(t, stamp_message(&in->model, t, 0, bytes));
    }
    return t;
}
