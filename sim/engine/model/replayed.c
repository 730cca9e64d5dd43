#include "engine/model/replayed.h"
#include "engine/model/same_path.h"
#include "base/error.h"
#include "engine/replay/links.h"
#include "engine/replay/path.h"
#include "engine/replay/prices.h"
#include "engine/replay/shared.h"
#include "engine/schedule/kept.h"
#include <math.h>
#include <string.h>

static char *stuck_text(const Stuck *x)
{
    if (x->left_over)
        return g_strdup_printf("rank %d: its %s of %" G_GUINT64_FORMAT " bytes %s rank %d was never met", x->rank,
                               path_kind_name(x->kind), x->bytes, x->kind == OP_RECV ? "from" : "to", x->peer);
    if (x->kind == (OpKind)OP_AWAIT)
        return g_strdup_printf("rank %d waits for rank %d: operation %" G_GUINT64_FORMAT
                               ", until the flag of rank %d for queue %d reaches %" G_GUINT64_FORMAT,
                               x->rank, x->peer, x->operation, x->peer, x->queue, x->bytes);
    g_autofree char *peer = x->peer < 0 ? g_strdup("any rank") : g_strdup_printf("rank %d", x->peer);
    return g_strdup_printf("rank %d waits for %s: operation %" G_GUINT64_FORMAT ", %s of %" G_GUINT64_FORMAT " bytes",
                           x->rank, peer, x->operation, path_kind_name(x->kind), x->bytes);
}

static GArray *why_of(const GArray *path, const Schedule *s, const Platform *platform, const Site *site,
                      const Network *network, const uint64_t *arrival, int origin)
{
    GArray *why = g_array_sized_new(FALSE, FALSE, sizeof(WhyStep), path->len + 1);
    g_array_set_clear_func(why, why_step_clear);
    const bool levels = site && (site->measured || site->map); // without a map, hockney has one
    const WhyStep late = {
        .rank = origin, .peer = -1, .what = "arrival", .end_s = arrival ? noise_s(arrival[origin]) : 0};
    double start = late.end_s;
    if (late.end_s > 0)
        g_array_append_val(why, late);
    for (guint i = 0; i < path->len; i++) {
        const PathStep *x = &g_array_index(path, PathStep, i);
        // Under measured, a step names the link only if it waits for it.
        const LinkPrice *price = x->links && (x->price || site->measured) ? x->links : NULL;
        const char *level = levels && x->peer >= 0 && !op_shares(x->kind) ? platform->levels.at[x->level].name : NULL;
        const WhyStep step = {.rank = x->rank,
                              .peer = x->peer,
                              .what = path_kind_name(x->kind),
                              .phase = phases_name(&s->phases, x->phase),
                              .level = level,
                              .bytes = x->kind == OP_CONNECT || x->kind == OP_MATCH ? 0 : x->bytes,
                              .start_s = start,
                              .end_s = x->end_s,
                              .link = price ? network_link_text(network, price->link) : NULL,
                              .sharers = price ? price->sharers : 0};
        start = step.end_s;
        g_array_append_val(why, step);
    }
    return why;
}

// If the memory keeps all copies longer than the path, ends the path with that.
static void end_path(Prediction *p)
{
    if (p->why->len == 0)
        return;
    const WhyStep *last = &g_array_index(p->why, WhyStep, p->why->len - 1);
    const WhyStep busy = {.rank = last->rank,
                          .peer = -1,
                          .what = path_kind_name(PATH_MEMORY),
                          .start_s = last->end_s,
                          .end_s = p->time_s};
    if (busy.end_s > busy.start_s * (1 + 1e-9))
        g_array_append_val(p->why, busy);
}

// Returns the bytes for which the memory of a node may need longer than the run takes; 0 if there are none.
static uint64_t limited_bytes(const Schedule *s, const Site *site)
{
    return s->mixed && site->shared.streams > 0 ? shared_most_bytes(s, site) : 0;
}

