// The model shared: ranks copy data through slots in shared memory. replay/shared.h runs it.
#include "base/budget.h"
#include "base/error.h"
#include "model/model.h"
#include "schedule/record.h"
#include "replay/shared.h"

static const char *step_name(int kind)
{
    return kind == OP_WRITE ? "write" : kind == OP_READ ? "read" : kind == OP_REDUCE ? "reduce" : "flag";
}

static GArray *why_of(const GArray *path, const Schedule *s, const SharedCosts *costs)
{
    GArray *why = g_array_sized_new(FALSE, FALSE, sizeof(WhyStep), path->len);
    SharedCertificate end = {{0}};
    double start = 0;
    for (guint i = 0; i < path->len; i++) {
        const SharedStep *x = &g_array_index(path, SharedStep, i);
        for (int k = 0; k < SHARED_TERMS; k++)
            end.n[k] += x->cost.n[k];
        const WhyStep step = {.rank = x->rank,
                              .peer = x->peer,
                              .what = step_name(x->kind),
                              .phase = phases_name(&s->phases, x->phase),
                              .bytes = x->bytes,
                              .start_s = start,
                              .end_s = shared_time(&end, costs)};
        start = step.end_s;
        g_array_append_val(why, step);
    }
    return why;
}

static char *stuck_text(const SharedStuck *x)
{
    return g_strdup_printf("rank %d waits for rank %d: operation %" G_GUINT64_FORMAT
                           ", until the flag of rank %d for queue %d reaches %" G_GUINT64_FORMAT,
                           x->rank, x->who, x->operation, x->who, x->queue, x->n);
}

// Ranks that share memory are on one node. Without a map they are placed there; a map that uses several is refused.
static gboolean check_map(const Mapping *map, GError **error)
{
    return !map || map->kind == MAP_NONE || map->nodes->n == 1 ||
           bad_input(
               error,
               "the map puts %d ranks on %d nodes, and model shared has one; allowed: no map, or one that puts all "
               "ranks on a node",
               map->p, map->nodes->n);
}

static void add_terms(Prediction *p, const Model *model, const SharedCertificate *c, const SharedCosts *costs)
{
    for (int i = 0; i < SHARED_TERMS; i++) {
        CostTerm term = term_of(shared_terms[i], NULL, shared_value(costs, (SharedTerm)i));
        if (i == SHARED_CROWD) {
            term.value = costs->read;
            term.over = costs->lanes;
        }
        prediction_add(p, model, term, c->n[i]);
    }
}

static Prediction *predict(const Model *model, const Operation *op, const Platform *platform, const PredictOptions *o,
                           GError **error)
{
    const double *v = platform->value;
    const SharedCosts costs = {v[KEY_WRITE], v[KEY_READ], v[KEY_LANES], v[KEY_FLAG], v[KEY_GAMMA]};
    Totals totals;
    if (!check_map(o->map, error))
        return NULL;
    Schedule *s =
        schedule_admit(op, &(RecordOptions){.phases = o->why || o->ledger}, SHARED_MOST_ACCESSES, &totals, error);
    // The replay keeps every raise of a flag, and there is about one for each access.
    const uint64_t bytes = s ? (totals.writes + totals.reads) * SHARED_ACCESS_BYTES : 0;
    const gboolean fits = s && budget_take(bytes, s->name, s->p, error);
    g_autoptr(SharedReplay) r =
        fits ? shared_replay(s, &costs, &(ReplayOptions){.path = o->why || o->ledger, .ledger = o->ledger != NULL},
                             error)
             : NULL;
    if (fits)
        budget_give_back(bytes);
    Prediction *p = NULL;
    if (r) {
        p = prediction_new();
        p->time_s = r->time_s;
        add_terms(p, model, &r->certificate, &costs);
        p->totals = totals;
        p->gear = "shared";
        p->ranks_simulated = s->p;
        p->ledger = g_steal_pointer(&r->ledger);
        p->why = r->path && o->why ? why_of(r->path, s, &costs) : NULL;
        for (guint i = 0; i < r->stuck->len; i++)
            g_ptr_array_add(p->stuck, stuck_text(&g_array_index(r->stuck, SharedStuck, i)));
    }
    schedule_free(s);
    return p;
}

static const PlatformKey keys[] = {KEY_WRITE, KEY_READ, KEY_LANES, KEY_FLAG, KEY_GAMMA};

const Model shared_model = {
    .name = "shared",
    .summary = "shared memory: writing n bytes takes n write, reading them n read (in proportion more if "
               "more than `lanes` ranks read one fragment), a flag is seen after `flag`",
    .shared = true,
    .keys = keys,
    .n_keys = G_N_ELEMENTS(keys),
    .terms = shared_terms,
    .n_terms = SHARED_TERMS,
    .predict = predict,
};
