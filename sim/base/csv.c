#include "base/csv.h"
#include "base/error.h"
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
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

static gboolean check_text(const char *text, size_t len, const char *name, GError **error)
{
    const char *bad = NULL;
    if (!len)
        return bad_input(error, "%s: the file is empty; allowed: a header row, then rows of as many fields", name);
    if (g_utf8_validate_len(text, len, &bad)) // this refuses \0 too
        return TRUE;
    size_t line = 1;
    for (const char *c = text; c < bad; c++)
        line += *c == '\n';
    return bad_input(error, "%s:%zu: the line is not text; allowed: UTF-8", name, line);
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

static gboolean parse_all(Csv *csv, Parser *at, GError **error)
{
    if (!take_row(at, csv->header, error) || !check_header(csv, error))
        return FALSE;
    while (at->in < at->end) {
        const size_t line = at->line;
        const guint before = csv->fields->len;
        if (!take_row(at, csv->fields, error))
            return FALSE;
        const guint n = csv->fields->len - before;
        if (n != csv->header->len)
            return bad_input(error, "%s:%zu: the row has %u field%s; allowed: %u, as in the header", csv->name, line, n,
                             n == 1 ? "" : "s", csv->header->len);
        g_array_append_val(csv->lines, line);
    }
    return TRUE;
}

Csv *csv_parse(const char *text, size_t len, const char *name, GError **error)
{
    if (len >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3)) { // a byte order mark is not part of the first column's name
        text += 3;
        len -= 3;
    }
    if (!check_text(text, len, name, error))
        return NULL;
    g_autoptr(Csv) csv = g_new0(Csv, 1);
    csv->name = g_strdup(name);
    csv->text = g_malloc(len + 1); // + 1 for the last field's \0 if the last line has no line end to overwrite
    memcpy(csv->text, text, len);
    csv->header = g_ptr_array_new();
    csv->fields = g_ptr_array_new();
    csv->lines = g_array_new(FALSE, FALSE, sizeof(size_t));
    Parser at = {.name = csv->name, .in = csv->text, .end = csv->text + len, .out = csv->text, .line = 1};
    return parse_all(csv, &at, error) ? g_steal_pointer(&csv) : NULL;
}

Csv *csv_read(const char *path, GError **error)
{
    const gboolean from_stdin = !strcmp(path, "-");
    const char *const name = from_stdin ? "stdin" : path;
    FILE *const file = from_stdin ? stdin : fopen(path, "rb");
    if (!file) {
        bad_input(error, "%s: %s; allowed: a readable file", name, g_strerror(errno));
        return NULL;
    }
    g_autoptr(GString) text = g_string_new(NULL);
    char buffer[1 << 16];
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, file)) > 0;)
        g_string_append_len(text, buffer, (gssize)n);
    const int failed = ferror(file) ? errno : 0;
    if (!from_stdin)
        fclose(file);
    if (failed) {
        bad_input(error, "%s: %s; allowed: a readable file", name, g_strerror(failed));
        return NULL;
    }
    return csv_parse(text->str, text->len, name, error);
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
    return bad_input(error, "%s:%zu: %s is `%.40s`; allowed: %s", csv->name, csv_line(csv, row),
                     (char *)csv->header->pdata[column], csv_field(csv, row, column), allowed);
}

gboolean csv_integer(const Csv *csv, size_t row, int column, size_t *value, GError **error)
{
    guint64 parsed = 0;
    const char *const field = csv_field(csv, row, column);
    if (!g_ascii_isdigit(*field) || !g_ascii_string_to_unsigned(field, 10, 0, SIZE_MAX, &parsed, NULL))
        return bad_field(csv, row, column, "an integer, 0 or above", error);
    *value = (size_t)parsed;
    return TRUE;
}

gboolean csv_number(const Csv *csv, size_t row, int column, double *value, GError **error)
{
    const char *const field = csv_field(csv, row, column);
    char *end = NULL;
    const double parsed = g_ascii_strtod(field, &end);
    const gboolean plain = g_ascii_isdigit(*field) && strspn(field, "0123456789.eE+-") == strlen(field);
    if (!plain || *end || !isfinite(parsed))
        return bad_field(csv, row, column, "a number, 0 or above", error);
    *value = parsed;
    return TRUE;
}
