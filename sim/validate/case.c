#include "validate/case.h"
#include "base/error.h"
#include "schedule/names.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

static void request_free(Request *r)
{
    r->platform = NULL; // the caller's
    g_strfreev(r->params);
    request_clear(r);
}

void case_free(gpointer data)
{
    ValidateCase *x = data;
    if (!x)
        return;
    point_free(x->point);
    point_free(x->before);
    request_free(&x->request);
    if (x->barrier)
        request_free(x->barrier);
    g_free(x->barrier);
    g_free(x);
}

// Returns a map that deals out the ranks of each node to the units of a level inside it. A file could say the same, so
// this is a map of that kind.
static MapSpec deal(const Levels *levels, int level, int p, int per_node)
{
    const int node = levels_node(levels), numbers = node - level + 1;
    MapSpec spec = {.kind = MAP_FILE,
                    .file = g_strdup(levels->at[level].name),
                    .numbers = numbers,
                    .units = g_array_new(FALSE, FALSE, sizeof(int))};
    const size_t units = levels->at[node].ranks / levels->at[level].ranks;
    for (int r = 0; r < p; r++) {
        const int on = r / per_node;
        size_t rest =
            (size_t)(r % per_node) % units * levels->at[level].ranks; // the first rank of the unit, in the node
        g_array_append_val(spec.units, on);
        for (int k = node - 1; k >= level; k--) {
            const int unit = (int)(rest / levels->at[k].ranks);
            rest %= levels->at[k].ranks;
            g_array_append_val(spec.units, unit);
        }
    }
    return spec;
}

// Sets the map. On a machine of one level whose nodes share nothing, ranks need no nodes.
static gboolean place(Request *r, const LogSample *s, const char *word, GError **error)
{
    const Levels *levels = &r->platform->levels;
    int level = levels_node(levels);
    if (word && !levels_find(levels, word, &level, error))
        return FALSE;
    if (level < 0 && s->per_node == 1)
        return TRUE;
    if (word && level > levels_node(levels))
        return bad_input(error, "ranks cannot be dealt out to %s; allowed: a node or a level inside it", word);
    if (word && level < levels_node(levels))
        r->map = deal(levels, level, s->p, s->per_node);
    else
        r->map =
            (MapSpec){.kind = word || g_str_has_prefix(s->map, "cyclic:") ? MAP_CYCLIC : MAP_BLOCK, .k = s->per_node};
    return TRUE;
}

static Point *make_point(Request *r, Collective collective, const char *algorithm, const char *params, int p, size_t m,
                         GError **error)
{
    const size_t ranks = (size_t)p;
    r->collective = collective;
    if (!request_name_algorithm(r, algorithm, error))
        return NULL;
    const CollAlgorithm *a = r->named->pdata[0];
    r->ranks = g_array_new(FALSE, FALSE, sizeof(size_t));
    g_array_append_val(r->ranks, ranks);
    r->params = *params ? g_strsplit(params, ";", -1) : NULL;
    return request_check_params(r, error) && request_check_map(r, error) ? point_new(r, a, p, r->map.k, m, 0, error)
                                                                         : NULL;
}

static gboolean make_case(ValidateCase *x, const LogSample *s, const char *level, GError **error)
{
    x->request.elem = log_whole_element(s);
    return place(&x->request, s, level, error) &&
           (x->point = make_point(&x->request, s->collective, s->algorithm, s->params, s->p, s->bytes, error));
}

static gboolean make_barrier(ValidateCase *x, const LogSample *s, const CaseBarrier *barrier, const char *level,
                             GError **error)
{
    if (!barrier->algorithm || s->p < barrier->p_least || s->p > barrier->p_most || s->bytes > barrier->most)
        return TRUE;
    x->barrier = g_new0(Request, 1);
    *x->barrier = (Request){.platform = x->request.platform, .model = x->request.model, .elem = 1};
    return place(x->barrier, s, level, error) &&
           (x->before = make_point(x->barrier, COLL_BARRIER, barrier->algorithm->name, "", s->p, 0, error));
}

ValidateCase *case_new(const ValidateRow *row, const Platform *platform, const Model *model, const char *level,
                       const CaseBarrier *barrier, GError **error)
{
    const LogSample *const s = &row->sample;
    ValidateCase *x = g_new0(ValidateCase, 1);
    x->factor = s->factor;
    x->mean = s->mean;
    x->request.platform = (Platform *)(uintptr_t)platform;
    x->request.model = model;
    if (make_case(x, s, level, error) && make_barrier(x, s, barrier, level, error))
        return x;
    g_prefix_error(error, "%s:%u: ", row->from, row->line);
    case_free(x);
    return NULL;
}

static gboolean predict(Request *r, Point *point, const double *start, bool clocks, GError **error)
{
    r->options.start = start;
    r->options.clocks = clocks;
    return point_run(point, r, error);
}

gboolean case_predict(ValidateCase *x, GError **error)
{
    const double *start = NULL;
    x->time_s = NAN;
    if (x->before) {
        if (!predict(x->barrier, x->before, NULL, true, error))
            return FALSE;
        if (!point_timed(x->before))
            return TRUE;
        start = x->before->prediction->clock;
    }
    if (!predict(&x->request, x->point, start, start || x->mean, error))
        return FALSE;
    if (!point_timed(x->point))
        return TRUE;
    x->time_s = x->mean ? prediction_mean(x->point->prediction) : x->point->time_s;
    double sum = 0;
    for (int r = 0; start && r < x->point->p; r++) {
        const double took = x->point->prediction->clock[r] - start[r];
        x->time_s = r ? fmax(x->time_s, took) : took;
        sum += took;
    }
    x->time_s = (start && x->mean ? sum / x->point->p : x->time_s) * x->factor;
    return TRUE;
}
