// Draws the lines of a figure.
#include "figure/chart.h"
#include "figure/figure.h"
#include <math.h>
#include <string.h>

enum { NAMES_ALIKE = 27 }; // characters in a row of names that share their points

// Returns the filled form of a point type, or the hollow one. Crosses (types below 4) have none, so a star and a cross take
// their place.
static int shape(int point, gboolean hollow)
{
    return point < 4 ? 3 - hollow : hollow ? (point - 1) & ~1 : (point - 1) | 1;
}

static void add_point(const Figure *figure, const FigurePoint *point, guint panel, guint series, Chart *chart)
{
    chart_point(chart, panel, series, (double)point->x, figure_value(figure->y, point->time_s, point->against));
}

// Adds the predictions of a line, which is interrupted where it lacks points.
static void add_predicted(const Figure *figure, guint k, const FigureLine *line, const CanvasLook *look, Chart *chart)
{
    CanvasLook drawn = *look;
    drawn.point = figure->measured ? 0 : look->point;
    const guint series = chart_series(chart, NULL, drawn);
    for (guint i = 0; i < line->points->len; i++) {
        const FigurePoint *const point = &g_array_index(line->points, FigurePoint, i);
        if (point->hole || (i && figure_lacks(figure->panels->pdata[k], line, point - 1, point)))
            chart_gap(chart, k, series);
        if (!point->hole)
            add_point(figure, point, k, series, chart);
    }
}

// Adds thin lines between points between which the line lacks some, and rings around its ends where it lacks points or one
// is omitted.
static void add_lacking(const Figure *figure, guint k, const FigureLine *line, int color, Chart *chart)
{
    const guint thin = chart_series(chart, NULL, (CanvasLook){.color = color, .dash = 1, .width = 0.7}),
                ring = chart_series(chart, NULL, (CanvasLook){.color = color, .point = 6, .size = 1.7});
    for (guint i = 0; i <= line->points->len && line->points->len; i++) {
        const FigurePoint *const a = i ? &g_array_index(line->points, FigurePoint, i - 1) : NULL;
        const FigurePoint *const b = i < line->points->len ? &g_array_index(line->points, FigurePoint, i) : NULL;
        const gboolean begins = b && !b->hole, stops = a && !a->hole;
        const gboolean omitted = a && b && begins != stops; // one of them is a hole
        if ((!begins && !stops) || (!omitted && !figure_lacks(figure->panels->pdata[k], line, a, b)))
            continue;
        if (stops)
            add_point(figure, a, k, begins ? thin : ring, chart);
        if (begins)
            add_point(figure, b, k, stops ? thin : ring, chart);
        chart_gap(chart, k, thin);
    }
}

// Adds what was measured, moved to the side by a factor so that the bars of several lines do not overlap. Without
// predictions, thin lines join the points.
static void add_measurements(const Figure *figure, guint k, const FigureLine *line, const CanvasLook *look, double move,
                             Chart *chart)
{
    const guint joined = chart_series(
        chart, NULL, (CanvasLook){.color = look->color, .dash = figure->predicted ? 0 : look->dash, .width = 1});
    guint points[2];
    for (int hollow = 0; hollow < 2; hollow++)
        points[hollow] =
            chart_series(chart, NULL, (CanvasLook){.color = look->color, .point = shape(look->point, hollow)});
    for (guint i = 0; i < line->measurements->len; i++) {
        const FigurePoint *const point = &g_array_index(line->measurements, FigurePoint, i);
        const double y = figure_value(figure->y, point->time_s, point->against),
                     one = figure_value(figure->y, point->low_s, point->against),
                     two = figure_value(figure->y, point->high_s, point->against);
        if (point->hole) {
            chart_gap(chart, k, joined);
            continue;
        }
        chart_point(chart, k, joined, move * (double)point->x, y);
        chart_bar(chart, k, points[point->crowded != 0], move * (double)point->x, y, MIN(one, two), MAX(one, two));
    }
}

// Names the end of a line.
static void add_label(const Figure *figure, guint k, const FigureLine *line, const CanvasLook *look, Chart *chart)
{
    g_autofree char *same = figure_same(line, NAMES_ALIKE);
    const CanvasLook mark = {.color = look->color, .point = figure->measured ? shape(look->point, FALSE) : look->point};
    chart_label(chart, k, (double)line->last.x, line->end, line->label, same, mark);
}

