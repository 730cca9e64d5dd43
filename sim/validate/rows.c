#include "validate/rows.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/nearest.h"
#include "base/number.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

const char *const row_use_names[] = {
    [ROW_SCORE] = "score", [ROW_CALIBRATE] = "calibrate", [ROW_TWIN] = "twin", [ROW_WINNER] = "winner", NULL};

static void candidate_clear(gpointer data)
{
    g_free(((ValidateCandidate *)data)->algorithm);
}

static void choice_clear(gpointer data)
{
    g_array_unref(((ValidateChoice *)data)->candidates);
}

static void text_free(gpointer csv)
{
    csv_free(csv);
}

ValidateRows *validate_rows_new(void)
{
    ValidateRows *rows = g_new0(ValidateRows, 1);
    rows->texts = g_ptr_array_new_with_free_func(text_free);
    rows->made = g_string_chunk_new(1 << 12);
    rows->rows = g_array_new(FALSE, FALSE, sizeof(ValidateRow));
    rows->choices = g_array_new(FALSE, FALSE, sizeof(ValidateChoice));
    g_array_set_clear_func(rows->choices, choice_clear);
    return rows;
}

void validate_rows_free(ValidateRows *rows)
{
    if (!rows)
        return;
    g_array_unref(rows->choices);
    g_array_unref(rows->rows);
    g_string_chunk_free(rows->made);
    g_ptr_array_unref(rows->texts);
    g_free(rows);
}

// ---- Columns of times -----------------------------------------------------------------------------------------------

// Sets *unit to the seconds that a column counts, by the end of its name. Returns FALSE if the name has no such end.
static gboolean unit_of(const char *name, double *unit)
{
    static const struct {
        const char *end;
        double unit;
    } ends[] = {{"_us", 1e-6}, {"_ms", 1e-3}, {"_ns", 1e-9}, {"_s", 1}};
    for (size_t i = 0; i < G_N_ELEMENTS(ends); i++)
        if (g_str_has_suffix(name, ends[i].end)) {
            *unit = ends[i].unit;
            return TRUE;
        }
    return FALSE;
}

// A column of times; its index is -1 if there is none.
typedef struct TimeColumn {
    int column;
    double unit;
} TimeColumn;

