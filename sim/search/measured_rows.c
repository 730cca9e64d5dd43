#include "search/measured_rows.h"
#include "base/error.h"
#include "schedule/names.h"
#include "search/points.h"
#include <string.h>

static void row_clear(gpointer data)
{
    CalibrateRow *row = data;
    g_free(row->series);
}

static void add_note(GPtrArray *notes, char *text)
{
    if (g_ptr_array_find_with_equal_func(notes, text, g_str_equal, NULL))
        g_free(text);
    else
        g_ptr_array_add(notes, text);
}

// Returns FALSE and an error if neither the log nor its label says which algorithm ran on how many ranks.
static gboolean check_said(const Log *log, const LogSample *s, GError **error)
{
    const char *name = collectives[s->collective].name;
    if (s->algorithm && s->p > 0)
        return TRUE;
    return bad_input(
        error, "%s:%u: the log does not say %s; allowed: a label, as %s:%s:%s=%s (`collsim list %s` has the names)",
        log->name, s->line,
        s->algorithm ? "on how many ranks"
        : s->p       ? "which algorithm ran"
                     : "which algorithm ran on how many ranks",
        name, s->algorithm ? s->algorithm : "ALGORITHM", s->p ? "" : "P", log->name, name);
}

// Makes the operation of one sample, with the same checks as `run`; `keep` owns what it points to.
static gboolean make_operation(const LogSample *s, const CollAlgorithm *a, const Model *model, Platform *machine,
                               GPtrArray *keep, Operation *op, const Mapping **map, GError **error)
{
    const size_t p = (size_t)s->p;
    g_autoptr(GArray) ranks = g_array_new(FALSE, FALSE, sizeof(size_t)),
                      sizes = g_array_new(FALSE, FALSE, sizeof(size_t));
    g_auto(GStrv) params = *s->params ? g_strsplit(s->params, ";", -1) : NULL;
    g_autoptr(GPtrArray) named = g_ptr_array_new();
    g_ptr_array_add(named, (gpointer)(uintptr_t)a);
    g_array_append_val(ranks, p);
    g_array_append_val(sizes, s->bytes);
    Request request = {.collective = s->collective,
                       .named = named,
                       .ranks = ranks,
                       .sizes = sizes,
                       .root = s->root,
                       .params = params,
                       .elem = log_whole_element(s, 0),
                       .map = {.kind = s->per_node ? MAP_BLOCK : MAP_NONE, .k = s->per_node},
                       .platform = machine,
                       .model = model};
    if (*s->map && !map_parse(s->map, p, &request.map, error))
        return FALSE;
    GPtrArray *points = points_make(&request, error);
    if (points) {
        const Point *point = g_ptr_array_index(points, 0);
        *op = point_operation(&request, g_ptr_array_index(points, 0));
        *map = request_mapping(&request, s->p, point->per_node);
    }
    GPtrArray *placed = g_ptr_array_new_with_free_func((GDestroyNotify)g_hash_table_unref); // the operation's nodes
    if (request.placed)
        g_ptr_array_add(placed, request.placed);
    g_ptr_array_add(keep, placed);
    map_clear(&request.map);
    if (points)
        g_ptr_array_add(keep, points); // the last of them
    return points != NULL;
}

static gboolean add_row(const Log *log, const LogSample *s, const Model *model, Platform *machine, GPtrArray *keep,
                        GPtrArray *notes, GArray *rows, GError **error)
{
    Operation op;
    const Mapping *map = NULL;
    if (!check_said(log, s, error))
        return FALSE;
    if (s->p == 1 || g_str_has_prefix(s->algorithm, "library")) {
        add_note(notes, g_strdup_printf("%s: rows of %s are passed over", log->name,
                                        s->p == 1 ? "one rank" : "the library's own choice (an unknown algorithm)"));
        return TRUE;
    }
    const CollAlgorithm *a = algorithm_parse(s->collective, s->algorithm, error);
    if (a && a->shared != model->shared) {
        add_note(notes, g_strdup_printf("%s: rows of algorithms of %s are passed over: model %s does not time them",
                                        log->name, a->shared ? "shared memory" : "messages", model->name));
        return TRUE;
    }
    if (!a || !make_operation(s, a, model, machine, keep, &op, &map, error)) {
        g_prefix_error(error, "%s:%u: ", log->name, s->line);
        return FALSE;
    }
    // The name of the series has only the parameters that are not at their defaults.
    const GPtrArray *points = g_ptr_array_index(keep, keep->len - 1);
    const Point *point = g_ptr_array_index(points, 0);
    g_autofree char *params = point_params(point, TRUE);
    const guint last = rows->len;
    g_array_set_size(rows, last + 1);
    g_array_index(rows, CalibrateRow, last) =
        (CalibrateRow){log, s, op, map,
                       g_strdup_printf("%s %s%s%s, %d ranks", collectives[s->collective].name, a->name,
                                       *params ? " " : "", params, s->p)};
    return TRUE;
}

// Returns true if there are rows that the model can use and whose ranks do not share cores. Rows of one rank do not
// count: a rank that reduces alone shares nothing, but it determines only gamma.
static gboolean any_free(const GPtrArray *logs)
{
    for (guint l = 0; l < logs->len; l++) {
        const GArray *samples = ((const Log *)g_ptr_array_index(logs, l))->samples;
        for (guint i = 0; i < samples->len; i++) {
            const LogSample *s = &g_array_index(samples, LogSample, i);
            if (!s->crowded && s->p > 1 && !(s->algorithm && g_str_has_prefix(s->algorithm, "library")))
                return TRUE;
        }
    }
    return FALSE;
}

void measured_rows_pass_crowded(const GPtrArray *logs, GPtrArray *notes)
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
            add_note(notes,
                     g_strdup_printf("%s: in %u of %u rows ranks share cores, and no other rows can be used: the "
                                     "figures say little about the machine",
                                     log->name, n, total));
    }
}

GArray *measured_rows_make(const GPtrArray *logs, const Model *model, Platform *machine, GPtrArray *keep,
                           GPtrArray *notes, GError **error)
{
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(CalibrateRow));
    g_array_set_clear_func(rows, row_clear);
    for (guint l = 0; l < logs->len; l++) {
        const Log *log = g_ptr_array_index(logs, l);
        for (guint i = 0; i < log->passed->len; i++)
            add_note(notes,
                     g_strdup_printf("%s: passed over: %s", log->name, (char *)g_ptr_array_index(log->passed, i)));
        for (guint i = 0; i < log->samples->len; i++) {
            const LogSample *s = &g_array_index(log->samples, LogSample, i);
            if (s->kind == LOG_COLLECTIVE && !add_row(log, s, model, machine, keep, notes, rows, error))
                return NULL;
        }
    }
    return g_steal_pointer(&rows);
}
