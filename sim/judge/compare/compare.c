#include "judge/compare/compare.h"
#include "base/distinct.h"
#include "base/error.h"
#include "base/parallel.h"
#include "libraries/decide/names.h"
#include "engine/schedule/parse.h"
#include "search/search/measurement_rows.h"
#include "search/search/points.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

// A run of all candidates on the same ranks and sizes; several curves may share it.
typedef struct Lineup {
    Request request;
    gboolean lent; // the request's map is the caller's
    GPtrArray *points;
} Lineup;

typedef struct LineupJob {
    Point *point;
    const Request *request;
} LineupJob;

static void lineup_free(gpointer data)
{
    Lineup *lineup = data;
    if (lineup->points)
        g_ptr_array_unref(lineup->points);
    if (lineup->lent)
        lineup->request.machine.map = (MapSpec){0};
    measurement_request_clear(&lineup->request);
    g_free(lineup);
}

static void candidate_free(gpointer data)
{
    CompareCandidate *c = data;
    g_free(c->name);
    g_free(c->entry);
    g_ptr_array_unref(c->same);
    g_ptr_array_unref(c->entries);
    g_free(c->time_s);
    g_ptr_array_unref(c->ran);
    g_free(c);
}

static void compared_free(gpointer data)
{
    Compared *x = data;
    g_ptr_array_unref(x->candidates);
    verdict_free(x->verdict);
    g_free(x);
}

// ---- What runs ------------------------------------------------------------------------------------------------------

// Names what a library can have run: each algorithm that it can be told to run, and its own choice, which may change
// with the size, and may be HAN.
static void name_all(Request *r)
{
    request_name_algorithm(r, "all", NULL); // it may have none
    request_add_default(r, r->library.only);
}

// Makes the points of all candidates on p ranks at the sizes of a curve.
static gboolean fill_lineup(const Curve *curve, const ComparePlan *plan, Lineup *lineup, GError **error)
{
    LogSample s = *curve_at(curve, 0);
    Request *r = &lineup->request;
    const int per_node = s.per_node ? s.per_node : s.p ? 0 : plan->per_node;
    lineup->lent = !*s.map && !per_node && plan->map; // the ranks are where the log says it, or else the plan
    s.per_node = per_node || lineup->lent ? per_node : plan->per_node;
    s.p = s.p ? s.p : plan->p;
    if (!measurement_request(&s, plan->platform, plan->model, r, error))
        return FALSE;
    r->machine.map = lineup->lent ? *plan->map : r->machine.map;
    if (plan->network)
        r->machine.options.network = plan->network;
    r->question.elem = s.element;
    g_array_set_size(r->question.sizes, 0);
    for (guint i = 0; i < curve->points->len; i++)
        g_array_append_val(r->question.sizes, curve_at(curve, i)->bytes);
    if (plan->library && !(r->library.only = request_tables(&r->library, plan->library, error)))
        return FALSE;
    if (r->library.only)
        name_all(r);
    return request_check_map(r, error) && (lineup->points = points_make(r, error));
}

static Lineup *lineup_new(const Curve *curve, const ComparePlan *plan, GError **error)
{
    if (!curve_at(curve, 0)->p && !plan->p) {
        bad_input(error, "%s:%u: the log does not say on how many ranks %s ran; allowed: with -p",
                  curve_at(curve, 0)->log->name, curve_at(curve, 0)->line,
                  collectives[curve_at(curve, 0)->collective].name);
        return NULL;
    }
    Lineup *lineup = g_new0(Lineup, 1);
    if (fill_lineup(curve, plan, lineup, error))
        return lineup;
    g_prefix_error(error, "%s:%u: ", curve_at(curve, 0)->log->name, curve_at(curve, 0)->line);
    lineup_free(lineup);
    return NULL;
}

static char *lineup_key(const Curve *curve)
{
    const LogSample *s = curve_at(curve, 0);
    GString *key = g_string_new(NULL);
    g_string_printf(key, "%d %d %d %d %d %" G_GSIZE_FORMAT " %s", s->collective, s->p, s->root, s->per_node, s->mean,
                    s->element, s->map);
    for (guint i = 0; i < curve->points->len; i++)
        g_string_append_printf(key, " %" G_GSIZE_FORMAT, curve_at(curve, i)->bytes);
    return g_string_free(key, FALSE);
}

static gboolean run_job(gpointer data, gpointer user, GError **error)
{
    const LineupJob *job = data;
    (void)user;
    return point_run(job->point, job->request, error);
}

static gboolean run_lineups(const GPtrArray *lineups, GError **error)
{
    g_autoptr(GPtrArray) jobs = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < lineups->len; i++) {
        const Lineup *lineup = g_ptr_array_index(lineups, i);
        for (guint k = 0; k < lineup->points->len; k++) {
            LineupJob *job = g_new(LineupJob, 1);
            *job = (LineupJob){g_ptr_array_index(lineup->points, k), &lineup->request};
            g_ptr_array_add(jobs, job);
        }
    }
    const ParallelWork work = {.run = run_job, .what = "predictions"};
    return parallel_run(jobs, &work, error);
}