// Finds measured_s, measured_us ..
static gboolean find_measured(const Csv *csv, TimeColumn *found, GError **error)
{
    static const char *const names[] = {"measured_us", "measured_s", "measured_ms", "measured_ns"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        if ((found->column = csv_column(csv, names[i])) >= 0)
            return unit_of(names[i], &found->unit);
    return bad_input(error, "%s:1: there is no column of measured times; allowed: measured_s, measured_us, _ms or _ns",
                     csv_name(csv));
}

static gboolean find_predicted(const Csv *csv, const char *name, TimeColumn *found, GError **error)
{
    *found = (TimeColumn){-1, 1};
    return !name ||
           (csv_need(csv, name, &found->column, error) &&
            (unit_of(name, &found->unit) ||
             bad_input(error, "--column %s has no unit; allowed: a column that ends in _s, _ms, _us or _ns", name)));
}

static gboolean read_time(const Csv *csv, size_t row, TimeColumn from, double *time_s, GError **error)
{
    if (!csv_number(csv, row, from.column, time_s, error))
        return FALSE;
    *time_s *= from.unit;
    return *time_s > 0 ||
           bad_input(error, "%s:%" G_GSIZE_FORMAT ": a time of 0; allowed: above 0", csv_name(csv), csv_line(csv, row));
}

// ---- Rows -----------------------------------------------------------------------------------------------------------

typedef struct RowColumns {
    int use, collective, algorithm, p, bytes, file, line, set, per_node, group;
    TimeColumn measured, predicted;
} RowColumns;

// Returns the name of a set whose rows do not name it: the file's, without the folder and .csv. The Csv's reader owns
// nothing of it, so it is interned.
static const char *set_name(const char *path)
{
    g_autofree char *name = g_path_get_basename(path);
    if (g_str_has_suffix(name, ".csv"))
        name[strlen(name) - strlen(".csv")] = '\0';
    return g_intern_string(name);
}

static gboolean read_row(const Csv *csv, size_t i, const RowColumns *at, ValidateRow *row, GError **error)
{
    size_t line = 0;
    int use = 0;
    const char *const word = csv_field(csv, i, at->use);
    for (use = 0; use < N_ROW_USES && strcmp(word, row_use_names[use]) != 0; use++)
        ;
    if (use == N_ROW_USES)
        return bad_input(error, "%s:%u: use is %s; allowed: score, calibrate, twin or winner", csv_name(csv), row->line,
                         *word ? word : "empty");
    row->use = (RowUse)use;
    if (!csv_int(csv, i, at->p, 1, LIMIT_RANKS, &row->p, error) ||
        !csv_size(csv, i, at->bytes, 0, LIMIT_BYTES, &row->bytes, error) ||
        !read_time(csv, i, at->measured, &row->measured_s, error) ||
        (at->per_node >= 0 && !csv_int(csv, i, at->per_node, 1, LIMIT_RANKS, &row->per_node, error)) ||
        (at->line >= 0 && !csv_size(csv, i, at->line, 1, G_MAXINT, &line, error)))
        return FALSE;
    row->data_line = (guint)line;
    return !*csv_field(csv, i, at->predicted.column) || read_time(csv, i, at->predicted, &row->predicted_s, error);
}

// Finds a column by the name of rows files, or by the one that `validate --points` writes.
static gboolean find_either(const Csv *csv, const char *name, const char *ours, int *column, GError **error)
{
    return (*column = csv_column(csv, ours)) >= 0 || csv_need(csv, name, column, error);
}

static gboolean find_columns(const Csv *csv, const char *predicted, RowColumns *at, GError **error)
{
    at->file = csv_column(csv, "file");
    at->line = csv_column(csv, "line");
    at->set = csv_column(csv, "set");
    at->per_node = csv_column(csv, "per_node");
    at->group = csv_column(csv, "group");
    return csv_need(csv, "use", &at->use, error) && csv_need(csv, "collective", &at->collective, error) &&
           find_either(csv, "algorithm", "variant", &at->algorithm, error) &&
           find_either(csv, "p", "ranks", &at->p, error) && csv_need(csv, "bytes", &at->bytes, error) &&
           find_measured(csv, &at->measured, error) && find_predicted(csv, predicted, &at->predicted, error);
}

gboolean validate_rows_read(ValidateRows *rows, const char *path, const char *predicted, GError **error)
{
    Csv *csv = csv_read(path, error);
    if (!csv)
        return FALSE;
    g_ptr_array_add(rows->texts, csv);
    RowColumns at;
    if (!find_columns(csv, predicted, &at, error))
        return FALSE;
    for (size_t i = 0; i < csv_rows(csv); i++) {
        const char *const set = csv_field(csv, i, at.set);
        ValidateRow row = {.csv = csv,
                           .csv_row = i,
                           .from = csv_name(csv),
                           .line = (guint)csv_line(csv, i),
                           .file = csv_field(csv, i, at.file),
                           .set = *set ? set : set_name(path),
                           .collective = csv_field(csv, i, at.collective),
                           .algorithm = csv_field(csv, i, at.algorithm),
                           .group = csv_field(csv, i, at.group),
                           .per_node = 1,
                           .predicted_s = NAN};
        if (!read_row(csv, i, &at, &row, error))
            return FALSE;
        g_array_append_val(rows->rows, row);
    }
    return TRUE;
}

// ---- Are these the data? --------------------------------------------------------------------------------------------

// A data file, and which of its columns can be the measured one: it is the same for all rows.
typedef struct DataFile {
    Csv *csv;
    char *name;
    GArray *columns; // of TimeColumn
} DataFile;

static void data_free(gpointer data)
{
    DataFile *file = data;
    csv_free(file->csv);
    g_free(file->name);
    g_array_unref(file->columns);
    g_free(file);
}

static DataFile *data_read(const char *path, GError **error)
{
    Csv *csv = csv_read(path, error);
    if (!csv)
        return NULL;
    DataFile *file = g_new0(DataFile, 1);
    *file = (DataFile){csv, g_path_get_basename(path), g_array_new(FALSE, FALSE, sizeof(TimeColumn))};
    for (int c = 0; c < csv_columns(csv); c++) {
        TimeColumn column = {c, 0};
        if (unit_of(csv_column_name(csv, c), &column.unit))
            g_array_append_val(file->columns, column);
    }
    return file;
}

// Returns the row that begins on this line of the file; -1 if there is none.
static gssize row_at(const Csv *csv, guint line)
{
    size_t low = 0, high = csv_rows(csv);
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (csv_line(csv, middle) < line)
            low = middle + 1;
        else
            high = middle;
    }
    return low < csv_rows(csv) && csv_line(csv, low) == line ? (gssize)low : -1;
}

