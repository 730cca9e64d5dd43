// A strict reader of CSV (RFC 4180). The first row is the header, and every further row has as many fields. A field may
// be quoted, and "" inside quotes is one quote. Lines end in LF or CRLF. Errors begin with FILE:LINE. The whole table
// is held in memory:
//
//     text  | bytes,time_s\0 64,1e-6\0 ...     one copy, unquoted in place, every field ends in \0
//     field | [row * columns + column] -> text     row 0 is the first row after the header
//     line  | [row] -> the line in the file where the row starts
#pragma once
#include <glib.h>

typedef struct Csv Csv;

// Reads a CSV file, or standard input if path is "-", within the limits of base/limits.h. Returns NULL and a bad-input
// error if it cannot be read, is too large or is malformed. Free with csv_free.
Csv *csv_read(const char *path, GError **error);

// Reads CSV from len bytes of text, which need not end in \0 and are copied. Errors call the text `name`.
// Returns NULL and a bad-input error if the text is malformed. Free with csv_free.
Csv *csv_parse(const char *text, size_t len, const char *name, GError **error);

// Does the same, but leaves out comments (#) and empty lines above the header, empty lines below it, and rows with another
// number of fields than the header. For each such row it adds an error (GError *) to `faults`.
Csv *csv_parse_good(const char *text, size_t len, const char *name, GPtrArray *faults, GError **error);

// Returns the first line of a text that is neither a comment (#) nor empty.
const char *csv_begin(const char *text);

// Frees a table and all of its fields. NULL is allowed.
void csv_free(Csv *csv);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Csv, csv_free)

// Returns the file's name as errors show it. The table owns it.
const char *csv_name(const Csv *csv);

// Returns the number of rows, not counting the header.
size_t csv_rows(const Csv *csv);

// Returns the number of columns, and the name of the column with an index below that.
int csv_columns(const Csv *csv);
const char *csv_column_name(const Csv *csv, int column);

// Returns the index of the column with this name (case matters), or -1 if there is none.
int csv_column(const Csv *csv, const char *name);

// Sets *column to the index of the column with this name. If there is none, returns FALSE and a bad-input error that
// lists the columns that exist.
gboolean csv_need(const Csv *csv, const char *name, int *column, GError **error);

// Returns a field, which the table owns; never NULL. For column -1 (an optional column that the file does not have) it
// returns "".
const char *csv_field(const Csv *csv, size_t row, int column);

// Returns the line of the file on which a row starts, counted from 1.
size_t csv_line(const Csv *csv, size_t row);

// Reads a field that holds an integer from `least` to `most` in decimal digits. If the field holds anything else, or
// the column is -1 because the header lacks it, returns FALSE and a bad-input error and leaves *value as it was.
gboolean csv_size(const Csv *csv, size_t row, int column, size_t least, size_t most, size_t *value, GError **error);
// Does the same for an int; `least` is 0 or above.
gboolean csv_int(const Csv *csv, size_t row, int column, int least, int most, int *value, GError **error);

// Reads a field that holds a finite number of 0 or more ("1.5", "2e-6"). If the field holds anything else, or the
// column is -1, returns FALSE and a bad-input error.
gboolean csv_number(const Csv *csv, size_t row, int column, double *value, GError **error);
