#include "base/budget.h"
#include "base/error.h"
#include "base/parallel.h"
#include "engine/model/model_columns.h"
#include "library/library_types.h"
#include "advice/tune/regret.h"
#include "search/search/ranking.h"
#include "search/search/request_machine.h"
#include <math.h>
#include <string.h>

struct collsim_runs {
    GArray *runs;         // of collsim_run
    GStringChunk *texts;  // those that the runs point to
    GPtrArray *certified; // of collsim_term *, those that the runs point to
    GPtrArray *columns;   // of collsim_column *, likewise
    GPtrArray *notes;     // of char *, those of collsim_runs_note
};

// ---- From points to runs --------------------------------------------------------------------------------------------

static collsim_runs *runs_new(void)
{
    collsim_runs *x = g_new(collsim_runs, 1);
    *x = (collsim_runs){.runs = g_array_new(FALSE, TRUE, sizeof(collsim_run)),
                        .texts = g_string_chunk_new(1024),
                        .certified = g_ptr_array_new_with_free_func(g_free),
                        .columns = g_ptr_array_new_with_free_func(g_free)};
    return x;
}

// Returns a copy that lives as long as the runs; NULL for NULL.
static const char *keep(collsim_runs *x, const char *text)
{
    return text ? g_string_chunk_insert_const(x->texts, text) : NULL;
}

// Does the same, and frees the text.
static const char *take(collsim_runs *x, char *text)
{
    const char *kept = keep(x, text);
    g_free(text);
    return kept;
}

static void add_terms(collsim_runs *x, const Prediction *prediction, collsim_run *run)
{
    const size_t n = prediction->terms->len;
    collsim_term *terms = g_new0(collsim_term, n);
    for (size_t i = 0; i < n; i++) {
        const PredictionTerm *term = &g_array_index(prediction->terms, PredictionTerm, i);
        terms[i] = (collsim_term){take(x, term_text(&term->term)), term->n, term_value(&term->term)};
    }
    g_ptr_array_add(x->certified, terms);
    run->terms = terms;
    run->n_terms = n;
}

// Adds what the program's CSV has in columns of their own: the machine's figures, and the counts of the certificate.
static void add_columns(collsim_runs *x, const RequestMachine *machine, const Prediction *prediction, collsim_run *run)
{
    const Model *model = machine->model;
    const Platform *platform = machine->platform;
    collsim_column *columns = g_new0(collsim_column, model->n_keys + (size_t)model->n_terms);
    size_t n = 0;
    for (size_t i = 0; i < model->n_keys; i++) {
        const PlatformKey key = model->keys[i];
        if (model_has_figure(platform, key))
            columns[n++] = (collsim_column){take(x, model_figure_column(key)),
                                            model_knows_figure(platform, key) ? platform->value[key] : NAN, -1};
    }
    for (int i = 0; i < model->n_terms; i++) {
        const int64_t count = prediction ? prediction->count[i] : -1;
        if (model_pays_term(platform, model->terms[i]))
            columns[n++] =
                (collsim_column){take(x, term_column(model->terms[i])), prediction ? (double)count : NAN, count};
    }
    g_ptr_array_add(x->columns, columns);
    run->columns = columns;
    run->n_columns = n;
}

// Fills in when ranks end, if that was asked for.
static void add_ends(const Point *point, collsim_run *run)
{
    const Prediction *prediction = point->prediction;
    run->end_min_s = run->end_mean_s = run->end_max_s = NAN;
    if (!prediction || !prediction->ends || !point_timed(point))
        return;
    // The ranks' times are sums of many terms, and may be above the certificate's value by rounding.
    run->end_min_s = MIN(prediction->first_end_s, point->time_s);
    run->end_mean_s = MIN(prediction->mean_end_s, point->time_s);
    run->end_max_s = point->time_s;
}

static char *join(const GPtrArray *lines)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < lines->len; i++)
        g_string_append_printf(text, "%s%s", i ? "\n" : "", (const char *)lines->pdata[i]);
    return g_string_free(text, FALSE);
}

// Where a run stands among those of the same ranks, size and root.
typedef struct RunPlace {
    int place;             // 0: nowhere
    double best_s;         // the time of the fastest; NAN if there is none
    const RegretPlace *at; // the library's default; NULL if it is not compared
} RunPlace;

// Fills in how a run compares with the fastest, the bound and the library's default.
static void add_standing(collsim_run *run, const Request *r, const Point *point, const RunPlace *standing)
{
    const RegretPlace *at = standing->at;
    run->place = standing->place;
    run->default_s = at ? at->default_s : NAN;
    run->x_best = run->x_bound = run->saves_low = run->saves_high = run->sure = NAN;
    if (at && point_timed(point) && at->default_s > point->time_s) {
        const Sure sure = regret_gain(at, r->machine.platform, point);
        run->saves_low = sure.low;
        run->saves_high = sure.high;
        run->sure = sure.share;
    }
    if (!standing->place)
        return;
    run->x_best = standing->best_s > 0 ? point->time_s / standing->best_s : NAN;
    run->x_bound = ranking_x_bound(r, point);
}

