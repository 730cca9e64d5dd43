#include "engine/replay/replay.h"
#include "base/budget.h"
#include "base/error.h"
#include "base/rounding.h"
#include "engine/replay/convoy.h"
#include "engine/replay/gears.h"
#include "engine/replay/ledger.h"
#include "engine/replay/lengths.h"
#include "engine/replay/load.h"
#include "engine/replay/nics.h"
#include "engine/replay/noise.h"
#include "engine/replay/plan.h"
#include "engine/replay/path.h"
#include "engine/replay/queues.h"
#include "engine/replay/terms.h"
#include "engine/schedule/part.h"
#include <math.h>
#include <string.h>

// Puts `before`, the path of the first part, in front of the path of the second part, which begins where the first
// ends. Returns false if `before` is NULL, because that path was too long to keep.
static bool prepend_path(GArray *path, const GArray *before)
{
    if (!before)
        return false;
    g_array_prepend_vals(path, before->data, before->len);
    return true;
}

// ---- Running a plan -------------------------------------------------------------------------------------------------

static Replay *run_gear(Gear gear, bool convoys, const GearInput *in)
{
    const bool noisy = in->model.site && in->model.site->noise;
    return gear == GEAR_CHAIN  ? (convoys ? convoy_replay(in)
                                  : noisy ? blocking_noisy_replay(in)
                                          : blocking_replay(in))
           : gear == GEAR_FLOW ? flow_replay(in)
                               : event_replay(in);
}

// Runs all ranks in lockstep from beginning to end. If they pay the same, another gear finds the certificate of one of
// them.
static Replay *run_lockstep(const GearPlan *plan, const GearInput *in)
{
    Replay *one = NULL;
    if (plan->queues)
        return queues_replay(in);
    if (plan->links)
        return lockstep_links_replay(in, plan->turn);
    if (plan->one != GEAR_AUTO) {
        GearInput alone = *in;
        alone.ranks = schedule_period(in->s);
        alone.clocks = false;
        if (!(one = run_gear(plan->one, false, &alone)) || one->beyond)
            return one;
    }
    return lockstep_replay(in, plan->turn, 0, one);
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
    Replay *r = run_gear(plan->gear, false, &rest);
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
    g_autofree double *begun = NULL;
    if (cost_is_measured(&in->model) && !lengths_of(in->s, in->model.site).none_eager)
        begun = g_new(double, in->s->p);
    part.begun = begun;
    part.clocks = true;
    part.times = false;
    part.path = false;
    g_autoptr(Replay) b = run_gear(plan->gear, false, &part);
    Replay *r = b && b->beyond ? g_steal_pointer(&b) : NULL;
    if (b && b->stuck->len == 0) { // a rank that is stuck here may wait for a message from the tail
        GearInput end = *in;
        end.from = b->clocks;
        end.begun = begun;
        r = lockstep_replay(&end, 1, first, NULL);
    }
    if (r && r->path) {
        part.clocks = false;
        part.path = true;
        part.path_to = r->path_from + 1;
        g_autoptr(Replay) again = run_gear(plan->gear, false, &part);
        if (!prepend_path(r->path, again->path))
            g_array_free(g_steal_pointer(&r->path), TRUE);
    }
    schedule_free(before);
    return r;
}

static Replay *run_plan(const GearPlan *plan, const GearInput *in)
{
    if (in->model.site && in->model.site->noise)
        noise_begin(in->model.site->noise, in->s);
    return plan->head                    ? run_head(plan, in)
           : plan->tail                  ? run_tail(plan, in)
           : plan->gear == GEAR_LOCKSTEP ? run_lockstep(plan, in)
                                         : run_gear(plan->gear, plan->convoys, in);
}

// ---- The check at the end -----------------------------------------------------------------------------------------

// Returns the certificate's value.
static double value_of(const Replay *r, const Hockney *model)
{
    return model->site ? site_time(model->site, r->count) : certificate_time(&r->certificate, model);
}

// Aborts unless the certificate's value is the last clock, or ranks are stuck. The two are independent ways to the same
// answer, so any difference shows a bug. They may differ by rounding, because a clock is a sum of as many terms as its
// chain has operations.
static void check_end(const Schedule *s, const Replay *r, const Hockney *model, const ReplayOptions *o)
{
    const double value = (o->start ? o->start[r->origin] : 0) + value_of(r, model);
    const bool shares = model->site && site_shares(model->site); // then a chain may have steps without an alpha
    double steps = (double)r->certificate.alpha + (shares ? (double)schedule_totals(s).messages : 0);
    steps += s->mixed ? terms_operations(s) : 0;
    for (int i = 0; cost_is_measured(model) && i < r->n_terms; i++)
        steps += (double)r->count[i];
    if (r->stuck->len == 0 && !rounding_explains(value, r->clock_s, 4 * steps))
        g_error("the %s gear ends at %.17g s, but its certificate of %" G_GINT64_FORMAT " alpha + %" G_GINT64_FORMAT
                " beta + %" G_GINT64_FORMAT " gamma is worth %.17g s",
                gear_names[r->gear], r->clock_s, r->certificate.alpha, r->certificate.beta, r->certificate.gamma,
                value);
}

