// CSV with a header line. Of these columns it needs a size and a time; all columns that are not listed are ignored.
//
//     bytes, size_bytes                     the size: what -m is, unless LogReading.bytes or a file of names converts it
//     time, median, max, avg, mean, min,    the time, followed by _s, _ms, _us or _ns. Of several, the first in this list
//     min_run, median_run, max_run          that some row has: OSU's max_us before its avg_us, which hides the last rank.
//                                           Rows without it are passed over
//     collective, algorithm, params         what was measured, if the label does not say it. With a file of names the
//     schedule, kind, ompi_id               name is in the first that exists of algorithm, schedule, kind and ompi_id;
//                                           without one, an id of Open MPI is its alias, as ompi:6
//     ranks, p, nranks                      the number of ranks
//     per_node, ppn                         ranks of a node
//     map; map_by                           where ranks were: as --map takes it, or in other words
//     run, timestamp, experiment, source    the run
//     machine, system, partition            the machine
//     flags                                 separated by '|'. Rows are dropped unless all of their flags are few_iters or
//                                           cray_mpich_cvar, which say nothing against the times
//     root, element, counts, oversubscribed as `run` and `measure` write them
//
// Where a line has several names, the first that the header has is taken.
#include "base/csv.h"
#include "base/error.h"
#include "base/limits.h"
#include "logs/log_names.h"
#include "logs/logs.h"
#include <string.h>

static const char *const times[] = {"time", "median", "max", "avg", "mean", "min", "min_run", "median_run", "max_run"};
static const struct {
    const char *suffix;
    double seconds;
} units[] = {{"_s", 1}, {"_ms", 1e-3}, {"_us", 1e-6}, {"_ns", 1e-9}};

// The indices of the columns; -1 for a column that the header does not have.
typedef struct LogColumns {
    int bytes, time, collective, algorithm, schedule, theirs, ompi_id, params, p, root, per_node, map, element, counts,
        flags;
    int oversubscribed;
    int matter[LOG_N_MATTERS];
    double unit; // of the times, in seconds
    char time_name[32];
} LogColumns;

gboolean log_csv_is(const char *line)
{
    return *line != '#' && strchr(line, ',') && (strstr(line, "bytes") || strstr(line, "collective"));
}

// Returns the index of the first of these columns (a NULL ends them) that the header has, or -1.
static int any_column(const Csv *csv, const char *const *names)
{
    for (; *names; names++)
        if (csv_column(csv, *names) >= 0)
            return csv_column(csv, *names);
    return -1;
}
#define ANY(csv, ...) any_column(csv, (const char *const[]){__VA_ARGS__, NULL})

// Returns TRUE if some row that the user keeps has a text in this column.
static gboolean any_text(const Csv *csv, const GArray *where, int column)
{
    for (size_t row = 0; row < csv_rows(csv); row++)
        if (*csv_field(csv, row, column) && log_where_keeps(where, csv, row))
            return TRUE;
    return FALSE;
}

// Finds the column of times. A header with times in two units is refused: most likely one of the units is a mistake.
static gboolean find_time(const Csv *csv, const GArray *where, LogColumns *c, GError **error)
{
    int unit_seen = -1;
    gboolean some = FALSE; // a row has the time of c->time
    c->time = -1;
    for (guint i = 0; i < G_N_ELEMENTS(times); i++)
        for (guint u = 0; u < G_N_ELEMENTS(units); u++) {
            g_autofree char *name = g_strconcat(times[i], units[u].suffix, NULL);
            const int column = csv_column(csv, name);
            if (column < 0)
                continue;
            if (unit_seen >= 0 && unit_seen != (int)u)
                return bad_input(error, "%s:1: times in two units, %s and *%s; allowed: one unit", csv_name(csv), name,
                                 units[unit_seen].suffix);
            unit_seen = (int)u;
            const gboolean better = !some && any_text(csv, where, column);
            if (c->time < 0 || better) {
                c->time = column;
                c->unit = units[u].seconds;
                g_strlcpy(c->time_name, name, sizeof c->time_name);
            }
            some |= better;
        }
    return c->time >= 0 ||
           bad_input(error,
                     "%s:1: no column of times; allowed: time, median, max, avg, mean or min followed by _s, _ms, _us "
                     "or _ns, such as time_s",
                     csv_name(csv));
}

