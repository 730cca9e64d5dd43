#include "out/sheet.h"
#include "base/distinct.h"
#include "base/escape.h"
#include "base/units.h"
#include <math.h>
#include <string.h>

typedef struct SheetCell {
    gboolean filled;
    union {
        int64_t integer;
        double number;
        const char *text; // in the sheet's texts
    };
    const char *shown; // in the sheet's texts; NULL: the value as its kind is shown
} SheetCell;

struct Sheet {
    const char *name;
    GPtrArray *columns; // of const SheetColumn *
    GArray *same;       // of SheetCell, one per column: the cells that are the same in all rows
    GArray *slot;       // of int, one per column: its place in a row, or -1 if its cells are all the same
    GArray *cells;      // of SheetCell, row after row
    guint row_cells;    // cells that a row has of its own
    GStringChunk *texts;
    guint rows;
    guint next; // where the search for the next column begins
};

const char *const sheet_kind_names[] = {
    [SHEET_TEXT] = "text",     [SHEET_DECIMAL] = "decimal", [SHEET_COUNT] = "integer",
    [SHEET_BYTES] = "bytes",   [SHEET_SECONDS] = "seconds", [SHEET_RATIO] = "ratio",
    [SHEET_NUMBER] = "number", [SHEET_FLAG] = "0 or 1",     [SHEET_SHOWN] = "table only",
};

Sheet *sheet_new(const char *name, const char *const *columns)
{
    Sheet *sheet = g_new0(Sheet, 1);
    sheet->name = name;
    sheet->columns = g_ptr_array_new();
    sheet->same = g_array_new(FALSE, TRUE, sizeof(SheetCell));
    sheet->slot = g_array_new(FALSE, TRUE, sizeof(int));
    sheet->cells = g_array_new(FALSE, TRUE, sizeof(SheetCell));
    sheet->texts = g_string_chunk_new(4096);
    sheet_add_columns(sheet, columns);
    return sheet;
}

static const SheetColumn *column_named(const char *name)
{
    const SheetColumn *column = sheet_columns();
    while (column->name && strcmp(column->name, name) != 0)
        column++;
    g_assert(column->name); // every column is listed in columns.c
    return column;
}

void sheet_add_columns(Sheet *sheet, const char *const *columns)
{
    g_assert(sheet->rows == 0);
    for (; *columns; columns++) {
        gpointer column = (gpointer)(uintptr_t)column_named(*columns);
        if (!g_ptr_array_find(sheet->columns, column, NULL))
            g_ptr_array_add(sheet->columns, column);
    }
    g_array_set_size(sheet->same, sheet->columns->len);
}

void sheet_free(Sheet *sheet)
{
    if (!sheet)
        return;
    g_ptr_array_unref(sheet->columns);
    g_array_unref(sheet->same);
    g_array_unref(sheet->slot);
    g_array_unref(sheet->cells);
    g_string_chunk_free(sheet->texts);
    g_free(sheet);
}

// Gives each column whose cells are not all the same a place in the rows.
static void assign_slots(Sheet *sheet)
{
    for (guint k = 0; k < sheet->columns->len; k++) {
        const SheetCell *cell = &g_array_index(sheet->same, SheetCell, k);
        const int slot = cell->filled || cell->shown ? -1 : (int)sheet->row_cells++;
        g_array_append_val(sheet->slot, slot);
    }
}

void sheet_row(Sheet *sheet)
{
    if (sheet->rows == 0)
        assign_slots(sheet);
    sheet->rows++;
    sheet->next = 0;
    g_array_set_size(sheet->cells, sheet->rows * sheet->row_cells);
}

guint sheet_rows(const Sheet *sheet)
{
    return sheet->rows;
}

static const SheetColumn *column_at(const Sheet *sheet, guint k)
{
    return g_ptr_array_index(sheet->columns, k);
}

