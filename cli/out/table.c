#include "out/table.h"
#include <stdio.h>
#include <string.h>

struct Table {
    int columns;
    GPtrArray *cells;
};

Table *table_new(int columns)
{
    Table *t = g_new(Table, 1);
    *t = (Table){columns, g_ptr_array_new_with_free_func(g_free)};
    return t;
}

void table_add(Table *t, char *cell)
{
    g_ptr_array_add(t->cells, cell);
}

void table_header(Table *t, const char *const *names, int n)
{
    for (int i = 0; i < n; i++)
        table_add(t, g_strdup(names[i]));
}

static const char *cell(const Table *t, guint row, int column)
{
    return g_ptr_array_index(t->cells, row * (guint)t->columns + (guint)column);
}

void table_print(const Table *t, const char *indent)
{
    const guint rows = t->cells->len / (guint)t->columns;
    g_autofree int *width = g_new0(int, t->columns);
    g_autofree gboolean *numbers = g_new(gboolean, t->columns);
    for (int c = 0; c < t->columns; c++) {
        numbers[c] = rows > 1;
        for (guint r = 0; r < rows; r++) {
            const char *x = cell(t, r, c);
            width[c] = MAX(width[c], (int)g_utf8_strlen(x, -1));
            // A formula begins with a digit and has more than two words: it is text.
            if (r > 0 && (!(g_ascii_isdigit(*x) || *x == '-' || *x == 0) || strchr(x, '+') || strstr(x, "alpha")))
                numbers[c] = FALSE;
        }
    }
    for (guint r = 0; r < rows; r++) {
        GString *line = g_string_new(indent);
        for (int c = 0; c < t->columns; c++) {
            const char *x = cell(t, r, c);
            const int pad = width[c] - (int)g_utf8_strlen(x, -1);
            g_string_append_printf(line, "%s%*s%s%*s", c ? "  " : "", numbers[c] ? pad : 0, "", x, numbers[c] ? 0 : pad,
                                   "");
        }
        puts(g_strchomp(line->str));
        g_string_free(line, TRUE);
    }
}

void table_free(Table *t)
{
    g_ptr_array_unref(t->cells);
    g_free(t);
}

char *table_ratio(double a, double b)
{
    const double x = b > 0 ? a / b : 0;
    return b > 0 ? g_strdup_printf("%.*f", x < 10 ? 2 : x < 100 ? 1 : 0, x) : g_strdup("");
}