static void add_machine(collsim_runs *x, const Request *r, const Point *point, collsim_run *run)
{
    const RequestMachine *machine = &r->machine;
    run->model = keep(x, machine->model->name);
    run->transfer = machine->model->transfers ? keep(x, transfer_names[machine->options.transfer]) : NULL;
    run->per_node = point->per_node;
    run->nodes = request_nodes(machine, point->p, point->per_node);
    run->map = take(x, request_map(machine, point->per_node));
    run->element = r->question.elem;
    if (collectives[r->question.collective].counts) {
        run->counts = keep(x, r->question.counts_text ? r->question.counts_text : counts_names[COUNTS_EQUAL]);
        run->displs = keep(x, r->question.displs_text ? r->question.displs_text : "consecutive");
    }
}

static void add_totals(collsim_run *run, const Totals *t)
{
    run->messages = t->messages;
    run->bytes_sent = t->bytes_sent;
    run->max_messages_sent = t->max_messages_sent;
    run->max_messages_received = t->max_messages_received;
    run->max_bytes_sent = t->max_bytes_sent;
    run->max_bytes_received = t->max_bytes_received;
    run->max_bytes_reduced = t->max_bytes_reduced;
}

static void add_run(collsim_runs *x, const Request *r, const Point *point, const RunPlace *standing)
{
    const Prediction *prediction = point->prediction;
    const GError *refused = point->refused;
    collsim_run run = {.algorithm = keep(x, point->algorithm->name),
                       .params = take(x, point_params(point, FALSE)),
                       .ran = point->ran ? keep(x, point->ran->name) : NULL,
                       .why = keep(x, refused ? refused->message : point->why),
                       .p = point->p,
                       .root = point->root,
                       .bytes = point->m,
                       .time_s = point_timed(point) ? point->time_s : NAN,
                       .setting = take(x, point_setting(&r->library, point)),
                       .last_arrival_s = NAN,
                       .mean_end_s = NAN,
                       .median_s = NAN,
                       .p99_s = NAN,
                       .parts_ran = take(x, point_parts(r, point))};
    add_standing(&run, r, point, standing);
    add_machine(x, r, point, &run);
    add_columns(x, &r->machine, prediction, &run);
    add_ends(point, &run);
    if (prediction && prediction->skewed) {
        run.last_arrival_s = prediction->skew.last_arrival_s;
        run.mean_end_s = prediction->ends ? prediction->mean_end_s : NAN;
        run.median_s = prediction->skew.median_s;
        run.p99_s = prediction->skew.p99_s;
    }
    if (prediction)
        add_totals(&run, &prediction->totals);
    if (point_timed(point)) {
        run.certificate = take(x, model_certificate_text(r->machine.model, prediction, G_MAXUINT));
        run.costs = take(x, model_costs_text(prediction));
        add_terms(x, prediction, &run);
    } else if (prediction) {
        run.stuck = take(x, join(prediction->stuck));
    }
    g_array_append_val(x->runs, run);
}

size_t collsim_runs_count(const collsim_runs *runs)
{
    return runs ? runs->runs->len : 0;
}

const collsim_run *collsim_runs_at(const collsim_runs *runs, size_t i)
{
    return i < collsim_runs_count(runs) ? &g_array_index(runs->runs, collsim_run, i) : NULL;
}

const char *collsim_runs_note(const collsim_runs *runs, size_t i)
{
    return runs && i < runs->notes->len ? runs->notes->pdata[i] : NULL;
}

void collsim_runs_free(collsim_runs *runs)
{
    if (!runs)
        return;
    g_array_unref(runs->runs);
    g_string_chunk_free(runs->texts);
    g_ptr_array_unref(runs->certified);
    g_ptr_array_unref(runs->columns);
    if (runs->notes)
        g_ptr_array_unref(runs->notes);
    g_free(runs);
}

// ---- Predict and rank -----------------------------------------------------------------------------------------------

// Orders points that are not ranked: first what ran as a fallback, the fastest first; then what has no time.
static int by_time(gconstpointer a, gconstpointer b)
{
    const Point *x = *(Point *const *)a, *y = *(Point *const *)b;
    if (point_timed(x) != point_timed(y))
        return point_timed(x) ? -1 : 1;
    return point_timed(x) ? points_faster(a, b) : 0;
}

