// Lays a chart out and draws it.
#include "figure/chart_data.h"
#include <math.h>
#include <string.h>

// Sizes in pixels.
enum {
    LEFT = 92,
    RIGHT = 34,
    AXIS_ROW = 36, // above a plot: the name of its y axis
    BELOW = 62,    // below a plot: labels and the name of its x axis
    PLOT_HEIGHT = 400,
    SIDE = 300, // width and height of a plot with diagonals of several, and the height of others
    CELL = 580, // width of a panel of several
    LABELED_CELL = 750,
    LEAST_CELL = 380, // width of a panel, if the picture has a given one
    LEAST_HEIGHT = 100,
    ACROSS = 3,      // panels beside each other
    LABELS_GAP = 56, // from the plot to the names of lines: room for leaders and points
    LABEL_ROW = 22,
    MARKS = 40, // a line with more points has a mark at some of them only
    MANY = 400  // points of a panel; more are small and let what is below them through
};

// ---- The layout -----------------------------------------------------------------------------------------------------

// A panel's plot: its place, and the ranges of its axes.
typedef struct {
    const Chart *chart;
    Canvas *canvas;
    guint panel;
    int left, top, width, height;
    double low[2], high[2];
} Plot;

static double place_x(const Plot *plot, double x)
{
    return plot->left + plot->width * log(x / plot->low[0]) / log(plot->high[0] / plot->low[0]);
}

static double place_y(const Plot *plot, double y)
{
    return plot->top + plot->height - plot->height * log(y / plot->low[1]) / log(plot->high[1] / plot->low[1]);
}

// Draws the line of the grid at a value that has a label, or the tick and the label. A tick without a label is small.
static void add_tick(const Plot *plot, gboolean of_y, gboolean grid_line, double value, const char *label)
{
    enum { LONG = 6, SHORT = 3 };
    const CanvasLook grid = {.color = CANVAS_FAINT, .width = 0.8}, line = {.color = CANVAS_INK, .width = 1};
    const double length = label ? LONG : SHORT, at = of_y ? place_y(plot, value) : place_x(plot, value),
                 base = plot->top + plot->height;
    if (value < plot->low[of_y] || value > plot->high[of_y])
        return;
    if (of_y)
        canvas_line(plot->canvas, grid_line ? &grid : &line, plot->left, at,
                    plot->left + (grid_line ? plot->width : length), at);
    else
        canvas_line(plot->canvas, grid_line ? &grid : &line, at, base, at, grid_line ? plot->top : base - length);
    if (label && of_y && !grid_line)
        canvas_text(plot->canvas, plot->left - 8, at, CANVAS_ENDS, LETTERS_NOTE, CANVAS_INK, label);
    else if (label && !grid_line)
        canvas_text(plot->canvas, at, base + 16, CANVAS_CENTERED, LETTERS_NOTE, CANVAS_INK, label);
}

// Draws the ticks of an axis, or the grid at those with a label. Ticks of sizes and ranks are at powers of two, others at powers of ten and their multiples; as many have a
// label as there is room for.
static void add_ticks(const Plot *plot, gboolean of_y, gboolean grid_lines)
{
    enum { ROOM_X = 62, ROOM_Y = 30, DECADE_X = 220, DECADE_Y = 95 };
    const ChartAxis kind = of_y ? plot->chart->head.y : plot->chart->head.x;
    const double low = plot->low[of_y], high = plot->high[of_y], length = of_y ? plot->height : plot->width;
    const int base = kind == CHART_SIZE || kind == CHART_RANKS ? 2 : 10;
    const int first = (int)ceil(log(low) / log(base) - 1e-9), last = (int)floor(log(high) / log(base) + 1e-9);
    const int step = MAX((int)ceil((last - first + 1) * (of_y ? ROOM_Y : ROOM_X) / length), 1);
    const double decade = length / log10(high / low);
    const gboolean few = decade > (of_y ? DECADE_Y : DECADE_X), // room for 2 and 5 times 10^e
        all = decade * log10(10. / 9) > (of_y ? ROOM_Y : ROOM_X) * 0.7;
    for (int e = first - 1; e <= last; e++)
        for (int m = 1; m < base; m++) {
            const double value = m * pow(base, e);
            const gboolean shown = m == 1 ? e % step == 0 : all || (few && (m == 2 || m == 5));
            g_autofree char *label = shown ? chart_text(kind, value) : NULL;
            if (label || !grid_lines)
                add_tick(plot, of_y, grid_lines, value, label);
        }
}

