#include "audit/truth.h"
#include "api/backend.h"
#include "form/bounds.h"
#include "audit/crossing.h"
#include "base/error.h"
#include "audit/grid.h"
#include "schedule/memory.h"
#include "schedule/record.h"
#include "replay/shared.h"
#include "form/size_form.h"
#include <math.h>
#include <string.h>

// ---- One point ------------------------------------------------------------------------------------------------------

// Returns T under hockney at costs that are integers, so that T is an integer too. Returns NAN and an error if the
// schedule cannot be simulated.
static double whole_time(const Schedule *s, const double *cost, bool eager, GError **error)
{
    const Hockney h = {
        .alpha = cost[0], .beta = cost[1], .gamma = cost[2], .transfer = eager ? TRANSFER_EAGER : TRANSFER_RENDEZVOUS};
    g_autoptr(Replay) r = replay(s, &h, &(ReplayOptions){0}, error);
    return r ? r->time_s : NAN;
}

// Sets the parts of a sample, and T at mixed costs, under hockney. Sets *too_many, and nothing else, if the point has
// more messages than the grid allows. Returns FALSE and an error on bad input.
static gboolean hockney_parts(const Operation *op, const TruthOptions *o, Sample *s, bool *too_many, GError **error)
{
    const int n = cost_models[COSTS_HOCKNEY].n;
    Schedule *schedule = schedule_record(op, NULL);
    const Totals totals = schedule_totals(schedule);
    *too_many = (double)totals.messages > grid_max_messages(o->refine);
    if (*too_many || !schedule_check(&totals, op->algorithm->name, op->c.p, error)) {
        schedule_free(schedule);
        return *too_many;
    }
    double t = 0;
    for (int i = 0; i < n + SAMPLE_MIXED && !isnan(t); i++) {
        double cost[SAMPLE_PARTS];
        claim_costs_at(COSTS_HOCKNEY, i, cost);
        *(i < n ? &s->part[i] : &s->mixed[i - n]) = t = whole_time(schedule, cost, o->eager, error);
    }
    schedule_free(schedule);
    return !isnan(t);
}

