#include "advice/learn/data.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/rounding.h"
#include "engine/schedule/parse.h"
#include "search/search/left_out.h"
#include <math.h>
#include <string.h>

const char *const learn_feature_names[] = {"op", "p", "m", "per_node", "latency", "stream", "octave", NULL};

double learn_time(const LearnData *data, const LearnPoint *point, guint choice)
{
    const LearnChoice *c = learn_choice(data, choice);
    return c->collective == point->collective ? point->time_s[c->same - data->first[c->collective]] : NAN;
}

// ---- One point ------------------------------------------------------------------------------------------------------

typedef struct LearnJob {
    const LearnData *data;
    LearnPoint *point;
    const CollAlgorithm *usual; // the library's default
} LearnJob;

static gboolean time_default(const LearnJob *job, GError **error)
{
    LearnPoint *point = job->point;
    g_autoptr(GError) why = NULL;
    Point *usual = point_new(point->request, job->usual, point->p, point->per_node, point->m, error);
    if (!usual)
        return FALSE;
    if (point_run(usual, point->request, &why) && point_timed(usual))
        point->default_s = usual->time_s;
    point_free(usual);
    return TRUE;
}

// Sets the point's time, by the exact formula where one applies, as it takes no time to evaluate: pipelines of many
// segments on thousands of ranks take a second each. Returns FALSE and why if it is too large to simulate.
static gboolean find_time(Point *point, const Request *r, GError **why)
{
    const Operation op = point_operation(r, point);
    const double form_s = point->ran ? point_form(r, point, &op) : NAN;
    if (isnan(form_s))
        return point_run(point, r, why) && point_timed(point);
    point->time_s = form_s;
    return TRUE;
}

// Times all choices at one point. A choice that is too large to simulate there counts as one that cannot run.
static gboolean time_point(gpointer data, gpointer unused, GError **error)
{
    const LearnJob *job = data;
    LearnPoint *at = job->point;
    const guint first = job->data->first[at->collective];
    (void)unused;
    for (guint i = 0; i < job->data->n[at->collective]; i++) {
        const LearnChoice *c = learn_choice(job->data, first + i);
        g_autoptr(GError) why = NULL;
        at->time_s[i] = NAN;
        at->why[i] = NULL;
        if (c->same != first + i)
            continue;
        Point *point = point_new(at->request, c->entry, at->p, at->per_node, at->m, error);
        if (!point)
            return FALSE;
        point->par = point->asked = c->par;
        if (!point->why && find_time(point, at->request, &why))
            at->time_s[i] = point->time_s;
        at->why[i] = why ? points_refusal(why) : point->why;
        point_free(point);
    }
    return time_default(job, error);
}

gboolean learn_find_best(const LearnData *data, LearnPoint *at)
{
    const guint n = data->n[at->collective], first = data->first[at->collective];
    at->best_s = INFINITY;
    at->worst_s = 0;
    for (guint i = 0; i < n; i++)
        if (!isnan(at->time_s[i])) {
            at->best_s = fmin(at->best_s, at->time_s[i]);
            at->worst_s = fmax(at->worst_s, at->time_s[i]);
        }
    for (guint i = 0; i < n; i++)
        if (rounding_explains(at->time_s[i], at->best_s, 0)) {
            at->best = first + i;
            at->label = learn_choice(data, at->best)->label;
            return TRUE;
        }
    return FALSE;
}

// ---- All points -----------------------------------------------------------------------------------------------------

// Returns the time of a message between nodes, in whole ps.
static gint64 message_ps(const RequestMachine *on, uint64_t bytes)
{
    const Platform *machine = on->platform;
    const double time_s = strcmp(on->model->name, "measured") == 0
                              ? table_time_at(machine->measured->level[machine->measured->n_levels - 1].one, bytes)
                              : machine->value[KEY_ALPHA] + (double)bytes * machine->value[KEY_BETA];
    return (gint64)fmin(round(time_s * 1e12), 0x1p60);
}

void learn_set_place(LearnPoint *at)
{
    at->x[FEATURE_OP] = at->collective;
    at->x[FEATURE_P] = at->p;
    at->x[FEATURE_M] = (gint64)at->m;
    at->x[FEATURE_PER_NODE] = MAX(at->per_node, 1);
    at->x[FEATURE_OCTAVE] = (gint64)round(log2(at->p));
}

static gboolean add_places(LearnData *data, const Request *r, GError **error)
{
    g_autoptr(GArray) sizes = question_whole_sizes(&r->question);
    for (guint i = 0; i < r->question.ranks->len; i++)
        for (guint k = 0; k < sizes->len; k++) {
            const size_t m = g_array_index(sizes, size_t, k), p = g_array_index(r->question.ranks, size_t, i);
            if (!question_check_size(&r->question, p, m, error))
                return FALSE;
            LearnPoint at = {.request = r,
                             .collective = r->question.collective,
                             .p = (int)p,
                             .per_node = request_per_node(r, i),
                             .m = m,
                             .elem = r->question.elem,
                             .time_s = g_new(double, data->n[r->question.collective]),
                             .why = g_new0(const char *, data->n[r->question.collective]),
                             .default_s = NAN};
            learn_set_place(&at);
            at.x[FEATURE_LATENCY] = message_ps(&r->machine, 8);
            at.x[FEATURE_STREAM] = message_ps(&r->machine, 1 << 20);
            g_array_append_val(data->points, at);
        }
    return TRUE;
}

// Notes in the request which choices cannot run at some of the points, from `from` on, and why.
static void note_left_out(const LearnData *data, Request *r, guint from)
{
    LeftOut *all = left_out_new();
    const guint first = data->first[r->question.collective];
    for (guint i = from; i < data->points->len; i++)
        for (guint k = 0; k < data->n[r->question.collective]; k++) {
            const char *const *why = g_array_index(data->points, LearnPoint, i).why;
            const CollAlgorithm *entry = learn_choice(data, first + k)->entry;
            gboolean named = why[k] == NULL;
            for (guint j = 0; j < k && !named; j++) // with other parameters
                named = learn_choice(data, first + j)->entry == entry && g_strcmp0(why[j], why[k]) == 0;
            if (!named)
                left_out_add(all, entry->name, why[k]);
        }
    g_autofree char *text = left_out_end(all, data->points->len - from);
    if (text)
        request_leave_out_of(r, r->question.collective, text);
}

gboolean learn_add_points(LearnData *data, Request *r, Collective collective, size_t elem, GError **error)
{
    const guint first = data->points->len;
    r->question.collective = collective;
    r->question.elem = elem;
    request_name_default(r, r->library.only);
    if (!add_places(data, r, error))
        return FALSE;
    g_autoptr(GPtrArray) jobs = g_ptr_array_new_with_free_func(g_free);
    for (guint i = first; i < data->points->len; i++) {
        LearnJob *job = g_new(LearnJob, 1);
        *job = (LearnJob){data, &g_array_index(data->points, LearnPoint, i), g_ptr_array_index(r->question.named, 0)};
        g_ptr_array_add(jobs, job);
    }
    const ParallelWork work = {.run = time_point, .what = "points"};
    if (!parallel_run(jobs, &work, error))
        return FALSE;
    note_left_out(data, r, first);
    for (guint i = data->points->len; i-- > first;)
        if (!learn_find_best(data, &g_array_index(data->points, LearnPoint, i))) {
            g_array_remove_index(data->points, i);
            data->omitted++;
        }
    for (guint i = first; i < data->points->len; i++)
        g_array_index(data->labels, LearnLabel, learn_point(data, i)->label).points++;
    return TRUE;
}
