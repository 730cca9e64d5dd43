#include "judge/audit/truth.h"
#include "api/backend.h"
#include "search/form/bounds.h"
#include "judge/audit/crossing.h"
#include "base/error.h"
#include "judge/audit/claim_grid.h"
#include "engine/schedule/memory.h"
#include "engine/schedule/record.h"
#include "engine/schedule/segment.h"
#include "engine/replay/shared.h"
#include "search/form/size_form.h"
#include <math.h>
#include <string.h>

// ---- Times ----------------------------------------------------------------------------------------------------------

struct TruthTimes {
    GMutex lock;
    GHashTable *all; // the point and its costs as text -> double
};

TruthTimes *truth_times_new(void)
{
    TruthTimes *times = g_new0(TruthTimes, 1);
    g_mutex_init(&times->lock);
    times->all = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    return times;
}

void truth_times_free(TruthTimes *times)
{
    if (!times)
        return;
    g_hash_table_unref(times->all);
    g_mutex_clear(&times->lock);
    g_free(times);
}

static gboolean times_find(TruthTimes *times, const char *key, double *t)
{
    g_mutex_lock(&times->lock);
    const double *found = g_hash_table_lookup(times->all, key);
    if (found)
        *t = *found;
    g_mutex_unlock(&times->lock);
    return found != NULL;
}

// ---- One point ------------------------------------------------------------------------------------------------------

// Returns T under hockney at costs that are integers, so that T is an integer too. Returns NAN and an error if the
// schedule cannot be simulated. Where nothing is reduced, gamma does not count.
static double whole_time(const Operation *op, const Schedule *s, const double *cost, const TruthOptions *o,
                         GError **error)
{
    enum { LONG = 1 << 12 }; // with fewer messages, a replay takes no longer than a search for its time
    const Totals totals = schedule_totals(s);
    const Hockney h = {.alpha = cost[0],
                       .beta = cost[1],
                       .gamma = totals.bytes_reduced ? cost[2] : 0,
                       .transfer = o->eager ? TRANSFER_EAGER : TRANSFER_RENDEZVOUS};
    double t = 0;
    if (h.alpha == 0 && h.beta == 0 && h.gamma == 0)
        return t;
    TruthTimes *const times = totals.messages > LONG ? o->times : NULL;
    g_autofree char *params = times ? params_text(op->algorithm, &op->c.par) : NULL;
    g_autofree char *key = times
                               ? g_strdup_printf("%d %s %s %d %zu %.0f %.0f %.0f", op->algorithm->collective,
                                                 op->algorithm->name, params, op->c.p, op->m, h.alpha, h.beta, h.gamma)
                               : NULL;
    if (times && times_find(times, key, &t))
        return t;
    g_autoptr(Replay) r = replay(s, &h, &(ReplayOptions){0}, error);
    t = r ? r->time_s : NAN;
    if (times && r) {
        g_mutex_lock(&times->lock);
        g_hash_table_replace(times->all, g_steal_pointer(&key), g_memdup2(&t, sizeof t));
        g_mutex_unlock(&times->lock);
    }
    return t;
}

// Records the schedule of a point; free it with schedule_free. Returns NULL and sets *too_many if the point has more
// messages than the grid allows; returns NULL and an error on bad input.
static Schedule *record(const Operation *op, bool *too_many, GError **error)
{
    Schedule *schedule = schedule_record(op, NULL);
    const Totals totals = schedule_totals(schedule);
    *too_many = (double)totals.messages > claim_grid_max_messages();
    if (!*too_many && schedule_check(&totals, op->algorithm->name, op->c.p, error))
        return schedule;
    schedule_free(schedule);
    return NULL;
}

// Sets the parts of a sample, and T at mixed costs, under hockney. Returns FALSE and an error on bad input.
static gboolean hockney_parts(const Operation *op, const Schedule *schedule, const TruthOptions *o,
                              const bool *left_out, Sample *s, GError **error)
{
    const int n = cost_models[COSTS_HOCKNEY].n;
    double t = 0;
    for (int i = 0; i < n + SAMPLE_MIXED && !isnan(t); i++) {
        double cost[SAMPLE_PARTS];
        claim_costs_at(COSTS_HOCKNEY, left_out, i, cost);
        *(i < n ? &s->part[i] : &s->mixed[i - n]) = t = whole_time(op, schedule, cost, o, error);
    }
    return !isnan(t);
}

