#include "search/search/measurement_rows.h"
#include "base/distinct.h"
#include "base/error.h"
#include "engine/schedule/parse.h"
#include "search/search/points.h"
#include <string.h>

static void row_clear(gpointer data)
{
    CalibrateRow *row = data;
    g_free(row->series);
}

static gboolean is_said(const LogSample *s)
{
    return s->algorithm && s->p > 0;
}

// Says that neither the log nor its label says which algorithm ran on how many ranks. Returns FALSE.
static gboolean unsaid(const Log *log, const LogSample *s, gboolean shared, GError **error)
{
    g_autofree char *label = log_label_for(log, s, shared);
    return bad_input(error, "%s:%u: the log does not say %s; allowed: a label, as %s (`collsim list %s` has the names)",
                     log->name, s->line,
                     s->algorithm ? "on how many ranks"
                     : s->p       ? "which algorithm ran"
                                  : "which algorithm ran on how many ranks",
                     label, collectives[s->collective].name);
}

gboolean measurement_request(const LogSample *s, const Platform *machine, const Model *model, Request *r,
                             GError **error)
{
    const size_t p = (size_t)s->p;
    *r = (Request){.question.collective = s->collective,
                   .machine.platform = (Platform *)(uintptr_t)machine,
                   .machine.model = model,
                   .question.ranks = g_array_new(FALSE, FALSE, sizeof p),
                   .question.sizes = g_array_new(FALSE, FALSE, sizeof p),
                   .question.root = s->root,
                   .question.params = *s->params ? g_strsplit(s->params, ";", -1) : NULL,
                   .question.elem = log_whole_element(s),
                   .machine.map = map_blocks(s->per_node),
                   .machine.options = {.clocks = s->mean}};
    g_array_append_val(r->question.ranks, p);
    g_array_append_val(r->question.sizes, s->bytes);
    request_price_links(&r->machine);
    return !*s->map || map_parse(s->map, p, &r->machine.map, error);
}

void measurement_request_clear(Request *r)
{
    r->machine.platform = NULL;
    g_strfreev(r->question.params);
    request_clear(r);
}

// What turns samples into rows.
typedef struct RowMaker {
    const Model *model;
    Platform *machine;
    GPtrArray *keep, *notes;
    GArray *rows;
    GPtrArray *names; // of Request *, by collective, which own what libraries decide; NULL where none does
} RowMaker;

static void names_free(gpointer names)
{
    if (!names)
        return;
    request_clear(names);
    g_free(names);
}

// Returns what a sample's name means to `run`. The names of a collective share a request, which has each of them once.
static const CollAlgorithm *find_algorithm(RowMaker *maker, const LogSample *s, GError **error)
{
    gpointer *names = &maker->names->pdata[s->collective];
    const CollAlgorithm *a = algorithm_find(s->collective, s->algorithm);
    if (a)
        return a;
    if (!*names) {
        *names = g_new0(Request, 1);
        ((Request *)*names)->question.collective = s->collective;
    }
    Request *r = *names;
    return request_named(r, s->algorithm, error);
}

// Makes the operation of one sample, with the same checks as `run`. *op has no algorithm if it is not known what a
// library runs.
static gboolean make_operation(RowMaker *maker, const LogSample *s, const CollAlgorithm *a, Operation *op,
                               const Mapping **map, GError **error)
{
    const Request *const names = maker->names->pdata[s->collective];
    Request request;
    GPtrArray *points = NULL;
    if (measurement_request(s, maker->machine, maker->model, &request, error)) {
        request.question.named = g_ptr_array_new();
        g_ptr_array_add(request.question.named, (gpointer)(uintptr_t)a);
        request.library.autos = names && names->library.autos ? g_ptr_array_ref(names->library.autos) : NULL;
        points = points_make(&request, error);
    }
    if (points) {
        const Point *point = g_ptr_array_index(points, 0);
        *op = point_operation(&request, g_ptr_array_index(points, 0));
        *map = request_mapping(&request.machine, s->p, point->per_node);
    }
    GPtrArray *placed = g_ptr_array_new_with_free_func((GDestroyNotify)g_hash_table_unref); // the operation's nodes
    if (request.machine.placed)
        g_ptr_array_add(placed, g_steal_pointer(&request.machine.placed));
    g_ptr_array_add(maker->keep, placed);
    measurement_request_clear(&request);
    if (points)
        g_ptr_array_add(maker->keep, points); // the last of them
    return points != NULL;
}

