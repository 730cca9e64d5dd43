#include "judge/validate/logged.h"
#include "base/error.h"
#include "base/number.h"
#include "search/search/measurement_rows.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

// What rows are for.
typedef struct Purpose {
    const Model *model;
    gboolean calibrates, defaults;
} Purpose;

// Returns why a sample is passed over; NULL if it becomes a row.
static const char *why_not(const LogSample *s, gconstpointer user)
{
    const Purpose *const purpose = user;
    const Model *const model = purpose->model;
    if (!(s->time_s > 0))
        return "took no time";
    if (s->kind != LOG_COLLECTIVE)
        return purpose->calibrates ? NULL : "are not of a collective";
    if (!s->algorithm || s->p == 0)
        return "do not say which algorithm ran, or on how many ranks";
    if (s->p == 1)
        return "are of one rank";
    if (log_of_library(s) && !purpose->defaults)
        return "are of the library's own choice";
    const CollAlgorithm *a = algorithm_find(s->collective, s->algorithm);
    if (a && a->shared != model->shared)
        return "are of algorithms that the model does not time";
    if (s->root != 0)
        return "have another root than rank 0";
    if (*s->map && !g_str_has_prefix(s->map, "block:") && !g_str_has_prefix(s->map, "cyclic:"))
        return "have a map that is a file";
    return NULL;
}

static ValidateRow row_of(const ValidateRows *rows, const Log *log, const LogSample *s)
{
    g_autofree char *base = g_path_get_basename(log->name);
    if (g_str_has_suffix(base, ".csv"))
        base[strlen(base) - strlen(".csv")] = '\0';
    const gboolean collective = s->kind == LOG_COLLECTIVE;
    g_autofree char *algorithm = log_variant(s);
    ValidateRow row = {.from = log->name,
                       .line = s->line,
                       .file = log->name,
                       .sample = *s,
                       .known = !log_of_library(s), // whose library is not known
                       .use = log_of_library(s) ? ROW_DEFAULT
                              : collective      ? ROW_SCORE
                                                : ROW_CALIBRATE,
                       .set = g_string_chunk_insert_const(rows->made, base),
                       .collective = log_kind_name(s->kind, s->collective),
                       .algorithm = g_string_chunk_insert_const(rows->made, algorithm),
                       .group = s->run ? s->run : "",
                       .bytes = s->bytes,
                       .measured_s = s->time_s,
                       .predicted_s = NAN,
                       .entry = ""};
    const char *const colon = strchr(s->map, ':');
    row.sample.factor = 1; // the time of the log is already that of one run
    row.sample.per_node = MAX(s->per_node, 1);
    if (colon && !number_int(colon + 1, 1, s->p, &row.sample.per_node))
        row.sample.per_node = s->p; // more ranks than there are
    return row;
}

ValidateRows *validate_rows_logged(const GPtrArray *logs, const Model *model, gboolean calibrates, gboolean defaults,
                                   GPtrArray *notes, GError **error)
{
    g_autoptr(ValidateRows) rows = validate_rows_new();
    const Purpose purpose = {model, calibrates, defaults};
    rows->undecided = calibrates;
    measurement_rows_prepare(logs, model, notes);
    for (guint l = 0; l < logs->len; l++) {
        const Log *log = g_ptr_array_index(logs, l);
        g_autoptr(GPtrArray) samples = log_choose(log, why_not, &purpose, notes);
        for (guint i = 0; i < samples->len; i++) {
            const LogSample *s = g_ptr_array_index(samples, i);
            if (s->kind == LOG_COLLECTIVE && !log_of_library(s) && !algorithm_find(s->collective, s->algorithm) &&
                !strchr(s->algorithm, ':')) { // LIB:auto, or refused later
                bad_input(error,
                          "%s:%u: %s has no algorithm `%s`; allowed: the names of `collsim list %s`, or --names "
                          "FILE.csv, which says what other names mean",
                          log->name, s->line, collectives[s->collective].name, s->algorithm,
                          collectives[s->collective].name);
                return NULL;
            }
            const ValidateRow row = row_of(rows, log, s);
            g_array_append_val(rows->rows, row);
        }
    }
    validate_choices_derive(rows);
    if (rows->rows->len)
        return g_steal_pointer(&rows);
    bad_input(error, "no row of the files can be predicted; allowed: rows of collectives that "
                     "say which algorithm ran on how many ranks, a label in front of the file that says it, as "
                     "allreduce:ring:8=FILE or allreduce:ompi-5:auto:2x4=FILE, or --rows FILE.csv");
    return NULL;
}
