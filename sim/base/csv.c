#include "base/csv.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/text.h"
#include <string.h>

struct Csv {
    char *name;        // the file's name in errors
    char *text;        // holds every field
    GPtrArray *header; // of char * into text
    GPtrArray *fields; // of char * into text, row after row
    GArray *lines;     // of size_t, one per row
};

// The parser's position. `out` never passes `in`, because unquoting only shortens the text.
typedef struct {
    const char *name;
    char *in, *end, *out;
    size_t line;
} Parser;

static gboolean at_line_end(const Parser *at)
{
    return at->in < at->end && (*at->in == '\n' || (*at->in == '\r' && at->in + 1 < at->end && at->in[1] == '\n'));
}

// Copies a quoted field's content to out, and moves `in` from the opening quote to behind the closing one.
static gboolean take_quoted(Parser *at, GError **error)
{
    const size_t opened = at->line;
    for (at->in++; at->in < at->end; at->in++) {
        if (*at->in == '"') {
            if (at->in + 1 == at->end || at->in[1] != '"')
                break;
            at->in++;
        } else if (*at->in == '\n')
            at->line++;
        *at->out++ = *at->in;
    }
    if (at->in == at->end)
        return bad_input(error, "%s:%zu: the quoted field that starts here is never closed", at->name, opened);
    at->in++;
    if (at->in < at->end && *at->in != ',' && !at_line_end(at))
        return bad_input(error, "%s:%zu: text follows a closing quote; allowed: a comma or the end of the line",
                         at->name, at->line);
    return TRUE;
}

static gboolean take_plain(Parser *at, GError **error)
{
    for (; at->in < at->end && *at->in != ',' && !at_line_end(at); at->in++) {
        if (*at->in == '"')
            return bad_input(error, "%s:%zu: a field has a quote inside; allowed: quotes around the whole field",
                             at->name, at->line);
        if (*at->in == '\r')
            return bad_input(error, "%s:%zu: a carriage return is inside a line; allowed: only before the line's end",
                             at->name, at->line);
        *at->out++ = *at->in;
    }
    return TRUE;
}

// Reads one row, appends its fields, and leaves `in` at the start of the next line.
static gboolean take_row(Parser *at, GPtrArray *fields, GError **error)
{
    for (;;) {
        if (fields->len == LIMIT_TABLE_FIELDS)
            return bad_input(error, "%s:%zu: the table has too many fields; allowed: at most 2^24 in all rows",
                             at->name, at->line);
        g_ptr_array_add(fields, at->out);
        if (!(at->in < at->end && *at->in == '"' ? take_quoted(at, error) : take_plain(at, error)))
            return FALSE;
        // Read the separator before \0 overwrites it: as long as no field has quotes, out points to it.
        const gboolean more = at->in < at->end && *at->in == ',';
        if (more)
            at->in++;
        else if (at->in < at->end)
            at->in += *at->in == '\r' ? 2 : 1;
        *at->out++ = '\0';
        if (!more)
            break;
    }
    at->line++;
    return TRUE;
}

static gboolean check_header(const Csv *csv, GError **error)
{
    for (guint i = 0; i < csv->header->len; i++) {
        const char *const column = csv->header->pdata[i];
        if (!*column)
            return bad_input(error, "%s:1: column %u has no name; allowed: a name for every column", csv->name, i + 1);
        if (csv_column(csv, column) != (int)i)
            return bad_input(error, "%s:1: column `%s` appears twice; allowed: once", csv->name, column);
    }
    return TRUE;
}

const char *csv_begin(const char *text)
{
    while (*text == '#' || *text == '\n' || (text[0] == '\r' && text[1] == '\n')) {
        const char *const end = strchr(text, '\n');
        text = end ? end + 1 : text + strlen(text);
    }
    return text;
}

static gboolean parse_all(Csv *csv, Parser *at, GPtrArray *faults, GError **error)
{
    for (const char *const begin = faults ? csv_begin(at->in) : at->in; at->in < begin; at->in++)
        at->line += *at->in == '\n';
    if (!take_row(at, csv->header, error) || !check_header(csv, error))
        return FALSE;
    while (at->in < at->end) {
        const size_t line = at->line;
        const guint before = csv->fields->len;
        if (!take_row(at, csv->fields, error))
            return FALSE;
        const guint n = csv->fields->len - before;
        if (n == csv->header->len) {
            g_array_append_val(csv->lines, line);
            continue;
        }
        const gboolean empty = n == 1 && !*(const char *)csv->fields->pdata[before];
        if (faults && empty) {
            g_ptr_array_set_size(csv->fields, (gint)before);
            continue;
        }
        GError *fault = NULL;
        bad_input(&fault, "%s:%zu: the row has %u field%s; allowed: %u, as in the header", csv->name, line, n,
                  n == 1 ? "" : "s", csv->header->len);
        if (!faults) {
            g_propagate_error(error, fault);
            return FALSE;
        }
        g_ptr_array_add(faults, fault);
        g_ptr_array_set_size(csv->fields, (gint)before);
    }
    return TRUE;
}