// Adds the certificate of a run in shared memory, and sets the time to what it is worth.
static void add_shared_terms(Prediction *p, const Model *model, const Schedule *s, const Replay *r, const Site *site)
{
    const SharedCosts *costs = &site->shared;
    SharedCertificate c = shared_certificate(r, site);
    shared_limit(&c, limited_bytes(s, site), costs);
    for (int i = 0; i < SHARED_TERMS; i++) {
        const char *level = i < SHARED_OPERATION_TERMS ? site->term[site->shared_term + i].level : NULL;
        CostTerm term = term_of(shared_terms[i], level, shared_value(costs, (SharedTerm)i));
        if (i == SHARED_CROWD || (i == SHARED_STREAMS && costs->streams > 0)) {
            term.value = costs->read;
            term.over = i == SHARED_CROWD ? costs->lanes : costs->streams;
        }
        prediction_add(p, model, term, c.n[i]);
    }
    p->time_s = shared_time(&c, costs);
}

// If the memory of a node needs longer for what parts in shared memory copy than the whole run takes, makes that the
// time and the certificate.
static void limit_by_memory(Prediction *p, const Model *model, const Schedule *s, const Site *site)
{
    const uint64_t bytes = limited_bytes(s, site);
    const double time_s = bytes > 0 ? shared_streams_time(bytes, &site->shared) : 0;
    if (time_s <= p->time_s * (1 + SHARED_ROUNDING))
        return;
    CostTerm term = term_of(TERM_STREAMS, NULL, site->shared.read);
    term.over = site->shared.streams;
    g_array_set_size(p->terms, 0);
    memset(p->count, 0, sizeof p->count);
    prediction_add(p, model, term, (int64_t)bytes);
    p->time_s = time_s;
}

// Adds the certificate; its chain begins with a rank that arrives at `arrival` ns. Chains pay the terms of measured in an
// order that depends on the gear, so these are put into one order, and the time is their sum.
static void add_terms(Prediction *p, const Model *model, const Schedule *s, const Replay *r, const Hockney *h,
                      uint64_t arrival, gboolean from_0)
{
    if (arrival > 0)
        prediction_add(p, model, term_of(TERM_ARRIVAL, NULL, 1e-9), (int64_t)arrival);
    int64_t flat[COST_TERMS];
    certificate_counts(&r->certificate, flat);
    for (int i = 0; !h->site && i < COST_TERMS; i++)
        prediction_add(p, model, term_of(cost_terms[i], NULL, certificate_value(h, i)), flat[i]);
    for (int i = 0; h->site && i < h->site->n_terms; i++)
        prediction_add(p, model, h->site->term[i], r->count[i]);
    limit_by_memory(p, model, s, h->site);
    if (!cost_is_measured(h))
        return;
    g_array_sort(p->terms, term_compare);
    double sum = 0;
    for (guint i = 0; i < p->terms->len; i++) {
        const PredictionTerm *x = &g_array_index(p->terms, PredictionTerm, i);
        sum += term_worth(&x->term, x->n);
    }
    p->time_s = from_0 ? sum : p->time_s;
}

// Keeps when ranks end: the sums, and, if `all`, the end of each.
static void keep_clocks(Prediction *x, const Stamp *ends, int p, bool all)
{
    double sum = 0;
    x->ends = true;
    x->clock = all ? g_new(double, p) : NULL;
    x->first_end_s = INFINITY;
    for (int r = 0; r < p; r++) {
        if (all)
            x->clock[r] = ends[r].t;
        x->first_end_s = fmin(x->first_end_s, ends[r].t);
        sum += ends[r].t;
    }
    x->mean_end_s = sum / p;
}

// Returns FALSE and an error if the bytes for which transfers keep memories busy might not fit into a certificate.
static gboolean admit_memory(const Operation *op, const Totals *totals, const Platform *platform, GError **error)
{
    const double most = platform->memory ? table_most(platform->memory) : 0;
    return most * (double)totals->bytes_sent + (double)totals->messages < (double)SCHEDULE_MOST ||
           error_too_large(error,
                           "%s on %d ranks keeps memories busy for 2^62 bytes or more, all ranks together; allowed: "
                           "less, with a smaller -p, -m or memory",
                           op->algorithm->name, op->c.p);
}