static void add_frame(const Plot *plot)
{
    const CanvasLook line = {.color = CANVAS_INK, .width = 1}, one = {.color = CANVAS_PALE, .dash = 2, .width = 1.5};
    const double right = plot->left + plot->width, base = plot->top + plot->height;
    canvas_part(plot->canvas, "axes");
    for (int part = 0; part < 4; part++) // ticks are on the lines of the grid
        add_ticks(plot, part % 2, part < 2);
    canvas_text(plot->canvas, plot->left - 72, plot->top - 17, CANVAS_BEGINS, LETTERS_NOTE, CANVAS_PALE,
                plot->chart->head.y_name);
    canvas_text(plot->canvas, plot->left + plot->width / 2., plot->top + plot->height + 42, CANVAS_CENTERED,
                LETTERS_NOTE, CANVAS_PALE, plot->chart->head.x_name);
    canvas_path(plot->canvas, &line);
    canvas_to(plot->canvas, plot->left, plot->top);
    canvas_to(plot->canvas, plot->left, base);
    canvas_to(plot->canvas, right, base);
    if (plot->chart->head.line_at_1 && plot->low[1] < 1 && plot->high[1] > 1)
        canvas_line(plot->canvas, &one, plot->left, place_y(plot, 1), right, place_y(plot, 1));
}

static void add_diagonals(const Plot *plot)
{
    static const struct {
        double factor;
        const char *text;
    } diagonals[] = {{1, ""}, {2, "x 2"}, {0.5, "/ 2"}};
    for (size_t i = 0; plot->chart->head.diagonals && i < G_N_ELEMENTS(diagonals); i++) {
        const double f = diagonals[i].factor, from = MAX(plot->low[0], plot->low[1] / f),
                     to = MIN(plot->high[0], plot->high[1] / f);
        const CanvasLook line = {.color = i ? CANVAS_PALE : CANVAS_INK, .width = i ? 1 : 1.5};
        const double x = place_x(plot, to), y = place_y(plot, f * to);
        canvas_line(plot->canvas, &line, place_x(plot, from), place_y(plot, f * from), x, y);
        canvas_text(plot->canvas, f > 1 ? x : x + 4, f > 1 ? y - 9 : y, f > 1 ? CANVAS_CENTERED : CANVAS_BEGINS,
                    LETTERS_SMALL, CANVAS_INK, diagonals[i].text);
    }
}

// Draws the line of a series in a panel.
static void add_line(const Plot *plot, const ChartSeries *series)
{
    gboolean open = FALSE;
    for (guint i = 0; series->look.dash && i < series->points->len; i++) {
        const ChartPoint *point = &g_array_index(series->points, ChartPoint, i);
        if (point->panel != plot->panel)
            continue;
        if (!isnan(point->x) && !open)
            canvas_path(plot->canvas, &series->look);
        open = !isnan(point->x);
        if (open)
            canvas_to(plot->canvas, place_x(plot, point->x), place_y(plot, point->y));
    }
}

// Draws the bars of a series, or its points.
static void add_points(const Plot *plot, const ChartSeries *series, gboolean bars)
{
    const gboolean many = chart_panel_at(plot->chart, plot->panel)->points > MANY && !series->look.dash;
    const guint step = series->look.dash ? 1 + series->points->len / MARKS : 1;
    CanvasLook look = series->look;
    const CanvasLook bar = {.color = look.color, .width = 1.2};
    const gboolean small = plot->chart->panels->len > 1 || plot->chart->head.diagonals;
    if (many)
        look.color |= (int)0xA0000000;
    look.size = many ? 0.35 : !look.size && small ? 0.7 : look.size;
    for (guint i = 0; look.point && i < series->points->len; i++) {
        const ChartPoint *point = &g_array_index(series->points, ChartPoint, i);
        if (point->panel != plot->panel || isnan(point->x))
            continue;
        const double x = place_x(plot, point->x);
        if (bars && point->high > point->low)
            canvas_line(plot->canvas, &bar, x, place_y(plot, MAX(point->low, plot->low[1])), x,
                        place_y(plot, point->high));
        if (!bars && i % step == 0)
            canvas_point(plot->canvas, &look, x, place_y(plot, point->y));
    }
}