// Adds the runs of each place: the fastest first if `sorted`, and otherwise in the order of the points.
static void add_compared(collsim_runs *runs, const Request *r, const GPtrArray *points, gboolean sorted)
{
    for (guint first = 0, end; first < points->len; first = end) {
        g_autoptr(Ranking) ranking = ranking_make(points, first);
        const GPtrArray *ranked = ranking->ranked;
        const double best_s = ranked->len ? ((const Point *)ranked->pdata[0])->time_s : NAN;
        g_autoptr(GPtrArray) others = g_ptr_array_new();
        end = ranking->end;
        for (guint i = 0; sorted && i < ranked->len; i++)
            add_run(runs, r, ranked->pdata[i], &(RunPlace){(int)i + 1, best_s, NULL});
        for (guint i = first; i < end; i++) {
            const int place = (int)ranking_place(ranking, points->pdata[i]);
            if (!sorted)
                add_run(runs, r, points->pdata[i], &(RunPlace){place, best_s, NULL});
            else if (!place)
                g_ptr_array_add(others, points->pdata[i]);
        }
        g_ptr_array_sort(others, by_time);
        for (guint i = 0; i < others->len; i++)
            add_run(runs, r, others->pdata[i], &(RunPlace){0, best_s, NULL});
    }
}

static gboolean run_point(gpointer point, gpointer request, GError **error)
{
    return point_run_lean(point, request, error);
}

typedef enum { RUNS_PREDICTED, RUNS_RANKED, RUNS_BEST } RunsKind;

// What a call wants, and what it gets.
typedef struct RunsCall {
    const collsim_request *request;
    RunsKind kind;
    int most; // of RUNS_BEST
    collsim_runs *runs;
} RunsCall;

static gboolean predict(RunsCall *call, Request *r, GError **error)
{
    points_ask_for_ends(r);
    g_autoptr(GPtrArray) points = points_make(r, error);
    const ParallelWork work = {.run = run_point, .what = "points", .user = r};
    if (!points || !parallel_run(points, &work, error) || !points_any(points, error))
        return FALSE;
    add_compared(call->runs, r, points, call->kind == RUNS_RANKED);
    return TRUE;
}

static gboolean best(RunsCall *call, Request *r, GError **error)
{
    if (call->most < 1 || call->most > 1000)
        return bad_input(error, "most is %d; allowed: 1 .. 1000", call->most);
    g_autoptr(GPtrArray) contests = request_without(r, "without", call->request->option[OPTION_WITHOUT], error) &&
                                            question_no_lists(&r->question, error) &&
                                            request_within(r, "within", call->request->option[OPTION_WITHIN], error)
                                        ? contest_make_all(r, call->most, error)
                                        : NULL;
    g_autoptr(Regret) defaults = NULL;
    if (!contests || !regret_defaults(r, contests, &defaults, error) || !contest_run_all(contests, NULL, NULL, error))
        return FALSE;
    for (guint i = 0; i < contests->len; i++) {
        const Contest *x = contests->pdata[i];
        const RegretPlace *at = defaults ? regret_place(defaults, x->p, x->per_node, x->m) : NULL;
        const GPtrArray *ranking = x->ranking;
        for (guint k = 0; k < ranking->len; k++) {
            const Point *best = ((const Contender *)ranking->pdata[0])->point;
            add_run(call->runs, r, ((const Contender *)ranking->pdata[k])->point,
                    &(RunPlace){(int)k + 1, best->time_s, at});
        }
        const GPtrArray *left_out = x->left_out;
        for (guint k = 0; k < left_out->len; k++)
            add_run(call->runs, r, left_out->pdata[k], &(RunPlace){0, NAN, at});
    }
    return TRUE;
}

static gboolean make(gpointer data, gpointer unused, GError **error)
{
    RunsCall *call = data;
    Request r = {.question.one_root = call->kind == RUNS_BEST};
    (void)unused;
    const gboolean good = library_request_make(call->request, call->kind != RUNS_BEST, &r, error) &&
                          (call->kind == RUNS_BEST ? best(call, &r, error) : predict(call, &r, error));
    if (good)
        call->runs->notes = request_remarks(&r);
    library_request_clear(&r);
    return good;
}

static collsim_runs *run(RunsCall *call, collsim_error **error)
{
    GError *why = NULL;
    call->runs = runs_new();
    const gint *before = parallel_stoppable(call->request ? &call->request->stop : NULL);
    const gboolean good = library_given(call->request, "request", &why) && budget_try(make, call, NULL, &why);
    parallel_stoppable(before);
    if (good)
        return call->runs;
    collsim_runs_free(call->runs);
    library_fail(why, error);
    return NULL;
}

collsim_runs *collsim_predict(const collsim_request *request, collsim_error **error)
{
    return run(&(RunsCall){request, RUNS_PREDICTED, 0, NULL}, error);
}

collsim_runs *collsim_rank(const collsim_request *request, collsim_error **error)
{
    return run(&(RunsCall){request, RUNS_RANKED, 0, NULL}, error);
}

collsim_runs *collsim_best(const collsim_request *request, int most, collsim_error **error)
{
    return run(&(RunsCall){request, RUNS_BEST, most, NULL}, error);
}
