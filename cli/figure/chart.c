#include "figure/chart.h"
#include "out/gnuplot.h"
#include "out/letters.h"
#include "out/picture.h"
#include <math.h>

// Sizes in pixels. The script's text is 16 pixels high, that of several panels and of the legend 14.
enum {
    EDGE = 20,
    LEFT = 92,
    RIGHT = 34,
    TITLE_ROW = 26,
    ROW = 24,
    AXIS_ROW = 32, // above a plot: the name of its y axis
    BELOW = 62,    // below a plot: labels and the name of its x axis
    PLOT_WIDTH = 820,
    PLOT_HEIGHT = 440,
    SIDE = 300, // width and height of a plot of several
    ACROSS = 3, // plots beside each other
    KEY = 40,   // the sample of a legend's entry, and what is between it and the text
    KEY_GAP = 26,
    MANY = 400 // points of a panel; more are small and let what is below them through
};

typedef struct {
    guint panel, series;
    double x, y; // NAN: a gap
} ChartPoint;

typedef struct {
    char *title;
    guint points;
    double x_min, x_max, y_min, y_max;
} ChartPanel;

typedef struct {
    char *name, *color;
    ChartLook look;
} ChartSeries;

struct Chart {
    char *title, *note, *subtitle;
    gboolean diagonals;
    ChartAxis axis[2];  // of x, of y
    char *axis_name[2]; // likewise
    GArray *panels;     // of ChartPanel
    GArray *series;     // of ChartSeries
    GArray *points;     // of ChartPoint
};

static ChartPanel *panel_of(const Chart *chart, guint i)
{
    return &g_array_index(chart->panels, ChartPanel, i);
}

static ChartSeries *series_of(const Chart *chart, guint i)
{
    return &g_array_index(chart->series, ChartSeries, i);
}

static void panel_clear(void *panel)
{
    g_free(((ChartPanel *)panel)->title);
}

static void series_clear(void *series)
{
    g_free(((ChartSeries *)series)->name);
    g_free(((ChartSeries *)series)->color);
}

Chart *chart_new(const char *title, const char *note, gboolean diagonals)
{
    Chart *chart = g_new0(Chart, 1);
    chart->title = g_strdup(title);
    chart->note = g_strdup(note);
    chart->subtitle = g_strdup("");
    chart->diagonals = diagonals;
    chart->panels = g_array_new(FALSE, FALSE, sizeof(ChartPanel));
    chart->series = g_array_new(FALSE, FALSE, sizeof(ChartSeries));
    chart->points = g_array_new(FALSE, FALSE, sizeof(ChartPoint));
    g_array_set_clear_func(chart->panels, panel_clear);
    g_array_set_clear_func(chart->series, series_clear);
    chart_axis(chart, TRUE, CHART_SIZE, NULL);
    chart_axis(chart, FALSE, CHART_TIME, NULL);
    return chart;
}

void chart_free(Chart *chart)
{
    if (!chart)
        return;
    char *const texts[] = {chart->title, chart->note, chart->subtitle, chart->axis_name[0], chart->axis_name[1]};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
    g_array_unref(chart->panels);
    g_array_unref(chart->series);
    g_array_unref(chart->points);
    g_free(chart);
}

void chart_axis(Chart *chart, gboolean of_x, ChartAxis kind, const char *name)
{
    static const char *const names[] = {
        [CHART_SIZE] = "bytes", [CHART_RANKS] = "ranks", [CHART_TIME] = "time", [CHART_NUMBER] = ""};
    chart->axis[!of_x] = kind;
    g_free(chart->axis_name[!of_x]);
    chart->axis_name[!of_x] = g_strdup(name ? name : names[kind]);
}

void chart_subtitle(Chart *chart, const char *text)
{
    g_free(chart->subtitle);
    chart->subtitle = g_strdup(text);
}

guint chart_panel(Chart *chart, const char *title)
{
    const ChartPanel panel = {g_strdup(title), 0, INFINITY, 0, INFINITY, 0};
    g_array_append_val(chart->panels, panel);
    return chart->panels->len - 1;
}

ChartLook chart_look(guint i)
{
    // The colours of Okabe and Ito and two more, each with a type of point.
    static const ChartLook looks[CHART_LOOKS] = {{"#0072B2", 7, 0, 0}, {"#D55E00", 5, 0, 0},  {"#009E73", 9, 0, 0},
                                                 {"#000000", 6, 0, 0}, {"#E69F00", 13, 0, 0}, {"#56B4E9", 11, 0, 0},
                                                 {"#CC79A7", 4, 0, 0}, {"#882255", 12, 0, 0}, {"#808080", 2, 0, 0}};
    return looks[i % CHART_LOOKS];
}

guint chart_series(Chart *chart, const char *name, ChartLook look)
{
    const ChartSeries series = {g_strdup(name), g_strdup(look.color), look};
    g_array_append_val(chart->series, series);
    return chart->series->len - 1;
}