// Leaves the columns that have the measured value on this line.
static gboolean check_line(DataFile *file, const ValidateRow *row, GError **error)
{
    const gssize at = row_at(file->csv, row->data_line);
    if (at < 0)
        return bad_input(error, "%s:%u: %s has no row on line %u; allowed: the file from which the rows were made",
                         row->from, row->line, file->name, row->data_line);
    guint left = 0;
    for (guint i = 0; i < file->columns->len; i++) {
        const TimeColumn column = g_array_index(file->columns, TimeColumn, i);
        double value = 0;
        // A rows file may have a time in another unit, rounded to nine digits.
        if (number_real(csv_field(file->csv, (size_t)at, column.column), &value) &&
            fabs(value * column.unit - row->measured_s) <= 1e-8 * row->measured_s)
            g_array_index(file->columns, TimeColumn, left++) = column;
    }
    g_array_set_size(file->columns, left);
    return left || bad_input(error,
                             "%s:%u: measured %.9g us, which line %u of %s does not say, or not in the column of the "
                             "rows before; allowed: the file from which the rows were made",
                             row->from, row->line, row->measured_s * 1e6, row->data_line, file->name);
}

gboolean validate_rows_check(const ValidateRows *rows, char *const *files, GError **error)
{
    g_autoptr(GPtrArray) data = g_ptr_array_new_with_free_func(data_free);
    for (; *files; files++) {
        DataFile *file = data_read(*files, error);
        if (!file)
            return FALSE;
        g_ptr_array_add(data, file);
    }
    for (guint i = 0; i < rows->rows->len; i++) {
        const ValidateRow *row = &g_array_index(rows->rows, ValidateRow, i);
        DataFile *file = NULL;
        for (guint f = 0; f < data->len && !file; f++)
            if (strcmp(((DataFile *)g_ptr_array_index(data, f))->name, row->file) == 0)
                file = g_ptr_array_index(data, f);
        if (!file)
            return bad_input(error,
                             "%s:%u: the row is of %s, which is not among the files; allowed: all files of the rows",
                             row->from, row->line, *row->file ? row->file : "a file without a name");
        if (!check_line(file, row, error))
            return FALSE;
    }
    return TRUE;
}

// ---- Choices --------------------------------------------------------------------------------------------------------

static ValidateChoice *add_choice(ValidateRows *rows, const ValidateChoice *point)
{
    g_array_append_vals(rows->choices, point, 1);
    ValidateChoice *choice = &g_array_index(rows->choices, ValidateChoice, rows->choices->len - 1);
    choice->candidates = g_array_new(FALSE, FALSE, sizeof(ValidateCandidate));
    g_array_set_clear_func(choice->candidates, candidate_clear);
    return choice;
}

// Reads "binomial:12.5;linear:20". An algorithm has no colon, but may have a semicolon between parameters, as in
// "NAME a=1;b=2:20": the candidate ends after a number.
static gboolean read_candidates(const Csv *csv, size_t i, const char *text, ValidateChoice *choice, GError **error)
{
    while (*text) {
        const char *const colon = strchr(text, ':');
        const size_t length = colon ? strcspn(colon + 1, ";") : 0;
        g_autofree char *number = colon ? g_strndup(colon + 1, length) : NULL;
        double us = 0;
        if (!colon || !number_real(number, &us) || us <= 0)
            return bad_input(error, "%s:%" G_GSIZE_FORMAT ": candidates are malformed; allowed: ALGORITHM:US;..",
                             csv_name(csv), csv_line(csv, i));
        const ValidateCandidate candidate = {g_strndup(text, (gsize)(colon - text)), us * 1e-6};
        g_array_append_val(choice->candidates, candidate);
        text = colon + 1 + length;
        text += *text == ';';
    }
    return TRUE;
}

