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
    if (c->collective < 0 && !(label && label->given))
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

// Finds what was measured by its name in the column `collective`.
static gboolean find_kind(const Csv *csv, size_t row, const char *name, LogSampleKind *kind, Collective *collective,
                          GError **error)
{
    *kind = LOG_COLLECTIVE;
    for (int i = 0; i < N_COLLECTIVES; i++)
        if (g_ascii_strcasecmp(name, collectives[i].name) == 0) {
            *collective = (Collective)i;
            return TRUE;
        }
    return log_find_probe(name, kind) ||
           bad_input(error,
                     "%s:%zu: unknown collective `%.40s`; allowed: pingpong, reduce_local, or one of `collsim list`",
                     csv_name(csv), csv_line(csv, row), name);
}

static gboolean add_probe(LogLines *at, LogSampleKind kind, int p, size_t bytes, double time_s, int crowded,
                          GError **error)
{
    const int ranks = kind == LOG_ONE_WAY ? 2 : 1;
    if (p != 0 && p != ranks)
        return log_bad(at, error, "%s of %d rank%s; allowed: %d", kind == LOG_ONE_WAY ? "a ping-pong" : "reduce_local",
                       p, p == 1 ? "" : "s", ranks);
    if (!log_add_probe(at, kind, bytes, time_s, error))
        return FALSE;
    g_array_index(at->log->samples, LogSample, at->log->samples->len - 1).crowded = crowded != 0;
    return TRUE;
}

static gboolean read_row(LogLines *at, const Csv *csv, const LogColumns *c, size_t row, GError **error)
{
    double time = 0;
    size_t bytes = 0, element = 1;
    LogSampleKind kind = LOG_COLLECTIVE;
    Collective collective = COLL_BCAST;
    int p = 0, root = 0, per_node = 0, crowded = 0;
    const char *counts = csv_field(csv, row, c->counts);
    at->line = (guint)csv_line(csv, row);
    if (c->collective < 0) {
        kind = at->label->kind;
        collective = at->label->collective;
    } else if (!find_kind(csv, row, csv_field(csv, row, c->collective), &kind, &collective, error))
        return FALSE;
    if (!csv_size(csv, row, c->bytes, 0, LIMIT_BYTES, &bytes, error) || !csv_number(csv, row, c->time, &time, error) ||
        !read_int(csv, row, c->p, &p, error) || !read_int(csv, row, c->root, &root, error) ||
        !read_int(csv, row, c->per_node, &per_node, error) || !read_int(csv, row, c->oversubscribed, &crowded, error) ||
        (*csv_field(csv, row, c->element) && !csv_size(csv, row, c->element, 1, MAX_ELEMENT, &element, error)))
        return FALSE;
    if (kind != LOG_COLLECTIVE)
        return add_probe(at, kind, p, bytes, time * c->unit, crowded, error);
    if (*counts && strcmp(counts, "equal") != 0) {
        log_pass(at->log, "rows with blocks of unequal lengths");
        return TRUE;
    }
    if (!log_add_collective(at, collective, p, element, bytes, time * c->unit, error))
        return FALSE;
    LogSample *sample = &g_array_index(at->log->samples, LogSample, at->log->samples->len - 1);
    const char *algorithm = csv_field(csv, row, c->algorithm);
    if (*algorithm && sample->algorithm && strcmp(algorithm, sample->algorithm) != 0)
        return log_bad(at, error, "the algorithm is %.40s, the label says %s", algorithm, sample->algorithm);
    if (*algorithm)
        sample->algorithm = g_string_chunk_insert_const(at->log->texts, algorithm);
    sample->params = g_string_chunk_insert_const(at->log->texts, csv_field(csv, row, c->params));
    sample->root = root;
    sample->crowded = crowded != 0;
    sample->per_node = per_node;
    sample->map = g_string_chunk_insert_const(at->log->texts, csv_field(csv, row, c->map));
    return root < MAX(sample->p, 1) || log_bad(at, error, "root %d; allowed: 0 .. %d", root, MAX(sample->p, 1) - 1);
}

gboolean log_csv_read(Log *log, const char *text, size_t len, const LogLabel *label, GError **error)
{
    LogColumns columns = {0};
    g_autoptr(Csv) csv = csv_parse(text, len, log->name, error);
    if (!csv || !find_columns(csv, label, &columns, error))
        return FALSE;
    LogLines at = {.log = log, .label = label};
    for (size_t row = 0; row < csv_rows(csv); row++)
        if (!read_row(&at, csv, &columns, row, error))
            return FALSE;
    log->time_is = g_string_chunk_insert_const(log->texts, columns.time_name);
    return TRUE;
}
