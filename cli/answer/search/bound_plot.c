// Draws the picture of `bound`.
#include "answer/report/report.h"
#include "answer/search/bound.h"
#include "base/distinct.h"
#include "base/error.h"
#include "base/units.h"
#include "figure/chart.h"
#include "figure/figure.h"
#include "out/sheet.h"
#include <string.h>

enum { GREY = 0xAAAAAA };

gboolean bound_can_draw(const BoundGrid *grid, GError **error)
{
    enum { MOST = 16 };
    const gboolean by_size = bound_grid_by_size(grid);
    const guint lines = by_size ? grid->request.question.ranks->len : grid->request.question.sizes->len;
    return lines <= MOST || bad_input(error, "--draw: %u lines; allowed: %d, so fewer %s", lines, MOST,
                                      by_size ? "ranks (-p)" : "sizes (-m)");
}

// What is drawn: a line for each number of ranks or each size, with the cells whose bound is above 0.
typedef struct Picture {
    const BoundGrid *grid;
    gboolean by_size;
    GPtrArray *lines;      // of GPtrArray of BoundCell, by rising x; the one that ends highest first
    GPtrArray *algorithms; // their names, in the order of their first points from the left
    const BoundCell *best, *worst;
    guint left_out;
    gboolean blocks; // some cell has a bound for equal blocks
} Picture;

static void picture_clear(Picture *x)
{
    g_ptr_array_unref(x->lines);
    g_ptr_array_unref(x->algorithms);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Picture, picture_clear)

static double x_of(const Picture *x, const BoundCell *cell)
{
    return x->by_size ? (double)cell->m : cell->p;
}

// Returns what the cells of a line have in common: the number of ranks, or the size.
static size_t value_of(const Picture *x, const GPtrArray *line)
{
    const BoundCell *cell = line->pdata[0];
    return x->by_size ? (size_t)cell->p : cell->m;
}

// Returns the bound for equal blocks divided by the bound; 0 if it is not above the bound.
static double equal_blocks_of(const BoundCell *cell)
{
    return cell->blocks_s > cell->bound_s ? cell->blocks_s / cell->bound_s : 0;
}

static guint algorithm_of(const Picture *x, const BoundCell *cell)
{
    return distinct_name(x->algorithms, cell->best->algorithm->name);
}

static int by_place(gconstpointer a, gconstpointer b)
{
    const BoundCell *one = *(BoundCell *const *)a, *two = *(BoundCell *const *)b;
    return one->p != two->p ? one->p - two->p : (one->m > two->m) - (one->m < two->m);
}

static const BoundCell *last_of(const GPtrArray *line)
{
    return line->pdata[line->len - 1];
}

static int highest_first(gconstpointer a, gconstpointer b)
{
    const double x = bound_grid_ratio(last_of(*(GPtrArray *const *)a)),
                 y = bound_grid_ratio(last_of(*(GPtrArray *const *)b));
    return (x < y) - (x > y);
}

static void add_cell(Picture *x, GPtrArray *line, BoundCell *cell)
{
    const double ratio = bound_grid_ratio(cell);
    if (ratio <= 0) {
        x->left_out++;
        return;
    }
    algorithm_of(x, cell);
    x->blocks |= equal_blocks_of(cell) > 0;
    x->worst = x->worst && ratio <= bound_grid_ratio(x->worst) ? x->worst : cell;
    x->best = x->best && ratio >= bound_grid_ratio(x->best) ? x->best : cell;
    g_ptr_array_add(line, cell);
}

static Picture picture_of(const BoundGrid *grid)
{
    const guint ranks = grid->request.question.ranks->len, sizes = grid->request.question.sizes->len;
    Picture x = {.grid = grid,
                 .by_size = bound_grid_by_size(grid),
                 .lines = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref),
                 .algorithms = g_ptr_array_new()};
    for (guint i = 0; i < (x.by_size ? ranks : sizes); i++) {
        g_autoptr(GPtrArray) line = g_ptr_array_new();
        for (guint k = 0; k < (x.by_size ? sizes : ranks); k++)
            add_cell(&x, line, grid->cells->pdata[x.by_size ? i * sizes + k : k * sizes + i]);
        g_ptr_array_sort(line, by_place);
        if (line->len)
            g_ptr_array_add(x.lines, g_steal_pointer(&line));
    }
    g_ptr_array_sort(x.lines, highest_first);
    return x;
}

// ---- What stands around it -----------------------------------------------------------------------------------------

