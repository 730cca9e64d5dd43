// Prints a grid of places as text:
//
//     ranks
//       48 |  .    .| 13  1.8
//                 ---- ----
//       16 |  .    .   .   .
//            64  128 256 512  size (bytes)
#include "figure/grid.h"
#include "out/letters.h"
#include <string.h>

// Returns the width of the longest label or name, at least `width`.
static int widest(const GPtrArray *labels, int width)
{
    for (guint i = 0; i < labels->len; i++)
        width = MAX(width, (int)strlen(labels->pdata[i]));
    return width;
}

static gboolean has_border(const FigureGrid *grid, int x, int y, gboolean left)
{
    for (guint i = 0; i < grid->borders->len; i++) {
        const GridBorder *const border = &g_array_index(grid->borders, GridBorder, i);
        if (border->x == x && border->y == y && border->left == left)
            return TRUE;
    }
    return FALSE;
}

// Returns how many columns are between a place and the one before it: one for a border, if there are any, and a space.
static int gap_of(const FigureGrid *grid)
{
    return grid->border_width ? 2 : 1;
}

// Returns what stands in each place, at [y * xs->len + x]. Free with g_free.
static const char **find_texts(const FigureGrid *grid)
{
    const guint nx = grid->xs->len, n = nx * grid->ys->len;
    const char **const texts = g_new(const char *, n);
    for (guint i = 0; i < n; i++)
        texts[i] = grid->color[i] < 0 ? "?" : ".";
    for (guint i = 0; i < grid->names->len; i++) {
        const GridName *const name = &g_array_index(grid->names, GridName, i);
        texts[(guint)name->y * nx + (guint)name->x] = name->text;
    }
    return texts;
}

// Prints a line without the spaces at its end.
static void print_line(GString *line, FILE *to)
{
    fprintf(to, "%s\n", g_strchomp(line->str));
    g_string_truncate(line, 0);
}

// Prints the columns begin .. end - 1, each `width` characters wide.
static void print_columns(const FigureGrid *grid, const char *const *texts, int begin, int end, int left, int width,
                          FILE *to)
{
    g_autoptr(GString) line = g_string_new(NULL);
    g_autofree char *dashes = g_strnfill((gsize)width - 1, '-');
    fprintf(to, "\n%s\n", grid->y_axis);
    for (int y = (int)grid->ys->len; y-- > 0;) {
        gboolean below = FALSE;
        g_string_append_printf(line, "%*s |", left, (const char *)grid->ys->pdata[y]);
        for (int x = begin; x < end; x++)
            g_string_append_printf(line, "%c%*s", x > 0 && has_border(grid, x, y, TRUE) ? '|' : ' ', width - 1,
                                   texts[y * (int)grid->xs->len + x]);
        print_line(line, to);
        g_string_append_printf(line, "%*s  ", left, "");
        for (int x = begin; x < end; x++) {
            const gboolean border = y > 0 && has_border(grid, x, y, FALSE);
            g_string_append_printf(line, " %*s", width - 1, border ? dashes : "");
            below |= border;
        }
        if (below)
            print_line(line, to);
        g_string_truncate(line, 0);
    }
    g_string_append_printf(line, "%*s  ", left, "");
    for (int x = begin; x < end; x++)
        g_string_append_printf(line, "%*s", width, (const char *)grid->xs->pdata[x]);
    g_string_append_printf(line, "%*s%s", gap_of(grid), "", grid->x_axis);
    print_line(line, to);
}

void figure_grid_print(const FigureGrid *grid, size_t columns, FILE *to)
{
    const int gap = gap_of(grid), n = (int)grid->xs->len;
    int width = widest(grid->xs, 3);
    const int left = widest(grid->ys, 4), axis = (int)strlen(grid->x_axis) + gap;
    for (guint i = 0; i < grid->names->len; i++)
        width = MAX(width, (int)strlen(g_array_index(grid->names, GridName, i).text));
    width += gap;
    const int most = MAX(((int)columns - left - 2 - axis) / width, 1);
    g_autofree const char **texts = find_texts(grid);
    letters_print(grid->title, columns, to);
    for (int begin = 0; begin < n; begin += most)
        print_columns(grid, texts, begin, MIN(begin + most, n), left, width, to);
    fputc('\n', to);
}