static gboolean find_bytes(const Csv *csv, LogColumns *c, GError **error)
{
    const int figure = ANY(csv, "alpha_us", "beta_ns_per_B", "L_us", "G_ns_per_B");
    c->bytes = ANY(csv, "size_bytes", "bytes");
    if (c->bytes < 0 && figure >= 0)
        return bad_input(error,
                         "%s:1: figures of machines (alpha_us, L_us ..) are not measurements; allowed: a CSV with the "
                         "columns bytes (or size_bytes) and a time",
                         csv_name(csv));
    if (c->bytes < 0)
        return csv_need(csv, "bytes", &c->bytes, error);
    return csv_column(csv, "bytes") < 0 || csv_column(csv, "size_bytes") < 0 ||
           bad_input(error, "%s:1: both bytes and size_bytes; allowed: one of them", csv_name(csv));
}

// Finds the columns in which rows must agree, and tells the log those in which the user has not chosen.
static void find_matters(const Csv *csv, const GArray *where, LogColumns *c, Log *log)
{
    static const char *const names[LOG_N_MATTERS][5] = {
        [LOG_MACHINE] = {"machine", "system", "partition"},
        [LOG_RUN] = {"run", "timestamp", "experiment", "source"},
        [LOG_PLACE] = {"map_by", "map"},
        [LOG_PER_NODE] = {"per_node", "ppn"},
    };
    for (int k = 0; k < LOG_N_MATTERS; k++) {
        c->matter[k] = any_column(csv, names[k]);
        for (int i = 0; names[k][i]; i++)
            if (c->matter[k] >= 0 && csv_column(csv, names[k][i]) == c->matter[k] &&
                !log_where_names(where, c->matter[k]))
                log->column[k] = names[k][i];
    }
}

static gboolean find_columns(const LogLines *at, const Csv *csv, const GArray *where, LogColumns *c, GError **error)
{
    const LogLabel *const label = at->label;
    if (!find_bytes(csv, c, error))
        return FALSE;
    c->collective = csv_column(csv, "collective");
    c->algorithm = csv_column(csv, "algorithm");
    c->schedule = csv_column(csv, "schedule");
    c->ompi_id = csv_column(csv, "ompi_id");
    c->theirs = ANY(csv, "algorithm", "schedule", "kind", "ompi_id");
    c->params = csv_column(csv, "params");
    c->p = ANY(csv, "ranks", "p", "nranks");
    c->root = csv_column(csv, "root");
    c->per_node = ANY(csv, "per_node", "ppn");
    c->map = csv_column(csv, "map");
    c->element = csv_column(csv, "element");
    c->counts = csv_column(csv, "counts");
    c->flags = csv_column(csv, "flags");
    c->oversubscribed = csv_column(csv, "oversubscribed");
    find_matters(csv, where, c, at->log);
    if (c->collective < 0 && !(label && (label->given || label->part)) && !(at->how->names && c->theirs >= 0))
        return bad_input(error,
                         "%s:1: no column `collective`, and no label; allowed: pingpong=%s for one-way times of "
                         "two ranks, bcast:binomial:8=%s and the like for others, or --names",
                         csv_name(csv), log_path(at->log), log_path(at->log));
    return find_time(csv, where, c, error);
}

// Reads an integer from 0 to 2^27. An empty field leaves *value as it is.
static gboolean read_int(const Csv *csv, size_t row, int column, int *value, GError **error)
{
    return !*csv_field(csv, row, column) || csv_int(csv, row, column, 0, LIMIT_RANKS, value, error);
}