// Sets the parts of a sample, and T at mixed costs, under LogGP. Returns FALSE and an error on bad input.
static gboolean loggp_parts(const Operation *op, const bool *left_out, Sample *s, GError **error)
{
    static const PlatformKey keys[] = {KEY_L, KEY_O_CPU, KEY_G_GAP, KEY_G_BYTE};
    const int n = cost_models[COSTS_LOGGP].n;
    for (int i = 0; i < n + SAMPLE_MIXED; i++) {
        Platform platform = {.name = NULL};
        double cost[SAMPLE_PARTS];
        claim_costs_at(COSTS_LOGGP, left_out, i, cost);
        for (int j = 0; j < n; j++)
            platform.value[keys[j]] = cost[j];
        platform.value[KEY_S] = INFINITY;
        g_autoptr(Prediction) x = loggp_model.predict(&loggp_model, op, &platform, &(PredictOptions){0}, error);
        if (!x)
            return FALSE;
        *(i < n ? &s->part[i] : &s->mixed[i - n]) = x->time_s;
    }
    return TRUE;
}

// Sets part[0] to the crossover with, or the speed-up over, claim->against. The sample has the parts of
// claim->algorithm.
static gboolean against_parts(const Claim *c, const CollParams *par, const TruthOptions *o, Sample *s, bool *too_many,
                              GError **error)
{
    const char *why;
    const Operation op = claim_grid_operation(c->against, &c->against_par, s->p, s->m, &why);
    Sample other = *s;
    if (op.algorithm != c->against)
        return bad_input(error, "%s: %s cannot run at p = %d (%s); allowed: a `where` that excludes this point", c->id,
                         c->against->name, s->p, why);
    if (c->quantity == QUANTITY_CROSSOVER && (*c->params || *c->against_params))
        return crossing_searched(c, par, s->p, o->platform, o->eager, &s->part[0], error);
    Schedule *schedule = record(&op, too_many, error);
    const gboolean good = schedule && hockney_parts(&op, schedule, o, c->left_out, &other, error);
    schedule_free(schedule);
    if (!good)
        return *too_many;
    if (c->quantity == QUANTITY_CROSSOVER) {
        s->part[0] = crossing_linear(s, &other, o->platform);
    } else {
        double most = 0;
        for (int i = 0; i < 2; i++)
            most = MAX(most, s->part[i] > 0 ? other.part[i] / s->part[i] : 0);
        s->part[0] = most;
    }
    return TRUE;
}

static void bound_parts(const Claim *c, Sample *s)
{
    const Bounds b = bounds_lower(c->collective, s->p, s->m);
    const double part[] = {b.rounds, b.bytes, b.work};
    const int n = G_N_ELEMENTS(part);
    memcpy(s->part, part, sizeof part);
    for (int i = 0; i < SAMPLE_MIXED; i++) {
        double cost[SAMPLE_PARTS];
        claim_costs_at(COSTS_HOCKNEY, c->left_out, n + i, cost);
        s->mixed[i] = sample_sum(s, n, cost);
    }
}

// Returns part[0] of a quantity that is a count of messages or of memory.
static double counted(Quantity quantity, const Operation *op, const Schedule *schedule)
{
    if (quantity == QUANTITY_MESSAGES)
        return (double)schedule_totals(schedule).messages;
    if (quantity == QUANTITY_BYTES)
        return (double)schedule_totals(schedule).bytes_sent;
    Operation run = *op;
    run.c.root = quantity == QUANTITY_SCRATCH_ROOT_1 ? 1 : op->c.root;
    const Memory memory = memory_of(&run);
    switch (quantity) {
    case QUANTITY_CONNECTIONS:
        return (double)memory.root.connections;
    case QUANTITY_CONNECTION_MEMORY:
        return (double)memory.root.connections * MEMORY_CONNECTION;
    case QUANTITY_SCRATCH:
    case QUANTITY_SCRATCH_ROOT_1:
        return (double)memory.root.scratch;
    case QUANTITY_OTHERS_SCRATCH:
        return (double)memory.others.scratch;
    default:
        return (double)memory.root.copied;
    }
}

