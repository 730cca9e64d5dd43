#include "judge/validate/case.h"
#include "base/error.h"
#include "engine/schedule/parse.h"
#include <math.h>
#include <string.h>

void case_free(gpointer data)
{
    ValidateCase *x = data;
    if (!x)
        return;
    point_free(x->point);
    point_free(x->before);
    measurement_request_clear(&x->request);
    if (x->barrier)
        measurement_request_clear(x->barrier);
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
static gboolean place(RequestMachine *machine, const LogSample *s, const char *word, GError **error)
{
    const Levels *levels = &machine->platform->levels;
    int level = levels_node(levels);
    if (word && !levels_find(levels, word, &level, error))
        return FALSE;
    if (level < 0 && s->per_node == 1)
        return TRUE;
    if (word && level > levels_node(levels))
        return bad_input(error, "ranks cannot be dealt out to %s; allowed: a node or a level inside it", word);
    if (word && level < levels_node(levels))
        machine->map = deal(levels, level, s->p, s->per_node);
    else
        machine->map =
            (MapSpec){.kind = word || g_str_has_prefix(s->map, "cyclic:") ? MAP_CYCLIC : MAP_BLOCK, .k = s->per_node};
    return TRUE;
}

// Makes the request of a sample, and its point.
static Point *make_point(const LogSample *s, const CaseMachine *on, Request *r, GError **error)
{
    if (!measurement_request(s, on->platform, on->model, r, error))
        return NULL;
    if (on->network)
        r->machine.options.network = on->network;
    r->question.root = s->root;
    map_clear(&r->machine.map);
    return place(&r->machine, s, on->level, error) && request_name_algorithm(r, s->algorithm, error) &&
                   request_check_params(r, error) && request_check_map(r, error)
               ? point_new(r, r->question.named->pdata[0], s->p, r->machine.map.k, s->bytes, error)
               : NULL;
}

ValidateCase *case_new(const ValidateRow *row, const CaseMachine *on, const CaseBarrier *barrier, GError **error)
{
    const LogSample *const s = &row->sample;
    const gboolean first =
        barrier->algorithm && s->p >= barrier->p_least && s->p <= barrier->p_most && s->bytes <= barrier->most;
    ValidateCase *x = g_new0(ValidateCase, 1);
    x->factor = s->factor;
    x->mean = s->mean;
    x->point = make_point(s, on, &x->request, error);
    if (x->point && first) {
        LogSample before = *s;
        before.collective = COLL_BARRIER;
        before.algorithm = barrier->algorithm->name;
        before.params = "";
        before.bytes = 0;
        x->barrier = g_new0(Request, 1);
        x->before = make_point(&before, on, x->barrier, error);
    }
    if (x->point && (!first || x->before))
        return x;
    g_prefix_error(error, "%s:%u: ", row->from, row->line);
    case_free(x);
    return NULL;
}

static gboolean predict(Request *r, Point *point, const double *start, bool clocks, GError **error)
{
    r->machine.options.start = start;
    r->machine.options.clocks = clocks;
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
