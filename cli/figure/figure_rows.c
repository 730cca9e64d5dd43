// Reads and sorts the rows of the CSV.
#include "figure/figure.h"
#include "base/escape.h"
#include "base/error.h"
#include "base/number.h"
#include "measurements/logs/log_columns.h"
#include <stdint.h>
#include <string.h>

#define ROUNDED 1e-6 // relative; min_s may be above time_s by this much, because it may have fewer digits

static gboolean find_columns(const Csv *csv, LogColumns *c, GError **error)
{
    log_columns_find(csv, c);
    if (c->at[COLUMN_TIME] < 0 || !g_str_has_prefix(csv_column_name(csv, c->at[COLUMN_TIME]), "measured_"))
        c->at[COLUMN_PREDICTED_S] = -1; // validate --points has both times, and no other file has them
    return LOG_COLUMNS_NEED(c, error, COLUMN_COLLECTIVE, COLUMN_ALGORITHM, COLUMN_RANKS, COLUMN_BYTES, COLUMN_TIME);
}

// Reads a time. If `usual` is not NULL, an empty or missing field stands for *usual.
static gboolean read_time(const LogColumns *c, size_t i, LogColumn column, const double *usual, double *time_s,
                          GError **error)
{
    if (usual && !*log_column_text(c, i, column)) {
        *time_s = *usual;
        return TRUE;
    }
    if (!csv_number(c->csv, i, c->at[column], time_s, error))
        return FALSE;
    *time_s *= column == COLUMN_TIME ? c->unit : 1;
    return *time_s == 0 || (*time_s >= 1e-15 && *time_s <= 1e12) ||
           bad_input(error, "%s:%zu: %s is %s; allowed: 0, or 1e-15 to 1e12 seconds", csv_name(c->csv),
                     csv_line(c->csv, i), csv_column_name(c->csv, c->at[column]), log_column_text(c, i, column));
}

static gboolean read_times(const LogColumns *c, FigureRow *row, GError **error)
{
    const size_t i = row->row;
    if (!read_time(c, i, COLUMN_TIME, NULL, &row->time_s, error))
        return FALSE;
    row->low_s = row->high_s = row->time_s;
    if (!row->measured)
        return TRUE;
    if (!read_time(c, i, COLUMN_LEAST_S, &row->time_s, &row->low_s, error) ||
        !read_time(c, i, COLUMN_P95_S, &row->time_s, &row->high_s, error))
        return FALSE;
    if (row->low_s > row->time_s * (1 + ROUNDED))
        return bad_input(error, "%s:%zu: min_s is above %s; allowed: at most that", csv_name(c->csv),
                         csv_line(c->csv, i), csv_column_name(c->csv, c->at[COLUMN_TIME]));
    row->low_s = MIN(row->low_s, row->time_s);
    return TRUE;
}

// Returns TRUE if the row says why it has no time: a sweep has a note, and Python what was not met or who waits.
static gboolean says_why(const LogColumns *c, size_t i)
{
    return *log_column_text(c, i, COLUMN_NOTE) || *log_column_text(c, i, COLUMN_WHY) ||
           *log_column_text(c, i, COLUMN_STUCK);
}

// Appends the rows of a table.
static gboolean add_rows(const Csv *csv, GArray *rows, GError **error)
{
    LogColumns c;
    if (!find_columns(csv, &c, error))
        return FALSE;
    for (size_t i = 0; i < csv_rows(csv); i++) {
        const gboolean fallback = *log_column_text(&c, i, COLUMN_RAN) != '\0',
                       timed = *log_column_text(&c, i, COLUMN_TIME) != '\0';
        if (!timed && !fallback && says_why(&c, i))
            continue;
        FigureRow row = {.csv = csv,
                         .row = i,
                         .number = rows->len,
                         .collective = log_column_text(&c, i, COLUMN_COLLECTIVE),
                         .algorithm = log_column_text(&c, i, COLUMN_ALGORITHM),
                         .params = log_column_text(&c, i, COLUMN_PARAMS),
                         .machine = "",
                         .measured = c.at[COLUMN_PREDICTED_S] >= 0 || log_column_is_measurement(&c, i),
                         .costs = log_column_text(&c, i, COLUMN_COSTS),
                         .fallback = fallback};
        row.crowded = row.measured && strcmp(log_column_text(&c, i, COLUMN_CROWDED), "1") == 0;
        if (!*row.collective || !*row.algorithm)
            return bad_input(error, "%s:%zu: the row lacks a collective or an algorithm; allowed: both", csv_name(csv),
                             csv_line(csv, i));
        if (!csv_size(csv, i, c.at[COLUMN_RANKS], 0, (size_t)1 << 62, &row.p, error) ||
            !csv_size(csv, i, c.at[COLUMN_BYTES], 0, (size_t)1 << 62, &row.bytes, error) ||
            ((timed || !fallback) && !read_times(&c, &row, error))) // Python leaves out a fallback's time
            return FALSE;
        g_array_append_val(rows, row);
        if (!*log_column_text(&c, i, COLUMN_PREDICTED_S))
            continue;
        row.measured = row.crowded = FALSE;
        row.number = rows->len;
        if (!read_time(&c, i, COLUMN_PREDICTED_S, NULL, &row.time_s, error))
            return FALSE;
        row.low_s = row.high_s = row.time_s;
        g_array_append_val(rows, row);
    }
    return rows->len ? TRUE : bad_input(error, "%s: a header and no rows; allowed: one row or more", csv_name(csv));
}