static void add_lines(const Figure *figure, guint k, const GArray *legend, Chart *chart)
{
    const FigurePanel *const panel = figure->panels->pdata[k];
    g_autofree CanvasLook *looks = figure_panel_looks(panel, legend);
    const guint n = panel->lines->len;
    for (int dashed = 0; dashed < 2;
         dashed++) // dashed lines come after solid ones, so that both show where they coincide
        for (guint i = 0; i < n; i++)
            if ((looks[i].dash != 1) == dashed)
                add_predicted(figure, k, panel->lines->pdata[i], &looks[i], chart);
    for (guint i = 0; i < n; i++) {
        const double move = figure->predicted && n > 1 ? pow(2, 0.3 * ((double)i / (n - 1) - 0.5)) : 1;
        if (figure->absent || figure->ends)
            add_lacking(figure, k, panel->lines->pdata[i], looks[i].color, chart);
        if (figure->measured)
            add_measurements(figure, k, panel->lines->pdata[i], &looks[i], move, chart);
        if (!legend)
            add_label(figure, k, panel->lines->pdata[i], &looks[i], chart);
    }
}

// Adds the legend that the panels share.
static void add_legend(const Figure *figure, const GArray *legend, Chart *chart)
{
    for (guint i = 0; legend && i < legend->len; i++) {
        const FigureEntry *const entry = &g_array_index(legend, FigureEntry, i);
        g_autofree char *name = g_strdup_printf("%s%s%s", entry->line->label, *entry->same ? " " : "", entry->same);
        CanvasLook look = entry->look;
        look.point = figure->measured ? shape(look.point, FALSE) : look.point;
        chart_series(chart, name, look);
    }
}

Canvas *figure_canvas(const Figure *figure, const FigureChoice *choice, const PictureAsk *ask)
{
    static const struct {
        ChartAxis kind;
        const char *name;
    } axes[] = {[FIGURE_X_SIZE] = {CHART_SIZE, "size (bytes)"},
                [FIGURE_X_RANKS] = {CHART_RANKS, "ranks"},
                [FIGURE_X_PER_NODE] = {CHART_RANKS, "ranks per node"}};
    const guint n = figure->panels->len;
    g_autoptr(GArray) legend = figure_legend(figure, canvas_width(ask, G_MAXINT));
    const gboolean rows =
        !legend || (figure->split && figure->columns < n && figure->columns <= FIGURE_MAX_COLLECTIVES);
    const guint columns = rows && figure->columns > 1 ? MIN(figure->columns, FIGURE_MAX_COLLECTIVES) : 0;
    const double width = chart_title_width(n, columns, !legend, ask);
    const FigurePanel *const only = n == 1 ? figure->panels->pdata[0] : NULL;
    g_autofree char *note = figure_note(figure),
                    *found = only ? figure_title(figure, only, width, LETTERS_TITLE) : NULL,
                    *below = only ? figure_subtitle(figure, only, choice) : NULL;
    g_autoptr(Chart) chart = chart_new(&(ChartHead){.title = found,
                                                    .subtitle = below,
                                                    .note = note,
                                                    .x = axes[figure->x].kind,
                                                    .x_name = axes[figure->x].name,
                                                    .y = figure_is_ratio(figure->y)        ? CHART_NUMBER
                                                         : figure->y == FIGURE_Y_BANDWIDTH ? CHART_RATE
                                                                                           : CHART_TIME,
                                                    .y_name = figure->axis,
                                                    .line_at_1 = figure_is_ratio(figure->y),
                                                    .columns = columns});
    for (guint k = 0; k < n && !only; k++) {
        const FigurePanel *const panel = figure->panels->pdata[k];
        g_autofree char *title = ask && ask->title ? figure_head(figure, panel)
                                                   : figure_title(figure, panel, width, LETTERS_TITLE),
                        *subtitle = figure_subtitle(figure, panel, choice);
        chart_panel(chart, title, subtitle);
    }
    add_legend(figure, legend, chart);
    for (guint k = 0; k < n; k++)
        add_lines(figure, k, legend, chart);
    return chart_canvas(chart, ask);
}
