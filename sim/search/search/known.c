#include "search/search/known.h"
#include "engine/schedule/parse.h"
#include <math.h>
#include <string.h>

// A run takes time_s, or, if beyond_s is above 0, longer than that.
typedef struct KnownTime {
    double time_s, beyond_s;
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

KnownTimes *known_new(void)
{
    KnownTimes *known = g_new0(KnownTimes, 1);
    g_mutex_init(&known->lock);
    known->times = g_hash_table_new_full(hash, equal, g_free, g_free);
    known->forms = g_hash_table_new_full(hash, equal, g_free, g_free);
    known->sampled = sampled_new();
    return known;
}

void known_free(KnownTimes *known)
{
    if (!known)
        return;
    g_hash_table_unref(known->times);
    g_hash_table_unref(known->forms);
    sampled_free(known->sampled);
    g_mutex_clear(&known->lock);
    g_free(known);
}

void known_add(KnownTimes *known, const KnownRun *run, double time_s, double beyond_s)
{
    const KnownTime time = {time_s, beyond_s};
    g_mutex_lock(&known->lock);
    g_hash_table_replace(known->times, g_memdup2(run, sizeof *run), g_memdup2(&time, sizeof time));
    g_mutex_unlock(&known->lock);
}

gboolean known_find(KnownTimes *known, const KnownRun *run, double most_s, double *time_s)
{
    g_mutex_lock(&known->lock);
    const KnownTime *found = g_hash_table_lookup(known->times, run);
    const gboolean enough = found && (found->beyond_s == 0 || found->beyond_s >= most_s);
    if (enough)
        *time_s = found->beyond_s == 0 ? found->time_s : INFINITY;
    g_mutex_unlock(&known->lock);
    return enough;
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