GArray *figure_rows_read(const GPtrArray *tables, GError **error)
{
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(FigureRow));
    for (guint i = 0; i < tables->len; i++)
        if (!add_rows(tables->pdata[i], rows, error))
            return NULL;
    return g_steal_pointer(&rows);
}

static int by_algorithm(const FigureRow *a, const FigureRow *b)
{
    const guint i = a->collective_number, j = b->collective_number;
    return i != j ? (i > j) - (i < j) : strcmp(a->algorithm, b->algorithm);
}

gboolean figure_rows_same_algorithm(const FigureRow *a, const FigureRow *b)
{
    return by_algorithm(a, b) == 0;
}

// The columns that say on which machine, and how, a prediction was made.
static const char *const MACHINE[] = {"platform", "model", "transfer", "sets", "root", "per_node"};
enum { PER_NODE = 5 };
static const char *const BEFORE[G_N_ELEMENTS(MACHINE)] = {"on ", "", "", "", "root "}; // their values in a label

static const char *machine_field(const FigureRow *row, size_t i)
{
    return csv_field(row->csv, row->row, csv_column(row->csv, MACHINE[i]));
}

static int by_point(const FigureRow *a, const FigureRow *b)
{
    if (a->other != b->other)
        return a->other > b->other ? 1 : -1;
    return a->x != b->x ? (a->x > b->x) - (a->x < b->x) : a->measured - b->measured;
}

static int compare_points(gconstpointer a, gconstpointer b)
{
    const int one = by_algorithm(a, b),
              machines = strcmp(((const FigureRow *)a)->machine, ((const FigureRow *)b)->machine);
    const int first = one ? one : machines, second = by_point(a, b);
    const guint i = ((const FigureRow *)a)->number, j = ((const FigureRow *)b)->number;
    return first ? first : second ? second : (i > j) - (i < j);
}

static int compare_lines(gconstpointer a, gconstpointer b)
{
    const int first = by_algorithm(a, b);
    const int second = strcmp(((const FigureRow *)a)->params, ((const FigureRow *)b)->params);
    return first ? first : second ? second : compare_points(a, b);
}

// Returns a key of what a prediction predicts, on whatever machine. Free with g_free.
static char *point_key(const FigureRow *row)
{
    return g_strdup_printf("%s/%s/%s/%zu/%zu", row->collective, row->algorithm, row->params, row->p, row->bytes);
}

// Returns TRUE if something is predicted twice, in rows that differ in the first n columns of MACHINE.
static gboolean machines_differ(const GArray *rows, size_t n)
{
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < rows->len; i++) {
        FigureRow *const row = &g_array_index(rows, FigureRow, i);
        if (row->measured)
            continue;
        char *const key = point_key(row);
        const FigureRow *const other = g_hash_table_lookup(seen, key);
        for (size_t k = 0; other && k < n; k++)
            if (strcmp(machine_field(row, k), machine_field(other, k)) != 0) {
                g_free(key);
                return TRUE;
            }
        g_hash_table_insert(seen, key, row);
    }
    return FALSE;
}

// Returns how a column of MACHINE that is not empty appears in a label. Ranks per node are "16x4", nodes and ranks of each,
// or "4 per node" if the figure has several numbers of ranks. Free with g_free.
static char *machine_text(const FigureRow *row, size_t k, gboolean one_p)
{
    const char *const text = machine_field(row, k);
    size_t per_node;
    if (k == PER_NODE && one_p && number_size(text, 1, SIZE_MAX, &per_node))
        return g_strdup_printf("%zux%s", row->p / per_node + (row->p % per_node != 0), text);
    return k == PER_NODE ? g_strdup_printf("%s per node", text) : g_strconcat(BEFORE[k], text, NULL);
}