static guint index_of(const Sheet *sheet, const char *column)
{
    // Cells are mostly filled from left to right, so the search begins behind the last one.
    for (guint i = 0; i < sheet->columns->len; i++) {
        const guint k = (sheet->next + i) % sheet->columns->len;
        if (strcmp(column_at(sheet, k)->name, column) == 0)
            return k;
    }
    g_error("sheet %s has no column %s", sheet->name, column);
}

static const SheetCell *cell_at(const Sheet *sheet, guint row, guint column)
{
    const int slot = g_array_index(sheet->slot, int, column);
    return slot < 0 ? &g_array_index(sheet->same, SheetCell, column)
                    : &g_array_index(sheet->cells, SheetCell, row * sheet->row_cells + (guint)slot);
}

// Returns the cell to fill: that of the last row, or the one that all rows share.
static SheetCell *own_cell(Sheet *sheet, guint k)
{
    sheet->next = k + 1;
    if (sheet->rows == 0)
        return &g_array_index(sheet->same, SheetCell, k);
    const int slot = g_array_index(sheet->slot, int, k);
    g_assert(slot >= 0); // a cell that is the same in all rows is filled before the first row
    return &g_array_index(sheet->cells, SheetCell, (sheet->rows - 1) * sheet->row_cells + (guint)slot);
}

// Returns the cell to fill, which must be of a kind from `least` to `most`.
static SheetCell *last_cell(Sheet *sheet, const char *column, SheetKind least, SheetKind most)
{
    const guint k = index_of(sheet, column);
    const SheetKind kind = column_at(sheet, k)->kind;
    g_assert(kind == SHEET_FLAG || (kind >= least && kind <= most) || (least == SHEET_TEXT && kind == SHEET_SHOWN));
    return own_cell(sheet, k);
}

void sheet_text(Sheet *sheet, const char *column, const char *text)
{
    SheetCell *cell = last_cell(sheet, column, SHEET_TEXT, SHEET_DECIMAL);
    cell->filled = text && *text;
    cell->text = cell->filled ? g_string_chunk_insert(sheet->texts, text) : NULL;
}

void sheet_take(Sheet *sheet, const char *column, char *text)
{
    sheet_text(sheet, column, text);
    g_free(text);
}

void sheet_count(Sheet *sheet, const char *column, int64_t value)
{
    SheetCell *cell = last_cell(sheet, column, SHEET_COUNT, SHEET_BYTES);
    cell->filled = TRUE;
    cell->integer = value;
}

void sheet_number(Sheet *sheet, const char *column, double value)
{
    SheetCell *cell = last_cell(sheet, column, SHEET_SECONDS, SHEET_NUMBER);
    cell->filled = isfinite(value);
    cell->number = value;
}

void sheet_show(Sheet *sheet, const char *column, char *text)
{
    own_cell(sheet, index_of(sheet, column))->shown = g_string_chunk_insert(sheet->texts, text);
    g_free(text);
}

// Adds a row of a sheet to one that has all of its columns.
static void copy_row(Sheet *to, const Sheet *from, guint row)
{
    sheet_row(to);
    for (guint k = 0; k < from->columns->len; k++) {
        SheetCell *cell = own_cell(to, index_of(to, column_at(from, k)->name));
        *cell = *cell_at(from, row, k);
        const SheetKind kind = column_at(from, k)->kind;
        if (cell->filled && (kind == SHEET_TEXT || kind == SHEET_SHOWN || kind == SHEET_DECIMAL))
            cell->text = g_string_chunk_insert(to->texts, cell->text);
        if (cell->shown)
            cell->shown = g_string_chunk_insert(to->texts, cell->shown);
    }
}

Sheet *sheet_notes(const GPtrArray *texts)
{
    Sheet *sheet = sheet_new("notes", (const char *const[]){"note", NULL});
    for (guint i = 0; i < texts->len; i++) {
        sheet_row(sheet);
        sheet_text(sheet, "note", g_ptr_array_index(texts, i));
    }
    return sheet;
}

