// CSV with a header line. It needs a size and a time among the columns in log_columns.c; all others are ignored.
//
//     bytes            what -m is, unless LogReading.bytes or a file of names converts it
//     time             of several, the first that some row has: OSU's max_us before its avg_us, which hides the last rank.
//                      Rows without it are passed over
//     collective, ..   what was measured, if the label does not say it; without an algorithm, an id of Open MPI is its
//                      alias, as ompi:6
//     flags            separated by '|'. Rows are dropped unless all of their flags are few_iters or cray_mpich_cvar, which
//                      say nothing against the times
#include "base/csv.h"
#include "base/error.h"
#include "base/limits.h"
#include "measurements/logs/log_columns.h"
#include "measurements/logs/log_names.h"
#include "measurements/logs/log_lines.h"
#include <string.h>

gboolean log_csv_is(const char *line)
{
    return *line != '#' && strchr(line, ',') && (strstr(line, "bytes") || strstr(line, "collective"));
}

// Returns TRUE if some row that the user keeps has a text in this column.
static gboolean any_text(const Csv *csv, const GArray *where, int column)
{
    for (size_t row = 0; row < csv_rows(csv); row++)
        if (*csv_field(csv, row, column) && log_where_keeps(where, csv, row))
            return TRUE;
    return FALSE;
}

// Chooses the column of times. A header with times in two units is refused: most likely one of the units is a mistake.
static gboolean choose_time(const GArray *where, LogColumns *c, GError **error)
{
    const Csv *const csv = c->csv;
    gboolean some = FALSE; // a row has the time of the column
    c->at[COLUMN_TIME] = -1;
    for (guint i = 0; log_time_names[i]; i++)
        for (int column = 0; column < csv_columns(csv); column++) {
            const char *const name = csv_column_name(csv, column);
            const size_t length = strlen(log_time_names[i]);
            double unit = 0;
            if (strncmp(name, log_time_names[i], length) != 0 || strrchr(name, '_') != name + length ||
                !log_time_unit(name, &unit) || csv_column(csv, name) != column)
                continue;
            if (c->at[COLUMN_TIME] >= 0 && unit != c->unit)
                return bad_input(error, "%s:1: times in two units, %s and *%s; allowed: one unit", csv_name(csv), name,
                                 strrchr(csv_column_name(csv, c->at[COLUMN_TIME]), '_'));
            const gboolean better = !some && any_text(csv, where, column);
            if (c->at[COLUMN_TIME] < 0 || better) {
                c->at[COLUMN_TIME] = column;
                c->unit = unit;
            }
            some |= better;
        }
    return c->at[COLUMN_TIME] >= 0 ||
           bad_input(error,
                     "%s:1: no column of times; allowed: time, median, max, avg, mean or min followed by _s, _ms, _us "
                     "or _ns, such as time_s",
                     csv_name(csv));
}

static gboolean check_bytes(const LogColumns *c, GError **error)
{
    static const char *const figures[] = {"alpha_us", "beta_ns_per_B", "L_us", "G_ns_per_B"};
    const Csv *const csv = c->csv;
    for (guint i = 0; c->at[COLUMN_BYTES] < 0 && i < G_N_ELEMENTS(figures); i++)
        if (csv_column(csv, figures[i]) >= 0)
            return bad_input(error,
                             "%s:1: figures of machines (alpha_us, L_us ..) are not measurements; allowed: a CSV with "
                             "the columns bytes (or size_bytes) and a time",
                             csv_name(csv));
    return LOG_COLUMNS_NEED(c, error, COLUMN_BYTES) &&
           (csv_column(csv, "bytes") < 0 || csv_column(csv, "size_bytes") < 0 ||
            bad_input(error, "%s:1: both bytes and size_bytes; allowed: one of them", csv_name(csv)));
}

static gboolean find_columns(const LogLines *at, const Csv *csv, const GArray *where, LogColumns *c, GError **error)
{
    const LogLabel *const label = at->label;
    log_columns_find(csv, c);
    if (!check_bytes(c, error))
        return FALSE;
    for (int k = 0; k < LOG_N_MATTERS; k++) // those in which the user has not chosen
        if (c->at[k] >= 0 && !log_where_names(where, c->at[k]))
            at->log->column[k] = g_string_chunk_insert_const(at->log->texts, csv_column_name(csv, c->at[k]));
    if (c->at[COLUMN_COLLECTIVE] < 0 && !(label && (label->given || label->part)) &&
        !(at->how->names && c->at[COLUMN_THEIRS] >= 0))
        return bad_input(error,
                         "%s:1: no column `collective`, and no label; allowed: pingpong=%s for one-way times of "
                         "two ranks, bcast:binomial:8=%s and the like for others, or --names",
                         csv_name(csv), log_path(at->log), log_path(at->log));
    return choose_time(where, c, error);
}

static const char usual_flag[] = "library_default";