// Counts a row and returns TRUE if one of its flags says that its time is not to be trusted.
static gboolean drop_flagged(LogLines *at, const char *flags)
{
    static const char *const harmless[] = {"few_iters", "cray_mpich_cvar", NULL};
    g_auto(GStrv) each = g_strsplit(flags, "|", -1);
    for (guint i = 0; each[i]; i++)
        if (*each[i] && !g_strv_contains(harmless, each[i])) {
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
static gboolean read_kind(const LogLines *at, const Csv *csv, const LogColumns *c, size_t row, LogSample *sample,
                          gboolean *known, GError **error)
{
    const char *const name = csv_field(csv, row, c->collective);
    *known = TRUE;
    if (c->collective >= 0)
        return log_find_kind(name, &sample->kind, &sample->collective) ||
               log_bad(at, error,
                       "unknown collective `%.40s`; allowed: pingpong, sendrecv, window, window_both, reduce_local, or "
                       "one of `collsim list`",
                       name);
    const gboolean named = at->how->names && (c->algorithm >= 0 || c->schedule >= 0);
    if (at->label && (at->label->given || (at->label->part && !named)))
        kind_of_label(at->label, sample);
    else
        *known = FALSE;
    return TRUE;
}

// Sets the algorithm of a row and converts its bytes. *passed is set if the file of names does not have its name.
static gboolean read_algorithm(LogLines *at, const Csv *csv, const LogColumns *c, size_t row, gboolean known,
                               LogSample *sample, gboolean *passed, GError **error)
{
    GStringChunk *const texts = at->log->texts;
    const char *const algorithm = csv_field(csv, row, c->algorithm), *const id = csv_field(csv, row, c->ompi_id);
    const char *const theirs = csv_field(csv, row, c->theirs);
    const LogName *name = NULL;
    if (at->how->names && *theirs && (!known || sample->kind == LOG_COLLECTIVE)) {
        name = log_names_find(at->how->names, csv, row, theirs, known, sample);
        *passed = name == NULL;
        if (*passed)
            return TRUE;
    } else if (sample->kind == LOG_COLLECTIVE && *algorithm)
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
    const gboolean fixed = sample->kind == LOG_REDUCE || sample->kind == LOG_ONE_WAY;
    sample->p = sample->p ? sample->p : least;
    return (fixed ? sample->p == least : sample->p >= least) ||
           log_bad(at, error, "%s of %d rank%s; allowed: %d%s",
                   sample->kind == LOG_ONE_WAY ? "a ping-pong" : log_kind_name(sample->kind, sample->collective),
                   sample->p, sample->p == 1 ? "" : "s", least, fixed ? "" : " or more");
}

static gboolean read_numbers(const Csv *csv, const LogColumns *c, size_t row, LogSample *sample, GError **error)
{
    if (!csv_size(csv, row, c->bytes, 0, LIMIT_BYTES, &sample->bytes, error) ||
        !csv_number(csv, row, c->time, &sample->time_s, error) || !read_int(csv, row, c->p, &sample->p, error) ||
        !read_int(csv, row, c->root, &sample->root, error) ||
        !read_int(csv, row, c->per_node, &sample->per_node, error) ||
        !read_int(csv, row, c->oversubscribed, &sample->crowded, error) ||
        (*csv_field(csv, row, c->element) &&
         !csv_size(csv, row, c->element, 1, LOG_MAX_ELEMENT, &sample->element, error)))
        return FALSE;
    sample->time_s *= c->unit;
    sample->crowded = sample->crowded != 0;
    return TRUE;
}

// Returns a field's text as the log owns it; NULL if it is empty.
static const char *owned(Log *log, const Csv *csv, size_t row, int column)
{
    const char *const text = csv_field(csv, row, column);
    return *text ? g_string_chunk_insert_const(log->texts, text) : NULL;
}

static void read_texts(Log *log, const Csv *csv, const LogColumns *c, size_t row, LogSample *sample)
{
    const char *const place = csv_field(csv, row, c->matter[LOG_PLACE]);
    sample->params = owned(log, csv, row, c->params);
    sample->map = owned(log, csv, row, c->map);
    sample->machine = owned(log, csv, row, c->matter[LOG_MACHINE]);
    sample->run = owned(log, csv, row, c->matter[LOG_RUN]);
    if (*place) {
        g_autofree char *text = g_strconcat(c->map == c->matter[LOG_PLACE] ? "map=" : "map_by=", place, NULL);
        sample->place = g_string_chunk_insert_const(log->texts, text);
    }
}

// Reads a row that the user keeps.
static gboolean read_row(LogLines *at, const Csv *csv, const LogColumns *c, size_t row, GError **error)
{
    LogSample sample = {LOG_COLLECTIVE};
    gboolean known, passed = FALSE;
    const char *const counts = csv_field(csv, row, c->counts);
    if (drop_flagged(at, csv_field(csv, row, c->flags)))
        return TRUE;
    if (!read_kind(at, csv, c, row, &sample, &known, error) || !read_numbers(csv, c, row, &sample, error))
        return FALSE;
    if (*counts && strcmp(counts, "equal") != 0 && sample.kind == LOG_COLLECTIVE) {
        log_count(at, "with blocks of unequal lengths");
        return TRUE;
    }
    read_texts(at->log, csv, c, row, &sample);
    if (!read_algorithm(at, csv, c, row, known, &sample, &passed, error))
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
    g_autoptr(Csv) csv = csv_parse(text, len, at->log->name, error);
    g_autoptr(GArray) where = csv ? log_where_read(at, csv, error) : NULL;
    if (!where || !find_columns(at, csv, where, &columns, error))
        return FALSE;
    g_autofree char *untimed = g_strdup_printf("without %s", columns.time_name);
    const gboolean some = any_text(csv, where, columns.time);
    for (size_t row = 0; row < csv_rows(csv); row++) {
        at->line = (guint)csv_line(csv, row);
        if (!log_where_keeps(where, csv, row))
            log_count(at, "that --where drops");
        else if (some && !*csv_field(csv, row, columns.time))
            log_count(at, untimed);
        else if (!read_row(at, csv, &columns, row, error))
            return FALSE;
    }
    at->log->time_is = g_string_chunk_insert_const(at->log->texts, columns.time_name);
    return TRUE;
}
