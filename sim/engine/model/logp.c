// The models of the LogP family, all run by the LogGOPS engine (engine/loggops/loggops.h). loggp is loggops with O = 0
// and without rendezvous (S unlimited); logp is loggp with G = 0, so that the bytes of a message cost nothing.
#include "base/budget.h"
#include "base/error.h"
#include "engine/model/logp_figures.h"
#include "engine/loggops/goal_record.h"
#include "engine/schedule/goal_entry.h"
#include "engine/loggops/loggops.h"
#include "engine/loggops/loggops_ledger.h"
#include "engine/replay/site.h"
#include "engine/schedule/record.h"
#include <math.h>

// The most messages that are simulated, which takes a minute; the memory for the graph and the run of each message, in
// bytes; and the memory for the times of both its ends.
enum { LOGGOPS_MOST_MESSAGES = 50000000, LOGGOPS_MESSAGE_BYTES = 140, LOGGOPS_TIMES_BYTES = 48 };

static const char *const step_names[] = {
    [LOGGOPS_CALC] = "reduce",   [LOGGOPS_SEND] = "send, CPU",     [LOGGOPS_SEND_GAP] = "send, NIC",
    [LOGGOPS_FLIGHT] = "flight", [LOGGOPS_TAKE] = "recv, CPU",     [LOGGOPS_TAKE_GAP] = "recv, NIC",
    [LOGGOPS_ANSWER] = "answer", [LOGGOPS_LATE_ANSWER] = "answer",
};

static GArray *why_of(const LoggopsResult *r, const GoalPhases *phases, const Levels *levels)
{
    g_autoptr(GArray) path = loggops_path(r, r->last_host);
    GArray *why = g_array_sized_new(FALSE, FALSE, sizeof(WhyStep), path->len);
    for (guint i = 0; i < path->len; i++) {
        const LoggopsStep *x = &g_array_index(path, LoggopsStep, i);
        const gboolean calc = x->kind == LOGGOPS_CALC;
        const WhyStep step = {.rank = (int)x->host,
                              .peer = calc ? -1 : (int)x->peer,
                              .what = step_names[x->kind],
                              .phase = phases_name(&phases->names, g_array_index(phases->of, uint16_t, x->op)),
                              .level = calc || r->params.n_levels == 0 ? NULL : levels->at[x->level].name,
                              .bytes = x->size,
                              .start_s = x->start,
                              .end_s = x->end};
        g_array_append_val(why, step);
    }
    return why;
}

static char *stuck_text(const LoggopsStuck *x)
{
    static const char *const kinds[] = {"send", "recv", "reduction"};
    static const char *const why[] = {"no message came", "nobody received it", "it was never ready"};
    return g_strdup_printf("rank %u: %s of %" G_GUINT64_FORMAT " bytes, peer %u: %s", x->what.host, kinds[x->what.kind],
                           x->what.size, x->what.peer, why[x->why]);
}

static const TermKind loggops_terms[LOGGOPS_TERMS] = {
    [LOGGOPS_L] = TERM_L,      [LOGGOPS_o] = TERM_O_CPU,  [LOGGOPS_g] = TERM_G_GAP,
    [LOGGOPS_G] = TERM_G_BYTE, [LOGGOPS_O] = TERM_O_BYTE, [LOGGOPS_GAMMA] = TERM_GAMMA,
};
static const TermKind loggp_terms[] = {TERM_L, TERM_O_CPU, TERM_G_GAP, TERM_G_BYTE, TERM_GAMMA};
static const TermKind logp_terms[] = {TERM_L, TERM_O_CPU, TERM_G_GAP, TERM_GAMMA};

// Adds a term of the model. At several levels, L and G are one term for each.
static void add_term(Prediction *p, const Model *model, int term, const Platform *platform, const LoggopsStamp *stamp)
{
    const TermKind kind = loggops_terms[term];
    const PlatformKey key = term_kinds[kind].key;
    if (!stamp->level || (term != LOGGOPS_L && term != LOGGOPS_G))
        prediction_add(p, model, term_of(kind, NULL, platform->value[key]), stamp->n[term]);
    for (int k = 0; stamp->level && (term == LOGGOPS_L || term == LOGGOPS_G) && k < platform->levels.n; k++) {
        const LoggopsLevelCount *n = &stamp->level[k];
        const CostTerm at = term_of(kind, platform->levels.at[k].name, platform_at(platform, key, k));
        prediction_add(p, model, at, term == LOGGOPS_L ? n->L : n->G);
    }
}

// Adds the certificate.
static void add_terms(Prediction *p, const Model *model, const Platform *platform, const LoggopsStamp *stamp)
{
    const bool bytes = model != &logp_model, all = model == &loggops_model;
    for (int i = 0; i < LOGGOPS_TERMS; i++)
        if ((bytes || i != LOGGOPS_G) && (all || i != LOGGOPS_O))
            add_term(p, model, i, platform, stamp);
}

// Returns how many ranks can stand for all: as many as do different things and, on a machine with levels, at different
// places.
static int few_of(const Schedule *s, const LoggopsParams *params, const Platform *platform, const PredictOptions *o)
{
    const int n = o->full || o->why || o->ledger ? s->p : schedule_period(s);
    if (n == s->p || !params->level)
        return n;
    g_autofree SiteCharges *nothing = g_new(SiteCharges, params->n_levels);
    g_autofree const char **names = levels_names(&platform->levels);
    for (int k = 0; k < params->n_levels; k++)
        site_textbook(nothing[k], 0, 0, 0);
    g_autoptr(Site) site = site_new(o->map, names, &(SiteFigures){.charges = nothing});
    site_begin(site, s->p, s->root);
    return site_period(site, s, n);
}

