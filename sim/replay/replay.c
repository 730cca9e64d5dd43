#include "replay/replay.h"
#include "base/error.h"
#include "base/rounding.h"
#include "replay/gears.h"
#include "replay/plan.h"
#include "replay/path.h"
#include "schedule/part.h"

// Puts the path of a first part before that of the second, which begins where it ends. False if the first part's path was
// too long to keep.
static bool prepend_path(GArray *path, const GArray *before)
{
    if (!before)
        return false;
    const ClockTally all = before->len ? g_array_index(before, PathStep, before->len - 1).end : (ClockTally){0};
    for (guint i = 0; i < path->len; i++) {
        PathStep *x = &g_array_index(path, PathStep, i);
        x->end = tally_sum(x->end, all);
    }
    g_array_prepend_vals(path, before->data, before->len);
    return true;
}

// ---- A plan carried out ---------------------------------------------------------------------------------------------

static Replay *run_gear(Gear gear, const GearInput *in)
{
    return gear == GEAR_BLOCKING ? blocking_replay(in) : gear == GEAR_DATAFLOW ? dataflow_replay(in) : event_replay(in);
}

// All ranks in lockstep; where they pay the same, one of them gives the certificate.
static Replay *run_lockstep(const GearPlan *plan, const GearInput *in)
{
    Replay *one = NULL;
    if (plan->one != GEAR_AUTO) {
        GearInput alone = *in;
        alone.ranks = schedule_period(in->s);
        alone.clocks = false;
        if (!(one = run_gear(plan->one, &alone)))
            return NULL;
    }
    return lockstep_replay(in, 0, one);
}

// What all ranks begin with in lockstep: they come out of it together, and the other gear goes on.
static Replay *run_head(const GearPlan *plan, const GearInput *in)
{
    const Stamp all = lockstep_head(in, plan->head);
    g_autofree Stamp *from = g_new(Stamp, in->s->p);
    for (int rank = 0; rank < in->s->p; rank++) {
        from[rank] = all;
        from[rank].node = (uint32_t)rank;
    }
    GearInput rest = *in;
    rest.s = schedule_part(in->s, plan->head, 1);
    rest.from = from;
    Replay *r = run_gear(plan->gear, &rest);
    schedule_free((Schedule *)rest.s);
    if (r && r->stuck->len > 0) // these say the numbers of the part's operations, not of the whole's
        g_clear_pointer(&r, replay_free);
    return r;
}

// What all ranks end with in lockstep: the other gear runs what comes before.
static Replay *run_tail(const GearPlan *plan, const GearInput *in)
{
    const uint32_t first = in->s->classes[0].n_ops - plan->tail;
    Schedule *before = schedule_part(in->s, 0, plan->tail);
    GearInput part = *in;
    part.s = before;
    part.clocks = true;
    part.path = false;
    g_autoptr(Replay) b = run_gear(plan->gear, &part);
    Replay *r = NULL;
    if (b && b->stuck->len == 0) { // else what begins in one part ends in the other
        GearInput end = *in;
        end.from = b->clocks;
        r = lockstep_replay(&end, first, NULL);
    }
    if (r && r->path) {
        part.clocks = false;
        part.path = true;
        part.path_to = r->path_from + 1;
        g_autoptr(Replay) again = run_gear(plan->gear, &part);
        if (!prepend_path(r->path, again->path))
            g_array_free(g_steal_pointer(&r->path), TRUE);
    }
    schedule_free(before);
    return r;
}

static Replay *run_plan(const GearPlan *plan, const GearInput *in)
{
    return plan->head                    ? run_head(plan, in)
           : plan->tail                  ? run_tail(plan, in)
           : plan->gear == GEAR_LOCKSTEP ? run_lockstep(plan, in)
                                         : run_gear(plan->gear, in);
}

// ---- The end --------------------------------------------------------------------------------------------------------

// The clock and the certificate are two ways to one answer. They may differ by rounding: a clock is a sum of as many terms
// as its chain has operations. A chain of more messages than a tally counts makes them differ too, and is the one way in
// which input can.
static bool agrees(const Replay *r, const Hockney *model, const ReplayOptions *o)
{
    const double value = (o->start ? o->start[r->origin] : 0) + certificate_time(&r->certificate, model);
    const double alpha = (double)r->certificate.alpha;
    return r->stuck->len > 0 || (alpha >= 0 && rounding_explains(value, r->clock_s, 4 * alpha));
}

static bool check_end(const Schedule *s, const Replay *r, const Hockney *model, const ReplayOptions *o, GError **error)
{
    if (agrees(r, model, o))
        return true;
    if (schedule_totals(s).messages > INT32_MAX)
        return bad_input(error, "more than %d messages follow each other; use larger segments or a smaller -p",
                         INT32_MAX);
    g_error("the %s gear ends at %.17g s, but its certificate of %" G_GINT64_FORMAT " alpha + %" G_GINT64_FORMAT
            " beta + %" G_GINT64_FORMAT " gamma is worth %.17g s",
            gear_names[r->gear], r->clock_s, r->certificate.alpha, r->certificate.beta, r->certificate.gamma,
            certificate_time(&r->certificate, model));
}

static void finish(Replay *r, const GearPlan *plan, const Hockney *model, const ReplayOptions *o)
{
    r->gear = plan->tail ? GEAR_LOCKSTEP : plan->gear;
    r->why = plan->why;
    r->certificate = certificate_of(r->tally);
    r->time_s = o->start ? r->clock_s : certificate_time(&r->certificate, model);
}

bool replay_gear_applies(const Schedule *s, const Hockney *model, const ReplayOptions *o, Gear gear)
{
    ReplayOptions asked = *o;
    asked.gear = gear;
    return gear_plan(s, model, &asked).gear != GEAR_AUTO;
}

// Every rank's start as a stamp, to free with g_free; NULL: all begin at 0.
static Stamp *stamps_of(const double *start, int p)
{
    Stamp *from = start ? g_new0(Stamp, p) : NULL;
    for (int rank = 0; start && rank < p; rank++)
        from[rank] = (Stamp){.t = start[rank], .node = (uint32_t)rank};
    return from;
}

Replay *replay(const Schedule *s, const Hockney *model, const ReplayOptions *o, GError **error)
{
    g_assert(!s->shared); // see shared.h
    g_autofree Stamp *from = stamps_of(o->start, s->p);
    GearInput in = {.s = s, .model = *model, .from = from, .clocks = o->clocks, .path = o->path};
    GearPlan plan = gear_plan(s, model, o);
    g_assert(plan.gear != GEAR_AUTO);
    bool every = o->full;
    Replay *r = NULL;
    for (int tries = 0; !r && tries < 2; tries++) {
        if (plan.gear == GEAR_EVENT && every && schedule_totals(s).messages > MAX_CONTENDED) {
            bad_input(
                error,
                "too many messages that compete for ports to replay every rank (at most %d): use a smaller -p, or "
                "no --full",
                MAX_CONTENDED);
            return NULL;
        }
        in.ranks = plan.ranks;
        r = run_plan(&plan, &in);
        if (!r) {
            plan = gear_plan_again(s, model, &plan);
            every = true;
        }
    }
    finish(r, &plan, model, o);
    if (!check_end(s, r, model, o, error))
        g_clear_pointer(&r, replay_free);
    if (r && o->path && !r->path) {
        path_too_long(error);
        g_clear_pointer(&r, replay_free);
    }
    return r;
}