// Returns TRUE if a row says that a library chose the algorithm.
static gboolean is_usual(const LogColumns *c, size_t row)
{
    return strstr(log_column_text(c, row, COLUMN_FLAGS), usual_flag) ||
           strcmp(log_column_text(c, row, COLUMN_USE), "default") == 0 ||
           strcmp(log_column_text(c, row, COLUMN_ALGORITHM), "default") == 0 ||
           strcmp(log_column_text(c, row, COLUMN_OMPI_ID), "0") == 0;
}

// Counts a row and returns TRUE if one of its flags says that its time is not to be trusted.
static gboolean drop_flagged(LogLines *at, const char *flags)
{
    static const char *const harmless[] = {"few_iters", "cray_mpich_cvar", NULL};
    g_auto(GStrv) each = g_strsplit(flags, "|", -1);
    for (guint i = 0; each[i]; i++)
        if (*each[i] && !g_strv_contains(harmless, each[i]) &&
            !(at->how->defaults && strcmp(each[i], usual_flag) == 0)) {
            g_autofree char *what = g_strdup_printf("flagged %.40s", each[i]);
            log_count(at, what);
            return TRUE;
        }
    return FALSE;
}

// Sets what was measured in a file that does not say it, from its label.
static void kind_of_label(const LogLabel *label, LogSample *sample)
{
    sample->kind = label->given                   ? label->kind
                   : label->part == LOG_PART_ONE  ? LOG_ONE_WAY
                   : label->part == LOG_PART_STEP ? LOG_SENDRECV
                                                  : LOG_WINDOW;
    sample->collective = label->collective;
}

// Sets what a row measured. *known is FALSE if only a file of names can say it.
static gboolean read_kind(const LogLines *at, const LogColumns *c, size_t row, LogSample *sample, gboolean *known,
                          GError **error)
{
    const char *const name = log_column_text(c, row, COLUMN_COLLECTIVE);
    *known = TRUE;
    if (c->at[COLUMN_COLLECTIVE] >= 0)
        return log_find_kind(name, &sample->kind, &sample->collective) ||
               log_bad(at, error,
                       "unknown collective `%.40s`; allowed: pingpong, sendrecv, window, window_both, reduce_local, "
                       "single_copy, or one of `collsim list`",
                       name);
    const gboolean named = at->how->names && (c->at[COLUMN_ALGORITHM] >= 0 || c->at[COLUMN_SCHEDULE] >= 0);
    const gboolean says = at->label && at->label->part && at->label->part != LOG_PART_FLAG; // any collective has flags
    if (at->label && (at->label->given || (says && !named)))
        kind_of_label(at->label, sample);
    else
        *known = FALSE;
    return TRUE;
}

// Sets the algorithm of a row and converts its bytes. *passed is set if the file of names does not have its name.
static gboolean read_algorithm(LogLines *at, const LogColumns *c, size_t row, gboolean known, LogSample *sample,
                               gboolean *passed, GError **error)
{
    GStringChunk *const texts = at->log->texts;
    const char *const algorithm = log_column_text(c, row, COLUMN_ALGORITHM),
                      *const id = log_column_text(c, row, COLUMN_OMPI_ID),
                      *const theirs = log_column_text(c, row, COLUMN_THEIRS);
    const LogName *name = NULL;
    if (at->how->defaults && sample->kind == LOG_COLLECTIVE && known && is_usual(c, row))
        sample->algorithm = "library";
    else if (at->how->names && *theirs && (!known || sample->kind == LOG_COLLECTIVE)) {
        name = log_names_find(at->how->names, c->csv, row, theirs, known, sample);
        *passed = name == NULL;
        if (*passed)
            return TRUE;
    } else if (sample->kind == LOG_COLLECTIVE && *algorithm && c->at[COLUMN_PARAMS] < 0)
        log_set_variant(texts, algorithm, sample);
    else if (sample->kind == LOG_COLLECTIVE && *algorithm)
        sample->algorithm = g_string_chunk_insert_const(texts, algorithm);
    else if (sample->kind == LOG_COLLECTIVE && *id) {
        g_autofree char *alias = strcmp(id, "0") == 0 ? g_strdup("library") : g_strconcat("ompi:", id, NULL);
        sample->algorithm = g_string_chunk_insert_const(texts, alias);
    }
    return log_names_apply(name, at, sample, error);
}

// Checks or sets the ranks of what is not a collective.
static gboolean set_ranks(const LogLines *at, LogSample *sample, GError **error)
{
    const int least = sample->kind == LOG_REDUCE ? 1 : 2;
    const gboolean fixed = sample->kind == LOG_REDUCE || sample->kind == LOG_ONE_WAY || sample->kind == LOG_SINGLE;
    sample->p = sample->p ? sample->p : least;
    return (fixed ? sample->p == least : sample->p >= least) ||
           log_bad(at, error, "%s of %d rank%s; allowed: %d%s",
                   sample->kind == LOG_ONE_WAY ? "a ping-pong" : log_kind_name(sample->kind, sample->collective),
                   sample->p, sample->p == 1 ? "" : "s", least, fixed ? "" : " or more");
}

