#include "search/search/known.h"
#include "engine/schedule/parse.h"
#include <math.h>
#include <string.h>

// What is predicted of a run: that it takes longer than beyond_s, if prediction->beyond.
typedef struct KnownTime {
    Prediction *prediction;
    double beyond_s;
} KnownTime;

struct KnownTimes {
    GMutex lock;
    GHashTable *times; // KnownRun -> KnownTime
    GHashTable *forms; // KnownRun -> KnownForm
    Sampled *sampled;
};

static guint hash(gconstpointer key)
{
    const KnownRun *x = key;
    guint64 h = (guint64)(uintptr_t)x->algorithm;
    const guint64 fields[] = {(guint64)x->p,  (guint64)x->per_node,   x->m,
                              x->par.segment, (guint64)x->par.chains, (guint64)x->par.radix};
    for (size_t i = 0; i < G_N_ELEMENTS(fields); i++)
        h = (h ^ fields[i]) * 0x9e3779b97f4a7c15u;
    return (guint)(h >> 32);
}

static gboolean equal(gconstpointer a, gconstpointer b)
{
    const KnownRun *x = a, *y = b;
    return x->algorithm == y->algorithm && x->p == y->p && x->per_node == y->per_node && x->m == y->m &&
           x->elem == y->elem && params_compare(x->algorithm, &x->par, &y->par) == 0;
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

Sampled *known_sampled(const KnownTimes *known)
{
    return known->sampled;
}