// Sets the parts of a sample, and T at mixed costs, under LogGP. Returns FALSE and an error on bad input.
static gboolean loggp_parts(const Operation *op, Sample *s, GError **error)
{
    static const PlatformKey keys[] = {KEY_L, KEY_O_CPU, KEY_G_GAP, KEY_G_BYTE};
    const int n = cost_models[COSTS_LOGGP].n;
    for (int i = 0; i < n + SAMPLE_MIXED; i++) {
        Platform platform = {.name = NULL};
        double cost[SAMPLE_PARTS];
        claim_costs_at(COSTS_LOGGP, i, cost);
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

static Totals totals_of(const Operation *op)
{
    Schedule *s = schedule_record(op, NULL);
    const Totals t = schedule_totals(s);
    schedule_free(s);
    return t;
}

// Sets part[0] to the crossover with, or the speed-up over, claim->against. The sample has the parts of
// claim->algorithm.
static gboolean against_parts(const Claim *c, const TruthOptions *o, Sample *s, bool *too_many, GError **error)
{
    const char *why;
    const CollParams par = algorithm_defaults(c->against);
    const Operation op = grid_operation(c->against, &par, s->p, s->m, &why);
    Sample other = *s;
    if (op.algorithm != c->against)
        return bad_input(error, "%s: %s cannot run at p = %d (%s); allowed: a `where` that excludes this point", c->id,
                         c->against->name, s->p, why);
    if (!hockney_parts(&op, o, &other, too_many, error) || *too_many)
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

static void bound_parts(const Operation *op, Sample *s)
{
    const Bounds b = bounds_lower(op->algorithm->collective, s->p, s->m);
    const double part[] = {b.rounds, b.bytes, b.work};
    memcpy(s->part, part, sizeof part);
    sample_add_up(s, G_N_ELEMENTS(part), cost_models[COSTS_HOCKNEY].mixed);
}

// Sets the parts of a sample by the claim's quantity. Sets *too_many if the point has more messages than the grid
// allows; its values are undefined then. Returns FALSE and an error on bad input.
static gboolean measure_point(const Claim *c, const Operation *op, const TruthOptions *o, Sample *s, bool *too_many,
                              GError **error)
{
    switch (c->quantity) {
    case QUANTITY_MESSAGES:
        s->part[0] = (double)totals_of(op).messages;
        break;
    case QUANTITY_BYTES:
        s->part[0] = (double)totals_of(op).bytes_sent;
        break;
    case QUANTITY_CONNECTIONS:
        s->part[0] = (double)memory_of(op).root.connections;
        break;
    case QUANTITY_CONNECTION_MEMORY:
        s->part[0] = (double)memory_of(op).root.connections * MEMORY_CONNECTION;
        break;
    case QUANTITY_SCRATCH:
        s->part[0] = (double)memory_of(op).root.scratch;
        break;
    case QUANTITY_OTHERS_SCRATCH:
        s->part[0] = (double)memory_of(op).others.scratch;
        break;
    case QUANTITY_COPIED:
        s->part[0] = (double)memory_of(op).root.copied;
        break;
    case QUANTITY_BOUND:
        bound_parts(op, s);
        return TRUE;
    case QUANTITY_SEGMENT:
        s->part[0] = (double)shm_segment(s->p, &op->c.par);
        if (s->part[0] >= 0x1p62)
            return bad_input(error, "%s: the segment at p = %d has 2^62 bytes or more; allowed: less", c->id, s->p);
        break;
    case QUANTITY_CROSSOVER:
    case QUANTITY_SPEEDUP:
        if (c->algorithm->shared) {
            if (!crossing_shared(c, &op->c.par, s->p, o->platform, &s->part[0], error))
                return FALSE;
            break;
        }
        if (!hockney_parts(op, o, s, too_many, error) || (!*too_many && !against_parts(c, o, s, too_many, error)))
            return FALSE;
        break;
    case QUANTITY_BANDWIDTH:
        if (!hockney_parts(op, o, s, too_many, error))
            return FALSE;
        s->part[0] = s->m / s->part[1];
        break;
    default:
        return c->costs == COSTS_LOGGP ? loggp_parts(op, s, error) : hockney_parts(op, o, s, too_many, error);
    }
    sample_add_up(s, 1, cost_models[COSTS_NONE].mixed);
    return TRUE;
}

// ---- All points -----------------------------------------------------------------------------------------------------

char *truth_key(const Claim *c)
{
    g_autofree char *params = params_text(c->algorithm, &c->par);
    const Quantity quantity = c->quantity == QUANTITY_ROUNDS ? QUANTITY_TIME : c->quantity;
    GString *key = g_string_new(NULL);
    g_string_printf(key, "%d %s %s %d %d %d %d %s", c->collective, c->algorithm->name, params, quantity,
                    c->quantity == QUANTITY_ROUNDS ? COSTS_HOCKNEY : c->costs, c->varies_S, c->varies_k,
                    c->against ? c->against->name : "");
    if (c->domain)
        g_string_append_printf(key, " (%s) (%s)", c->let, c->where);
    for (int i = 0; i < COLL_MAX_PARAMS; i++)
        g_string_append_printf(key, " %d", c->varies_param[i]);
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

// Adds the points of all families at p that the claim is about. Counts those at which the fallback runs in t->left_out.
static gboolean sample_ranks(const Claim *c, const TruthOptions *o, int p, const GArray *families, GArray *placed,
                             Truth *t, GError **error)
{
    for (guint f = 0; f < families->len; f++) {
        Placed x = {.sample.family = (int)f};
        const char *why = NULL;
        if (!grid_place(c, &g_array_index(families, Family, f), p, o->refine, &x.sample, &x.par))
            continue;
        double values[MAX_SYMBOLS];
        claim_point(c, &x.sample, &x.par, values);
        if (!claim_covers(c, values))
            continue;
        const Operation op = grid_operation(c->algorithm, &x.par, p, x.sample.m, &why);
        if (op.algorithm != c->algorithm) {
            t->left_out++;
            t->need = why;
            continue;
        }
        bool too_many = false;
        if (!measure_point(c, &op, o, &x.sample, &too_many, error))
            return FALSE;
        if (!too_many)
            g_array_append_val(placed, x);
    }
    return TRUE;
}

Truth *truth_new(const Claim *c, const TruthOptions *o, GError **error)
{
    const bool shared = c->algorithm->shared, rival = c->against && c->against->shared;
    const bool known = c->quantity == QUANTITY_SEGMENT || (c->quantity == QUANTITY_CROSSOVER && rival);
    if (shared ? !known : rival) {
        bad_input(
            error,
            "%s: %s sends no messages; allowed: an algorithm that sends messages, or a claim of segment or crossover",
            c->id, shared ? c->algorithm->name : c->against->name);
        return NULL;
    }
    g_autoptr(Truth) t = g_new0(Truth, 1);
    g_autoptr(GArray) ranks = grid_ranks(c, o->refine), families = grid_families(c);
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
    bad_input(error, "%s: %s %s runs at no point of the grid%s%s", c->id, collectives[c->collective].name,
              c->algorithm->name, t->need ? ": " : " that the claim is about", t->need ? t->need : "");
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