// ---- Candidates -----------------------------------------------------------------------------------------------------

// The points of one algorithm, by size; NULL where it did not run.
typedef struct Series {
    const CollAlgorithm *algorithm;
    const Point **points;
} Series;

// Returns the time that was measured of a point: the last rank's, or the mean if the clocks were asked for.
static double time_of(const Point *point)
{
    return prediction_mean(point->prediction);
}

// Returns the entry of the registry that a candidate is, whatever falls back on what at some sizes. A library's own choice
// has its own name where the sizes run different entries.
static const char *entry_of(const RequestLibrary *lib, const Series *s, guint n)
{
    const RequestAuto *x = request_auto(lib, s->algorithm);
    CollParams par;
    if (x && x->told)
        return decide_entry(x->tables, x->told, &par)->name;
    const CollAlgorithm *first = point_entry(s->points[0]);
    for (guint i = 1; i < n; i++)
        if (point_entry(s->points[i]) != first)
            return s->algorithm->name;
    return first->name;
}

// Returns what the candidate is called: the library's id, or the name in the registry. Free with g_free.
static char *name_of(const RequestLibrary *lib, const Point *point)
{
    if (!lib->only)
        return point_choice(point);
    if (request_auto(lib, point->algorithm))
        return g_strdup(point->algorithm->name);
    const LibraryAlgorithm *a = decide_algorithm(lib->only, point->algorithm, &point->asked);
    g_autofree char *id = a ? tables_id(a) : NULL;
    return a ? g_strdup_printf("%s:%s", lib->only->library->name, id) : point_choice(point);
}

static gboolean same_points(const Series *a, const Series *b, guint n)
{
    for (guint i = 0; i < n; i++) {
        const Totals *x = &a->points[i]->prediction->totals, *y = &b->points[i]->prediction->totals;
        if (time_of(a->points[i]) != time_of(b->points[i]) || x->messages != y->messages ||
            x->bytes_sent != y->bytes_sent || x->bytes_reduced != y->bytes_reduced)
            return FALSE;
    }
    return TRUE;
}

static CompareCandidate *candidate_new(const RequestLibrary *lib, const Series *s, guint n)
{
    CompareCandidate *c = g_new(CompareCandidate, 1);
    *c = (CompareCandidate){.name = name_of(lib, s->points[0]),
                            .entry = g_strdup(entry_of(lib, s, n)),
                            .same = g_ptr_array_new_with_free_func(g_free),
                            .entries = g_ptr_array_new(),
                            .time_s = g_new(double, n),
                            .ran = g_ptr_array_new_with_free_func(g_free)};
    for (guint i = 0; i < n; i++) {
        c->time_s[i] = time_of(s->points[i]);
        g_ptr_array_add(c->ran, point_ran(s->points[i]));
    }
    g_ptr_array_add(c->entries, (gpointer)(uintptr_t)entry_of(lib, s, n));
    return c;
}

static void series_clear(gpointer data)
{
    g_free(((Series *)data)->points);
}

// Returns the points of a lineup by algorithm (of Series), those that have a time at each of its n sizes.
static GArray *series_of(const Lineup *lineup, guint n, GPtrArray *notes)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(Series));
    g_array_set_clear_func(all, series_clear);
    for (guint i = 0; i < lineup->points->len; i++) {
        const Point *point = g_ptr_array_index(lineup->points, i);
        guint at = 0, size = 0;
        while (at < all->len && g_array_index(all, Series, at).algorithm != point->algorithm)
            at++;
        if (at == all->len) {
            const Series s = {point->algorithm, g_new0(const Point *, n)};
            g_array_append_val(all, s);
        }
        while (g_array_index(lineup->request.question.sizes, size_t, size) != point->m)
            size++;
        g_array_index(all, Series, at).points[size] = point_timed(point) ? point : NULL;
    }
    for (guint at = 0; at < all->len;) {
        const Series *s = &g_array_index(all, Series, at);
        guint timed = 0;
        for (guint i = 0; i < n; i++)
            timed += s->points[i] && s->points[i]->time_s > 0;
        if (timed == n) {
            at++;
            continue;
        }
        char *note = g_strdup_printf("%s %s is not a candidate on %" G_GSIZE_FORMAT " ranks: it cannot run at %s",
                                     collectives[lineup->request.question.collective].name, s->algorithm->name,
                                     g_array_index(lineup->request.question.ranks, size_t, 0),
                                     timed ? "some sizes" : "any size");
        distinct_take(notes, note);
        g_array_remove_index(all, at);
    }
    return all;
}

