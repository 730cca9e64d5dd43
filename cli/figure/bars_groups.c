// Makes the groups of bars from a figure.
#include "figure/bars.h"
#include "base/distinct.h"
#include "base/error.h"
#include <math.h>
#include <string.h>

static void bar_clear(void *data)
{
    g_array_unref(((Bar *)data)->parts);
}

static void group_free(void *data)
{
    BarGroup *const group = data;
    g_free(group->heading);
    g_array_unref(group->bars);
    g_free(group);
}

void bars_free(Bars *bars)
{
    if (!bars)
        return;
    g_ptr_array_unref(bars->groups);
    g_ptr_array_unref(bars->terms);
    g_free(bars);
}

static int by_time(gconstpointer a, gconstpointer b)
{
    const Bar *const one = a, *const two = b;
    const double t = one->contest->time_s, u = two->contest->time_s;
    return fabs(t - u) > FIGURE_SAME * t ? (t > u) - (t < u) : figure_by_rule(one->line, two->line);
}

// Adds a group for the points of a panel at x.
static void add_group(Bars *bars, const FigurePanel *panel, size_t x)
{
    const Figure *const figure = bars->figure;
    BarGroup *const group = g_new0(BarGroup, 1);
    group->panel = panel;
    group->x = x;
    group->bars = g_array_new(FALSE, FALSE, sizeof(Bar));
    g_array_set_clear_func(group->bars, bar_clear);
    g_autofree CanvasLook *looks = figure_looks(panel);
    for (guint i = 0; i < panel->lines->len; i++) {
        const FigureLine *const line = panel->lines->pdata[i];
        const FigurePoint *const said = figure_point_at(line->points, x), *const seen =
                                                                              figure_point_at(line->measurements, x);
        const FigurePoint *const point = said ? said : seen;
        if (!point)
            continue;
        const Bar bar = {.line = line,
                         .point = point,
                         .seen = said && seen ? seen : NULL,
                         .contest = seen ? seen : said,
                         .look = looks[i],
                         .value = figure_value(figure->y, point->time_s, point->against),
                         .parts = g_array_new(FALSE, FALSE, sizeof(BarPart))};
        g_array_append_val(group->bars, bar);
    }
    g_array_sort(group->bars, by_time);
    if (group->bars->len)
        g_ptr_array_add(bars->groups, group);
    else
        group_free(group);
}

// Adds the groups of a panel, one for each x.
static void add_groups(Bars *bars, const FigurePanel *panel)
{
    g_autoptr(GArray) xs = g_array_new(FALSE, FALSE, sizeof(size_t));
    for (guint i = 0; i < panel->lines->len; i++) {
        const FigureLine *const line = panel->lines->pdata[i];
        const GArray *const lists[] = {line->points, line->measurements};
        for (guint l = 0; l < G_N_ELEMENTS(lists); l++)
            for (guint k = 0; k < lists[l]->len; k++)
                g_array_append_val(xs, g_array_index(lists[l], FigurePoint, k).x);
    }
    distinct_sort(xs, distinct_by_size);
    for (guint i = 0; i < xs->len; i++)
        add_group(bars, panel, g_array_index(xs, size_t, i));
}

// Counts the bars that tie with the first. Measured ones tie if their least time is not above the first one's time.
static void count_ties(BarGroup *group)
{
    const double best = g_array_index(group->bars, Bar, 0).contest->time_s;
    while (group->ties < group->bars->len &&
           g_array_index(group->bars, Bar, group->ties).contest->low_s <= best * (1 + FIGURE_SAME))
        group->ties++;
}

// Sets the scale of a group, and counts the bars that it cuts. Longer bars are better ones of bandwidths and speed-ups,
// which are therefore never cut.
static void set_scale(Bars *bars, BarGroup *group)
{
    const FigureY y = bars->figure->y;
    double least = INFINITY, most = 0;
    for (guint i = 0; i < group->bars->len; i++) {
        const Bar *const bar = &g_array_index(group->bars, Bar, i);
        least = MIN(least, bar->value);
        most = MAX(most, bar->value);
        if (bar->seen || bar->point->high_s > bar->point->time_s) {
            const FigurePoint *const seen = bar->seen ? bar->seen : bar->point;
            most = MAX(most,
                       MAX(figure_value(y, seen->high_s, seen->against), figure_value(y, seen->low_s, seen->against)));
        }
    }
    most = figure_is_ratio(y) ? MAX(most, 1) : most;
    const gboolean cut = y != FIGURE_Y_BANDWIDTH && y != FIGURE_Y_SPEEDUP && y != FIGURE_Y_SHARES;
    group->scale = cut ? MIN(most, BARS_CUT * MAX(least, figure_is_ratio(y) ? 1 : 0)) : most;
    for (guint i = 0; i < group->bars->len; i++)
        bars->cut += cut && g_array_index(group->bars, Bar, i).value > group->scale;
}

double bar_length(const BarGroup *group, double value)
{
    return CLAMP(value / group->scale, 0, 1);
}

Bars *bars_new(const Figure *figure, GError **error)
{
    g_autoptr(Bars) bars = g_new0(Bars, 1);
    guint all = 0;
    bars->figure = figure;
    bars->groups = g_ptr_array_new_with_free_func(group_free);
    bars->terms = g_ptr_array_new_with_free_func(g_free);
    for (guint k = 0; k < figure->panels->len; k++)
        add_groups(bars, figure->panels->pdata[k]);
    for (guint k = 0; k < bars->groups->len; k++) {
        BarGroup *const group = bars->groups->pdata[k];
        all += group->bars->len;
        count_ties(group);
        set_scale(bars, group);
    }
    bars_set_headings(bars);
    if (all > BARS_MAX) {
        bad_input(error, "%u bars; allowed: at most %d; keep fewer rows, or choose some with --only", all, BARS_MAX);
        return NULL;
    }
    if (figure_has_parts(figure->y) && !bars_cut(bars, error))
        return NULL;
    return g_steal_pointer(&bars);
}
