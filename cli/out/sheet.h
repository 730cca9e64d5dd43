// A sheet: rows of typed columns, which is what every answer of collsim is made of.
//
// The columns that exist are listed in one place, columns.c, so that the same fact has the same name in every answer. A
// sheet is written as CSV or JSON with all its columns, or as a table for people with those that a view names.
#pragma once
#include "out/columns.h"
#include <glib.h>
#include <stdint.h>
#include <stdio.h>

// The version of the names and meanings of the columns; CSV and JSON carry it. It rises when one of them changes or
// goes.
enum { SHEET_SCHEMA = 1 };

typedef struct Sheet Sheet;

// Makes an empty sheet. `name` is its key in JSON; it and the texts of `columns`, which ends in NULL, must outlive the
// sheet. Every name must be one of sheet_columns(). Free with sheet_free.
Sheet *sheet_new(const char *name, const char *const *columns);
// Appends the columns that the sheet does not have yet, before the first row.
void sheet_add_columns(Sheet *sheet, const char *const *columns);
void sheet_free(Sheet *sheet);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Sheet, sheet_free)

// Begins a row whose cells are all empty. The functions below fill a cell of the last row; or, before the first row,
// the cells of all rows, which take no memory then. The column must be one of the sheet's, and of a kind that fits.
void sheet_row(Sheet *sheet);
guint sheet_rows(const Sheet *sheet);
void sheet_text(Sheet *sheet, const char *column, const char *text); // NULL: empty
void sheet_take(Sheet *sheet, const char *column, char *text);       // the same; frees the text with g_free
void sheet_count(Sheet *sheet, const char *column, int64_t value);
void sheet_number(Sheet *sheet, const char *column, double value); // NAN or infinity: empty
// Sets what tables show in a cell in place of its value; frees the text with g_free.
void sheet_show(Sheet *sheet, const char *column, char *text);

// Write the sheet as CSV: a line of names, and a line for each row from `first` on.
void sheet_csv_names(const Sheet *sheet, FILE *to);
void sheet_csv_rows(const Sheet *sheet, guint first, FILE *to);
void sheet_csv(const Sheet *sheet, FILE *to); // the names and all rows
// Returns the sheet "notes", with a row for each text (char *). Free with sheet_free.
Sheet *sheet_notes(const GPtrArray *texts);
gboolean sheet_is_notes(const Sheet *sheet);
// Returns a sheet with the rows of several, one after the other, and the columns that any of them has. Free with
// sheet_free.
Sheet *sheet_join(const Sheet *const *sheets, guint n);
// Adds to `names` (of char *, borrowed) the columns of CSV that it does not have yet.
void sheet_add_names(const Sheet *sheet, GPtrArray *names);
// Appends a row's cells of these columns, in this order, with a comma behind each. A column that the sheet does not
// have is empty.
void sheet_csv_cells(const Sheet *sheet, guint row, const GPtrArray *names, GString *to);
// Writes an object {"schema": 1, "answer": NAME, SHEET: [rows], ..}. Sheets that are NULL are left out.
void sheet_json(const char *answer, const Sheet *const *sheets, int n, FILE *to);

// One column of a table; a head of NULL is that of the column.
typedef struct SheetView {
    const char *column, *head;
} SheetView;
// A column that a table may have.
typedef struct SheetChoice {
    SheetView view;
    gboolean there;
} SheetChoice;
// Writes to `view`, which has room for n + 1, those of n columns that are there, and its end.
void sheet_choose(const SheetChoice *all, size_t n, SheetView *view);
// Prints rows first .. end - 1 as a table with aligned columns, or nothing if there are none. Numbers are aligned to
// the right. A long list of parameters goes on in the lines below its row, behind a semicolon. On a terminal the heads are
// bold and the fastest rows are green, unless the environment has NO_COLOR. The view ends with a column of NULL.
void sheet_table(const Sheet *sheet, const SheetView *view, guint first, guint end, const char *indent, FILE *to);

// Returns what a table shows in a cell. Free with g_free.
char *sheet_shown(const Sheet *sheet, guint row, const char *column);
// Returns the number in a cell of a column of times, ratios or numbers, NAN if it is empty.
double sheet_number_at(const Sheet *sheet, guint row, const char *column);
// Returns the head of a column in tables, and TRUE in *number if its cells are numbers.
const char *sheet_head(const Sheet *sheet, const char *column, gboolean *number);

// Returns a / b as "1.25", in three digits, or "" if b is 0. Free with g_free.
char *sheet_ratio(double a, double b);