// The usual algorithms come first, so that those that are the same get a usual one's name.
static int compare_oddity(gconstpointer a, gconstpointer b)
{
    const Point *x = ((const Series *)a)->points[0], *y = ((const Series *)b)->points[0];
    const int odd = points_oddity(x->algorithm, &x->asked), odder = points_oddity(y->algorithm, &y->asked);
    return odd != odder ? (odd > odder) - (odd < odder) : strcmp(x->algorithm->name, y->algorithm->name);
}

// Makes the candidates of a lineup; those that are the same count as one.
static GPtrArray *candidates_of(const Lineup *lineup, guint n, GPtrArray *notes)
{
    GPtrArray *candidates = g_ptr_array_new_with_free_func(candidate_free);
    g_autoptr(GArray) all = series_of(lineup, n, notes);
    if (!lineup->request.library.only)
        g_array_sort(all, compare_oddity);
    g_autofree guint *first = g_new(guint, MAX(all->len, 1)); // by candidate: its series
    for (guint i = 0; i < all->len; i++) {
        const Series *s = &g_array_index(all, Series, i);
        guint k = 0;
        while (k < candidates->len && !same_points(&g_array_index(all, Series, first[k]), s, n))
            k++;
        if (k == candidates->len) {
            first[k] = i;
            g_ptr_array_add(candidates, candidate_new(&lineup->request.library, s, n));
            continue;
        }
        const CompareCandidate *c = g_ptr_array_index(candidates, k);
        g_ptr_array_add(c->same, name_of(&lineup->request.library, s->points[0]));
        g_ptr_array_add(c->entries, (gpointer)(uintptr_t)entry_of(&lineup->request.library, s, n));
    }
    return candidates;
}

// Returns the place of the candidate that a log says ran; -1 if no candidate did.
static int truth_of(const Curve *curve, const GPtrArray *candidates)
{
    const LogSample *s = curve_at(curve, 0);
    const CollAlgorithm *a = s->algorithm ? names_entry(s->collective, s->algorithm) : NULL;
    for (guint i = 0; a && i < candidates->len; i++) {
        const CompareCandidate *c = g_ptr_array_index(candidates, i);
        if (g_ptr_array_find_with_equal_func(c->entries, a->name, g_str_equal, NULL))
            return (int)i;
    }
    return -1;
}

static Compared *judge(const Curve *curve, const Lineup *lineup, const ComparePlan *plan, GPtrArray *notes,
                       GError **error)
{
    const guint n = curve->points->len;
    GPtrArray *candidates = candidates_of(lineup, n, notes);
    g_autofree double *measured = g_new(double, n);
    g_autofree const double **predicted = g_new(const double *, MAX(candidates->len, 1));
    if (candidates->len == 0) {
        g_ptr_array_unref(candidates);
        bad_input(error, "%s:%u: no candidate can run; allowed: a curve that some algorithm of %s can be",
                  curve_at(curve, 0)->log->name, curve_at(curve, 0)->line,
                  collectives[curve_at(curve, 0)->collective].name);
        return NULL;
    }
    for (guint i = 0; i < n; i++)
        measured[i] = curve_at(curve, i)->time_s;
    for (guint i = 0; i < candidates->len; i++)
        predicted[i] = ((const CompareCandidate *)g_ptr_array_index(candidates, i))->time_s;
    Compared *x = g_new(Compared, 1);
    *x = (Compared){.curve = curve,
                    .p = (int)g_array_index(lineup->request.question.ranks, size_t, 0),
                    .per_node = request_per_node(&lineup->request, 0),
                    .candidates = candidates,
                    .verdict = verdict_new(measured, n, predicted, candidates->len, plan->tie),
                    .truth = truth_of(curve, candidates)};
    return x;
}

GPtrArray *compare_curves(const GPtrArray *curves, const ComparePlan *plan, GPtrArray *notes, GError **error)
{
    g_autoptr(GPtrArray) lineups = g_ptr_array_new_with_free_func(lineup_free), of_curve = g_ptr_array_new(),
                         all = g_ptr_array_new_with_free_func(compared_free);
    g_autoptr(GHashTable) index = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < curves->len; i++) {
        const Curve *curve = g_ptr_array_index(curves, i);
        g_autofree char *key = lineup_key(curve);
        Lineup *lineup = g_hash_table_lookup(index, key);
        if (!lineup) {
            if (!(lineup = lineup_new(curve, plan, error)))
                return NULL;
            g_ptr_array_add(lineups, lineup);
            request_unknowns(&lineup->request, notes);
            g_hash_table_insert(index, g_steal_pointer(&key), lineup);
        }
        g_ptr_array_add(of_curve, lineup);
    }
    if (!run_lineups(lineups, error))
        return NULL;
    for (guint i = 0; i < curves->len; i++) {
        Compared *x = judge(g_ptr_array_index(curves, i), g_ptr_array_index(of_curve, i), plan, notes, error);
        if (!x)
            return NULL;
        g_ptr_array_add(all, x);
    }
    return g_steal_pointer(&all);
}

gboolean compared_recognised(const Compared *x)
{
    return x->verdict->order[0] == (guint)x->truth && !x->verdict->near_tied;
}
