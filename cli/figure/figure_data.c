// Writes the points of a figure for plots/lines.gp.
#include "figure/grid.h"
#include "figure/figure.h"
#include <string.h>

static void end_block(GString *data, gboolean any, gboolean open)
{
    // gnuplot does not count an empty block, so a block without points has a row of NaN, which is not drawn.
    g_string_append(data, !any ? "NaN NaN NaN NaN 0\n\n\n" : open ? "\n\n" : "\n");
}

// Adds `x y`.
static void add_xy(const Figure *figure, const FigurePoint *point, GString *data)
{
    char at[G_ASCII_DTOSTR_BUF_SIZE];
    const double y = figure_value(figure->y, point->time_s, point->against);
    g_string_append_printf(data, "%zu %s", point->x, g_ascii_dtostr(at, sizeof at, y));
}

// Adds a block of gnuplot's data: a row `x y` for each point of a line, and also `low high crowded` if it is measured.
static void add_block(const Figure *figure, const FigurePanel *panel, const FigureLine *line, gboolean measured,
                      GString *data)
{
    const GArray *const points = measured ? line->measured : line->points;
    gboolean open = FALSE, any = FALSE; // a blank line breaks a curve; two would end the block
    char low[G_ASCII_DTOSTR_BUF_SIZE], high[G_ASCII_DTOSTR_BUF_SIZE];
    for (guint i = 0; i < points->len; i++) {
        const FigurePoint *const point = &g_array_index(points, FigurePoint, i);
        const double one = figure_value(figure->y, point->low_s, point->against),
                     two = figure_value(figure->y, point->high_s, point->against);
        if (open && !point->hole && !measured && figure_lacks(panel, line, point - 1, point))
            g_string_append_c(data, '\n');
        if (!point->hole)
            add_xy(figure, point, data);
        if (!point->hole && measured)
            g_string_append_printf(data, " %s %s %d", g_ascii_dtostr(low, sizeof low, MIN(one, two)),
                                   g_ascii_dtostr(high, sizeof high, MAX(one, two)), point->crowded);
        if (!point->hole || open)
            g_string_append_c(data, '\n');
        open = !point->hole;
        any |= open;
    }
    end_block(data, any, open);
}

static void add_colored(const Figure *figure, const FigurePoint *point, const char *color, GString *data)
{
    add_xy(figure, point, data);
    g_string_append_printf(data, " %d\n", figure_color(color));
}

// Adds the stretches of a line between whose ends it lacks rows; or with `ends` its first and last point if it lacks rows
// before or after them, and the points beside one that is omitted. Returns FALSE if there are none.
static gboolean add_lacking(const Figure *figure, const FigurePanel *panel, const FigureLine *line, const char *color,
                            gboolean ends, GString *data)
{
    gboolean any = FALSE;
    for (guint i = 0; i <= line->points->len && line->points->len; i++) {
        const FigurePoint *const a = i ? &g_array_index(line->points, FigurePoint, i - 1) : NULL;
        const FigurePoint *const b = i < line->points->len ? &g_array_index(line->points, FigurePoint, i) : NULL;
        const gboolean begins = b && !b->hole, stops = a && !a->hole;
        const gboolean omitted = a && b && begins != stops; // one of them is a hole
        if ((!begins && !stops) || ends != !(begins && stops) || (!omitted && !figure_lacks(panel, line, a, b)))
            continue;
        if (stops)
            add_colored(figure, a, color, data);
        if (begins)
            add_colored(figure, b, color, data);
        g_string_append_c(data, '\n');
        any = TRUE;
    }
    return any;
}

// Adds the points at which a line is the fastest; `stretches` is what figure_stretches() returns for its `other`.
static void add_wins(const Figure *figure, const FigureLine *line, const GArray *stretches, GString *data)
{
    gboolean any = FALSE;
    for (guint s = 0; s < stretches->len; s++) {
        const FigureStretch *const stretch = &g_array_index(stretches, FigureStretch, s);
        for (guint i = 0; stretch->winner == line && i < line->contest->len; i++) {
            const FigurePoint *const point = &g_array_index(line->contest, FigurePoint, i);
            if (point->hole || point->x < stretch->first || point->x > stretch->last)
                continue;
            add_xy(figure, point, data);
            g_string_append_c(data, '\n');
            any = TRUE;
        }
    }
    end_block(data, any, TRUE);
}

GString *figure_data(const Figure *figure)
{
    GString *const data = g_string_new(NULL);
    g_autoptr(GArray) legend = figure_legend(figure);
    for (guint k = 0; k < figure->panels->len; k++) {
        const FigurePanel *const panel = figure->panels->pdata[k];
        for (guint l = 0; l < panel->lines->len; l++) {
            add_block(figure, panel, panel->lines->pdata[l], FALSE, data);
            add_block(figure, panel, panel->lines->pdata[l], TRUE, data);
        }
    }
    for (guint k = 0; k < figure->panels->len; k++) {
        const FigurePanel *const panel = figure->panels->pdata[k];
        g_autofree FigureLook *looks = figure_panel_looks(panel, legend);
        for (int ends = 0; ends < 2; ends++) {
            gboolean any = FALSE;
            for (guint l = 0; l < panel->lines->len; l++)
                any |= add_lacking(figure, panel, panel->lines->pdata[l], looks[l].color, ends, data);
            end_block(data, any, FALSE);
        }
    }
    for (guint k = 0; k < figure->panels->len; k++) {
        const FigurePanel *const panel = figure->panels->pdata[k];
        g_autoptr(GHashTable) stretches = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
        for (guint l = 0; l < panel->lines->len; l++) {
            const FigureLine *const line = panel->lines->pdata[l];
            void *const other = GSIZE_TO_POINTER(line->other);
            if (!g_hash_table_contains(stretches, other))
                g_hash_table_insert(stretches, other, figure_stretches(panel, line->other));
            add_wins(figure, line, g_hash_table_lookup(stretches, other), data);
        }
    }
    return data;
}
