// Draws the picture of a calibration. There are two kinds: times over the size, with points and lines for each algorithm
// and number of ranks; and for many of them measured over predicted times, with points for each number of ranks.
#include "answer/measurements/calibrate_answer.h"
#include "base/distinct.h"
#include "base/error.h"
#include "base/units.h"
#include "figure/chart.h"
#include <math.h>
#include <string.h>

enum { MAX_LINES = 8 };

static const CalibratedPoint *point_of(const Calibration *c, guint i)
{
    return &g_array_index(c->points, CalibratedPoint, i);
}

// Returns the group of points that are drawn alike: a series, or in a scatter the points with one number of ranks.
static const char *group_name(const Calibration *c, guint series, gboolean scatter)
{
    const char *name = g_ptr_array_index(c->series, series), *comma = strrchr(name, ',');
    return scatter && comma ? comma + 2 : name;
}

// Adds what is predicted for a series, as a line from size to size.
static void add_predicted(const Calibration *c, guint series, Chart *chart, guint line)
{
    size_t last = 0;
    for (guint i = 0; i < c->points->len; i++) {
        const CalibratedPoint *p = point_of(c, i);
        if (p->series != series || p->predicted_s <= 0 || p->sample->bytes == last)
            continue;
        chart_straight(chart, 0, line, (double)p->sample->bytes, p->predicted_s);
        last = p->sample->bytes;
    }
}

// Returns the pieces that the times of a series bend into, or NULL.
static const GArray *pieces_of(const Calibration *c, guint series)
{
    const char *name = g_ptr_array_index(c->series, series);
    const gboolean one_way = g_str_has_prefix(name, "one way");
    for (guint i = 0; i < c->inner->len; i++) {
        const Calibration *x = g_ptr_array_index(c->inner, i);
        if (one_way && x->level && g_str_has_suffix(name, x->level))
            return x->pieces;
    }
    for (guint i = 0; i < c->points->len; i++)
        if (point_of(c, i)->series == series && point_of(c, i)->pieces_s > 0)
            return (c->model == &hockney_model) == one_way ? c->pieces : NULL;
    return NULL;
}

// Adds pieces, with a gap between each two.
static void add_pieces(const Calibration *c, const GArray *pieces, Chart *chart, guint line)
{
    const double shift = c->model == &hockney_model ? 0 : 1;
    for (guint q = 0; q < pieces->len; q++) {
        const FitPiece *piece = &g_array_index(pieces, FitPiece, q);
        const double ends[] = {MAX(piece->from + shift, 1), piece->to + shift};
        for (int i = 0; i < 2; i++)
            chart_straight(chart, 0, line, ends[i], piece->at_zero + piece->slope * (ends[i] - shift));
        chart_gap(chart, 0, line);
    }
}

// Adds to the title how long a message takes one way at each level that has rows, as "one way 1.5 to 108 us; node: 0.4 to
// 53 us", for a model whose figures are tables.
static void add_ranges(const Calibration *c, GString *title)
{
    for (guint k = 0, any = 0; k < c->series->len; k++) {
        double least = INFINITY, most = 0;
        for (guint i = 0; i < c->points->len; i++) {
            const CalibratedPoint *p = &g_array_index(c->points, CalibratedPoint, i);
            if (p->series == k && p->kind == LOG_ONE_WAY && !p->left_out) {
                least = fmin(least, p->measured_s);
                most = fmax(most, p->measured_s);
            }
        }
        if (!(most > 0))
            continue;
        const char *series = g_ptr_array_index(c->series, k), *colon = strstr(series, ": ");
        g_autofree char *low = units_format_time(least), *high = units_format_time(most);
        g_string_append_printf(title, "%s%s %s to %s",
                               any++        ? "; "
                               : title->len ? ": "
                                            : "",
                               colon ? colon + 2 : series, low, high);
    }
}