static gboolean read_numbers(const LogColumns *c, size_t row, LogSample *sample, GError **error)
{
    if (!csv_size(c->csv, row, c->at[COLUMN_BYTES], 0, LIMIT_BYTES, &sample->bytes, error) ||
        !csv_number(c->csv, row, c->at[COLUMN_TIME], &sample->time_s, error) ||
        !log_column_int(c, row, COLUMN_RANKS, 0, &sample->p, error) ||
        !log_column_int(c, row, COLUMN_ROOT, 0, &sample->root, error) ||
        !log_column_int(c, row, COLUMN_PER_NODE, 0, &sample->per_node, error) ||
        !log_column_int(c, row, COLUMN_CROWDED, 0, &sample->crowded, error) ||
        !log_column_element(c, row, LOG_MAX_ELEMENT, &sample->element, error))
        return FALSE;
    if (*log_column_text(c, row, COLUMN_PREDICTED_S) &&
        !csv_number(c->csv, row, c->at[COLUMN_PREDICTED_S], &sample->predicted_s, error))
        return FALSE;
    sample->time_s *= c->unit;
    sample->crowded = sample->crowded != 0;
    sample->predicted = log_column_predicted(c, row);
    return TRUE;
}

// Returns a field's text as the log owns it; NULL if it is empty.
static const char *owned(Log *log, const LogColumns *c, size_t row, LogColumn column)
{
    const char *const text = log_column_text(c, row, column);
    return *text ? g_string_chunk_insert_const(log->texts, text) : NULL;
}

static void read_texts(const LogLines *at, const LogColumns *c, size_t row, LogSample *sample)
{
    Log *const log = at->log;
    const char *const place = log_column_text(c, row, COLUMN_PLACE);
    sample->params = owned(log, c, row, COLUMN_PARAMS);
    sample->map = owned(log, c, row, COLUMN_MAP);
    sample->machine = owned(log, c, row, COLUMN_MACHINE);
    sample->run = owned(log, c, row, at->how->defaults && c->at[COLUMN_RUN] < 0 ? COLUMN_GROUP : COLUMN_RUN);
    if (*place) {
        g_autofree char *text = g_strconcat(c->at[COLUMN_MAP] == c->at[COLUMN_PLACE] ? "map=" : "map_by=", place, NULL);
        sample->place = g_string_chunk_insert_const(log->texts, text);
    }
}

// Reads a row that the user keeps.
static gboolean read_row(LogLines *at, const LogColumns *c, size_t row, GError **error)
{
    LogSample sample = {LOG_COLLECTIVE};
    gboolean known, passed = FALSE;
    const char *const counts = log_column_text(c, row, COLUMN_COUNTS);
    if (drop_flagged(at, log_column_text(c, row, COLUMN_FLAGS)))
        return TRUE;
    if (!read_kind(at, c, row, &sample, &known, error) || !read_numbers(c, row, &sample, error))
        return FALSE;
    if (*counts && strcmp(counts, "equal") != 0 && sample.kind == LOG_COLLECTIVE) {
        log_count(at, "with blocks of unequal lengths");
        return TRUE;
    }
    read_texts(at, c, row, &sample);
    if (!read_algorithm(at, c, row, known, &sample, &passed, error))
        return FALSE;
    if (passed) {
        log_count(at, "with names of algorithms that the file of names does not have");
        return TRUE;
    }
    if (sample.kind != LOG_COLLECTIVE) {
        sample.root = 0;
        if (!set_ranks(at, &sample, error))
            return FALSE;
    }
    return log_add(at, sample, error);
}

gboolean log_csv_read(LogLines *at, const char *text, size_t len, GError **error)
{
    LogColumns columns = {0};
    g_autoptr(GPtrArray) faults = g_ptr_array_new();
    g_autoptr(Csv) csv = csv_parse_good(text, len, at->log->name, faults, error);
    g_autoptr(GArray) where = csv ? log_where_read(at, csv, error) : NULL;
    if (!where || !find_columns(at, csv, where, &columns, error)) {
        g_ptr_array_set_free_func(faults, (GDestroyNotify)g_error_free);
        return FALSE;
    }
    for (guint i = 0; i < faults->len; i++)
        log_fault(at, faults->pdata[i]);
    const char *const time = csv_column_name(csv, columns.at[COLUMN_TIME]);
    g_autofree char *untimed = g_strdup_printf("without %s", time);
    const gboolean some = any_text(csv, where, columns.at[COLUMN_TIME]);
    for (size_t row = 0; row < csv_rows(csv) && !at->full; row++) {
        GError *fault = NULL;
        at->line = (guint)csv_line(csv, row);
        if (!log_where_keeps(where, csv, row))
            log_count(at, "that --where drops");
        else if (some && !*log_column_text(&columns, row, COLUMN_TIME))
            log_count(at, untimed);
        else if (!read_row(at, &columns, row, &fault))
            log_fault(at, fault);
    }
    at->log->time_is = g_string_chunk_insert_const(at->log->texts, time);
    return TRUE;
}