// Returns "allreduce, lumi: the fastest algorithm takes 1.00 to 2.77 times the bound, most at 32K bytes on 64 ranks".
static char *title_of(const Picture *x)
{
    const Request *r = &x->grid->request;
    g_autofree char *low = sheet_ratio(bound_grid_ratio(x->best), 1),
                    *high = sheet_ratio(bound_grid_ratio(x->worst), 1);
    g_autofree char *size = units_format_size(x->worst->m), *ranks = units_format_size((size_t)x->worst->p),
                    *root = report_root_text(r->question.root);
    g_autofree char *at =
        r->question.collective == COLL_BARRIER ? g_strdup("") : g_strdup_printf(" with %s bytes", size);
    GString *s = g_string_new(NULL);
    g_string_append_printf(s, "%s%s, %s: the fastest algorithm ", collectives[r->question.collective].name, root,
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
    const RequestMachine *machine = &grid->request.machine;
    g_autofree char *bounds = bound_text(grid);
    GString *s = g_string_new(NULL);
    g_string_append_printf(s, "%s; bound: %s%s",
                           machine->model->transfers ? transfer_names[machine->options.transfer] : machine->model->name,
                           strchr(bounds, ',') ? "the largest of " : "", bounds);
    if (x->blocks)
        canvas_say(s, "dotted: for equal blocks");
    canvas_omitted(s, x->left_out, "the bound is 0");
    return g_string_free(s, FALSE);
}

// ---- The chart -----------------------------------------------------------------------------------------------------

// Adds the lines: a part between two points has the colour of their algorithm, or is grey if they differ. The larger its
// ranks or bytes are, the thicker is a line.
static void add_line(const Picture *x, const GPtrArray *line, const CanvasLook *looks, Chart *chart)
{
    const guint n = x->lines->len;
    const BoundCell *last = last_of(line);
    guint smaller = 0;
    for (guint k = 0; k < n; k++)
        smaller += value_of(x, x->lines->pdata[k]) < value_of(x, line);
    CanvasLook look = {.dash = 1, .width = 1.5 + (n > 1 ? 2.7 * smaller / (n - 1) : 0.5)};
    for (guint k = 0; k + 1 < line->len; k++) {
        const BoundCell *const ends[] = {line->pdata[k], line->pdata[k + 1]};
        const guint algorithm = algorithm_of(x, ends[0]);
        look.color = algorithm == algorithm_of(x, ends[1]) ? looks[algorithm].color : GREY;
        const guint part = chart_series(chart, NULL, look);
        for (int i = 0; i < 2; i++)
            chart_point(chart, 0, part, x_of(x, ends[i]), bound_grid_ratio(ends[i]));
    }
    g_autofree char *size = units_format_size(value_of(x, line)),
                    *name = g_strdup_printf("%s %s", size, x->by_size ? "ranks" : "bytes");
    look.color = GREY;
    if (x->grid->request.question.collective != COLL_BARRIER)
        chart_label(chart, 0, x_of(x, last), bound_grid_ratio(last), name, "", look);
}

// Adds the points of each algorithm, and those of the bounds for equal blocks.
static void add_points(const Picture *x, const CanvasLook *looks, Chart *chart)
{
    const guint first = chart_series(chart, x->algorithms->pdata[0], looks[0]), n = x->algorithms->len;
    for (guint i = 1; i < n; i++)
        chart_series(chart, x->algorithms->pdata[i], looks[i]);
    const guint blocks = chart_series(chart, NULL, (CanvasLook){.color = CANVAS_PALE, .dash = 3, .width = 1.5});
    for (guint i = 0; i < x->lines->len; i++) {
        const GPtrArray *line = x->lines->pdata[i];
        for (guint k = 0; k < line->len; k++) {
            const BoundCell *cell = line->pdata[k];
            chart_point(chart, 0, first + algorithm_of(x, cell), x_of(x, cell), bound_grid_ratio(cell));
            chart_point(chart, 0, blocks, x_of(x, cell), equal_blocks_of(cell));
        }
        chart_gap(chart, 0, blocks);
    }
}

Canvas *bound_canvas(const BoundGrid *grid, const PictureAsk *ask, GError **error)
{
    g_auto(Picture) x = picture_of(grid);
    if (!x.lines->len) {
        bad_input(error, "--draw: the bound is 0 everywhere; allowed: one point or more where it is not");
        return NULL;
    }
    g_autofree CanvasLook *looks = figure_winner_looks(x.algorithms);
    g_autofree char *title = title_of(&x), *note = note_of(&x);
    g_autoptr(Chart) chart = chart_new(&(ChartHead){.title = title,
                                                    .note = note,
                                                    .x = x.by_size ? CHART_SIZE : CHART_RANKS,
                                                    .x_name = x.by_size ? "size (bytes)" : NULL,
                                                    .y = CHART_NUMBER,
                                                    .y_name = "time / bound"});
    for (guint i = 0; i < x.algorithms->len; i++)
        looks[i].dash = 0;
    for (guint i = 0; i < x.lines->len; i++)
        add_line(&x, x.lines->pdata[i], looks, chart);
    add_points(&x, looks, chart);
    return chart_canvas(chart, ask);
}
