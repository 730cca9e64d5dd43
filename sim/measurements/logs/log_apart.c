// Whether tables that have one size agree about its time. Times of a node and of a network, fitted as one, would be
// neither.
#include "base/error.h"
#include "base/units.h"
#include "measurements/logs/log.h"
#include <string.h>

#define MOST_APART 3.0 // times of one size in two tables that are further apart are not of the same wires

// A row that is compared, with the number of its log.
typedef struct ApartRow {
    const LogSample *sample;
    guint number;
} ApartRow;

static int compare_texts(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "");
}

// Returns the kind of a row; a ping-pong by netgauge is one like others.
static int kind_of(const LogSample *s)
{
    return (int)(s->kind == LOG_PRTT ? LOG_ONE_WAY : s->kind);
}

static const char *level_of(const LogSample *s)
{
    return s->level ? s->level : "far";
}

// Compares what was measured: rows that are equal should have the same time.
static int compare_what(const LogSample *x, const LogSample *y)
{
    const int numbers[][2] = {{kind_of(x), kind_of(y)},
                              {(int)x->collective, (int)y->collective},
                              {x->p, y->p},
                              {x->per_node, y->per_node},
                              {x->root, y->root},
                              {x->crowded, y->crowded},
                              {x->mean, y->mean}};
    const char *const texts[][2] = {{level_of(x), level_of(y)},
                                    {x->algorithm, y->algorithm},
                                    {x->params, y->params},
                                    {x->map, y->map},
                                    {x->place, y->place}};
    for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
        if (numbers[i][0] != numbers[i][1])
            return numbers[i][0] < numbers[i][1] ? -1 : 1;
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
        if (compare_texts(texts[i][0], texts[i][1]) != 0)
            return compare_texts(texts[i][0], texts[i][1]);
    if (x->element != y->element)
        return x->element < y->element ? -1 : 1;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

static int compare_tables(const ApartRow *x, const ApartRow *y)
{
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return (x->sample->sweep > y->sample->sweep) - (x->sample->sweep < y->sample->sweep);
}

static int compare_rows(const void *a, const void *b)
{
    const ApartRow *x = a, *y = b;
    const int what = compare_what(x->sample, y->sample), table = compare_tables(x, y);
    const double s = x->sample->time_s, t = y->sample->time_s;
    return what     ? what
           : table  ? table
           : s != t ? (s < t ? -1 : 1)
                    : (x->sample->line > y->sample->line) - (x->sample->line < y->sample->line);
}

// Returns the rows that are compared: all that took any time, apart from the first row of each table, which may have
// been measured cold.
static GArray *collect(const GPtrArray *logs)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(ApartRow));
    for (guint l = 0; l < logs->len; l++) {
        const GArray *const samples = ((const Log *)g_ptr_array_index(logs, l))->samples;
        for (guint i = 0; i < samples->len; i++) {
            const LogSample *s = &g_array_index(samples, LogSample, i);
            const gboolean first = i == 0 || s[-1].sweep != s->sweep;
            const ApartRow row = {s, l};
            if (s->time_s > 0 && s->kind != LOG_REDUCE && s->kind != LOG_SINGLE && (s->log->warm || !first))
                g_array_append_val(rows, row);
        }
    }
    g_array_sort(rows, compare_rows);
    return rows;
}

// Returns the table of `measured` that a row determines, in a label.
static const char *part_of(const LogSample *s)
{
    return s->part                          ? log_part_names[s->part]
           : s->kind == LOG_WINDOW          ? "gap"
           : kind_of(s) == (int)LOG_ONE_WAY ? "one"
                                            : "step";
}

static gboolean refuse(const ApartRow *low, const ApartRow *high, GError **error)
{
    const LogSample *a = high->sample, *b = low->sample;
    g_autofree char *size = units_format_size(a->bytes), *slow = units_format_time(a->time_s),
                    *fast = units_format_time(b->time_s);
    return bad_input(error,
                     "%s:%u has %s for %s bytes, and %s:%u has %s: rows of one level are not so far apart; allowed: "
                     "times of one level, or %slabels that say the level, as %s@node=%s, with --base FILE.ini, whose "
                     "[levels] has it",
                     a->log->name, a->line, slow, size, b->log->name, b->line, fast,
                     b->log == a->log ? "a file for each table and " : "", part_of(b),
                     b->log == a->log ? "FILE" : log_path(b->log));
}

gboolean log_times_agree(const GPtrArray *logs, GError **error)
{
    g_autoptr(GArray) rows = collect(logs);
    const ApartRow *low = NULL,
                   *high = NULL; // the tables with the least and the largest time; of a table, its least counts
    for (guint i = 0; i < rows->len; i++) {
        const ApartRow *row = &g_array_index(rows, ApartRow, i), *before = i ? row - 1 : NULL;
        if (!before || compare_what(before->sample, row->sample) != 0)
            low = high = row;
        else if (compare_tables(before, row) == 0)
            continue;
        const double time_s = row->sample->time_s;
        if (time_s > MOST_APART * low->sample->time_s)
            return refuse(low, row, error);
        if (time_s * MOST_APART < high->sample->time_s)
            return refuse(row, high, error);
        low = time_s < low->sample->time_s ? row : low;
        high = time_s > high->sample->time_s ? row : high;
    }
    return TRUE;
}