static gboolean add_row(RowMaker *maker, const Log *log, const LogSample *s, GError **error)
{
    const Model *const model = maker->model;
    Operation op;
    const Mapping *map = NULL;
    if (s->p == 1 || log_of_library(s)) {
        distinct_take(maker->notes,
                      g_strdup_printf("%s: rows of %s", log->name,
                                      s->p == 1 ? "one rank are passed over"
                                                : "the library's own choice (an unknown algorithm) are passed "
                                                  "over; a label may name the library, as ompi-5:auto"));
        return TRUE;
    }
    const CollAlgorithm *a = find_algorithm(maker, s, error);
    if (a && a->shared != model->shared) {
        distinct_take(maker->notes,
                      g_strdup_printf("%s: rows of algorithms of %s are passed over: model %s does not time them",
                                      log->name, a->shared ? "shared memory" : "messages", model->name));
        return TRUE;
    }
    if (!a || !make_operation(maker, s, a, &op, &map, error)) {
        g_prefix_error(error, "%s:%u: ", log->name, s->line);
        return FALSE;
    }
    if (!op.algorithm) {
        distinct_take(maker->notes, g_strdup_printf("%s: rows of %s are passed over where it is not known what runs",
                                                    log->name, s->algorithm));
        return TRUE;
    }
    // The name of the series has only the parameters that are not at their defaults.
    const GPtrArray *points = g_ptr_array_index(maker->keep, maker->keep->len - 1);
    const Point *point = g_ptr_array_index(points, 0);
    g_autofree char *params = point_params(point, TRUE);
    const guint last = maker->rows->len;
    g_array_set_size(maker->rows, last + 1);
    g_array_index(maker->rows, CalibrateRow, last) =
        (CalibrateRow){s, op, map,
                       g_strdup_printf("%s %s%s%s, %d ranks", collectives[s->collective].name, a->name,
                                       *params ? " " : "", params, s->p)};
    return TRUE;
}

// Returns true if there are rows that the model can use and whose ranks do not share cores. Rows of one rank do not
// count: a rank that reduces alone shares nothing, but it determines only gamma.
static gboolean any_free(const GPtrArray *logs)
{
    for (const LogSample *s = NULL; (s = logs_next(logs, s));)
        if (!s->crowded && s->p > 1 && !log_of_library(s))
            return TRUE;
    return FALSE;
}

void measurement_rows_prepare(const GPtrArray *logs, const Model *model, GPtrArray *notes)
{
    const gboolean others = any_free(logs);
    for (guint l = 0; l < logs->len; l++) {
        Log *log = g_ptr_array_index(logs, l);
        LogSample *const samples = (LogSample *)(void *)log->samples->data;
        const guint total = log->samples->len;
        guint n = 0;
        for (guint i = 0; i < total; i++) {
            if (others)
                samples[i - n] = samples[i]; // moves up over the rows that go
            n += samples[i].crowded;
        }
        if (others)
            g_array_set_size(log->samples, total - n);
        if (n && others)
            log_pass(log, "%u of %u rows, in which ranks share cores", n, total);
        else if (n)
            distinct_take(notes,
                          g_strdup_printf("%s: in %u of %u rows ranks share cores, and no other rows can be used: the "
                                          "figures say little about the machine",
                                          log->name, n, total));
    }
    logs_note(logs,
              model_replays(model) ? "they are compared with predicted means"
                                   : "the model has no means, and the last rank's end stands for them",
              notes);
}

// Makes the rows of a log. Those that do not say what ran are passed over if there are others.
static gboolean add_log(RowMaker *maker, const Log *log, GError **error)
{
    const LogSample *first = NULL;
    guint n = 0;
    for (guint i = 0; i < log->samples->len; i++) {
        const LogSample *s = &g_array_index(log->samples, LogSample, i);
        if (s->kind == LOG_COLLECTIVE && !is_said(s)) {
            first = first ? first : s;
            n++;
        } else if (s->kind == LOG_COLLECTIVE && !add_row(maker, log, s, error)) {
            return FALSE;
        }
    }
    if (first && n == log->samples->len)
        return unsaid(log, first, maker->model->shared, error);
    if (first) {
        g_autofree char *label = log_label_for(log, first, maker->model->shared);
        distinct_take(
            maker->notes,
            g_strdup_printf("%s: passed over: %u rows from line %u on, which do not say which algorithm ran, or on "
                            "how many ranks; a label says it, as %s",
                            log->name, n, first->line, label));
    }
    return TRUE;
}

GArray *measurement_rows_make(const GPtrArray *logs, const Model *model, Platform *machine, GPtrArray *keep,
                              GPtrArray *notes, GError **error)
{
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(CalibrateRow));
    g_array_set_clear_func(rows, row_clear);
    RowMaker maker = {model, machine, keep, notes, rows, g_ptr_array_new_with_free_func(names_free)};
    g_ptr_array_set_size(maker.names, N_COLLECTIVES);
    gboolean good = TRUE;
    for (guint l = 0; l < logs->len && good; l++) {
        const Log *log = g_ptr_array_index(logs, l);
        good = add_log(&maker, log, error);
    }
    g_ptr_array_add(keep, maker.names); // behind all that has its names
    return good ? g_steal_pointer(&rows) : NULL;
}
