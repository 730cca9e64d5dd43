// A strict reader of CSV (RFC 4180): a header row, then rows of as many fields; fields may be quoted ("" inside quotes
// is a quote); lines end in LF or CRLF. Every error names FILE:LINE. The whole table is held in memory:
//
//     text  | bytes,time_s\0 64,1e-6\0 ...     one copy, unquoted in place, every field ends in \0
//     field | [row * columns + column] -> text     row 0 of the caller is the first row after the header
//     line  | [row] -> the line in the file where the row starts
#pragma once
#include <glib.h>

typedef struct Csv Csv;

// Reads a CSV file ("-": standard input). NULL and a bad-input error when it cannot be read or is malformed. Free with
// csv_free.
Csv *csv_read(const char *path, GError **error);

// Reads CSV from text of len bytes, which need not end in \0 and is copied; name stands for the file in errors.
Csv *csv_parse(const char *text, size_t len, const char *name, GError **error);

// Frees a table; NULL is allowed. Fields taken from it are gone with it.
void csv_free(Csv *csv);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Csv, csv_free)

// The name that errors about this table start with.
const char *csv_name(const Csv *csv);

// Number of rows, the header not counted.
size_t csv_rows(const Csv *csv);

// Index of a column by its name in the header (case matters), -1 where there is none.
int csv_column(const Csv *csv, const char *name);

// The same for a column that must exist: a bad-input error that names those that do.
gboolean csv_need(const Csv *csv, const char *name, int *column, GError **error);

// A field, owned by the table; never NULL. column -1 (an optional column that is missing) gives "".
const char *csv_field(const Csv *csv, size_t row, int column);

// The line of the file on which a row starts, from 1.
size_t csv_line(const Csv *csv, size_t row);

// A field as an integer from 0 in decimal digits; anything else is a bad-input error.
gboolean csv_integer(const Csv *csv, size_t row, int column, size_t *value, GError **error);

// A field as a finite number, 0 or above; anything else is a bad-input error.
gboolean csv_number(const Csv *csv, size_t row, int column, double *value, GError **error);