// Sets the parts of a sample by the claim's quantity, for an algorithm that sends messages, whose schedule this is.
static gboolean measure_messages(const Claim *c, const Operation *op, const Schedule *schedule, const TruthOptions *o,
                                 Sample *s, bool *too_many, GError **error)
{
    switch (c->quantity) {
    case QUANTITY_TIME:
    case QUANTITY_ROUNDS:
        return c->costs == COSTS_LOGGP ? loggp_parts(op, c->left_out, s, error)
                                       : hockney_parts(op, schedule, o, c->left_out, s, error);
    case QUANTITY_CROSSOVER:
    case QUANTITY_SPEEDUP:
        return hockney_parts(op, schedule, o, c->left_out, s, error) &&
               against_parts(c, &op->c.par, o, s, too_many, error);
    case QUANTITY_BANDWIDTH:
        if (!hockney_parts(op, schedule, o, c->left_out, s, error))
            return FALSE;
        s->part[0] = s->m / s->part[1];
        return TRUE;
    default:
        s->part[0] = counted(c->quantity, op, schedule);
        return TRUE;
    }
}

// Sets part[0] to the size of the segment: what a message touches that fills all slots of a queue, or what a component
// allocates for all messages.
static gboolean segment_part(const Claim *c, const CollParams *par, Sample *s, bool *too_many, GError **error)
{
    const char *why;
    const double queue = (double)par->slots * (double)par->fragment;
    if (queue * s->p >= 0x1p62)
        return bad_input(error, "%s: the segment at p = %d has 2^62 bytes or more; allowed: less", c->id, s->p);
    const bool touched = c->quantity == QUANTITY_SEGMENT;
    *too_many = touched && (double)par->slots * s->p > claim_grid_max_messages();
    const Operation op = claim_grid_operation(c->algorithm, par, s->p, queue, &why);
    if (!*too_many)
        s->part[0] = (double)(touched ? segment_bytes(&op) : segment_allocated(&op));
    return TRUE;
}

// Sets the parts of a sample by the claim's quantity. Sets *too_many if the point has more messages than the grid
// allows; its values are undefined then. Returns FALSE and an error on bad input.
static gboolean measure_point(const Claim *c, const Operation *op, const TruthOptions *o, Sample *s, bool *too_many,
                              GError **error)
{
    gboolean good = TRUE;
    if (c->quantity == QUANTITY_BOUND) {
        bound_parts(c, s);
        return TRUE;
    }
    if (claim_is_segment(c)) {
        good = segment_part(c, &op->c.par, s, too_many, error);
    } else if (c->algorithm->shared) {
        good = crossing_searched(c, &op->c.par, s->p, o->platform, o->eager, &s->part[0], error);
    } else {
        Schedule *schedule = record(op, too_many, error);
        good = schedule ? measure_messages(c, op, schedule, o, s, too_many, error) : *too_many;
        schedule_free(schedule);
    }
    if (c->quantity != QUANTITY_TIME && c->quantity != QUANTITY_ROUNDS)
        sample_add_up(s, 1, cost_models[COSTS_NONE].mixed);
    return good;
}

// ---- All points -----------------------------------------------------------------------------------------------------

char *truth_key(const Claim *c)
{
    g_autofree char *params = params_text(c->algorithm, &c->par);
    g_autofree char *others = c->against ? params_text(c->against, &c->against_par) : NULL;
    const Quantity quantity = c->quantity == QUANTITY_ROUNDS ? QUANTITY_TIME : c->quantity;
    GString *key = g_string_new(NULL);
    g_string_printf(key, "%d %s %s %d %d %d %d %s %s", c->collective, c->algorithm->name, params, quantity,
                    c->quantity == QUANTITY_ROUNDS ? COSTS_HOCKNEY : c->costs, c->varies_S, c->varies_k,
                    c->against ? c->against->name : "", others ? others : "");
    if (c->domain)
        g_string_append_printf(key, " (%s) (%s)", c->let, c->where);
    for (int i = 0; i < COLL_MAX_PARAMS; i++)
        g_string_append_printf(key, " %d", c->varies_param[i]);
    for (int i = 0; i < SAMPLE_PARTS; i++)
        g_string_append_printf(key, " %d", c->left_out[i]);
    return g_string_free(key, FALSE);
}