// ---- Names beside a plot --------------------------------------------------------------------------------------------

static int highest_first(gconstpointer a, gconstpointer b)
{
    const ChartLabel *const one = *(ChartLabel *const *)a, *const two = *(ChartLabel *const *)b;
    if (one->y != two->y)
        return one->y < two->y ? 1 : -1;
    return one->number < two->number ? -1 : 1;
}

// Returns the labels of a panel, the highest first, and sets their number of rows. Free with g_ptr_array_unref.
static GPtrArray *labels_of(const Chart *chart, guint panel, guint *rows)
{
    GPtrArray *labels = g_ptr_array_new();
    *rows = 0;
    for (guint i = 0; i < chart->labels->len; i++) {
        ChartLabel *label = &g_array_index(chart->labels, ChartLabel, i);
        if (label->panel != panel)
            continue;
        g_ptr_array_add(labels, label);
        *rows += 1 + g_strv_length(label->more);
    }
    g_ptr_array_sort(labels, highest_first);
    return labels;
}

// Sets the heights of the first rows of labels, so that no two overlap: as near to the ends of their lines as possible.
// Labels that would overlap form a block, and the block is placed at their mean. All rows stay beside the plot.
static void place_labels(const Plot *plot, const GPtrArray *labels, double *place)
{
    const guint n = labels->len;
    g_autofree double *mean = g_new(double, n + 1);
    g_autofree guint *size = g_new(guint, n + 1), *above = g_new(guint, n + 1); // rows above a label
    guint blocks = 0, all = 0;
    for (guint i = 0; i < n; i++) {
        const ChartLabel *label = labels->pdata[i];
        above[i] = all;
        all += 1 + g_strv_length(label->more);
        mean[blocks] = place_y(plot, label->y) - above[i] * LABEL_ROW;
        size[blocks++] = 1;
        while (blocks > 1 && mean[blocks - 1] < mean[blocks - 2]) {
            const guint a = size[blocks - 2], b = size[blocks - 1];
            mean[blocks - 2] = (mean[blocks - 2] * a + mean[blocks - 1] * b) / (a + b);
            size[blocks - 2] = a + b;
            blocks--;
        }
    }
    for (guint block = 0, i = 0; block < blocks; block++)
        for (guint k = 0; k < size[block]; k++, i++)
            place[i] = mean[block] + above[i] * LABEL_ROW;
    for (guint i = 0; i < n; i++)
        place[i] = MAX(place[i], plot->top + above[i] * LABEL_ROW);
    for (guint i = n; i-- > 0;)
        place[i] = MIN(place[i], plot->top + plot->height - (all - 1 - above[i]) * LABEL_ROW);
}

// Draws the labels. A thin line leads to each from the end of its line, if no line of any panel ends farther right.
static void add_labels(const Plot *plot)
{
    guint rows;
    g_autoptr(GPtrArray) labels = labels_of(plot->chart, plot->panel, &rows);
    g_autofree double *place = g_new(double, labels->len + 1);
    const double right = plot->left + plot->width;
    double last = 0;
    place_labels(plot, labels, place);
    for (guint i = 0; i < plot->chart->labels->len; i++)
        last = MAX(last, g_array_index(plot->chart->labels, ChartLabel, i).x);
    for (guint i = 0; i < labels->len; i++) {
        const ChartLabel *label = labels->pdata[i];
        const CanvasLook leader = {.color = label->look.color, .width = 0.8};
        if (label->x >= last)
            canvas_line(plot->canvas, &leader, place_x(plot, label->x), place_y(plot, label->y), right + 26, place[i]);
        if (label->look.point)
            canvas_point(plot->canvas, &label->look, right + 34, place[i]);
        else
            canvas_line(plot->canvas, &label->look, right + 28, place[i], right + 42, place[i]);
        canvas_text(plot->canvas, right + 46, place[i], CANVAS_BEGINS, LETTERS_TEXT, CANVAS_INK, label->name);
        for (guint k = 0; label->more[k]; k++)
            canvas_text(plot->canvas, right + 46, place[i] + (k + 1) * LABEL_ROW, CANVAS_BEGINS, LETTERS_TEXT,
                        CANVAS_PALE, label->more[k]);
    }
}