gboolean sheet_is_notes(const Sheet *sheet)
{
    return strcmp(sheet->name, "notes") == 0;
}

Sheet *sheet_join(const Sheet *const *sheets, guint n)
{
    Sheet *all = sheet_new(sheets[0]->name, (const char *const[]){NULL});
    for (guint i = 0; i < n; i++)
        for (guint k = 0; k < sheets[i]->columns->len; k++)
            sheet_add_columns(all, (const char *const[]){column_at(sheets[i], k)->name, NULL});
    for (guint i = 0; i < n; i++)
        for (guint row = 0; row < sheets[i]->rows; row++)
            copy_row(all, sheets[i], row);
    return all;
}

// ---- CSV and JSON ---------------------------------------------------------------------------------------------------

static void append_taken(GString *s, char *text)
{
    g_string_append(s, text);
    g_free(text);
}

// Appends text as a string of JSON, which must be UTF-8: other bytes, as in the name of a file, are replaced.
static void add_json_text(GString *s, const char *text)
{
    g_string_append_c(s, '"');
    append_taken(s, escape_json(text));
    g_string_append_c(s, '"');
}

// Appends a value as both CSV and JSON write it; the cell must be filled and must not be text.
static void add_value(GString *s, SheetKind kind, const SheetCell *cell)
{
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    if (kind == SHEET_DECIMAL)
        g_string_append(s, cell->text);
    else if (kind == SHEET_COUNT || kind == SHEET_BYTES || kind == SHEET_FLAG)
        g_string_append_printf(s, "%" G_GINT64_FORMAT, cell->integer);
    else // 17 digits read back as the same double
        g_string_append(s, g_ascii_formatd(digits, sizeof digits, "%.17g", cell->number));
}

void sheet_csv_names(const Sheet *sheet, FILE *to)
{
    for (guint k = 0; k < sheet->columns->len; k++)
        if (column_at(sheet, k)->kind != SHEET_SHOWN)
            fprintf(to, "%s,", column_at(sheet, k)->name);
    fputs("schema\n", to);
}

static void add_csv_cell(GString *s, const Sheet *sheet, guint row, guint column)
{
    const SheetKind kind = column_at(sheet, column)->kind;
    const SheetCell *cell = cell_at(sheet, row, column);
    if (cell->filled && kind == SHEET_TEXT)
        append_taken(s, escape_csv(cell->text));
    else if (cell->filled)
        add_value(s, kind, cell);
    g_string_append_c(s, ',');
}

void sheet_add_names(const Sheet *sheet, GPtrArray *names)
{
    for (guint k = 0; k < sheet->columns->len; k++)
        if (column_at(sheet, k)->kind != SHEET_SHOWN)
            distinct_name(names, column_at(sheet, k)->name);
}

void sheet_csv_cells(const Sheet *sheet, guint row, const GPtrArray *names, GString *to)
{
    guint k = 0; // columns mostly have the order of the names
    for (guint i = 0; i < names->len; i++) {
        guint tried = 0;
        while (tried < sheet->columns->len && strcmp(column_at(sheet, k)->name, names->pdata[i]) != 0) {
            k = (k + 1) % sheet->columns->len;
            tried++;
        }
        if (tried < sheet->columns->len)
            add_csv_cell(to, sheet, row, k);
        else
            g_string_append_c(to, ',');
    }
}

void sheet_csv_rows(const Sheet *sheet, guint first, FILE *to)
{
    g_autoptr(GString) s = g_string_new(NULL);
    for (guint row = first; row < sheet->rows; row++) {
        for (guint k = 0; k < sheet->columns->len; k++)
            if (column_at(sheet, k)->kind != SHEET_SHOWN)
                add_csv_cell(s, sheet, row, k);
        g_string_append_printf(s, "%d\n", SHEET_SCHEMA);
        fputs(s->str, to);
        g_string_truncate(s, 0);
    }
}