// Replays in the fastest gear, with the critical path unless that is too long to keep.
static Replay *replay_whole(const Schedule *s, const Hockney *h, const ReplayOptions *o, GError **error)
{
    ReplayOptions options = *o;
    options.gear = GEAR_AUTO;
    options.ledger = false;
    Replay *r = replay(s, h, &options, NULL);
    options.path = false;
    return r ? r : replay(s, h, &options, error);
}

// Replays a schedule that starts as `start` says, in the gears that show what is asked for.
static Replay *run(const Operation *op, const Schedule *s, const Hockney *h, const PredictOptions *o,
                   const double *start, GError **error)
{
    ReplayOptions options = {.start = start,
                             .full = o->full,
                             .clocks = o->clocks || (o->skew && skew_disturbs(o->skew)),
                             .times = true,
                             .path = o->why || o->ledger,
                             .ledger = o->ledger != NULL,
                             .enough_s = o->skew ? 0 : o->enough_s};
    if (o->ledger)
        options.gear = replay_gear_applies(s, h, &options, GEAR_FLOW) ? GEAR_FLOW : GEAR_EVENT;
    const double messages = 0.25 * LEDGER_OPERATIONS; // 4 events each
    const bool part = o->ledger && replay_messages(s, h, &options) > messages;
    Replay *r = part ? replay_whole(s, h, &options, error) : same_path_replay(op, s, h, &options, error);
    if (r && part && r->stuck->len == 0 && !(r->ledger = replay_part(s, h, &options, o->ledger, r, error)))
        g_clear_pointer(&r, replay_free);
    return r;
}

// A run of fewer messages costs little.
enum { FORM_MESSAGES = 1 << 17 };

// Returns the result of a run whose certificate is known without it (PredictOptions.form); NULL if it is to be replayed.
static Replay *known_by_form(const Operation *op, const Schedule *s, const Hockney *h, const Platform *platform,
                             const PredictOptions *o, const Totals *totals)
{
    const bool plain = !h->site && !s->graph && !s->shared && !s->mixed && !s->irregular && !o->network && !o->skew &&
                       !o->start && !o->full && !o->why && !o->ledger && !o->clocks;
    int64_t count[COST_TERMS];
    if (!o->form || !plain || h->transfer == TRANSFER_EAGER_PORT || totals->messages < FORM_MESSAGES ||
        !o->form(op, platform, h->transfer == TRANSFER_EAGER, count))
        return NULL;
    Replay *r = replay_new(0, false);
    r->why = "its closed form is exact";
    r->certificate = (Certificate){.alpha = count[0], .beta = count[1], .gamma = count[2]};
    r->time_s = certificate_time(&r->certificate, h);
    return r;
}

// Fills in what a run of the schedule with this seed has shown.
static void add_result(Prediction *p, const Model *model, const Schedule *s, const Hockney *h, const Replay *r,
                       const PredictOptions *o, const SeedRun *seed)
{
    p->time_s = r->time_s;
    p->beyond = r->beyond;
    if (!r->beyond && model->shared)
        add_shared_terms(p, model, s, r, h->site);
    else if (!r->beyond)
        add_terms(p, model, s, r, h, seed->arrival ? seed->arrival[r->origin] : 0, !o->start && !seed->start);
    p->gear = gear_names[r->gear];
    p->gear_why = r->why;
    p->fixed = r->fixed;
    p->ranks_simulated = r->simulated;
    p->skewed = o->skew && !r->beyond;
    p->skew = seed->outcome;
    p->drift = h->site && h->site->links && !r->beyond ? links_drift(h->site->links) : NAN;
    for (guint i = 0; i < r->stuck->len; i++)
        g_ptr_array_add(p->stuck, stuck_text(&g_array_index(r->stuck, Stuck, i)));
}

