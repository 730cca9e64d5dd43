// Draws the picture of `bound` with plots/bound.gp.
#include "answer/search/bound.h"
#include "base/error.h"
#include "base/units.h"
#include "figure/figure.h"
#include "out/gnuplot.h"
#include "out/letters.h"
#include "out/picture.h"
#include "out/sheet.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Sizes in pixels; the script's letters are 16 pixels high.
enum { WIDTH = 900, HEIGHT = 560, LEFT = 80, RIGHT = 170, BOTTOM = 92, ROW = 22, NOTE_ROW = 24 };
enum { MAX_LINES = 16 };

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
    double best_ratio, worst_ratio, x_min, x_max;
    guint left_out;
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
    x->x_min = MIN(x->x_min, (double)drawn.x);
    x->x_max = MAX(x->x_max, (double)drawn.x);
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
                 .best_ratio = INFINITY,
                 .x_min = INFINITY};
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

// ---- The data: blocks that two blank lines end ---------------------------------------------------------------------

static void add_point(GString *data, size_t x, double y, gint64 rgb)
{
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append_printf(data, "%" G_GSIZE_FORMAT " %s %" G_GINT64_FORMAT "\n", x,
                           g_ascii_formatd(number, sizeof number, "%.9g", y), rgb);
}

static void end_block(GString *data)
{
    g_string_append(data, "NaN NaN 0\n\n\n"); // gnuplot does not count empty ones
}

// Adds a line between two points in the colour of their algorithm; `two` says that they have different ones.
static void add_line(const BoundLine *line, const FigureLook *looks, const char *two, GString *data)
{
    for (guint k = 0; k + 1 < line->points->len; k++) {
        const DrawnBound *a = &g_array_index(line->points, DrawnBound, k), *b = a + 1;
        const char *color = a->algorithm == b->algorithm ? looks[a->algorithm].color : two;
        const gint64 rgb = g_ascii_strtoll(color + 1, NULL, 16);
        add_point(data, a->x, a->ratio, rgb);
        add_point(data, b->x, b->ratio, rgb);
        g_string_append_c(data, '\n');
    }
    end_block(data);
}

static void add_points(const Picture *x, guint algorithm, GString *data)
{
    for (guint i = 0; i < x->lines->len; i++) {
        const GArray *points = ((const BoundLine *)x->lines->pdata[i])->points;
        for (guint k = 0; k < points->len; k++) {
            const DrawnBound *a = &g_array_index(points, DrawnBound, k);
            if (a->algorithm == algorithm)
                add_point(data, a->x, a->ratio, 0);
        }
    }
    end_block(data);
}

