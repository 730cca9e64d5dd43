#include "advice/tune/decided.h"
#include "base/parallel.h"
#include <math.h>

static void time_clear(gpointer data)
{
    DecidedTime *x = data;
    g_free(x->text);
    g_free(x->missing);
}

GArray *decided_new(void)
{
    GArray *times = g_array_new(FALSE, FALSE, sizeof(DecidedTime));
    g_array_set_clear_func(times, time_clear);
    return times;
}

void decided_add(GArray *times, const CollAlgorithm *named, int p, int per_node, size_t m)
{
    const DecidedTime x = {.p = p, .per_node = per_node, .m = m, .named = named, .time_s = NAN};
    g_array_append_val(times, x);
}

static gboolean time_call(gpointer data, gpointer user, GError **error)
{
    DecidedTime *x = data;
    const Request *r = user;
    g_autoptr(GError) why = NULL;
    Point *point = point_new(r, x->named, x->p, x->per_node, x->m, error);
    if (!point)
        return FALSE;
    if (point_run(point, r, &why) && point_timed(point))
        x->time_s = point->time_s;
    x->entry = point->decision->entry;
    g_autofree char *params = x->entry ? point_params(point, TRUE) : g_strdup(""),
                    *decided = decision_text(point->decision);
    const GError *refused = why ? why : point->refused;
    x->text = g_strconcat(decided, *params ? ", " : "", params, NULL);
    x->missing = g_strdup(refused ? refused->message : point->decision->missing);
    point_free(point);
    return TRUE;
}

gboolean decided_times(GArray *times, const Request *r, const char *what, GError **error)
{
    const ParallelWork work = {.run = time_call, .user = (gpointer)r, .what = what};
    g_autoptr(GPtrArray) jobs = g_ptr_array_new();
    for (guint i = 0; i < times->len; i++)
        g_ptr_array_add(jobs, &g_array_index(times, DecidedTime, i));
    return parallel_run(jobs, &work, error);
}
