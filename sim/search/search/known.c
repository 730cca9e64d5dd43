#include "search/search/known.h"
#include "engine/schedule/parse.h"
#include <math.h>
#include <string.h>

// What is predicted of a run: that it takes longer than beyond_s, if prediction->beyond.
typedef struct KnownTime {
    Prediction *prediction;
    double beyond_s;
} KnownTime;

// A bound on the time of a run; if it is limit_s or more, it may be larger.
typedef struct KnownBound {
    double bound_s, limit_s;
} KnownBound;

struct KnownTimes {
    GMutex lock;
    GHashTable *times;  // KnownRun -> KnownTime
    GHashTable *forms;  // KnownRun -> KnownForm
    GHashTable *bounds; // KnownRun -> KnownBound
    Sampled *sampled;
};

static guint64 mix(guint64 h, guint64 x)
{
    return (h ^ x) * 0x9e3779b97f4a7c15u;
}

// Mixes the values that an algorithm's parameters have, and those of its parts, into a hash.
static guint64 mix_params(guint64 h, const CollAlgorithm *a, const CollParams *par)
{
    for (int i = 0; i < algorithm_n_params(a); i++) {
        const CollAlgorithm *part = param_part(&a->params[i], par);
        if (part) {
            const CollParams own = algorithm_defaults(part);
            h = mix_params(mix(h, (guint64)algorithm_number(part)), algorithm_entry(part), &own);
        } else {
            h = mix(h, (guint64)param_get(&a->params[i], par));
        }
    }
    return h;
}

static guint hash(gconstpointer key)
{
    const KnownRun *x = key;
    const guint64 fields[] = {(guint64)x->p, (guint64)x->per_node, x->m};
    guint64 h = (guint64)(uintptr_t)x->algorithm;
    for (size_t i = 0; i < G_N_ELEMENTS(fields); i++)
        h = mix(h, fields[i]);
    return (guint)(mix_params(h, x->algorithm, &x->par) >> 32);
}

static gboolean equal(gconstpointer a, gconstpointer b)
{
    const KnownRun *x = a, *y = b;
    return x->algorithm == y->algorithm && x->p == y->p && x->per_node == y->per_node && x->m == y->m &&
           x->elem == y->elem && x->root == y->root && params_same(x->algorithm, &x->par, &y->par);
}

static void time_free(gpointer time)
{
    prediction_free(((KnownTime *)time)->prediction);
    g_free(time);
}

static KnownTimes *known_new(void)
{
    KnownTimes *known = g_new0(KnownTimes, 1);
    g_mutex_init(&known->lock);
    known->times = g_hash_table_new_full(hash, equal, g_free, time_free);
    known->forms = g_hash_table_new_full(hash, equal, g_free, g_free);
    known->bounds = g_hash_table_new_full(hash, equal, g_free, g_free);
    known->sampled = sampled_new();
    return known;
}

KnownTimes *known_begin(KnownTimes **at)
{
    return *at ? NULL : (*at = known_new());
}

void known_end(KnownTimes **at, KnownTimes *known)
{
    if (!known)
        return;
    *at = NULL;
    g_hash_table_unref(known->times);
    g_hash_table_unref(known->forms);
    g_hash_table_unref(known->bounds);
    sampled_free(known->sampled);
    g_mutex_clear(&known->lock);
    g_free(known);
}

void known_add(KnownTimes *known, const KnownRun *run, Prediction *prediction, double beyond_s)
{
    const KnownTime time = {prediction_ref(prediction), beyond_s};
    g_mutex_lock(&known->lock);
    const KnownTime *old = g_hash_table_lookup(known->times, run);
    if (!prediction->beyond || !old || (old->prediction->beyond && old->beyond_s < beyond_s))
        g_hash_table_replace(known->times, g_memdup2(run, sizeof *run), g_memdup2(&time, sizeof time));
    else
        prediction_free(prediction);
    g_mutex_unlock(&known->lock);
}

Prediction *known_find(KnownTimes *known, const KnownRun *run, double enough_s)
{
    g_mutex_lock(&known->lock);
    const KnownTime *found = g_hash_table_lookup(known->times, run);
    const gboolean enough = found && (!found->prediction->beyond || (enough_s > 0 && found->beyond_s >= enough_s));
    Prediction *prediction = enough ? prediction_ref(found->prediction) : NULL;
    g_mutex_unlock(&known->lock);
    return prediction;
}

void known_add_form(KnownTimes *known, const KnownRun *run, const KnownForm *form)
{
    g_mutex_lock(&known->lock);
    g_hash_table_replace(known->forms, g_memdup2(run, sizeof *run), g_memdup2(form, sizeof *form));
    g_mutex_unlock(&known->lock);
}

gboolean known_find_form(KnownTimes *known, const KnownRun *run, KnownForm *form)
{
    g_mutex_lock(&known->lock);
    const KnownForm *found = g_hash_table_lookup(known->forms, run);
    if (found)
        *form = *found;
    g_mutex_unlock(&known->lock);
    return found != NULL;
}

void known_add_bound(KnownTimes *known, const KnownRun *run, double bound_s, double limit_s)
{
    const KnownBound bound = {bound_s, limit_s};
    g_mutex_lock(&known->lock);
    g_hash_table_replace(known->bounds, g_memdup2(run, sizeof *run), g_memdup2(&bound, sizeof bound));
    g_mutex_unlock(&known->lock);
}

gboolean known_find_bound(KnownTimes *known, const KnownRun *run, double limit_s, double *bound_s)
{
    g_mutex_lock(&known->lock);
    const KnownBound *found = g_hash_table_lookup(known->bounds, run);
    const gboolean enough = found && (found->bound_s < found->limit_s || limit_s <= found->limit_s);
    if (enough)
        *bound_s = found->bound_s;
    g_mutex_unlock(&known->lock);
    return enough;
}

Sampled *known_sampled(const KnownTimes *known)
{
    return known->sampled;
}