void chart_point(Chart *chart, guint panel, guint series, double x, double y)
{
    ChartPanel *p = panel_of(chart, panel);
    const ChartPoint point = {panel, series, x, y};
    if (!(x > 0) || !(y > 0)) // also if they are NAN
        return;
    g_array_append_val(chart->points, point);
    p->points += series_of(chart, series)->look.point > 0;
    p->x_min = fmin(p->x_min, x);
    p->x_max = fmax(p->x_max, x);
    p->y_min = fmin(p->y_min, y);
    p->y_max = fmax(p->y_max, y);
}

void chart_gap(Chart *chart, guint panel, guint series)
{
    const ChartPoint gap = {panel, series, NAN, NAN};
    g_array_append_val(chart->points, gap);
}

gboolean chart_has_points(const Chart *chart)
{
    for (guint i = 0; i < chart->panels->len; i++)
        if (panel_of(chart, i)->x_max > 0)
            return TRUE;
    return FALSE;
}

// ---- The setup of plots/chart.gp ------------------------------------------------------------------------------------

// The picture while it is laid out: y counts from above.
typedef struct {
    const Chart *chart;
    GString *setup;
    int width, top;
    guint texts, keys;
} Layout;

static void set_number(GString *setup, const char *name, guint i, double value)
{
    g_autofree char *indexed = g_strdup_printf("%s_%u", name, i);
    gnuplot_number(setup, indexed, value);
}

// Adds a text in rows of at most this width, whose first one is `y` below the upper edge. Returns where the last ends.
static int add_text(Layout *all, int x, int y, int width, const char *text, Letters font, const char *ink)
{
    g_autofree char *wrapped = letters_wrap(text, width, font);
    g_auto(GStrv) rows = g_strsplit(wrapped, "\n", -1);
    const int row = font == LETTERS_TITLE ? TITLE_ROW : ROW;
    for (guint i = 0; rows[i] && *text; i++, y += row) {
        gnuplot_text(all->setup, "text", ++all->texts, rows[i]);
        gnuplot_text(all->setup, "ink", all->texts, ink);
        g_string_append_printf(all->setup, "font_%u = %d; ", all->texts, font);
        set_number(all->setup, "text_x", all->texts, x);
        set_number(all->setup, "text_y", all->texts, y + row / 2.);
    }
    return y;
}

// Adds the legend. Returns where it ends.
static int add_legend(Layout *all, int y)
{
    int x = EDGE;
    gboolean any = FALSE;
    for (guint i = 0; i < all->chart->series->len; i++) {
        const ChartSeries *series = series_of(all->chart, i);
        if (!series->name)
            continue;
        const int width = KEY + (int)letters_width(series->name, LETTERS_NOTE) + KEY_GAP;
        if (x > EDGE && x + width > all->width - EDGE) {
            x = EDGE;
            y += ROW;
        }
        gnuplot_text(all->setup, "key", ++all->keys, series->name);
        g_string_append_printf(all->setup, "key_of_%u = %u; ", all->keys, i + 1);
        set_number(all->setup, "key_x", all->keys, x);
        set_number(all->setup, "key_y", all->keys, y + ROW / 2.);
        x += width;
        any = TRUE;
    }
    return any ? y + ROW : y;
}

static void set_series(const Layout *all)
{
    g_string_append_printf(all->setup, "n_series = %u; ", all->chart->series->len);
    for (guint i = 0; i < all->chart->series->len; i++) {
        const ChartSeries *series = series_of(all->chart, i);
        gnuplot_text(all->setup, "color", i + 1, series->color);
        g_string_append_printf(all->setup, "point_%u = %d; dash_%u = %d; ", i + 1, series->look.point, i + 1,
                               series->look.dash);
        set_number(all->setup, "thick", i + 1, series->look.width > 0 ? series->look.width : 2);
    }
}

// Sets the ranges and the place of a panel's plot, whose upper left corner is this.
static void set_panel(const Layout *all, guint i, int left, int top, int width, int height)
{
    const Chart *chart = all->chart;
    const ChartPanel *p = panel_of(chart, i);
    double low[2] = {p->x_min, p->y_min}, high[2] = {p->x_max, p->y_max};
    static const char *const names[2][2] = {{"x_min", "x_max"}, {"y_min", "y_max"}};
    for (int k = 0; k < 2; k++) {
        if (!(p->x_max > 0))
            low[k] = high[k] = 1; // an empty panel
        else if (chart->diagonals) {
            low[k] = fmin(p->x_min, p->y_min);
            high[k] = fmax(p->x_max, p->y_max);
        }
        const double air = k == 0 && !chart->diagonals ? pow(high[0] / low[0], 0.02) : 1.3;
        set_number(all->setup, names[k][0], i + 1, low[k] / (high[k] == low[k] ? 2 : air));
        set_number(all->setup, names[k][1], i + 1, high[k] * (high[k] == low[k] ? 2 : air));
    }
    set_number(all->setup, "left", i + 1, left);
    set_number(all->setup, "top", i + 1, top);
    set_number(all->setup, "wide", i + 1, width);
    set_number(all->setup, "high", i + 1, height);
    g_string_append_printf(all->setup, "many_%u = %d; ", i + 1, p->points > MANY);
}