// Makes the times of several runs those of their certificates, as the time of the shown run is. Where ranks arrive at
// different times, clocks are the times. Sets up other runs.
static gboolean settle_times(Prediction *p, const Model *model, const SeedQuestion *of, SeedRun *seed, GError **error)
{
    PredictOptions plain = *of->o;
    plain.why = plain.full = plain.clocks = false;
    plain.ledger = NULL;
    plain.skew = NULL;
    plain.enough_s = 0;
    const int shown = seed->outcome.run;
    double *const first = seed_time(&p->skew, SEED_SHORTEST);
    const bool clocks = of->o->start || seed->start;
    for (SeedTime i = 0; i < N_SEED_TIMES && !isnan(*first); i++) {
        double *const time = seed_time(&p->skew, i);
        if (seed->run_of[i] == shown) {
            *time = p->time_s;
        } else if (i > 0 && seed->run_of[i] == seed->run_of[i - 1]) {
            *time = *seed_time(&p->skew, i - 1);
        } else if (!clocks) {
            if (!seed_run_again(of, seed->run_of[i], seed, error))
                return FALSE;
            g_autoptr(Replay) r = run(of->op, of->s, of->model, &plain, NULL, error);
            if (!r)
                return FALSE;
            g_autoptr(Prediction) one = prediction_new();
            one->time_s = r->time_s;
            add_terms(one, model, of->s, r, of->model, 0, true);
            *time = one->time_s;
        }
    }
    // Clocks have put equal times into any order.
    const int middle = of->o->skew && of->o->skew->p99 ? SEED_P99 : SEED_MEDIAN;
    for (int i = middle; i > 0 && !isnan(*first); i--)
        *seed_time(&p->skew, i - 1) = fmin(*seed_time(&p->skew, i - 1), *seed_time(&p->skew, i));
    for (int i = middle; i + 1 < N_SEED_TIMES && !isnan(*first); i++)
        *seed_time(&p->skew, i + 1) = fmax(*seed_time(&p->skew, i + 1), *seed_time(&p->skew, i));
    return TRUE;
}

Prediction *replayed_predict(const Model *model, const Operation *op, const Platform *platform, const Hockney *h,
                             SiteMaker *site, const RecordOptions *record, const PredictOptions *o, GError **error)
{
    Totals totals;
    g_auto(SeedRun) seed = {0};
    RecordOptions recorded = *record;
    recorded.phases = o->why || o->ledger;
    recorded.sampled = o->sampled;
    Schedule *s = kept_admit(op, &recorded, model->shared ? SHARED_MOST_ACCESSES : 0, &totals, error);
    g_autoptr(Replay) known = s ? known_by_form(op, s, h, platform, o, &totals) : NULL;
    const SeedQuestion question = {.op = op, .s = s, .model = h, .platform = platform, .o = o, .site = site};
    const gboolean fits = s && (cost_is_measured(h) || admit_memory(op, &totals, platform, error)) &&
                          seed_run_choose(&question, &seed, error);
    g_autoptr(Replay) r = !fits           ? NULL
                          : known         ? g_steal_pointer(&known)
                          : seed.given_up ? g_steal_pointer(&seed.given_up)
                                          : run(op, s, h, o, seed.start ? seed.start : o->start, error);
    Prediction *p = NULL;
    if (r) {
        p = prediction_new();
        p->totals = totals;
        add_result(p, model, s, h, r, o, &seed);
        p->unequal = s->graph ? s->graph->unequal : 0;
        if (r->clocks)
            keep_clocks(p, r->clocks, op->c.p, o->clocks);
        p->why =
            r->path && o->why ? why_of(r->path, s, platform, h->site, seed.network, seed.arrival, r->origin) : NULL;
        if (p->why && s->mixed && !p->beyond)
            end_path(p);
        p->ledger = g_steal_pointer(&r->ledger);
        if (p->ledger && seed.start)
            ledger_start(p->ledger, seed.start);
        if (p->ledger)
            ledger_keep(p->ledger, g_steal_pointer(&s));
        if (!settle_times(p, model, &question, &seed, error))
            g_clear_pointer(&p, prediction_free);
    }
    schedule_free(s);
    return p;
}