// One point of the grid, before all points are sorted.
typedef struct Placed {
    Sample sample;
    CollParams par;
} Placed;

static gint by_place(gconstpointer a, gconstpointer b)
{
    const Sample *x = &((const Placed *)a)->sample, *y = &((const Placed *)b)->sample;
    return x->p != y->p   ? x->p - y->p
           : x->m != y->m ? (x->m < y->m ? -1 : 1)
           : x->S != y->S ? (x->S < y->S ? -1 : 1)
           : x->k != y->k ? (x->k < y->k ? -1 : 1)
                          : x->family - y->family;
}

// Adds the points of all families at p that the claim is about, or counts why they are left out.
static gboolean sample_ranks(const Claim *c, const TruthOptions *o, int p, const GArray *families, GArray *placed,
                             Truth *t, GError **error)
{
    for (guint f = 0; f < families->len; f++) {
        Placed x = {.sample.family = (int)f};
        const char *why = NULL;
        if (!claim_grid_place(c, &g_array_index(families, Family, f), p, &x.sample, &x.par))
            continue;
        double values[MAX_SYMBOLS];
        claim_point(c, &x.sample, &x.par, values);
        if (!claim_covers(c, values))
            continue;
        const Operation op = claim_grid_operation(c->algorithm, &x.par, p, x.sample.m, &why);
        if (op.algorithm != c->algorithm) {
            t->fallbacks++;
            t->need = why;
            continue;
        }
        bool too_many = claim_grid_too_large(c, &x.sample, &x.par);
        if (!too_many && !measure_point(c, &op, o, &x.sample, &too_many, error))
            return FALSE;
        t->too_large += too_many;
        if (!too_many)
            g_array_append_val(placed, x);
    }
    return TRUE;
}

Truth *truth_new(const Claim *c, const TruthOptions *o, GError **error)
{
    const bool shared = c->algorithm->shared, rival = c->against && c->against->shared;
    const bool known = claim_is_segment(c) || (c->quantity == QUANTITY_CROSSOVER && rival);
    if (shared ? !known : rival) {
        bad_input(error,
                  "%s: %s sends no messages; allowed: an algorithm that sends messages, or a claim of segment, "
                  "allocated or crossover",
                  c->id, shared ? c->algorithm->name : c->against->name);
        return NULL;
    }
    g_autoptr(Truth) t = g_new0(Truth, 1);
    g_autoptr(GArray) ranks = claim_grid_ranks(c, o->refine), families = claim_grid_families(c);
    g_autoptr(GArray) placed = g_array_new(FALSE, FALSE, sizeof(Placed));
    t->samples = g_array_new(FALSE, FALSE, sizeof(Sample));
    t->families = (int)families->len;
    size_form_figures(o->platform, t->figure);
    for (guint i = 0; i < ranks->len; i++)
        if (!sample_ranks(c, o, g_array_index(ranks, int, i), families, placed, t, error))
            return NULL;
    g_array_sort(placed, by_place);
    t->par = g_new(CollParams, placed->len + 1);
    for (guint i = 0; i < placed->len; i++) {
        const Placed *x = &g_array_index(placed, Placed, i);
        g_array_append_val(t->samples, x->sample);
        t->par[i] = x->par;
    }
    if (placed->len > 0)
        return g_steal_pointer(&t);
    const char *of = collectives[c->collective].name, *name = c->algorithm->name;
    if (t->too_large)
        bad_input(error, "%s: %s %s has too many messages at all points; allowed: at most %.0f at some point", c->id,
                  of, name, claim_grid_max_messages());
    else
        bad_input(error, "%s: %s %s runs at no point of the grid%s%s", c->id, of, name,
                  t->need ? ": " : " that the claim is about", t->need ? t->need : "");
    return NULL;
}

void truth_free(Truth *t)
{
    if (!t)
        return;
    g_array_unref(t->samples);
    g_free(t->par);
    g_free(t);
}
