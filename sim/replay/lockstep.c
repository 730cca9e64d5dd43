// The lockstep gear, for schedules in which all ranks do the same exchanges and reductions, and every rank's k-th
// exchange meets its partner's k-th. All ranks go through the schedule together, as loops over an array of clocks.
//
// Clocks do not know their certificates. If every rank pays the same in each step, one rank's certificate, which
// another gear finds, holds for all ranks. Otherwise (an even cut makes some blocks an element longer, or ranks begin
// at different times) all clocks are kept at checkpoints, and the critical path is walked backwards from the end. For
// that, each stretch between two checkpoints runs again, but only for the ranks on which the path can depend.
#include "replay/lockstep.h"
#include "replay/path.h"
#include "schedule/part.h"
#include <string.h>

enum { CHECKPOINT_BYTES = 24 << 20 }; // memory for checkpoints; one is kept even if it needs more

// Returns the v of the last rank to end; if several end together, of the lowest rank of these.
static int last_v(const Lockstep *l, const double *now)
{
    int best = 0;
    for (int r = 1; r < l->p; r++)
        if (now[v_of_rank(l->s, r)] > now[v_of_rank(l->s, best)])
            best = r;
    return v_of_rank(l->s, best);
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

size_t lockstep_bytes(int p)
{
    // A run has two arrays of clocks, and one more if a single checkpoint does not fit into CHECKPOINT_BYTES.
    return (size_t)p * (3 * sizeof(double) + sizeof(Stretch)) + CHECKPOINT_BYTES;
}

static Checkpoints checkpoints_new(const Lockstep *l)
{
    const size_t bytes = (size_t)l->p * sizeof(double);
    Checkpoints ck = {.steps = class_steps(l->k, l->first, l->k->n_ops - 1)};
    const int64_t n = CLAMP(CHECKPOINT_BYTES / (int64_t)bytes, 1, MAX(ck.steps, 1));
    ck.every = MAX((ck.steps + n - 1) / n, 1);
    ck.clocks = g_malloc((size_t)(ck.steps / ck.every + 1) * bytes);
    ck.cursors = g_new(Cursor, ck.steps / ck.every + 1);
    return ck;
}

// Runs all clocks to the end, and fills in the checkpoints unless ck is NULL. Returns the clocks by v; free with g_free.
// Returns NULL if lockstep turns out not to hold.
static double *run_clocks(Lockstep *l, const GearInput *in, const Checkpoints *ck)
{
    const size_t bytes = (size_t)l->p * sizeof(double);
    double *now = g_malloc0(bytes), *other = g_malloc0(bytes);
    for (int v = 0; in->from && v < l->p; v++)
        now[v] = in->from[rank_of(l->s, v)].t;
    int64_t i = 0;
    bool holds = true;
    lockstep_order_begin(l, in->from ? now : NULL, in->begun);
    for (Cursor k = {l->first, 0}; holds && has_step(l->k, k); k = next_step(l->k, k), i++) {
        if (ck && i % ck->every == 0) {
            memcpy(ck->clocks + i / ck->every * l->p, now, bytes);
            ck->cursors[i / ck->every] = k;
        }
        holds = lockstep_step(l, k, &now, &other);
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
    const Stamp last = stamp_of(l, in, ck, now[w.v], &w);
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
        r->clocks[rank] =
            in->times ? (Stamp){.t = now[each.v], .node = (uint32_t)rank} : stamp_of(l, in, ck, now[each.v], &each);
    }
    return r;
}

Replay *lockstep_replay(const GearInput *in, uint32_t first, Replay *one)
{
    const Schedule *s = in->s;
    Lockstep l = {.s = s, .k = &s->classes[0], .first = first, .model = in->model, .p = s->p};
    l.to = l.from = -1;
    l.stretch = in->model.site && in->model.site->code ? g_new(Stretch, s->p) : NULL;
    Checkpoints ck = {0};
    if (!one)
        ck = checkpoints_new(&l);
    g_autofree double *now = run_clocks(&l, in, one ? NULL : &ck);
    Replay *r = NULL;
    if (now)
        r = one ? finish_alike(&l, in, now, one) : finish_walk(&l, in, now, &ck);
    else if (one)
        replay_free(one);
    if (r)
        r->simulated = s->p;
    g_free(ck.clocks);
    g_free(ck.cursors);
    g_free(l.stretch);
    return r;
}

Stamp lockstep_head(const GearInput *in, uint32_t n)
{
    const Lockstep l = {.s = in->s, .k = &in->s->classes[0], .model = in->model, .p = in->s->p};
    Stamp t = {0};
    for (Cursor at = {0}; at.pc < n; at = next_step(l.k, at)) {
        const uint64_t bytes = in_bytes(&l, 0, at);
        if (op_works(l.k->ops[at.pc].kind))
            t = stamp_own(&l.model, t, l.k->ops[at.pc].kind - OP_REDUCE, bytes);
        else // a message that takes no time does not join the chain: the rank's own clock wins the tie
            t = stamp_latest(t, stamp_message(&l.model, t, 0, bytes));
    }
    return t;
}
