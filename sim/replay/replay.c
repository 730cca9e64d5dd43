#include "replay/replay.h"
#include "base/budget.h"
#include "base/rounding.h"
#include "replay/gears.h"
#include "replay/load.h"
#include "replay/plan.h"
#include "replay/path.h"
#include "schedule/part.h"

// Puts `before`, the path of the first part, in front of the path of the second part, which begins where the first
// ends. Returns false if `before` is NULL, because that path was too long to keep.
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

// ---- Running a plan -------------------------------------------------------------------------------------------------

static Replay *run_gear(Gear gear, const GearInput *in)
{
    return gear == GEAR_BLOCKING ? blocking_replay(in) : gear == GEAR_DATAFLOW ? dataflow_replay(in) : event_replay(in);
}

// Runs all ranks in lockstep from beginning to end. If they pay the same, another gear finds the certificate of one of
// them.
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

// Runs the common head in lockstep, and the rest in the plan's gear. All ranks leave the head with the same clock.
// Returns NULL if the rest does not hold, or if ranks are stuck.
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
    if (r && r->stuck->len > 0) // it would report the operations' numbers in the part, not in the whole text
        g_clear_pointer(&r, replay_free);
    return r;
}

// Runs the plan's gear up to the common tail, and the tail in lockstep. If a path is wanted, the first part runs a
// second time, because only then is the rank known from which the path comes. Returns NULL if the first part does not
// hold, or if ranks are stuck.
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
    if (b && b->stuck->len == 0) { // a rank that is stuck here may wait for a message from the tail
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

// ---- The check at the end -----------------------------------------------------------------------------------------

// Aborts unless the certificate's value is the last clock, or ranks are stuck. The two are independent ways to the same
// answer, so any difference shows a bug. They may differ by rounding, because a clock is a sum of as many terms as its
// chain has operations.
static void check_end(const Replay *r, const Hockney *model, const ReplayOptions *o)
{
    const double value = (o->start ? o->start[r->origin] : 0) + certificate_time(&r->certificate, model);
    const double alpha = (double)r->certificate.alpha;
    if (r->stuck->len == 0 && !rounding_explains(value, r->clock_s, 4 * alpha))
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

// Returns every rank's start as a stamp, or NULL if all begin at 0 (start is NULL). Free with g_free.
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
    Replay *r = NULL;
    for (int tries = 0; !r && tries < 2; tries++) {
        uint64_t bytes = 0;
        if (tries > 0)
            plan = gear_plan_again(s, model, &plan);
        if (!load_admit(s, &plan, o, &bytes, error))
            return NULL;
        in.ranks = plan.ranks;
        r = run_plan(&plan, &in);
        budget_give_back(bytes);
    }
    finish(r, &plan, model, o);
    check_end(r, model, o);
    if (o->path && !r->path) {
        path_too_long(error);
        g_clear_pointer(&r, replay_free);
    }
    return r;
}
