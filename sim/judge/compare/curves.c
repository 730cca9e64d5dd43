#include "judge/compare/curves.h"
#include "base/error.h"
#include <stdint.h>

static void curve_free(gpointer data)
{
    Curve *curve = data;
    g_ptr_array_unref(curve->points);
    g_free(curve);
}

// Returns why a sample is passed over; NULL if it is a point of a curve.
static const char *why_not(const LogSample *s, gconstpointer unused)
{
    (void)unused;
    return s->kind != LOG_COLLECTIVE       ? "are not of a collective"
           : s->collective == COLL_BARRIER ? "are of a barrier, which has one size"
           : s->p == 1                     ? "are of one rank"
           : s->bytes == 0                 ? "are of no bytes"
           : s->bytes % s->element         ? "have no whole number of elements (--element)"
           : !(s->time_s > 0)              ? "took no time"
                                           : NULL;
}

static char *key_of(const LogSample *s)
{
    return g_strdup_printf("%d\n%s\n%s\n%s\n%s\n%s\n%d\n%d\n%d\n%d\n%d\n%" G_GSIZE_FORMAT, s->collective,
                           s->algorithm ? s->algorithm : "", s->params, s->map, s->run ? s->run : "",
                           s->place ? s->place : "", s->p, s->root, s->per_node, s->mean, s->in_place, s->element);
}

static void add_point(GPtrArray *points, const LogSample *s)
{
    guint i = 0;
    while (i < points->len && ((const LogSample *)points->pdata[i])->bytes < s->bytes)
        i++;
    const LogSample *same = i < points->len ? points->pdata[i] : NULL;
    if (!same || same->bytes != s->bytes)
        g_ptr_array_insert(points, (gint)i, (gpointer)(uintptr_t)s);
    else if (s->time_s < same->time_s)
        points->pdata[i] = (gpointer)(uintptr_t)s;
}

static void add_log(const Log *log, GPtrArray *curves, GPtrArray *notes)
{
    g_autoptr(GHashTable) index = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GPtrArray) samples = log_choose(log, why_not, NULL, notes);
    for (guint i = 0; i < samples->len; i++) {
        const LogSample *s = g_ptr_array_index(samples, i);
        g_autofree char *key = key_of(s);
        Curve *curve = g_hash_table_lookup(index, key);
        if (!curve) {
            curve = g_new(Curve, 1);
            curve->points = g_ptr_array_new();
            g_ptr_array_add(curves, curve);
            g_hash_table_insert(index, g_steal_pointer(&key), curve);
        }
        add_point(curve->points, s);
    }
}

GPtrArray *curves_new(const GPtrArray *logs, GPtrArray *notes, GError **error)
{
    g_autoptr(GPtrArray) curves = g_ptr_array_new_with_free_func(curve_free);
    for (guint i = 0; i < logs->len; i++)
        add_log(g_ptr_array_index(logs, i), curves, notes);
    if (curves->len)
        return g_steal_pointer(&curves);
    bad_input(error, "%s: there is no curve; allowed: times of a collective of 1 byte or more on 2 ranks or more",
              ((const Log *)g_ptr_array_index(logs, 0))->name);
    return NULL;
}