// Returns FALSE if there are no points.
static gboolean add_blocks(const Picture *x, GString *data)
{
    gboolean any = FALSE;
    for (guint i = 0; i < x->lines->len; i++) {
        const GArray *points = ((const BoundLine *)x->lines->pdata[i])->points;
        for (guint k = 0; k < points->len; k++) {
            const DrawnBound *a = &g_array_index(points, DrawnBound, k);
            if (a->blocks > 0)
                add_point(data, a->x, a->blocks, 0);
            any |= a->blocks > 0;
        }
        g_string_append_c(data, '\n');
    }
    end_block(data);
    return any;
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

static char *note_of(const Picture *x, gboolean blocks)
{
    const BoundGrid *grid = x->grid;
    g_autofree char *bounds = bounds_text(grid->request.question.collective, grid->ports, bound_grid_eager(grid));
    GString *s = g_string_new(NULL);
    g_string_append_printf(s, "%s; bound: %s%s", transfer_names[grid->request.machine.options.transfer],
                           strchr(bounds, ',') ? "the largest of " : "", bounds);
    if (blocks)
        g_string_append(s, "; dotted: for equal blocks");
    if (x->left_out)
        g_string_append_printf(s, "; %u point%s of bound 0", x->left_out, x->left_out == 1 ? "" : "s");
    return g_string_free(s, FALSE);
}

// Returns the looks that these algorithms have in all pictures.
static FigureLook *looks_of(const Picture *x)
{
    return figure_winner_looks((const char *const *)x->algorithms->pdata, x->algorithms->len);
}

static void set_indexed(GString *setup, const char *name, guint i, double value)
{
    g_autofree char *indexed = g_strdup_printf("%s_%u", name, i);
    gnuplot_number(setup, indexed, value);
}

// Places the names of the algorithms, from `top` pixels below the upper edge on. Returns where the last row ends.
static int set_legend(const Picture *x, const FigureLook *looks, int top, GString *setup)
{
    int column = 28;
    for (guint i = 0; i < x->algorithms->len; i++) {
        const char *name = x->algorithms->pdata[i];
        const int width = 40 + (int)letters_width(name, LETTERS_TEXT);
        if (column > 28 && column + width > WIDTH) {
            column = 28;
            top += ROW;
        }
        gnuplot_text(setup, "best", i + 1, name);
        gnuplot_text(setup, "color", i + 1, looks[i].color);
        g_string_append_printf(setup, "point_%u = %d; ", i + 1, looks[i].point);
        set_indexed(setup, "at_x", i + 1, column);
        set_indexed(setup, "at_y", i + 1, HEIGHT - top);
        column += width;
    }
    g_string_append_printf(setup, "n = %u; ", x->algorithms->len);
    return top + ROW / 2;
}

// A vertical axis.
typedef struct Axis {
    double min, max;
    gboolean log;
} Axis;

// Returns how high a ratio stands, as a share of the axis.
static double share_of(const Axis *y, double ratio)
{
    return y->log ? log(ratio / y->min) / log(y->max / y->min) : (ratio - y->min) / (y->max - y->min);
}

static Axis set_axes(const Picture *x, GString *setup)
{
    const double air = x->x_min == x->x_max ? 2 : pow(x->x_max / x->x_min, 0.02), worst = MAX(x->worst_ratio, 1.2);
    const gboolean log_y = worst > 6;
    const Axis y = {log_y ? 0.95 : 1 - 0.04 * (worst - 1), log_y ? worst * 1.1 : 1 + 1.04 * (worst - 1), log_y};
    gnuplot_text(setup, "axis", 0, x->by_size ? "size (bytes)" : "ranks");
    gnuplot_number(setup, "x_min", x->x_min / air);
    gnuplot_number(setup, "x_max", x->x_max * air);
    gnuplot_number(setup, "y_min", y.min);
    gnuplot_number(setup, "y_max", y.max);
    g_string_append_printf(setup, "log_y = %d; ", y.log);
    return y;
}

static void set_lines(const Picture *x, const Axis *y, int plot_height, GString *setup)
{
    const guint n = x->lines->len;
    g_autofree double *want = g_new(double, n), *place = g_new(double, n);
    g_autofree guint *rows = g_new(guint, n);
    for (guint i = 0; i < n; i++) {
        want[i] = share_of(y, last_of(x->lines->pdata[i])->ratio);
        rows[i] = 1;
    }
    figure_place(want, rows, n, (double)ROW / plot_height, place);
    for (guint i = 0; i < n; i++) {
        const BoundLine *line = x->lines->pdata[i];
        gnuplot_text(setup, "line", i + 1, line->name);
        set_indexed(setup, "end_x", i + 1, (double)last_of(line)->x);
        set_indexed(setup, "end_y", i + 1, last_of(line)->ratio);
        set_indexed(setup, "place", i + 1, place[i]);
        guint smaller = 0;
        for (guint k = 0; k < n; k++)
            smaller += ((const BoundLine *)x->lines->pdata[k])->value < line->value;
        set_indexed(setup, "thick", i + 1, 1.5 + (n > 1 ? 2.7 * smaller / (n - 1) : 0.5)); // a larger value is thicker
    }
    g_string_append_printf(setup, "lines = %u; ", n);
}

static GString *setup_of(const Picture *x, const FigureLook *looks, const char *title, const char *format,
                         gboolean blocks)
{
    GString *setup = g_string_new(NULL);
    g_autofree char *wrapped = letters_wrap(title, WIDTH - 40, LETTERS_TITLE), *plain = note_of(x, blocks);
    g_autofree char *note = letters_wrap(plain, WIDTH - 40, LETTERS_TEXT);
    const int height = HEIGHT + NOTE_ROW * (int)(MAX(letters_lines(note), 1) - 1), bottom = BOTTOM + height - HEIGHT;
    g_auto(GStrv) titles = g_strsplit(wrapped, "\n", -1);
    g_string_append_printf(setup, "format = '%s'; width = %d; height = %d; titles = %u; blocks = %d; ", format, WIDTH,
                           height, g_strv_length(titles), blocks);
    for (guint i = 0; titles[i]; i++)
        gnuplot_text(setup, "title", i + 1, titles[i]);
    gnuplot_lines(setup, "note", 0, note);
    g_string_append_printf(setup, "note_rows = %u; ", letters_lines(note));
    const int top = set_legend(x, looks, 34 + ROW * (int)g_strv_length(titles), setup) + 34;
    gnuplot_number(setup, "left", (double)LEFT / WIDTH);
    gnuplot_number(setup, "right", 1 - (double)RIGHT / WIDTH);
    gnuplot_number(setup, "top", 1 - (double)top / height);
    gnuplot_number(setup, "bottom", (double)bottom / height);
    const Axis y = set_axes(x, setup);
    set_lines(x, &y, HEIGHT - BOTTOM - top, setup);
    return setup;
}

gboolean bound_draw(const BoundGrid *grid, const char *path, const char *format, FILE *to, GError **error)
{
    g_auto(Picture) x = picture_of(grid);
    if (x.lines->len == 0)
        return bad_input(error, "--draw %s: no point has a bound above 0", path);
    if (x.lines->len > MAX_LINES)
        return bad_input(error, "--draw %s: %u lines; allowed: %d, so fewer %s", path, x.lines->len, MAX_LINES,
                         x.by_size ? "ranks (-p)" : "sizes (-m)");
    g_autoptr(GString) data = g_string_new(NULL);
    g_autofree FigureLook *looks = looks_of(&x);
    for (guint i = 0; i < x.lines->len; i++)
        add_line(x.lines->pdata[i], looks, "#AAAAAA", data);
    for (guint i = 0; i < x.algorithms->len; i++)
        add_points(&x, i, data);
    const gboolean blocks = add_blocks(&x, data);
    g_autofree char *title = title_of(&x);
    g_autoptr(GString) setup = setup_of(&x, looks, title, format, blocks);
    return picture_write("bound.gp", setup->str, data, format, title, to, error);
}
