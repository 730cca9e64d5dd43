#include "judge/validate/validate_rows.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/nearest.h"
#include "base/number.h"
#include "measurements/logs/log_columns.h"
#include "engine/schedule/parse.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

const char *const row_use_names[] = {[ROW_SCORE] = "score",   [ROW_CALIBRATE] = "calibrate", [ROW_TWIN] = "twin",
                                     [ROW_WINNER] = "winner", [ROW_DEFAULT] = "default",     NULL};

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

// ---- Rows -----------------------------------------------------------------------------------------------------------

// A column of times; its index is -1 if there is none.
typedef struct TimeColumn {
    int column;
    double unit;
} TimeColumn;

static gboolean find_predicted(const Csv *csv, const char *name, TimeColumn *found, GError **error)
{
    *found = (TimeColumn){-1, 1};
    return !name ||
           (csv_need(csv, name, &found->column, error) &&
            (log_time_unit(name, &found->unit) ||
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

// Returns the name of a set whose rows do not name it: the file's, without the folder and .csv.
static const char *set_name(const ValidateRows *rows, const char *path)
{
    g_autofree char *name = g_path_get_basename(path);
    if (g_str_has_suffix(name, ".csv"))
        name[strlen(name) - strlen(".csv")] = '\0';
    return g_string_chunk_insert_const(rows->made, name);
}

// Sets what the sample of a row measured.
static gboolean read_sample(ValidateRows *rows, const LogColumns *c, size_t i, const LogReading *how, ValidateRow *row,
                            GError **error)
{
    LogSample *const s = &row->sample;
    const int per_node = s->per_node;
    const LogName *name =
        *row->algorithm || !how->names ? NULL : log_names_find(how->names, c->csv, i, row->collective, FALSE, s);
    Log log = {.name = (char *)(uintptr_t)row->from, .texts = rows->made};
    const LogLines at = {.log = &log, .line = row->line, .how = how};
    const gboolean one = !*row->algorithm && s->p == 2 && strcmp(row->collective, collectives[COLL_BCAST].name) == 0;
    gboolean good = TRUE;
    if (name) {
        good = log_names_apply(name, &at, s, error);
        s->per_node = per_node; // the row says where its ranks are
        s->map = "";
    } else if (strcmp(row->collective, log_kind_name(LOG_ONE_WAY, COLL_BCAST)) == 0) {
        s->kind = LOG_ONE_WAY;
    } else if (*row->algorithm || one) {
        log_set_variant(rows->made, one ? "binomial" : row->algorithm, s);
        good = collective_parse(row->collective, &s->collective, error);
        if (!good)
            g_prefix_error(error, "%s:%u: ", row->from, row->line);
    } else
        return TRUE;
    row->known = good;
    log_decide_element(&at, s);
    g_free(log.elements);
    return good;
}

static gboolean read_row(const LogColumns *c, size_t i, TimeColumn predicted, ValidateRow *row, GError **error)
{
    LogSample *const s = &row->sample;
    int use = 0, line = 0;
    const char *const word = log_column_text(c, i, COLUMN_USE);
    for (use = 0; use < N_ROW_USES && strcmp(word, row_use_names[use]) != 0; use++)
        ;
    if (use == N_ROW_USES)
        return bad_input(error, "%s:%u: use is %s; allowed: score, calibrate, twin, winner or default", row->from,
                         row->line, *word ? word : "empty");
    row->use = (RowUse)use;
    if (!csv_int(c->csv, i, c->at[COLUMN_RANKS], 1, LIMIT_RANKS, &s->p, error) ||
        !csv_size(c->csv, i, c->at[COLUMN_BYTES], 0, LIMIT_BYTES, &s->bytes, error) ||
        !read_time(c->csv, i, (TimeColumn){c->at[COLUMN_TIME], c->unit}, &s->time_s, error) ||
        !log_column_int(c, i, COLUMN_PER_NODE, 1, &s->per_node, error) ||
        (c->at[COLUMN_LINE] >= 0 && !csv_int(c->csv, i, c->at[COLUMN_LINE], 1, G_MAXINT, &line, error)))
        return FALSE;
    const char *const is = log_column_text(c, i, COLUMN_TIME_IS);
    if (*is && strcmp(is, "mean") != 0 && strcmp(is, "last") != 0)
        return bad_input(error, "%s:%u: time_is is %s; allowed: mean (over the ranks) or last (rank)", row->from,
                         row->line, is);
    s->mean = strcmp(is, "mean") == 0;
    s->line = (guint)line;
    row->bytes = s->bytes;
    row->measured_s = s->time_s;
    return !*csv_field(c->csv, i, predicted.column) || read_time(c->csv, i, predicted, &row->predicted_s, error);
}

gboolean validate_rows_read(ValidateRows *rows, const char *path, const char *predicted, const LogReading *how,
                            GError **error)
{
    Csv *csv = csv_read(path, error);
    if (!csv)
        return FALSE;
    g_ptr_array_add(rows->texts, csv);
    LogColumns c;
    TimeColumn prediction;
    log_columns_find(csv, &c);
    if (!LOG_COLUMNS_NEED(&c, error, COLUMN_USE, COLUMN_COLLECTIVE, COLUMN_ALGORITHM, COLUMN_RANKS, COLUMN_BYTES) ||
        !find_predicted(csv, predicted, &prediction, error))
        return FALSE;
    if (c.at[COLUMN_TIME] < 0 || !g_str_has_prefix(csv_column_name(csv, c.at[COLUMN_TIME]), "measured_"))
        return bad_input(error,
                         "%s:1: there is no column of measured times; allowed: measured_s, measured_us, _ms or _ns",
                         csv_name(csv));
    for (size_t i = 0; i < csv_rows(csv); i++) {
        const char *const set = log_column_text(&c, i, COLUMN_SET);
        ValidateRow row = {.from = csv_name(csv),
                           .line = (guint)csv_line(csv, i),
                           .file = log_column_text(&c, i, COLUMN_FILE),
                           .sample = {.kind = LOG_COLLECTIVE, .params = "", .map = "", .per_node = 1, .factor = 1},
                           .set = *set ? set : set_name(rows, path),
                           .collective = log_column_text(&c, i, COLUMN_COLLECTIVE),
                           .algorithm = log_column_text(&c, i, COLUMN_ALGORITHM),
                           .group = log_column_text(&c, i, COLUMN_GROUP),
                           .predicted_s = NAN,
                           .entry = log_column_text(&c, i, COLUMN_ENTRY)};
        if (!read_row(&c, i, prediction, &row, error) || (!predicted && !read_sample(rows, &c, i, how, &row, error)))
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
        if (log_time_unit(csv_column_name(csv, c), &column.unit))
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
    const gssize at = row_at(file->csv, row->sample.line);
    if (at < 0)
        return bad_input(error, "%s:%u: %s has no row on line %u; allowed: the file from which the rows were made",
                         row->from, row->line, file->name, row->sample.line);
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
                             row->from, row->line, row->measured_s * 1e6, row->sample.line, file->name);
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

static ValidateChoice *add_choice(ValidateRows *rows, const ValidateRow *point)
{
    ValidateChoice choice = {*point, g_array_new(FALSE, FALSE, sizeof(ValidateCandidate))};
    choice.point.algorithm = "";
    g_array_set_clear_func(choice.candidates, candidate_clear);
    g_array_append_val(rows->choices, choice);
    return &g_array_index(rows->choices, ValidateChoice, rows->choices->len - 1);
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
    LogColumns c;
    log_columns_find(csv, &c);
    if (!LOG_COLUMNS_NEED(&c, error, COLUMN_SET, COLUMN_COLLECTIVE, COLUMN_RANKS, COLUMN_PER_NODE, COLUMN_BYTES,
                          COLUMN_GROUP, COLUMN_CANDIDATES))
        return FALSE;
    const char *last = "";
    gboolean wanted = FALSE;
    for (size_t i = 0; i < csv_rows(csv); i++) {
        ValidateRow point = {.set = log_column_text(&c, i, COLUMN_SET),
                             .collective = log_column_text(&c, i, COLUMN_COLLECTIVE),
                             .group = log_column_text(&c, i, COLUMN_GROUP)};
        if (strcmp(point.set, last) != 0)
            wanted = has_rows(rows, last = point.set);
        if (!wanted)
            continue;
        if (!csv_int(csv, i, c.at[COLUMN_RANKS], 1, LIMIT_RANKS, &point.sample.p, error) ||
            !csv_int(csv, i, c.at[COLUMN_PER_NODE], 1, LIMIT_RANKS, &point.sample.per_node, error) ||
            !csv_size(csv, i, c.at[COLUMN_BYTES], 0, LIMIT_BYTES, &point.bytes, error) ||
            !read_candidates(csv, i, log_column_text(&c, i, COLUMN_CANDIDATES), add_choice(rows, &point), error))
            return FALSE;
    }
    return TRUE;
}

char *validate_row_key(const ValidateRow *row, const char *algorithm)
{
    return g_strdup_printf("%s\n%s\n%s\n%d\n%d\n%" G_GSIZE_FORMAT "\n%s", row->set, row->collective, algorithm,
                           row->sample.p, row->sample.per_node, row->bytes, row->group);
}

gboolean validate_row_default(const ValidateRow *row)
{
    return row->use == ROW_DEFAULT || g_str_has_suffix(row->algorithm, ":auto");
}

char *validate_row_entry(const ValidateRow *row)
{
    return *row->entry ? g_strdup(row->entry) : g_strndup(row->algorithm, strcspn(row->algorithm, " "));
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
        g_hash_table_add(done, (gpointer)(uintptr_t)g_array_index(rows->choices, ValidateChoice, i).point.set);
    g_autoptr(GHashTable) index = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < rows->rows->len; i++) {
        const ValidateRow *row = &g_array_index(rows->rows, ValidateRow, i);
        if (!*row->algorithm || validate_row_default(row) || g_hash_table_contains(done, row->set))
            continue;
        char *key = validate_row_key(row, "");
        gpointer at = NULL;
        if (!g_hash_table_lookup_extended(index, key, NULL, &at)) {
            at = GUINT_TO_POINTER(rows->choices->len);
            add_choice(rows, row);
            g_hash_table_insert(index, g_strdup(key), at);
        }
        g_free(key);
        add_candidate(&g_array_index(rows->choices, ValidateChoice, GPOINTER_TO_UINT(at)), row);
    }
}