static void name_gear(Replay *r, const GearPlan *plan)
{
    r->gear = plan->tail ? GEAR_LOCKSTEP : plan->gear;
    r->why = plan->why;
    r->fixed = plan->fixed;
}

static void finish(Replay *r, const GearPlan *plan, const Hockney *model, const ReplayOptions *o)
{
    name_gear(r, plan);
    if (!model->site)
        r->certificate = certificate_of(r->tally);
    r->time_s = o->start ? r->clock_s : value_of(r, model);
}

// Prepares the model for the schedule. A ledger shows how long NICs are busy, also if nobody waits for them.
static void begin_at(const Hockney *model, const Schedule *s, bool ledger)
{
    if (!model->site)
        return;
    site_begin(model->site, s->p, s->root);
    nics_look(model, s);
    model->site->idle &= !ledger;
}

bool replay_gear_applies(const Schedule *s, const Hockney *model, const ReplayOptions *o, Gear gear)
{
    ReplayOptions asked = *o;
    begin_at(model, s, o->ledger);
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

// Runs the plan, or another one if its result does not hold (gear_plan_again); *plan becomes the one that ran. Returns
// NULL and an error if a plan is refused.
static Replay *run_any(GearPlan *plan, GearInput *in, const ReplayOptions *o, GError **error)
{
    Replay *r = NULL;
    for (int tries = 0; !r && tries < 4; tries++) {
        uint64_t bytes = 0;
        if (tries > 0)
            *plan = gear_plan_again(in->s, &in->model, o, plan);
        if (!load_admit(in->s, &in->model, plan, o, &bytes, error))
            return NULL;
        in->ranks = plan->ranks;
        r = run_plan(plan, in);
        budget_give_back(bytes);
    }
    return r;
}

// Adds the terms to the result that the site has got since, with a count of 0.
static void add_terms(Replay *r, const Site *site)
{
    r->count = g_renew(int64_t, r->count, site->n_terms);
    r->field = g_renew(TallyField, r->field, site->n_terms);
    for (; r->n_terms < site->n_terms; r->n_terms++) {
        r->count[r->n_terms] = 0;
        r->field[r->n_terms] = (TallyField){.word = TALLY_NOT};
    }
}

// Returns true if it would take many more runs to count all terms.
static bool many_left(const Site *site)
{
    enum { RUNS = 3 };
    return terms_bits_left(site) > RUNS * TERMS_BITS;
}

// Counts the certificate on the critical path, which takes one run that keeps a trace. Returns false, and leaves the
// counts alone, if the trace has no room or the path does not show what it pays.
static bool count_on_path(const GearInput *in, const ReplayOptions *o, Replay *r)
{
    Site *site = in->model.site;
    ReplayOptions with_path = *o;
    with_path.gear = GEAR_AUTO;
    with_path.path = true;
    GearInput tracing = *in;
    tracing.path = true;
    tracing.ledger = NULL;
    GearPlan plan = gear_plan(in->s, &in->model, &with_path);
    g_autoptr(Replay) traced = run_any(&plan, &tracing, &with_path, NULL);
    add_terms(r, site); // another gear may have paid for more
    if (!traced || !traced->path)
        return false;
    path_times(traced->path, in->s, &in->model, 0);
    g_autofree int64_t *count = g_new0(int64_t, r->n_terms);
    if (!path_counts(traced->path, site, count))
        return false;
    memcpy(r->count, count, (size_t)r->n_terms * sizeof *count);
    return true;
}

// Sums up the certificate over all levels.
static void sum_up(const Site *site, Replay *r)
{
    for (int i = 0; i < site->n_terms; i++) {
        const TermKind kind = site->term[i].kind;
        r->certificate.alpha += kind == TERM_ALPHA ? r->count[i] : 0;
        r->certificate.beta += kind == TERM_BETA ? r->count[i] : 0;
        r->certificate.gamma += kind == TERM_GAMMA ? r->count[i] : 0;
    }
}

// Runs a plan at a site. A tally has no room for the counts of all terms if these may be large; then the plan runs
// again for the others, now that the end is known, which limits every count.
static Replay *run_at_site(GearPlan *plan, GearInput *in, const ReplayOptions *o, GError **error)
{
    Site *site = in->model.site;
    const Totals totals = schedule_totals(in->s);
    terms_begin(site, in->s, &totals);
    const bool less = terms_expect_less(site, in->s, &totals);
    Replay *r = run_any(plan, in, o, error);
    if (!r || r->beyond)
        return r;
    if (o->clock_only)
        return r;
    in->enough_s = INFINITY;
    r->n_terms = site->n_terms;
    r->field = g_memdup2(site->field, (gsize)r->n_terms * sizeof *site->field);
    if (r->count) { // the gear has counted all terms
        for (int i = 0; less && i < site->n_terms; i++)
            r->field[i].word = TALLY_NOT; // a count of another clock may have run over
        sum_up(site, r);
        return r;
    }
    r->count = g_new0(int64_t, r->n_terms);
    site_counts(site, r->field, r->tally, r->count);
    in->traced = in->path;
    in->path = in->clocks = false;
    in->ledger = NULL;
    const double passed = r->clock_s - (o->start ? o->start[r->origin] : 0);
    if (less)
        terms_find_most(site, in->s, &totals);
    terms_lower_most(site, passed);
    const double lost = less ? terms_least_lost(site) : INFINITY;
    const bool run_over = lost < INFINITY && !terms_explain(site, r->count, passed, lost);
    for (int i = 0; lost < INFINITY && i < site->n_terms; i++) {
        r->field[i].word = TALLY_NOT; // a count of another clock may have run over
        if (run_over) {
            site->done[i] = site->most[i] == 0;
            r->count[i] = 0;
        }
    }
    if (site->measured && r->stuck->len == 0 && !terms_explain(site, r->count, passed, INFINITY) && many_left(site) &&
        count_on_path(in, o, r))
        return r;
    while (!terms_explain(site, r->count, passed, INFINITY) && site_divide(site)) {
        g_autoptr(Replay) again = run_plan(plan, in);
        g_assert(site->n_terms == r->n_terms); // it pays what it paid before
        site_counts(site, site->field, again->tally, r->count);
    }
    sum_up(site, r);
    return r;
}

Replay *replay(const Schedule *s, const Hockney *model, const ReplayOptions *o, GError **error)
{
    g_assert(!s->mixed || (model->site && model->site->mixes));
    g_autofree Stamp *from = stamps_of(o->start, s->p);
    GearInput in = {.s = s,
                    .model = *model,
                    .from = from,
                    .clocks = o->clocks,
                    .times = o->times,
                    .path = o->path,
                    .clock_only = o->clock_only,
                    .enough_s = o->enough_s > 0 ? o->enough_s : INFINITY,
                    .ledger = o->ledger ? ledger_of_machine : NULL};
    g_assert(in.enough_s == INFINITY || (!o->clocks && !o->path));
    begin_at(model, s, o->ledger);
    GearPlan plan = gear_plan(s, model, o);
    g_assert(plan.gear != GEAR_AUTO);
    Replay *r = model->site ? run_at_site(&plan, &in, o, error) : run_any(&plan, &in, o, error);
    if (!r)
        return NULL;
    if (r->beyond || o->clock_only) {
        name_gear(r, &plan);
        return r;
    }
    finish(r, &plan, model, o);
    check_end(s, r, model, o);
    if (r->path)
        path_times(r->path, s, model, o->start ? o->start[r->origin] : 0);
    if (o->path && !r->path) {
        path_too_long(error);
        g_clear_pointer(&r, replay_free);
    }
    return r;
}

bool replay_admit_runs(const Schedule *s, const Hockney *model, const ReplayOptions *o, int runs, GError **error)
{
    const double messages = replay_messages(s, model, o) * runs,
                 steps = (double)s->p * (double)class_steps(&s->classes[0], 0, s->classes[0].n_ops - 1) * runs;
    return (messages <= MAX_MESSAGES && steps <= MAX_STEPS) ||
           error_too_much(error,
                          "%s on %d ranks with %d seeds has %.3g operations to simulate; allowed: fewer seeds, a "
                          "smaller -p or longer segments",
                          s->name, s->p, runs, MAX(messages, steps));
}

double replay_messages(const Schedule *s, const Hockney *model, const ReplayOptions *o)
{
    begin_at(model, s, o->ledger);
    const GearPlan plan = gear_plan(s, model, o);
    return load_messages(s, model, &plan, o);
}

Ledger *replay_part(const Schedule *s, const Hockney *model, const ReplayOptions *o, const LedgerWish *wish,
                    Replay *whole, GError **error)
{
    ReplayOptions options = *o;
    options.path = options.ledger = options.part = true;
    g_autofree Stamp *from = stamps_of(o->start, s->p);
    GearInput in = {.s = s,
                    .model = *model,
                    .from = from,
                    .path = true,
                    .enough_s = INFINITY,
                    .ledger = ledger_of_machine,
                    .part = wish,
                    .part_end = whole->clock_s};
    begin_at(model, s, true);
    if (model->site) {
        const Totals totals = schedule_totals(s);
        terms_begin(model->site, s, &totals);
    }
    GearPlan plan = gear_plan(s, model, &options);
    g_autoptr(Replay) r = run_any(&plan, &in, &options, error);
    if (!r)
        return NULL;
    ledger_take_path(r->ledger, g_steal_pointer(&whole->path), o->start ? o->start[whole->origin] : 0, whole->clock_s);
    return g_steal_pointer(&r->ledger);
}
