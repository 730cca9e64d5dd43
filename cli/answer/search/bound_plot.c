// Draws the picture of `bound`.
#include "answer/search/bound.h"
#include "base/error.h"
#include "base/units.h"
#include "figure/chart.h"
#include "figure/figure.h"
#include "out/sheet.h"
#include <math.h>
#include <string.h>

enum { MAX_LINES = 16, GREY = 0xAAAAAA };

typedef struct DrawnBound {
    size_t x;
    double ratio, blocks; // divided by the bound; blocks is 0 if it is not above the bound
    guint algorithm;      // its place in Picture.algorithms
} DrawnBound;

typedef struct BoundLine {
    GArray *points; // of DrawnBound, by rising x
    size_t value;   // ranks or bytes
    char *name;
} BoundLine;

typedef struct Picture {
    const BoundGrid *grid;
    gboolean by_size;
    GPtrArray *lines;      // of BoundLine, the one that ends highest first
    GPtrArray *algorithms; // their names, in the order of their first points from the left
    const BoundCell *worst;
    double best_ratio, worst_ratio;
    guint left_out;
    gboolean blocks; // some point has a bound for equal blocks
} Picture;

static void line_free(gpointer data)
{
    BoundLine *line = data;
    g_array_unref(line->points);
    g_free(line->name);
    g_free(line);
}

static void picture_clear(Picture *x)
{
    g_ptr_array_unref(x->lines);
    g_ptr_array_unref(x->algorithms);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Picture, picture_clear)

static const DrawnBound *last_of(const BoundLine *line)
{
    return &g_array_index(line->points, DrawnBound, line->points->len - 1);
}

static int by_x(gconstpointer a, gconstpointer b)
{
    const size_t x = ((const DrawnBound *)a)->x, y = ((const DrawnBound *)b)->x;
    return (x > y) - (x < y);
}

static int highest_first(gconstpointer a, gconstpointer b)
{
    const double x = last_of(*(BoundLine *const *)a)->ratio, y = last_of(*(BoundLine *const *)b)->ratio;
    return (x < y) - (x > y);
}

// ---- What is drawn -------------------------------------------------------------------------------------------------

static void add_cell(Picture *x, BoundLine *line, const BoundCell *cell)
{
    const double ratio = bound_grid_ratio(cell);
    DrawnBound drawn = {.x = x->by_size ? cell->m : (size_t)cell->p, .ratio = ratio};
    if (ratio <= 0) {
        x->left_out++;
        return;
    }
    drawn.blocks = cell->blocks_s > cell->bound_s ? cell->blocks_s / cell->bound_s : 0;
    x->blocks |= drawn.blocks > 0;
    const char *name = cell->best->algorithm->name;
    if (!g_ptr_array_find_with_equal_func(x->algorithms, name, g_str_equal, &drawn.algorithm)) {
        drawn.algorithm = x->algorithms->len;
        g_ptr_array_add(x->algorithms, (gpointer)(uintptr_t)name);
    }
    if (!x->worst || ratio > x->worst_ratio) {
        x->worst = cell;
        x->worst_ratio = ratio;
    }
    x->best_ratio = MIN(x->best_ratio, ratio);
    g_array_append_val(line->points, drawn);
}

static char *line_name(const Picture *x, const BoundCell *cell)
{
    g_autofree char *size = units_format_size(x->by_size ? (size_t)cell->p : cell->m);
    if (x->grid->request.question.collective == COLL_BARRIER)
        return g_strdup("");
    return g_strdup_printf(x->by_size ? "%s ranks" : "%s bytes", size);
}

static Picture picture_of(const BoundGrid *grid)
{
    const guint ranks = grid->request.question.ranks->len, sizes = grid->request.question.sizes->len;
    Picture x = {.grid = grid,
                 .by_size = bound_grid_by_size(grid),
                 .lines = g_ptr_array_new_with_free_func(line_free),
                 .algorithms = g_ptr_array_new(),
                 .best_ratio = INFINITY};
    for (guint i = 0; i < (x.by_size ? ranks : sizes); i++) {
        BoundLine *line = g_new(BoundLine, 1);
        const BoundCell *cell = g_ptr_array_index(grid->cells, x.by_size ? i * sizes : i);
        *line = (BoundLine){g_array_new(FALSE, FALSE, sizeof(DrawnBound)), x.by_size ? (size_t)cell->p : cell->m,
                            line_name(&x, cell)};
        for (guint k = 0; k < (x.by_size ? sizes : ranks); k++)
            add_cell(&x, line, g_ptr_array_index(grid->cells, x.by_size ? i * sizes + k : k * sizes + i));
        g_array_sort(line->points, by_x);
        if (line->points->len)
            g_ptr_array_add(x.lines, line);
        else
            line_free(line);
    }
    g_ptr_array_sort(x.lines, highest_first);
    return x;
}

// ---- What stands around it -----------------------------------------------------------------------------------------

static char *ratio_of(double x)
{
    return sheet_ratio(x, 1);
}