// Returns the title, as "machine: alpha 1.6us, beta 0.085ns/B, bends at 16K". Free with g_free.
static char *title_of(const Calibration *c, const char *machine)
{
    GString *title = g_string_new(machine);
    const char *between = machine ? ": " : "";
    for (size_t i = 0; i < c->model->n_keys; i++) {
        const PlatformKey key = c->model->keys[i];
        if (!c->figure[key].found)
            continue;
        g_autofree char *text = platform_figure_text(key, c->figure[key].value);
        g_string_append_printf(title, "%s%s %s", between, platform_keys[key].name, text);
        between = ", ";
    }
    for (guint i = 0; i < c->inner->len; i++) {
        const Calibration *x = g_ptr_array_index(c->inner, i);
        if (!x->figure[KEY_ALPHA].found || !x->figure[KEY_BETA].found)
            continue;
        g_autofree char *alpha = platform_figure_text(KEY_ALPHA, x->figure[KEY_ALPHA].value),
                        *beta = platform_figure_text(KEY_BETA, x->figure[KEY_BETA].value);
        g_string_append_printf(title, "; %s: alpha %s, beta %s", x->level, alpha, beta);
    }
    for (guint q = 1; c->model == &hockney_model && c->pieces && q < c->pieces->len; q++) {
        g_autofree char *from = units_format_size((size_t)g_array_index(c->pieces, FitPiece, q).from);
        g_string_append_printf(title, "%s%s", q == 1 ? "; bends at " : " and ", from);
    }
    if (c->model == &measured_model)
        add_ranges(c, title);
    return g_string_free(title, FALSE);
}

// Returns the note under the picture: how well the figures fit what is drawn, and what is not drawn. Free with g_free.
static char *note_of(const Calibration *c)
{
    g_autofree double *errors = g_new(double, MAX(c->points->len, 1));
    guint n = 0, zeros = 0, left_out = 0;
    for (guint i = 0; i < c->points->len; i++) {
        const CalibratedPoint *p = point_of(c, i);
        zeros += p->sample->bytes == 0;
        left_out += p->left_out;
        if (!p->left_out && p->measured_s > 0)
            errors[n++] = fabs(p->predicted_s / p->measured_s - 1);
    }
    const FitErrors e = fit_errors(errors, n);
    g_autofree char *out = left_out ? g_strdup_printf(", %u left out", left_out) : g_strdup("");
    g_autofree char *none = zeros ? g_strdup_printf(", %u of 0 bytes not drawn", zeros) : g_strdup("");
    return g_strdup_printf("model %s: error %.1f %% in the median, %.1f %% p90, of %u rows%s%s", c->model->name,
                           100 * e.median, 100 * e.p90, n, out, none);
}

// Adds the lines of all series, in their colours, and what the two kinds of lines are to the legend.
static void add_lines(const Calibration *c, Chart *chart)
{
    gboolean any = FALSE;
    const int grey = 0x808080;
    for (guint s = 0; s < c->series->len; s++) {
        const GArray *pieces = pieces_of(c, s);
        const CanvasLook look = chart_look(s);
        add_predicted(c, s, chart,
                      chart_series(chart, NULL, (CanvasLook){.color = look.color, .dash = 2, .width = 1.5}));
        if (pieces)
            add_pieces(c, pieces, chart,
                       chart_series(chart, NULL, (CanvasLook){.color = look.color, .dash = 1, .width = 1}));
        any |= pieces != NULL;
    }
    chart_series(chart, "predicted", (CanvasLook){.color = grey, .dash = 2, .width = 1.5});
    if (any)
        chart_series(chart, "by pieces", (CanvasLook){.color = grey, .dash = 1, .width = 1});
}

// Adds the points: time over size, or measured over predicted time.
static void add_points(const Calibration *c, gboolean scatter, Chart *chart)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint s = 0; s < c->series->len; s++)
        distinct_name(names, group_name(c, s, scatter));
    const guint first = chart_groups(chart, names);
    guint others = 0; // the series of what is left out, if there is any
    for (guint i = 0; i < c->points->len; i++) {
        const CalibratedPoint *p = point_of(c, i);
        const guint group = first + distinct_name(names, group_name(c, p->series, scatter));
        if (p->left_out && !others)
            others = chart_series(chart, "left out", chart_look(CHART_LOOKS - 1));
        chart_point(chart, 0, p->left_out ? others : group, scatter ? p->predicted_s : (double)p->sample->bytes,
                    p->measured_s);
    }
}

Canvas *calibrate_canvas(const Calibration *c, const char *machine, const PictureAsk *ask, GError **error)
{
    const gboolean scatter = c->series->len > MAX_LINES;
    g_autofree char *title = title_of(c, machine), *note = note_of(c);
    g_autoptr(Chart) chart = chart_new(&(ChartHead){.title = title,
                                                    .note = note,
                                                    .x = scatter ? CHART_TIME : CHART_SIZE,
                                                    .x_name = scatter ? "predicted" : NULL,
                                                    .y = CHART_TIME,
                                                    .y_name = scatter ? "measured" : NULL,
                                                    .diagonals = scatter});
    if (!scatter)
        add_lines(c, chart);
    add_points(c, scatter, chart);
    if (chart_has_points(chart))
        return chart_canvas(chart, ask);
    bad_input(error, "--draw: no row has a size above 0 to be drawn");
    return NULL;
}
