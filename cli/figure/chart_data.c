#include "figure/chart_data.h"
#include "base/units.h"
#include <math.h>
#include <string.h>

static void panel_clear(void *panel)
{
    g_free(((ChartPanel *)panel)->title);
    g_free(((ChartPanel *)panel)->subtitle);
}

static void series_clear(void *series)
{
    g_array_unref(((ChartSeries *)series)->points);
}

static void label_clear(void *label)
{
    g_free(((ChartLabel *)label)->name);
    g_strfreev(((ChartLabel *)label)->more);
}

static GArray *list_of(guint size, GDestroyNotify clear)
{
    GArray *list = g_array_new(FALSE, FALSE, size);
    g_array_set_clear_func(list, clear);
    return list;
}

Chart *chart_new(const ChartHead *head)
{
    static const char *const names[] = {[CHART_SIZE] = "bytes",
                                        [CHART_RANKS] = "ranks",
                                        [CHART_TIME] = "time",
                                        [CHART_RATE] = "bandwidth",
                                        [CHART_NUMBER] = ""};
    Chart *chart = g_new(Chart, 1);
    *chart = (Chart){.head = *head,
                     .panels = list_of(sizeof(ChartPanel), panel_clear),
                     .series = list_of(sizeof(ChartSeries), series_clear),
                     .labels = list_of(sizeof(ChartLabel), label_clear),
                     .keys = canvas_keys_new()};
    const char **const texts[] = {&chart->head.title, &chart->head.subtitle, &chart->head.note};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        *texts[i] = *texts[i] ? *texts[i] : "";
    chart->head.x_name = head->x_name ? head->x_name : names[head->x];
    chart->head.y_name = head->y_name ? head->y_name : names[head->y];
    return chart;
}

void chart_free(Chart *chart)
{
    if (!chart)
        return;
    GArray *const lists[] = {chart->panels, chart->series, chart->labels, chart->keys};
    for (size_t i = 0; i < G_N_ELEMENTS(lists); i++)
        g_array_unref(lists[i]);
    g_free(chart);
}

guint chart_panel(Chart *chart, const char *title, const char *subtitle)
{
    const ChartPanel panel = {g_strdup(title), g_strdup(subtitle), 0, {INFINITY, INFINITY}, {0, 0}};
    g_array_append_val(chart->panels, panel);
    return chart->panels->len - 1;
}

CanvasLook chart_look(guint i)
{
    // The palette of Okabe and Ito, which is safe for the colour-blind. Its yellow is hard to see on white; a wine red and a
    // grey, which differ from the other colours in lightness, replace it. Each colour has a point of its own, so that
    // points differ in grey as well.
    static const CanvasLook looks[CHART_LOOKS] = {
        {.color = 0x0072B2, .point = 7}, {.color = 0xD55E00, .point = 5},  {.color = 0x009E73, .point = 9},
        {.color = 0x000000, .point = 6}, {.color = 0xE69F00, .point = 13}, {.color = 0x56B4E9, .point = 11},
        {.color = 0xCC79A7, .point = 4}, {.color = 0x882255, .point = 12}, {.color = 0x808080, .point = 2}};
    return looks[i % CHART_LOOKS];
}

guint chart_series(Chart *chart, const char *name, CanvasLook look)
{
    const ChartSeries series = {look, g_array_new(FALSE, FALSE, sizeof(ChartPoint))};
    if (!chart->panels->len)
        chart_panel(chart, "", "");
    g_array_append_val(chart->series, series);
    if (name)
        canvas_keys_add(chart->keys, g_strdup(name), look);
    return chart->series->len - 1;
}

guint chart_groups(Chart *chart, const GPtrArray *names)
{
    const guint first = chart->series->len;
    for (guint i = 0; i < names->len; i++)
        chart_series(chart, names->pdata[i], chart_look(i));
    return first;
}

void chart_point(Chart *chart, guint panel, guint series, double x, double y)
{
    chart_bar(chart, panel, series, x, y, y, y);
}

void chart_straight(Chart *chart, guint panel, guint series, double x, double y)
{
    enum { STEPS = 8 }; // points for each doubling of x
    const GArray *points = chart_series_at(chart, series)->points;
    const ChartPoint last = points->len ? g_array_index(points, ChartPoint, points->len - 1) : (ChartPoint){.x = NAN};
    const int steps = isnan(last.x) ? 1 : (int)ceil(fabs(log2(x / last.x)) * STEPS);
    for (int k = 1; k < steps; k++) {
        const double between = last.x * pow(x / last.x, (double)k / steps);
        chart_point(chart, panel, series, between, last.y + (between - last.x) / (x - last.x) * (y - last.y));
    }
    chart_point(chart, panel, series, x, y);
}

void chart_bar(Chart *chart, guint panel, guint series, double x, double y, double low, double high)
{
    ChartPanel *p = chart_panel_at(chart, panel);
    const ChartPoint point = {panel, x, y, low, high};
    if (!(x > 0) || !(y > 0)) // also if they are NAN
        return;
    g_array_append_val(chart_series_at(chart, series)->points, point);
    p->points += chart_series_at(chart, series)->look.point > 0;
    const double lows[] = {x, low > 0 ? MIN(low, y) : y}, highs[] = {x, MAX(high, y)};
    for (int k = 0; k < 2; k++) {
        p->low[k] = fmin(p->low[k], lows[k]);
        p->high[k] = fmax(p->high[k], highs[k]);
    }
}

void chart_gap(Chart *chart, guint panel, guint series)
{
    const ChartPoint gap = {panel, NAN, NAN, NAN, NAN};
    g_array_append_val(chart_series_at(chart, series)->points, gap);
}

void chart_label(Chart *chart, guint panel, double x, double y, const char *name, const char *more, CanvasLook look)
{
    const ChartLabel label = {
        panel, chart->labels->len, x, y, g_strdup(name), *more ? g_strsplit(more, "\n", -1) : g_new0(char *, 1), look};
    g_array_append_val(chart->labels, label);
}

gboolean chart_has_points(const Chart *chart)
{
    for (guint i = 0; i < chart->panels->len; i++)
        if (chart_panel_at(chart, i)->high[0] > 0)
            return TRUE;
    return FALSE;
}

char *chart_text(ChartAxis kind, double value)
{
    static const struct {
        double one;
        const char *name;
    } units[] = {{1e12, "TB/s"}, {1e9, "GB/s"}, {1e6, "MB/s"}, {1e3, "kB/s"}, {1, "B/s"}};
    guint i = 0;
    if (kind == CHART_TIME)
        return value < 1e5 ? units_format_time(value) : g_strdup_printf("%g s", value);
    if ((kind == CHART_SIZE || kind == CHART_RANKS) && value >= 1)
        return units_format_size((size_t)value);
    if (kind != CHART_RATE)
        return g_strdup_printf("%g", value);
    while (i + 1 < G_N_ELEMENTS(units) && value < 0.99999 * units[i].one)
        i++;
    return g_strdup_printf("%.4g %s", value / units[i].one, units[i].name);
}