// Returns the room to the right of a panel's plot.
static int right_of(const Chart *chart, guint panel)
{
    double widest = 0;
    for (guint i = 0; i < chart->labels->len; i++) {
        const ChartLabel *label = &g_array_index(chart->labels, ChartLabel, i);
        if (label->panel == panel)
            widest = MAX(widest, letters_width(label->name, LETTERS_TEXT));
        for (guint k = 0; label->panel == panel && label->more[k]; k++)
            widest = MAX(widest, letters_width(label->more[k], LETTERS_TEXT));
    }
    return widest > 0 ? LABELS_GAP + (int)widest + 10 : RIGHT;
}

// ---- Panels ---------------------------------------------------------------------------------------------------------

static guint columns_of(guint panels, guint asked, const PictureAsk *ask)
{
    const guint most = ask && ask->size.width > 0 ? (guint)ask->size.width / LEAST_CELL : MAX(ACROSS, asked);
    return CLAMP(MIN(asked ? asked : panels == 4 ? 2 : ACROSS, most), 1, panels);
}

static int cell_width(guint panels, guint columns, gboolean diagonals, gboolean labels, const PictureAsk *ask)
{
    const int usual = diagonals ? LEFT + SIDE + RIGHT : panels == 1 ? CANVAS_WIDTH : labels ? LABELED_CELL : CELL;
    return canvas_width(ask, usual * (int)columns) / (int)columns;
}

double chart_title_width(guint panels, guint columns, gboolean labels, const PictureAsk *ask)
{
    return cell_width(panels, columns_of(panels, columns, ask), FALSE, labels, ask) - 2 * CANVAS_EDGE;
}

// Sets the ranges of a plot: those of its panel's points or of all, and some air around them, at least a factor of 3
// upwards, so that noise does not look like a slope.
static void set_ranges(Plot *plot)
{
    const Chart *chart = plot->chart;
    double low[2] = {INFINITY, INFINITY}, high[2] = {0, 0};
    for (guint i = 0; i < chart->panels->len; i++)
        for (int k = 0; k < 2; k++) {
            const ChartPanel *p = chart_panel_at(chart, i);
            if (chart->head.diagonals && i != plot->panel)
                continue;
            low[k] = fmin(low[k], chart->head.diagonals ? fmin(p->low[0], p->low[1]) : p->low[k]);
            high[k] = fmax(high[k], chart->head.diagonals ? fmax(p->high[0], p->high[1]) : p->high[k]);
        }
    for (int k = 0; k < 2; k++) {
        low[k] = k && chart->head.line_at_1 ? fmin(low[k], 1) : low[k];
        high[k] = k && chart->head.line_at_1 ? fmax(high[k], 1) : high[k];
        if (!(high[k] > 0)) // an empty panel
            low[k] = high[k] = 1;
        const double ratio = high[k] / low[k];
        const double air = chart->head.diagonals ? 1.3
                           : k == 0              ? (ratio > 1 ? MAX(pow(ratio, 0.02), 1.02) : 2)
                           : ratio < 3           ? sqrt(4 / ratio)
                                                 : pow(ratio, 0.04);
        plot->low[k] = low[k] / (ratio > 1 ? air : 2);
        plot->high[k] = high[k] * (ratio > 1 ? air : 2);
    }
}

