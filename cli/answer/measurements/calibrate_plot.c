// Draws the picture of a calibration with plots/fit.gp.
#include "answer/measurements/calibrate_answer.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/units.h"
#include "figure/figure.h"
#include "out/gnuplot.h"
#include "out/letters.h"
#include "out/picture.h"
#include <math.h>
#include <string.h>

enum { MAX_LINES = 8, STEPS = 8 }; // STEPS: points of a curve for each doubling of x

static const CalibratedPoint *point_of(const Calibration *c, guint i)
{
    return &g_array_index(c->points, CalibratedPoint, i);
}

static void add_xy(GString *data, double x, double y)
{
    char a[G_ASCII_DTOSTR_BUF_SIZE], b[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append_printf(data, "%s %s\n", g_ascii_formatd(a, sizeof a, "%.9g", x),
                           g_ascii_formatd(b, sizeof b, "%.9g", y));
}

// Gnuplot counts blocks, so an empty block gets a point that is not drawn.
static void end_block(GString *data)
{
    g_string_append(data, "NaN NaN\n\n\n");
}

typedef struct Extent {
    double x_min, x_max, y_min, y_max;
} Extent;

static void extend(Extent *e, double x, double y)
{
    *e = (Extent){MIN(e->x_min, x), MAX(e->x_max, x), MIN(e->y_min, y), MAX(e->y_max, y)};
}

// Returns the group of points that are drawn alike: a series, or in a scatter the points with one number of ranks.
static char *group_name(const Calibration *c, guint series, gboolean scatter)
{
    enum { MOST = 80 }; // characters beside the plot
    const char *name = g_ptr_array_index(c->series, series), *comma = strrchr(name, ',');
    if (scatter && comma)
        return g_strdup(comma + 2);
    return strlen(name) <= MOST ? g_strdup(name) : g_strdup_printf("%.*s...", MOST - 3, name);
}

// Adds the points of a group that are kept, or those left out: time over size, or predicted over measured time.
static void add_points(const Calibration *c, const guint *group, guint which, gboolean left_out, gboolean scatter,
                       GString *data, Extent *e)
{
    for (guint i = 0; i < c->points->len; i++) {
        const CalibratedPoint *p = point_of(c, i);
        const double x = scatter ? p->measured_s : (double)p->sample->bytes,
                     y = scatter ? p->predicted_s : p->measured_s;
        if (group[p->series] != which || p->left_out != left_out || x <= 0 || y <= 0)
            continue;
        add_xy(data, x, y);
        extend(e, x, y);
    }
    end_block(data);
}

// Adds the prediction as a curve, because a straight line is not straight on logarithmic axes.
static void add_curve(const Calibration *c, guint series, GString *data, Extent *e)
{
    const CalibratedPoint *last = NULL;
    for (guint i = 0; i < c->points->len; i++) {
        const CalibratedPoint *p = point_of(c, i);
        if (p->series != series || p->sample->bytes == 0 || p->predicted_s <= 0 ||
            (last && p->sample->bytes == last->sample->bytes))
            continue;
        const int steps = last ? (int)ceil(log2((double)p->sample->bytes / (double)last->sample->bytes) * STEPS) : 1;
        for (int k = 1; k <= steps; k++) {
            const double x = last ? (double)last->sample->bytes *
                                        pow((double)p->sample->bytes / (double)last->sample->bytes, (double)k / steps)
                                  : (double)p->sample->bytes;
            const double share =
                last ? (x - (double)last->sample->bytes) / (double)(p->sample->bytes - last->sample->bytes) : 0;
            const double from = last ? last->predicted_s : p->predicted_s;
            add_xy(data, x, from + share * (p->predicted_s - from));
            extend(e, x, from + share * (p->predicted_s - from));
        }
        last = p;
    }
    end_block(data);
}

// Adds the pieces, with a gap between each two.
static void add_pieces(const Calibration *c, guint series, GString *data, Extent *e)
{
    const double shift = c->model == &hockney_model ? 0 : 1;
    gboolean has = FALSE;
    for (guint i = 0; i < c->points->len; i++)
        has |= point_of(c, i)->series == series && point_of(c, i)->pieces_s > 0;
    const char *first = g_ptr_array_index(c->series, series);
    has &= c->pieces && (shift > 0) == (strcmp(first, "one way") != 0);
    for (guint q = 0; has && q < c->pieces->len; q++) {
        const FitPiece *piece = &g_array_index(c->pieces, FitPiece, q);
        const double from = MAX(piece->from + shift, 1), to = piece->to + shift;
        const int steps = (int)ceil(log2(MAX(to / from, 2)) * STEPS);
        for (int k = 0; k <= steps; k++) {
            const double x = from * pow(to / from, (double)k / steps);
            add_xy(data, x, piece->at_zero + piece->slope * (x - shift));
            extend(e, x, piece->at_zero + piece->slope * (x - shift));
        }
        g_string_append(data, "\n");
    }
    end_block(data);
}

// Returns the title, as "machine: alpha 1.6us, beta 0.085ns/B, bends at 16K". Free with g_free.
static char *title_of(const Calibration *c, const char *machine)
{
    GString *title = g_string_new(machine);
    for (size_t i = 0; i < c->model->n_keys; i++) {
        const PlatformKey key = c->model->keys[i];
        if (!c->figure[key].found)
            continue;
        g_autofree char *text = platform_figure_text(key, c->figure[key].value);
        g_string_append_printf(title, "%s%s %s", i ? ", " : machine ? ": " : "", platform_keys[key].name, text);
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
    return g_string_free(title, FALSE);
}

// Returns the note under the picture: how well the figures fit what is drawn, and what is not drawn. Free with g_free.
static char *note_of(const Calibration *c, guint left_out)
{
    g_autofree double *errors = g_new(double, MAX(c->points->len, 1));
    guint n = 0, zeros = 0;
    for (guint i = 0; i < c->points->len; i++) {
        const CalibratedPoint *p = point_of(c, i);
        zeros += p->sample->bytes == 0;
        if (!p->left_out && p->measured_s > 0)
            errors[n++] = fabs(p->predicted_s / p->measured_s - 1);
    }
    const FitErrors e = fit_errors(errors, n);
    g_autofree char *out = left_out ? g_strdup_printf(", %u left out", left_out) : g_strdup("");
    g_autofree char *none = zeros ? g_strdup_printf(", %u of 0 bytes not drawn", zeros) : g_strdup("");
    return g_strdup_printf("model %s: error %.1f %% in the median, %.1f %% p90, of %u rows%s%s", c->model->name,
                           100 * e.median, 100 * e.p90, n, out, none);
}

// Adds the blocks of all groups, and their names to the setup. Returns how many groups there are.
static guint add_groups(const Calibration *c, gboolean scatter, GString *data, GString *setup, Extent *e)
{
    double widest = letters_width("left out", LETTERS_NOTE);
    g_autofree guint *group = g_new(guint, c->series->len);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (guint s = 0; s < c->series->len; s++) {
        char *name = group_name(c, s, scatter);
        if (scatter && g_ptr_array_find_with_equal_func(names, name, g_str_equal, &group[s])) {
            g_free(name);
            continue;
        }
        group[s] = names->len;
        g_ptr_array_add(names, name);
    }
    for (guint k = 0; k < names->len; k++) {
        add_points(c, group, k, FALSE, scatter, data, e);
        add_points(c, group, k, TRUE, scatter, data, e);
        if (scatter) {
            end_block(data);
            end_block(data);
        } else {
            add_curve(c, k, data, e);
            add_pieces(c, k, data, e);
        }
        gnuplot_text(setup, "name", k + 1, g_ptr_array_index(names, k));
        widest = MAX(widest, letters_width(g_ptr_array_index(names, k), LETTERS_NOTE));
    }
    gnuplot_number(setup, "names_width", widest);
    return names->len;
}

gboolean calibrate_draw(const Calibration *c, const char *path, const char *machine, FILE *to, GError **error)
{
    const char *format;
    const gboolean scatter = c->series->len > MAX_LINES;
    g_autoptr(GString) data = g_string_new(NULL), setup = g_string_new(NULL);
    Extent e = {INFINITY, 0, INFINITY, 0};
    guint left_out = 0;
    for (guint i = 0; i < c->points->len; i++)
        left_out += point_of(c, i)->left_out;
    g_autofree char *title = title_of(c, machine), *note = note_of(c, left_out);
    enum { WIDTH = 1000 }; // of fit.gp, in pixels
    g_autofree char *title_text = letters_wrap(title, WIDTH - 40, LETTERS_TITLE),
                    *note_text = letters_wrap(note, WIDTH - 40, LETTERS_TEXT);
    const guint n = add_groups(c, scatter, data, setup, &e);
    if (!picture_format("--plot", path, &format, error))
        return FALSE;
    if (e.x_max <= 0)
        return bad_input(error, "--plot %s: no row has a size above 0 to be drawn", path);
    g_string_append_printf(setup, "format = '%s'; n = %u; scatter = %d; left_out = %u; ", format, n, scatter, left_out);
    gnuplot_lines(setup, "title", 0, title_text);
    gnuplot_lines(setup, "note", 0, note_text);
    g_string_append_printf(setup, "title_rows = %u; note_rows = %u; ", figure_line_count(title_text),
                           figure_line_count(note_text));
    gnuplot_number(setup, "x_min", e.x_min);
    gnuplot_number(setup, "x_max", e.x_max);
    gnuplot_number(setup, "y_min", e.y_min);
    gnuplot_number(setup, "y_max", e.y_max);
    return picture_write("fit.gp", setup->str, data, format, title, to, error);
}