// A run, and the graph that it ran. `ranks` are those that were simulated.
typedef struct LogpRun {
    Goal *goal;
    LoggopsResult *result;
    GoalPhases phases; // of the graph's operations, if a path is asked for
    int ranks;
} LogpRun;

static void run_clear(LogpRun *run)
{
    g_clear_pointer(&run->result, loggops_result_free);
    g_clear_pointer(&run->goal, goal_free);
    goal_phases_clear(&run->phases);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LogpRun, run_clear)

// Runs n ranks, which stand for all if there are more. Returns FALSE and an error if that is too much, and FALSE
// without one if they cannot stand for all.
static gboolean run_ranks(LogpRun *run, int n, const Schedule *s, const Totals *totals, const Operation *op,
                          const LoggopsParams *params, const PredictOptions *o, GError **error)
{
    const bool few = n < s->p;
    const uint64_t messages = totals->messages / (uint64_t)(s->p / n);
    const uint64_t memory = messages * (LOGGOPS_MESSAGE_BYTES + (o->ledger ? LOGGOPS_TIMES_BYTES : 0));
    if (!schedule_check_most(s, totals, LOGGOPS_MOST_MESSAGES, few, error) ||
        !budget_take(memory, op->algorithm->name, op->c.p, error))
        return FALSE;
    const Mapping *map = params->level ? o->map : NULL;
    run->ranks = n;
    run->goal = few ? goal_record_few(op, n, s->peers, map, error)
                    : goal_record_phases(op, o->why ? &run->phases : NULL, error);
    if (run->goal && map && !few)
        goal_set_levels(run->goal, map);
    if (run->goal && few)
        run->result =
            loggops_run_few(run->goal, params, &(LoggopsFew){(uint32_t)s->p, .is_xor = s->peers == PEERS_XOR});
    else if (run->goal)
        run->result = (o->ledger ? loggops_run_timed : loggops_run)(run->goal, params);
    budget_give_back(memory);
    return run->result != NULL;
}

// Runs few ranks if they can stand for all, and otherwise all.
static gboolean run_schedule(LogpRun *run, const Schedule *s, const Totals *totals, const Operation *op,
                             const Platform *platform, const LoggopsParams *params, const PredictOptions *o,
                             GError **error)
{
    const int n = few_of(s, params, platform, o);
    if (n < s->p) {
        g_autoptr(GError) refused = NULL;
        if (run_ranks(run, n, s, totals, op, params, o, &refused))
            return TRUE;
        run_clear(run);
        *run = (LogpRun){.ranks = 0};
        if (refused) {
            g_propagate_error(error, g_steal_pointer(&refused));
            return FALSE;
        }
    }
    return run_ranks(run, s->p, s, totals, op, params, o, error);
}

static Prediction *prediction_of(const LogpRun *run, const Model *model, const Operation *op, const Platform *platform,
                                 const Totals *totals, const PredictOptions *o)
{
    const LoggopsResult *r = run->result;
    Prediction *p = prediction_new();
    p->totals = *totals;
    p->gear = "event";
    p->ranks_simulated = run->ranks;
    for (guint i = 0; i < r->stuck->len; i++)
        g_ptr_array_add(p->stuck, stuck_text(&g_array_index(r->stuck, LoggopsStuck, i)));
    if (p->stuck->len > 0)
        return p;
    p->time_s = loggops_time(&r->last, &r->params);
    add_terms(p, model, platform, &r->last);
    p->why = o->why ? why_of(r, &run->phases, &platform->levels) : NULL;
    p->ledger = o->ledger
                    ? loggops_ledger(r->times, goal_entry_graph(op->algorithm) ? PATH_CALC : OP_REDUCE, 1, o->ledger)
                    : NULL;
    return p;
}

static Prediction *predict(const Model *model, const Operation *op, const Platform *platform, const PredictOptions *o,
                           GError **error)
{
    Totals totals;
    const RecordOptions recorded = {.sampled = o->sampled, .few = true};
    Schedule *s = schedule_admit(op, &recorded, LOGGOPS_MOST_MESSAGES, &totals, error);
    if (!s)
        return NULL;
    const LoggopsParams params = logp_figures(model, platform, o->map);
    g_auto(LogpRun) run = {.ranks = 0};
    const gboolean ran = run_schedule(&run, s, &totals, op, platform, &params, o, error);
    Prediction *p = ran ? prediction_of(&run, model, op, platform, &totals, o) : NULL;
    g_free((gpointer)params.level);
    schedule_free(s);
    return p;
}

static const PlatformKey loggops_keys[] = {KEY_L, KEY_O_CPU, KEY_G_GAP, KEY_GAMMA, KEY_G_BYTE, KEY_O_BYTE, KEY_S};

#define FAMILY(n, t) .keys = loggops_keys, .n_keys = (n), .terms = (t), .n_terms = G_N_ELEMENTS(t), .predict = predict

const Model loggops_model = {
    .name = "loggops",
    .summary = "L, o and g for each message, G (network) and O (CPU) for each byte; rendezvous beyond S",
    FAMILY(7, loggops_terms),
};
const Model loggp_model = {
    .name = "loggp",
    .summary = "L, o and g for each message, G for each byte",
    FAMILY(5, loggp_terms),
};
const Model logp_model = {
    .name = "logp",
    .summary = "L, o and g for each message; its bytes cost nothing",
    FAMILY(4, logp_terms),
};