static void add_plot(Plot *plot)
{
    set_ranges(plot);
    add_frame(plot);
    canvas_part(plot->canvas, "series");
    for (guint i = 0; i < plot->chart->series->len; i++) {
        add_line(plot, chart_series_at(plot->chart, i));
        add_points(plot, chart_series_at(plot->chart, i), TRUE);
        add_points(plot, chart_series_at(plot->chart, i), FALSE);
    }
    canvas_part(plot->canvas, "names");
    add_diagonals(plot);
    add_labels(plot);
}

// Returns the height of a plot, where so many rows of plots are to stand below `y`.
static int plot_height(const Chart *chart, const PictureAsk *ask, int width, int y, int rows)
{
    enum { PERCENT = 60, AROUND = AXIS_ROW + BELOW, TITLES = 76 }; // the room for titles is about that of three rows
    const gboolean labeled = chart->labels->len > 0, several = chart->panels->len > 1;
    int height = !several ? PLOT_HEIGHT : labeled ? PLOT_HEIGHT - 40 : SIDE;
    if (ask && ask->size.height > 0)
        height = ((int)ask->size.height - y - CANVAS_EDGE - 2 * CANVAS_ROW) / rows - AROUND - (several ? TITLES : 0);
    else if (ask && ask->size.width > 0)
        height = width * PERCENT / 100;
    height = MAX(height, LEAST_HEIGHT);
    for (guint k = 0; k < chart->panels->len; k++) {
        guint most;
        g_ptr_array_unref(labels_of(chart, k, &most));
        height = MAX(height, LABEL_ROW * (int)most);
    }
    return height;
}

// Adds the panels from `y` on, in cells of this width. Returns where the last one ends.
static int add_panels(const Chart *chart, Canvas *canvas, const PictureAsk *ask, int y, int cell, guint across)
{
    const guint n = chart->panels->len;
    const int height = chart->head.diagonals ? cell - LEFT - RIGHT
                                             : plot_height(chart, ask, cell, y, (int)((n + across - 1) / across));
    for (guint i = 0; i < n; i += across) {
        int top = y;
        for (guint k = i; k < MIN(i + across, n); k++) {
            const int x = CANVAS_EDGE + cell * (int)(k - i), room = cell - 2 * CANVAS_EDGE;
            int end = canvas_paragraph(canvas, x, y, room, chart->head.diagonals ? LETTERS_NOTE : LETTERS_TITLE,
                                       CANVAS_INK, chart_panel_at(chart, k)->title);
            end = canvas_paragraph(canvas, x, end, room, LETTERS_TEXT, CANVAS_PALE, chart_panel_at(chart, k)->subtitle);
            top = MAX(top, end);
        }
        for (guint k = i; k < MIN(i + across, n); k++) {
            Plot plot = {.chart = chart,
                         .canvas = canvas,
                         .panel = k,
                         .left = cell * (int)(k - i) + LEFT,
                         .top = top + AXIS_ROW,
                         .width = MAX(cell - LEFT - right_of(chart, k), LEAST_HEIGHT),
                         .height = height};
            add_plot(&plot);
        }
        y = top + AXIS_ROW + height + BELOW;
    }
    return y;
}

Canvas *chart_canvas(const Chart *chart, const PictureAsk *ask)
{
    enum { LEAST_WIDTH = 640 };
    const guint n = chart->panels->len, across = columns_of(n, chart->head.columns, ask);
    int cell = cell_width(n, across, chart->head.diagonals, chart->labels->len > 0, ask);
    const int width = MAX(cell * (int)across, ask && ask->size.width > 0 ? 0 : LEAST_WIDTH);
    cell = n == 1 ? width : cell;
    Canvas *canvas = canvas_new(width, ask);
    int y = canvas_head(canvas, chart->head.title, chart->head.subtitle);
    if (!*chart->head.title && !(ask && ask->title && *ask->title))
        canvas_name(canvas, chart_panel_at(chart, 0)->title);
    y = canvas_legend(canvas, y, chart->keys) + CANVAS_EDGE / 2;
    canvas_note(canvas, add_panels(chart, canvas, ask, y, cell, across), chart->head.note);
    return canvas;
}
