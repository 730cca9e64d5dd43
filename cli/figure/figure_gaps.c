// Where a line lacks rows: `collsim best` writes the fastest algorithms of each point only, so that the file may not have
// an algorithm at a size although it can run there. A row that says that another algorithm ran is not lacking.
#include "figure/figure.h"

// Returns the index of the first point of a line, whose x ascend, at x or above it.
static guint first_from(const FigureLine *line, size_t x)
{
    guint low = 0, high = line->points->len;
    while (low < high) {
        const guint middle = low + (high - low) / 2;
        if (g_array_index(line->points, FigurePoint, middle).x < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Returns TRUE if a line of the panel with this `other` is drawn at an x from `from` to before `end`.
static gboolean any_between(const FigurePanel *panel, size_t other, size_t from, size_t end)
{
    for (guint l = 0; l < panel->lines->len; l++) {
        const FigureLine *const line = panel->lines->pdata[l];
        for (guint i = first_from(line, from); line->other == other && i < line->points->len; i++) {
            const FigurePoint *const point = &g_array_index(line->points, FigurePoint, i);
            if (point->x >= end)
                break;
            if (!point->hole)
                return TRUE;
        }
    }
    return FALSE;
}

gboolean figure_lacks(const FigurePanel *panel, const FigureLine *line, const FigurePoint *a, const FigurePoint *b)
{
    return any_between(panel, line->other, a ? a->x + 1 : 0, b ? b->x : G_MAXSIZE);
}

static gboolean has_row(const FigureLine *line, size_t x)
{
    const guint i = first_from(line, x);
    return i < line->points->len && g_array_index(line->points, FigurePoint, i).x == x;
}

// Counts the x at which the line has no row, and another one with the same `other` is drawn.
static guint count_of(const FigurePanel *panel, const FigureLine *line)
{
    g_autoptr(GHashTable) lacking = g_hash_table_new(NULL, NULL);
    for (guint l = 0; l < panel->lines->len; l++) {
        const FigureLine *const rival = panel->lines->pdata[l];
        for (guint i = 0; rival->other == line->other && i < rival->points->len; i++) {
            const FigurePoint *const point = &g_array_index(rival->points, FigurePoint, i);
            if (!point->hole && !has_row(line, point->x))
                g_hash_table_add(lacking, GSIZE_TO_POINTER(point->x));
        }
    }
    return g_hash_table_size(lacking);
}

void figure_count_absent(Figure *figure)
{
    for (guint k = 0; k < figure->panels->len; k++) {
        const FigurePanel *const panel = figure->panels->pdata[k];
        for (guint i = 0; i < panel->lines->len; i++) {
            const FigureLine *const line = panel->lines->pdata[i];
            figure->absent += line->points->len ? count_of(panel, line) : 0;
            for (guint p = 1; p < line->points->len; p++)
                figure->ends |= g_array_index(line->points, FigurePoint, p - 1).hole !=
                                g_array_index(line->points, FigurePoint, p).hole;
        }
    }
}