// Places the panels from `y` on. Returns where the last one ends.
static int add_panels(Layout *all, int y)
{
    const guint n = all->chart->panels->len, across = MIN(n, ACROSS);
    const int height = n > 1 ? SIDE : PLOT_HEIGHT, width = n > 1 || all->chart->diagonals ? height : PLOT_WIDTH,
              cell = LEFT + width + RIGHT;
    for (guint i = 0; i < n; i += across) {
        int top = y;
        for (guint k = i; k < MIN(i + across, n); k++) {
            const int end = add_text(all, EDGE + cell * (int)(k - i), y, cell - EDGE, panel_of(all->chart, k)->title,
                                     LETTERS_NOTE, "#222222");
            top = MAX(top, end);
        }
        for (guint k = i; k < MIN(i + across, n); k++)
            set_panel(all, k, cell * (int)(k - i) + LEFT, top + AXIS_ROW, width, height);
        y = top + AXIS_ROW + height + BELOW;
    }
    return y;
}

static char *setup_of(const Chart *chart, const char *format)
{
    enum { LEAST_WIDTH = 640 };
    const guint n = chart->panels->len;
    const int cells = (int)MIN(n, ACROSS) * (LEFT + RIGHT + SIDE);
    Layout all = {.chart = chart,
                  .setup = g_string_new(NULL),
                  .width = n > 1 || chart->diagonals ? MAX(cells, LEAST_WIDTH) : LEFT + PLOT_WIDTH + RIGHT};
    const int room = all.width - 2 * EDGE;
    int y = add_text(&all, EDGE, EDGE / 2, room, chart->title, LETTERS_TITLE, "#222222");
    y = add_text(&all, EDGE, y, room, chart->subtitle, LETTERS_TEXT, "#0072B2");
    y = add_legend(&all, y) + EDGE / 2;
    y = add_panels(&all, y);
    y = add_text(&all, EDGE, y, room, chart->note, LETTERS_TEXT, "#555555") + EDGE / 2;
    set_series(&all);
    g_string_append_printf(all.setup, "format = '%s'; width = %d; height = %d; texts = %u; keys = %u; panels = %u; ",
                           format, all.width, y, all.texts, all.keys, n);
    g_string_append_printf(all.setup, "x_kind = %d; y_kind = %d; diagonals = %d; ", chart->axis[0], chart->axis[1],
                           chart->diagonals);
    gnuplot_text(all.setup, "axis", 0, chart->axis_name[0]);
    gnuplot_text(all.setup, "axis", 1, chart->axis_name[1]);
    return g_string_free(all.setup, FALSE);
}

// Returns a block for each series of each panel. gnuplot does not count empty ones, so each ends with a point that is not
// drawn.
static GString *data_of(const Chart *chart)
{
    GString *data = g_string_new(NULL);
    char x[G_ASCII_DTOSTR_BUF_SIZE], y[G_ASCII_DTOSTR_BUF_SIZE];
    for (guint p = 0; p < chart->panels->len; p++)
        for (guint s = 0; s < chart->series->len; s++) {
            gboolean open = FALSE; // two blank lines would end the block
            for (guint i = 0; i < chart->points->len; i++) {
                const ChartPoint *point = &g_array_index(chart->points, ChartPoint, i);
                if (point->panel != p || point->series != s)
                    continue;
                if (!isnan(point->x))
                    g_string_append_printf(data, "%s %s\n", g_ascii_formatd(x, sizeof x, "%.9g", point->x),
                                           g_ascii_formatd(y, sizeof y, "%.9g", point->y));
                else if (open)
                    g_string_append_c(data, '\n');
                open = !isnan(point->x);
            }
            g_string_append(data, "NaN NaN\n\n\n");
        }
    return data;
}

GString *chart_draw(const Chart *chart, const char *format, GError **error)
{
    g_autofree char *setup = setup_of(chart, format);
    g_autoptr(GString) data = data_of(chart);
    GString *picture = gnuplot_draw("chart.gp", setup, data, error);
    if (picture)
        picture_finish(picture, format, chart->title);
    return picture;
}

gboolean chart_write(const Chart *chart, const char *format, FILE *to, GError **error)
{
    g_autoptr(GString) picture = chart_draw(chart, format, error);
    if (picture)
        fwrite(picture->str, 1, picture->len, to);
    return picture != NULL;
}
