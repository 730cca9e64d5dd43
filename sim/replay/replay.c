#include "replay/gears.h"
#include "base/error.h"

const char *const gear_names[] = {"auto", "event", "dataflow", "lockstep"};

void path_in_order(GArray *path)
{
    Certificate c = {0};
    for (guint i = 0, j = path->len; i < j--; i++) {
        PathStep *a = &g_array_index(path, PathStep, i), *b = &g_array_index(path, PathStep, j), t = *a;
        *a = *b;
        *b = t;
    }
    for (guint i = 0; i < path->len; i++) {
        PathStep *x = &g_array_index(path, PathStep, i);
        c.alpha += x->kind != OP_REDUCE;
        *(x->kind == OP_REDUCE ? &c.gamma : &c.beta) += (int64_t)x->bytes;
        x->end = c;
    }
}

double certificate_time(const Certificate *c, const Hockney *model)
{
    return (double)c->alpha * model->alpha + (double)c->beta * model->beta + (double)c->gamma * model->gamma;
}

bool replay_gear_applies(const Schedule *s, const Hockney *model, const ReplayOptions *o, Gear gear)
{
    switch (gear) {
    case GEAR_LOCKSTEP:
        return lockstep_applies(s, model, o);
    case GEAR_DATAFLOW:
        return dataflow_applies(s, model);
    case GEAR_EVENT:
    case GEAR_AUTO:
        break;
    }
    return true;
}

void path_too_long(GError **error)
{
    bad_input(error,
              "--why keeps at most %d operations of a replay; this one has more: use a smaller -p or larger segments",
              MAX_TRACE);
}

Replay *replay(const Schedule *s, const Hockney *model, const ReplayOptions *o, GError **error)
{
    Gear gear = o->gear;
    const bool few = !o->full && !o->start && schedule_period(s) < s->p; // stand for all: lockstep is for many
    g_assert(!s->shared);                                                // see shared.h
    if (gear == GEAR_AUTO)
        gear = !few && lockstep_applies(s, model, o) ? GEAR_LOCKSTEP
               : dataflow_applies(s, model)          ? GEAR_DATAFLOW
                                                     : GEAR_EVENT;
    g_assert(replay_gear_applies(s, model, o, gear));
    Replay *r = gear == GEAR_DATAFLOW && o->gear == GEAR_AUTO && !few ? lockstep_beginning(s, model, o) : NULL;
    if (!r)
        r = gear == GEAR_LOCKSTEP   ? lockstep_replay(s, model, o)
            : gear == GEAR_DATAFLOW ? dataflow_replay(s, model, o)
                                    : event_replay(s, model, o);
    if (!r) {
        bad_input(error,
                  "too many messages that compete for ports to replay every rank (at most %d): use a smaller -p, or no "
                  "--full",
                  MAX_CONTENDED);
        return NULL;
    }
    if (o->path && !r->path) {
        path_too_long(error);
        g_clear_pointer(&r, replay_free);
    }
    return r;
}

void replay_free(Replay *r)
{
    if (!r)
        return;
    g_free(r->clocks);
    if (r->path)
        g_array_free(r->path, TRUE);
    if (r->stuck)
        g_array_free(r->stuck, TRUE);
    g_free(r);
}