void sheet_csv(const Sheet *sheet, FILE *to)
{
    sheet_csv_names(sheet, to);
    sheet_csv_rows(sheet, 0, to);
}

static void add_rows(GString *s, const Sheet *sheet, FILE *to)
{
    add_json_text(s, sheet->name);
    g_string_append(s, ":[");
    for (guint row = 0; row < sheet->rows; row++) {
        char before = '{';
        g_string_append(s, row > 0 ? ",\n" : "\n");
        for (guint k = 0; k < sheet->columns->len; k++) {
            const SheetColumn *column = column_at(sheet, k);
            const SheetCell *cell = cell_at(sheet, row, k);
            if (column->kind == SHEET_SHOWN)
                continue;
            g_string_append_printf(s, "%c\"%s\":", before, column->name);
            before = ',';
            if (!cell->filled)
                g_string_append(s, "null");
            else if (column->kind == SHEET_TEXT)
                add_json_text(s, cell->text);
            else
                add_value(s, column->kind, cell);
        }
        g_string_append_c(s, '}');
        fputs(s->str, to);
        g_string_truncate(s, 0);
    }
    g_string_append_c(s, ']');
}

void sheet_json(const char *answer, const Sheet *const *sheets, int n, FILE *to)
{
    g_autoptr(GString) s = g_string_new(NULL);
    g_string_append_printf(s, "{\"schema\":%d,\"answer\":\"%s\"", SHEET_SCHEMA, answer);
    for (int i = 0; i < n; i++)
        if (sheets[i]) {
            g_string_append(s, ",\n");
            add_rows(s, sheets[i], to);
        }
    g_string_append(s, "}\n");
    fputs(s->str, to);
}

// ---- What tables show -----------------------------------------------------------------------------------------------

// A time may be below 0 if it is the difference of two.
static char *time_text(double seconds)
{
    g_autofree char *text = units_format_time(fabs(seconds));
    return g_strconcat(seconds < 0 ? "-" : "", text, NULL);
}

// Returns what a table shows in a cell. Free with g_free.
static char *shown_text(SheetKind kind, const SheetCell *cell)
{
    if (cell->shown)
        return escape_terminal(cell->shown);
    if (!cell->filled)
        return g_strdup("");
    switch (kind) {
    case SHEET_COUNT:
    case SHEET_FLAG:
        return g_strdup_printf("%" G_GINT64_FORMAT, cell->integer);
    case SHEET_BYTES:
        return units_format_size((size_t)cell->integer);
    case SHEET_SECONDS:
        return time_text(cell->number);
    case SHEET_RATIO:
        return sheet_ratio(cell->number, 1);
    case SHEET_NUMBER:
        return g_strdup_printf("%.10g", cell->number);
    default:
        return escape_terminal(cell->text);
    }
}

static gboolean aligned_right(SheetKind kind)
{
    return kind != SHEET_TEXT && kind != SHEET_SHOWN;
}

char *sheet_shown(const Sheet *sheet, guint row, const char *column)
{
    const guint k = index_of(sheet, column);
    return shown_text(column_at(sheet, k)->kind, cell_at(sheet, row, k));
}

const char *sheet_head(const Sheet *sheet, const char *column, gboolean *number)
{
    const SheetColumn *of = column_at(sheet, index_of(sheet, column));
    *number = aligned_right(of->kind);
    return of->head;
}

double sheet_number_at(const Sheet *sheet, guint row, const char *column)
{
    const SheetCell *cell = cell_at(sheet, row, index_of(sheet, column));
    return cell->filled ? cell->number : NAN;
}

char *sheet_ratio(double a, double b)
{
    const double x = b > 0 ? a / b : 0;
    return b > 0 ? g_strdup_printf("%.*f", x < 10 ? 2 : x < 100 ? 1 : 0, x) : g_strdup("");
}
