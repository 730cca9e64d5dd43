// CSV with a header line. It needs a column of sizes (bytes or size_bytes) and a column of times. What was measured is
// in the columns collective, algorithm and ranks (which was called p before 1.0), or in the file's label. The columns
// params, root, per_node, map, element, counts and oversubscribed are read if they are there; all other columns are ignored.
#include "base/csv.h"
#include "base/error.h"
#include "base/limits.h"
#include "logs/logs.h"
#include <string.h>

enum { MAX_ELEMENT = 1024 }; // longest element in bytes

// The names of a column of times, which a unit follows. If the header has several, the first one of this list is read.
static const char *const times[] = {"time", "median", "max", "avg", "mean", "min"};
static const struct {
    const char *suffix;
    double seconds;
} units[] = {{"_s", 1}, {"_ms", 1e-3}, {"_us", 1e-6}, {"_ns", 1e-9}};

// The indices of the columns; -1 for a column that the header does not have.
typedef struct LogColumns {
    int bytes, time, collective, algorithm, params, p, root, per_node, map, element, counts, oversubscribed;
    double unit; // of the times, in seconds
    char time_name[16];
} LogColumns;

gboolean log_csv_is(const char *line)
{
    return *line != '#' && strchr(line, ',') && (strstr(line, "bytes") || strstr(line, "collective"));
}

// Finds the column of times. A header with times in two units is refused: most likely one of the units is a mistake.
static gboolean find_time(const Csv *csv, LogColumns *c, GError **error)
{
    int unit_seen = -1;
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
            if (c->time < 0) {
                c->time = column;
                c->unit = units[u].seconds;
                g_strlcpy(c->time_name, name, sizeof c->time_name);
            }
        }
    return c->time >= 0 ||
           bad_input(error,
                     "%s:1: no column of times; allowed: time, median, max, avg, mean or min followed by _s, _ms, _us "
                     "or _ns, such as time_s",
                     csv_name(csv));
}

static gboolean find_columns(const Csv *csv, const LogLabel *label, LogColumns *c, GError **error)
{
    c->bytes = csv_column(csv, "size_bytes");
    if (c->bytes < 0 && !csv_need(csv, "bytes", &c->bytes, error))
        return FALSE;
    if (csv_column(csv, "bytes") >= 0 && csv_column(csv, "size_bytes") >= 0)
        return bad_input(error, "%s:1: both bytes and size_bytes; allowed: one of them", csv_name(csv));
    c->collective = csv_column(csv, "collective");
    c->algorithm = csv_column(csv, "algorithm");
    c->params = csv_column(csv, "params");
    c->p = csv_column(csv, csv_column(csv, "ranks") >= 0 ? "ranks" : "p");
    c->root = csv_column(csv, "root");
    c->per_node = csv_column(csv, "per_node");
    c->map = csv_column(csv, "map");
    c->element = csv_column(csv, "element");
    c->counts = csv_column(csv, "counts");
    c->oversubscribed = csv_column(csv, "oversubscribed");
    if (c->collective < 0 && !(label && (label->given || label->part)))
        return bad_input(error,
                         "%s:1: no column `collective`, and no label; allowed: pingpong=%s for one-way times of "
                         "two ranks, COLLECTIVE:ALGORITHM:P=%s for others",
                         csv_name(csv), csv_name(csv), csv_name(csv));
    return find_time(csv, c, error);
}

// Reads an integer from 0 to 2^27. An empty field leaves *value as it is.
static gboolean read_int(const Csv *csv, size_t row, int column, int *value, GError **error)
{
    return !*csv_field(csv, row, column) || csv_int(csv, row, column, 0, LIMIT_RANKS, value, error);
}

static gboolean find_kind(const Csv *csv, size_t row, const char *name, LogSample *sample, GError **error)
{
    return log_find_kind(name, &sample->kind, &sample->collective) ||
           bad_input(error,
                     "%s:%zu: unknown collective `%.40s`; allowed: pingpong, sendrecv, window, window_both, "
                     "reduce_local, or one of `collsim list`",
                     csv_name(csv), csv_line(csv, row), name);
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

// Checks or sets the ranks of what is not a collective.
static gboolean set_ranks(const LogLines *at, LogSample *sample, GError **error)
{
    const int least = sample->kind == LOG_REDUCE ? 1 : 2;
    const gboolean fixed = sample->kind == LOG_REDUCE || sample->kind == LOG_ONE_WAY;
    sample->p = sample->p ? sample->p : least;
    return fixed ? sample->p == least || log_bad(at, error, "%s of %d rank%s; allowed: %d",
                                                 sample->kind == LOG_ONE_WAY ? "a ping-pong" : "reduce_local",
                                                 sample->p, sample->p == 1 ? "" : "s", least)
                 : sample->p >= least || log_bad(at, error, "%s of 1 rank; allowed: 2 or more",
                                                 log_kind_name(sample->kind, sample->collective));
}

static gboolean read_row(LogLines *at, const Csv *csv, const LogColumns *c, size_t row, GError **error)
{
    LogSample sample = {LOG_COLLECTIVE, .element = 1};
    const char *counts = csv_field(csv, row, c->counts), *algorithm = csv_field(csv, row, c->algorithm);
    at->line = (guint)csv_line(csv, row);
    if (c->collective < 0)
        kind_of_label(at->label, &sample);
    else if (!find_kind(csv, row, csv_field(csv, row, c->collective), &sample, error))
        return FALSE;
    if (!csv_size(csv, row, c->bytes, 0, LIMIT_BYTES, &sample.bytes, error) ||
        !csv_number(csv, row, c->time, &sample.time_s, error) || !read_int(csv, row, c->p, &sample.p, error) ||
        !read_int(csv, row, c->root, &sample.root, error) ||
        !read_int(csv, row, c->per_node, &sample.per_node, error) ||
        !read_int(csv, row, c->oversubscribed, &sample.crowded, error) ||
        (*csv_field(csv, row, c->element) && !csv_size(csv, row, c->element, 1, MAX_ELEMENT, &sample.element, error)))
        return FALSE;
    sample.time_s *= c->unit;
    sample.crowded = sample.crowded != 0;
    if (sample.kind != LOG_COLLECTIVE) {
        sample.root = 0;
        return set_ranks(at, &sample, error) && log_add(at, sample, error);
    }
    if (*counts && strcmp(counts, "equal") != 0) {
        log_count(at, "with blocks of unequal lengths");
        return TRUE;
    }
    if (*algorithm)
        sample.algorithm = g_string_chunk_insert_const(at->log->texts, algorithm);
    sample.params = g_string_chunk_insert_const(at->log->texts, csv_field(csv, row, c->params));
    sample.map = g_string_chunk_insert_const(at->log->texts, csv_field(csv, row, c->map));
    return log_add(at, sample, error);
}

gboolean log_csv_read(LogLines *at, const char *text, size_t len, GError **error)
{
    LogColumns columns = {0};
    g_autoptr(Csv) csv = csv_parse(text, len, at->log->name, error);
    if (!csv || !find_columns(csv, at->label, &columns, error))
        return FALSE;
    for (size_t row = 0; row < csv_rows(csv); row++)
        if (!read_row(at, csv, &columns, row, error))
            return FALSE;
    at->log->time_is = g_string_chunk_insert_const(at->log->texts, columns.time_name);
    return TRUE;
}
