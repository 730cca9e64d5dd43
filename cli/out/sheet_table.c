// Prints the rows of a sheet as a table for people.
#include "out/sheet.h"
#include <string.h>
#include <unistd.h>

typedef enum Style { STYLE_PLAIN, STYLE_HEAD, STYLE_BEST } Style;

// Prints one line of a table; `cell` has one text for each of the n columns, aligned to the right where it is a number.
static void print_line(char **cell, const gboolean *number, const int *width, guint n, const char *indent, Style style,
                       FILE *to)
{
    static const char *const begin[] = {[STYLE_PLAIN] = "", [STYLE_HEAD] = "\033[1m", [STYLE_BEST] = "\033[32m"};
    g_autoptr(GString) line = g_string_new(indent);
    for (guint k = 0; k < n; k++) {
        const int pad = width[k] - (int)g_utf8_strlen(cell[k], -1);
        g_string_append_printf(line, "%s%*s%s%*s", k ? "  " : "", number[k] ? pad : 0, "", cell[k], number[k] ? 0 : pad,
                               "");
    }
    fprintf(to, "%s%s%s\n", begin[style], g_strchomp(line->str), style == STYLE_PLAIN ? "" : "\033[0m");
}

// Returns true if a table may have colours: on a terminal, unless NO_COLOR is set (no-color.org).
static gboolean coloured(FILE *to)
{
    const char *no_color = g_getenv("NO_COLOR"), *term = g_getenv("TERM");
    return to == stdout && isatty(STDOUT_FILENO) && !(no_color && *no_color) && !(term && strcmp(term, "dumb") == 0);
}

// Returns true if the row is as fast as the fastest, which its column x_best says too.
static gboolean is_best(const Sheet *sheet, const SheetView *view, guint row)
{
    for (; view->column; view++)
        if (strcmp(view->column, "x_best") == 0)
            return sheet_number_at(sheet, row, view->column) == 1;
    return FALSE;
}

// A list of parameters that has other columns to its right is parted behind a semicolon where it would be wider than
// this, and goes on in the next line.
enum { LIST_WIDTH = 50 };

// Takes from a text what goes on in the next line, and returns that, indented, or NULL if all of it stands in this one.
// Free with g_free.
static char *take_rest(char *text)
{
    char *end = NULL;
    int columns = 0;
    for (char *at = text; *at; at = g_utf8_next_char(at), columns++) {
        if (columns >= LIST_WIDTH && end) {
            char *rest = g_strconcat("  ", end, NULL);
            *end = '\0';
            return rest;
        }
        if (*at == ';' && at[1] && at[1] != ' ') // elsewhere "; " parts sentences
            end = at + 1;
    }
    return NULL;
}

// One line of a table: a row's, or the next one of the row before.
typedef struct TableLine {
    char **cell;
    Style style;
} TableLine;

// Appends the lines of a row, whose cells it takes.
static void add_lines(GArray *lines, char **cell, guint n, Style style)
{
    gboolean more = TRUE;
    while (more) {
        char **next = g_new0(char *, n + 1);
        more = FALSE;
        for (guint k = 0; k < n; k++) {
            next[k] = k + 1 < n ? take_rest(cell[k]) : NULL;
            more |= next[k] != NULL;
            if (!next[k])
                next[k] = g_strdup("");
        }
        const TableLine line = {cell, style};
        g_array_append_val(lines, line);
        cell = next;
    }
    g_strfreev(cell);
}

static void clear_line(gpointer line)
{
    g_strfreev(((TableLine *)line)->cell);
}

void sheet_choose(const SheetChoice *all, size_t n, SheetView *view)
{
    for (size_t i = 0; i < n; i++)
        if (all[i].there)
            *view++ = all[i].view;
    *view = (SheetView){NULL};
}

void sheet_table(const Sheet *sheet, const SheetView *view, guint first, guint end, const char *indent, FILE *to)
{
    guint n = 0;
    while (view[n].column)
        n++;
    if (first >= end)
        return;
    const gboolean colours = coloured(to);
    g_autoptr(GArray) lines = g_array_new(FALSE, FALSE, sizeof(TableLine));
    g_array_set_clear_func(lines, clear_line);
    g_autofree gboolean *number = g_new(gboolean, n);
    char **heads = g_new0(char *, n + 1);
    for (guint k = 0; k < n; k++) {
        const char *head = sheet_head(sheet, view[k].column, &number[k]);
        heads[k] = g_strdup(view[k].head ? view[k].head : head);
    }
    add_lines(lines, heads, n, colours ? STYLE_HEAD : STYLE_PLAIN);
    for (guint row = first; row < end; row++) {
        char **cell = g_new0(char *, n + 1);
        for (guint k = 0; k < n; k++)
            cell[k] = sheet_shown(sheet, row, view[k].column);
        add_lines(lines, cell, n, colours && is_best(sheet, view, row) ? STYLE_BEST : STYLE_PLAIN);
    }
    g_autofree int *width = g_new0(int, n);
    for (guint i = 0; i < lines->len; i++)
        for (guint k = 0; k < n; k++)
            width[k] = MAX(width[k], (int)g_utf8_strlen(g_array_index(lines, TableLine, i).cell[k], -1));
    for (guint i = 0; i < lines->len; i++) {
        const TableLine *line = &g_array_index(lines, TableLine, i);
        print_line(line->cell, number, width, n, indent, line->style, to);
    }
}