// Returns "allreduce, lumi: the fastest algorithm takes 1.00 to 2.77 times the bound, most at 32K bytes on 64 ranks".
static char *title_of(const Picture *x)
{
    const Request *r = &x->grid->request;
    g_autofree char *low = ratio_of(x->best_ratio), *high = ratio_of(x->worst_ratio);
    g_autofree char *size = units_format_size(x->worst->m), *ranks = units_format_size((size_t)x->worst->p);
    g_autofree char *at =
        r->question.collective == COLL_BARRIER ? g_strdup("") : g_strdup_printf(" with %s bytes", size);
    GString *s = g_string_new(NULL);
    g_string_append_printf(s, "%s, %s: the fastest algorithm ", collectives[r->question.collective].name,
                           r->machine.platform->name);
    if (strcmp(low, high) == 0)
        g_string_append_printf(s, strcmp(low, "1.00") == 0 ? "is at the bound everywhere" : "takes %s times the bound",
                               low);
    else
        g_string_append_printf(s, "takes %s to %s times the bound, the most on %s ranks%s", low, high, ranks, at);
    return g_string_free(s, FALSE);
}

static char *note_of(const Picture *x)
{
    const BoundGrid *grid = x->grid;
    g_autofree char *bounds = bounds_text(grid->request.question.collective, grid->ports, bound_grid_eager(grid));
    GString *s = g_string_new(NULL);
    g_string_append_printf(s, "%s; bound: %s%s", transfer_names[grid->request.machine.options.transfer],
                           strchr(bounds, ',') ? "the largest of " : "", bounds);
    if (x->blocks)
        g_string_append(s, "; dotted: for equal blocks");
    if (x->left_out)
        g_string_append_printf(s, "; %u point%s of bound 0", x->left_out, x->left_out == 1 ? "" : "s");
    return g_string_free(s, FALSE);
}

// ---- The chart -----------------------------------------------------------------------------------------------------

// Adds the lines: a part between two points has the colour of their algorithm, or is grey if they differ. The larger its
// ranks or bytes are, the thicker is a line.
static void add_line(const Picture *x, const BoundLine *line, const CanvasLook *looks, Chart *chart)
{
    const guint n = x->lines->len;
    guint smaller = 0;
    for (guint k = 0; k < n; k++)
        smaller += ((const BoundLine *)x->lines->pdata[k])->value < line->value;
    const double width = 1.5 + (n > 1 ? 2.7 * smaller / (n - 1) : 0.5);
    for (guint k = 0; k + 1 < line->points->len; k++) {
        const DrawnBound *a = &g_array_index(line->points, DrawnBound, k), *b = a + 1;
        const int color = a->algorithm == b->algorithm ? looks[a->algorithm].color : GREY;
        const guint part = chart_series(chart, NULL, (CanvasLook){.color = color, .dash = 1, .width = width});
        chart_point(chart, 0, part, (double)a->x, a->ratio);
        chart_point(chart, 0, part, (double)b->x, b->ratio);
    }
    if (*line->name)
        chart_label(chart, 0, (double)last_of(line)->x, last_of(line)->ratio, line->name, "",
                    (CanvasLook){.color = GREY, .dash = 1, .width = width});
}

// Adds the points of each algorithm, and those of the bounds for equal blocks.
static void add_points(const Picture *x, const CanvasLook *looks, Chart *chart)
{
    const guint first = chart_series(chart, x->algorithms->pdata[0], looks[0]), n = x->algorithms->len;
    for (guint i = 1; i < n; i++)
        chart_series(chart, x->algorithms->pdata[i], looks[i]);
    const guint blocks = chart_series(chart, NULL, (CanvasLook){.color = CANVAS_PALE, .dash = 3, .width = 1.5});
    for (guint i = 0; i < x->lines->len; i++) {
        const GArray *points = ((const BoundLine *)x->lines->pdata[i])->points;
        for (guint k = 0; k < points->len; k++) {
            const DrawnBound *a = &g_array_index(points, DrawnBound, k);
            chart_point(chart, 0, first + a->algorithm, (double)a->x, a->ratio);
            chart_point(chart, 0, blocks, (double)a->x, a->blocks);
        }
        chart_gap(chart, 0, blocks);
    }
}

Canvas *bound_canvas(const BoundGrid *grid, const PictureAsk *ask, GError **error)
{
    g_auto(Picture) x = picture_of(grid);
    if (x.lines->len == 0 && bad_input(error, "--draw: no point has a bound above 0"))
        return NULL;
    if (x.lines->len > MAX_LINES || !x.lines->len) {
        bad_input(error, "--draw: %u lines; allowed: %d, so fewer %s", x.lines->len, MAX_LINES,
                  x.by_size ? "ranks (-p)" : "sizes (-m)");
        return NULL;
    }
    g_autofree CanvasLook *looks = figure_winner_looks((const char *const *)x.algorithms->pdata, x.algorithms->len);
    g_autofree char *title = title_of(&x), *note = note_of(&x);
    g_autoptr(Chart) chart = chart_new(title, note, FALSE);
    chart_panel(chart, "", "");
    chart_axis(chart, TRUE, x.by_size ? CHART_SIZE : CHART_RANKS, x.by_size ? "size (bytes)" : NULL);
    chart_axis(chart, FALSE, CHART_NUMBER, "time / bound");
    for (guint i = 0; i < x.algorithms->len; i++)
        looks[i].dash = 0;
    for (guint i = 0; i < x.lines->len; i++)
        add_line(&x, x.lines->pdata[i], looks, chart);
    add_points(&x, looks, chart);
    return chart_canvas(chart, ask);
}