// Names the machine of each prediction by those of the first n columns in which predictions differ: "on lumi, beta=x0.5".
static void name_machines(GArray *rows, size_t n)
{
    gboolean differs[G_N_ELEMENTS(MACHINE)], one_p = TRUE;
    if (!machines_differ(rows, n))
        return;
    for (size_t k = 0; k < n; k++)
        differs[k] = !*figure_shared_field(rows, FALSE, MACHINE[k]);
    for (guint i = 1; i < rows->len; i++)
        one_p &= g_array_index(rows, FigureRow, i).p == g_array_index(rows, FigureRow, 0).p;
    for (guint i = 0; i < rows->len; i++) {
        FigureRow *const row = &g_array_index(rows, FigureRow, i);
        g_autoptr(GString) name = g_string_new(NULL);
        for (size_t k = 0; !row->measured && k < n; k++) {
            g_autofree char *text = differs[k] && *machine_field(row, k) ? machine_text(row, k, one_p) : NULL;
            if (text)
                g_string_append_printf(name, "%s%s", name->len ? ", " : "", text);
        }
        row->machine = g_intern_string(name->str);
    }
}

// Different parameters make different lines only if an algorithm has the same point with several of them. Otherwise
// they are emptied: a parameter that depends on the number of ranks, say, would give each point a line of its own. What
// is predicted for several machines, or ways to place the ranks on nodes, has a line for each of them.
void figure_rows_sort(GArray *rows, gboolean over_nodes)
{
    name_machines(rows, over_nodes ? PER_NODE : G_N_ELEMENTS(MACHINE));
    g_array_sort(rows, compare_points);
    for (guint begin = 0, end; begin < rows->len; begin = end) {
        FigureRow *const first = &g_array_index(rows, FigureRow, begin);
        gboolean twice = FALSE;
        for (end = begin + 1; end < rows->len && !by_algorithm(first, first + (end - begin)) &&
                              strcmp(first->machine, first[end - begin].machine) == 0;
             end++)
            twice |= !by_point(first + (end - begin) - 1, first + (end - begin));
        for (guint i = 0; i < end - begin; i++) {
            FigureRow *const row = first + i;
            g_autofree char *both = g_strjoin(" ", row->params, row->machine, NULL);
            row->params = !*row->machine ? (twice ? row->params : "") : twice ? g_intern_string(both) : row->machine;
        }
    }
    g_array_sort(rows, compare_lines);
}

gboolean figure_rows_twice(const FigureRow *a, const FigureRow *b, GError **error)
{
    g_autoptr(GString) why = g_string_new(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(MACHINE) && !why->len; i++) {
        const char *const one = machine_field(a, i), *const two = machine_field(b, i);
        if (strcmp(one, two))
            g_string_printf(why, " has %s %s, this one %s", MACHINE[i], *one ? one : "none", *two ? two : "none");
    }
    g_autofree char *where = a->csv == b->csv ? g_strdup_printf("line %zu", csv_line(a->csv, a->row))
                                              : g_strdup_printf("%s:%zu", csv_name(a->csv), csv_line(a->csv, a->row));
    return bad_input(error, "%s:%zu: a second row for %s %s, p %zu, bytes %zu (%s%s); keep one of them",
                     csv_name(b->csv), csv_line(b->csv, b->row), b->collective, b->algorithm, b->p, b->bytes, where,
                     why->str);
}

const char *figure_shared_field(const GArray *rows, gboolean measured, const char *column)
{
    const char *shared = NULL;
    for (guint i = 0; i < rows->len; i++) {
        const FigureRow *const row = &g_array_index(rows, FigureRow, i);
        const char *const field = csv_field(row->csv, row->row, csv_column(row->csv, column));
        if (row->measured != measured)
            continue;
        if (shared && strcmp(shared, field))
            return "";
        shared = field;
    }
    return shared ? shared : "";
}

char *figure_cut(const char *text)
{
    enum { MAX_LABEL = 34, LEAST_WORD = 8 };
    g_autofree char *label = escape_terminal(text);
    const glong length = g_utf8_strlen(label, -1), word = g_utf8_strlen(label, (gssize)strcspn(label, " ")),
                kept = MAX_LABEL - 2 - (length - word);
    if (length <= MAX_LABEL)
        return g_steal_pointer(&label);
    g_autofree char *head = g_utf8_substring(label, 0, kept >= LEAST_WORD ? kept : MAX_LABEL - 2);
    return g_strconcat(head, "..", kept >= LEAST_WORD ? strchr(label, ' ') : NULL, NULL);
}