Csv *csv_parse(const char *text, size_t len, const char *name, GError **error)
{
    return csv_parse_good(text, len, name, NULL, error);
}

Csv *csv_parse_good(const char *text, size_t len, const char *name, GPtrArray *faults, GError **error)
{
    if (!len) {
        bad_input(error, "%s: the file is empty; allowed: a header row, then rows of as many fields", name);
        return NULL;
    }
    if (!text_check(text, len, LIMIT_TABLE_BYTES, name, error))
        return NULL;
    g_autoptr(Csv) csv = g_new0(Csv, 1);
    csv->name = g_strdup(name);
    csv->text = g_malloc(len + 1); // + 1 for the last field's \0 if the last line has no line end to overwrite
    memcpy(csv->text, text, len);
    csv->text[len] = '\0';
    csv->header = g_ptr_array_new();
    csv->fields = g_ptr_array_new();
    csv->lines = g_array_new(FALSE, FALSE, sizeof(size_t));
    Parser at = {.name = csv->name, .in = csv->text, .end = csv->text + len, .out = csv->text, .line = 1};
    return parse_all(csv, &at, faults, error) ? g_steal_pointer(&csv) : NULL;
}

Csv *csv_read(const char *path, GError **error)
{
    size_t len;
    g_autofree char *text = text_read(path, LIMIT_TABLE_BYTES, &len, error);
    return text ? csv_parse(text, len, text_name(path), error) : NULL;
}

void csv_free(Csv *csv)
{
    if (!csv)
        return;
    g_free(csv->name);
    g_free(csv->text);
    g_ptr_array_unref(csv->header);
    g_ptr_array_unref(csv->fields);
    g_array_unref(csv->lines);
    g_free(csv);
}

const char *csv_name(const Csv *csv)
{
    return csv->name;
}

size_t csv_rows(const Csv *csv)
{
    return csv->lines->len;
}

int csv_columns(const Csv *csv)
{
    return (int)csv->header->len;
}

const char *csv_column_name(const Csv *csv, int column)
{
    return csv->header->pdata[column];
}

int csv_column(const Csv *csv, const char *name)
{
    for (guint i = 0; i < csv->header->len; i++)
        if (!strcmp(csv->header->pdata[i], name))
            return (int)i;
    return -1;
}

gboolean csv_need(const Csv *csv, const char *name, int *column, GError **error)
{
    *column = csv_column(csv, name);
    if (*column >= 0)
        return TRUE;
    g_autoptr(GString) have = g_string_new(csv->header->pdata[0]);
    for (guint i = 1; i < csv->header->len && have->len < 120; i++)
        g_string_append_printf(have, ", %s", (char *)csv->header->pdata[i]);
    return bad_input(error, "%s:1: column `%s` is missing; the header has %s", csv->name, name, have->str);
}

const char *csv_field(const Csv *csv, size_t row, int column)
{
    g_assert(row < csv_rows(csv) && column < (int)csv->header->len);
    return column < 0 ? "" : csv->fields->pdata[row * csv->header->len + (guint)column];
}

size_t csv_line(const Csv *csv, size_t row)
{
    g_assert(row < csv_rows(csv));
    return g_array_index(csv->lines, size_t, row);
}

static gboolean bad_field(const Csv *csv, size_t row, int column, const char *allowed, GError **error)
{
    const char *const name = column < 0 ? "a column that the header lacks" : csv->header->pdata[column];
    return bad_input(error, "%s:%zu: %s is `%.40s`; allowed: %s", csv->name, csv_line(csv, row), name,
                     csv_field(csv, row, column), allowed);
}

gboolean csv_size(const Csv *csv, size_t row, int column, size_t least, size_t most, size_t *value, GError **error)
{
    if (number_size(csv_field(csv, row, column), least, most, value))
        return TRUE;
    g_autofree char *allowed = number_range(least, most);
    return bad_field(csv, row, column, allowed, error);
}

gboolean csv_int(const Csv *csv, size_t row, int column, int least, int most, int *value, GError **error)
{
    size_t size = 0;
    if (!csv_size(csv, row, column, (size_t)least, (size_t)most, &size, error))
        return FALSE;
    *value = (int)size;
    return TRUE;
}

gboolean csv_number(const Csv *csv, size_t row, int column, double *value, GError **error)
{
    return number_real(csv_field(csv, row, column), value) ||
           bad_field(csv, row, column, "a number, 0 or above", error);
}