static gboolean has_rows(const ValidateRows *rows, const char *set)
{
    for (guint i = 0; i < rows->rows->len; i++)
        if (strcmp(g_array_index(rows->rows, ValidateRow, i).set, set) == 0)
            return TRUE;
    return FALSE;
}

gboolean validate_choices_read(ValidateRows *rows, const char *path, GError **error)
{
    Csv *csv = csv_read(path, error);
    if (!csv)
        return FALSE;
    g_ptr_array_add(rows->texts, csv);
    int set, collective, p, per_node, bytes, group, candidates;
    if (!csv_need(csv, "set", &set, error) || !csv_need(csv, "collective", &collective, error) ||
        !csv_need(csv, "p", &p, error) || !csv_need(csv, "per_node", &per_node, error) ||
        !csv_need(csv, "bytes", &bytes, error) || !csv_need(csv, "group", &group, error) ||
        !csv_need(csv, "candidates", &candidates, error))
        return FALSE;
    const char *last = "";
    gboolean wanted = FALSE;
    for (size_t i = 0; i < csv_rows(csv); i++) {
        ValidateChoice point = {.set = csv_field(csv, i, set),
                                .collective = csv_field(csv, i, collective),
                                .group = csv_field(csv, i, group)};
        if (strcmp(point.set, last) != 0)
            wanted = has_rows(rows, last = point.set);
        if (!wanted)
            continue;
        if (!csv_int(csv, i, p, 1, LIMIT_RANKS, &point.p, error) ||
            !csv_int(csv, i, per_node, 1, LIMIT_RANKS, &point.per_node, error) ||
            !csv_size(csv, i, bytes, 0, LIMIT_BYTES, &point.bytes, error) ||
            !read_candidates(csv, i, csv_field(csv, i, candidates), add_choice(rows, &point), error))
            return FALSE;
    }
    return TRUE;
}

static char *place_key(const ValidateRow *row)
{
    return g_strdup_printf("%s\n%s\n%d\n%d\n%" G_GSIZE_FORMAT "\n%s", row->set, row->collective, row->p, row->per_node,
                           row->bytes, row->group);
}

// Adds the row's algorithm to the choice, or its time if that is less than that of another code of the algorithm.
static void add_candidate(ValidateChoice *choice, const ValidateRow *row)
{
    for (guint i = 0; i < choice->candidates->len; i++) {
        ValidateCandidate *c = &g_array_index(choice->candidates, ValidateCandidate, i);
        if (strcmp(c->algorithm, row->algorithm) == 0) {
            c->measured_s = MIN(c->measured_s, row->measured_s);
            return;
        }
    }
    const ValidateCandidate candidate = {g_strdup(row->algorithm), row->measured_s};
    g_array_append_val(choice->candidates, candidate);
}

void validate_choices_derive(ValidateRows *rows)
{
    g_autoptr(GHashTable) done = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < rows->choices->len; i++)
        g_hash_table_add(done, (gpointer)(uintptr_t)g_array_index(rows->choices, ValidateChoice, i).set);
    g_autoptr(GHashTable) index = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < rows->rows->len; i++) {
        const ValidateRow *row = &g_array_index(rows->rows, ValidateRow, i);
        if (!*row->algorithm || g_hash_table_contains(done, row->set))
            continue;
        char *key = place_key(row);
        gpointer at = NULL;
        if (!g_hash_table_lookup_extended(index, key, NULL, &at)) {
            const ValidateChoice point = {row->set,      row->collective, row->group, row->p,
                                          row->per_node, row->bytes,      NULL};
            at = GUINT_TO_POINTER(rows->choices->len);
            add_choice(rows, &point);
            g_hash_table_insert(index, g_strdup(key), at);
        }
        g_free(key);
        add_candidate(&g_array_index(rows->choices, ValidateChoice, GPOINTER_TO_UINT(at)), row);
    }
}
