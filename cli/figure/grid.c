#include "figure/grid.h"
#include "base/escape.h"
#include "base/units.h"
#include "out/gnuplot.h"
#include "out/letters.h"
#include "out/picture.h"
#include <string.h>

// Sizes around the grid, in pixels. The script's text is 16 pixels high and its titles are 17.
enum {
    WIDTH = 900, // of the picture, unless the grid needs more
    LEFT = 92,
    TOP = 88, // two lines of title and the name of the y axis
    BOTTOM = 66,
    NOTE = 28,
    LIST_GAP = 28, // from the grid to the list
    LIST_KEY = 28, // from the left end of a colour in the list to its text
    LIST_ROW = 28,
    RIGHT = 12,
    LABEL_GAP = 8, // between two labels of the x axis
    TITLE_ROW = 26,
    NOTE_ROW = 24,
    NAME_ROW = 22,
    CELL = 56, // height of a place, if the grid is small
    LEAST_HEIGHT = 280,
    MOST_HEIGHT = 900, // of a grid, unless that is too low for its rows
    LEAST_ROW = 2,     // height of a row of a grid with more than FIGURE_GRID_MAX of them
    FINE_ROW = 11,     // a row that is lower has no lines around its places
    SQUARE = 600       // width and height of a square grid
};

static void name_clear(void *data)
{
    g_free(((GridName *)data)->text);
}

static void key_clear(void *data)
{
    g_free(((GridKey *)data)->text);
}

// Returns the least power of two whose multiples among the values are so far apart that all of them can have a label.
static size_t label_step(const GArray *values)
{
    const guint apart = (values->len + FIGURE_GRID_MAX - 1) / FIGURE_GRID_MAX;
    for (size_t step = 1;; step *= 2) {
        guint last = 0, least = G_MAXUINT;
        gboolean any = FALSE;
        for (guint i = 0; i < values->len; i++)
            if (g_array_index(values, size_t, i) % step == 0) {
                least = any ? MIN(least, i - last) : least;
                last = i;
                any = TRUE;
            }
        if (least >= apart)
            return step;
    }
}

static GPtrArray *labels_of(const GArray *values)
{
    GPtrArray *const labels = g_ptr_array_new_with_free_func(g_free);
    const size_t step = label_step(values);
    for (guint i = 0; i < values->len; i++) {
        const size_t value = g_array_index(values, size_t, i);
        g_ptr_array_add(labels, value % step ? g_strdup("") : units_format_size(value));
    }
    return labels;
}

FigureGrid *figure_grid_new(const GArray *xs, const GArray *ys)
{
    FigureGrid *const grid = g_new0(FigureGrid, 1);
    const guint n = xs->len * ys->len;
    grid->xs = labels_of(xs);
    grid->ys = labels_of(ys);
    grid->hatched = g_new0(gboolean, n);
    grid->color = g_new(int, n);
    for (guint i = 0; i < n; i++)
        grid->color[i] = -1;
    grid->names = g_array_new(FALSE, FALSE, sizeof(GridName));
    g_array_set_clear_func(grid->names, name_clear);
    grid->borders = g_array_new(FALSE, FALSE, sizeof(GridBorder));
    grid->squares = g_array_new(FALSE, FALSE, sizeof(GridSquare));
    grid->keys = g_array_new(FALSE, FALSE, sizeof(GridKey));
    g_array_set_clear_func(grid->keys, key_clear);
    return grid;
}

void figure_grid_free(FigureGrid *grid)
{
    if (!grid)
        return;
    g_free(grid->title);
    g_free(grid->note);
    g_ptr_array_unref(grid->xs);
    g_ptr_array_unref(grid->ys);
    g_free(grid->color);
    g_free(grid->hatched);
    g_array_unref(grid->names);
    g_array_unref(grid->borders);
    g_array_unref(grid->squares);
    g_array_unref(grid->keys);
    g_free(grid);
}

int figure_grid_square(void)
{
    return SQUARE;
}

void figure_grid_key(FigureGrid *grid, char *text, int color, gboolean hatched)
{
    const GridKey key = {text, color, hatched};
    g_array_append_val(grid->keys, key);
}

// ---- Colours --------------------------------------------------------------------------------------------------------

int figure_color(const char *text)
{
    return (int)g_ascii_strtoull(text + 1, NULL, 16);
}

int figure_mix(int color, int other, double share)
{
    int all = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
        const int one = color >> shift & 255, two = other >> shift & 255;
        all |= (int)(two + share * (one - two) + 0.5) << shift;
    }
    return all;
}

gboolean figure_is_dark(int color)
{
    return 299 * (color >> 16 & 255) + 587 * (color >> 8 & 255) + 114 * (color & 255) < 140 * 1000;
}

// ---- Places ---------------------------------------------------------------------------------------------------------

static int width_of(const char *text)
{
    return (int)letters_width(text, LETTERS_TEXT) + 1;
}

static int widest_of(const GPtrArray *labels)
{
    int widest = 0;
    for (guint i = 0; i < labels->len; i++)
        widest = MAX(widest, width_of(labels->pdata[i]));
    return widest;
}

// The sizes of the picture, in pixels.
typedef struct GridLayout {
    int left, width, height, top;
    int grid_width, grid_height;
} GridLayout;

static GridLayout layout_of(const FigureGrid *grid)
{
    GridLayout all = {.left = MAX(LEFT, widest_of(grid->ys) + 30)};
    const int nx = (int)grid->xs->len, ny = (int)grid->ys->len;
    int list = 0;
    for (guint i = 0; i < grid->keys->len; i++) {
        const GridKey *const key = &g_array_index(grid->keys, GridKey, i);
        list = MAX(list, (key->color < 0 ? 0 : LIST_KEY) + width_of(key->text));
    }
    list += LIST_GAP + RIGHT;
    all.grid_width =
        grid->square ? SQUARE : MAX((grid->width ? grid->width : WIDTH) - all.left - list, grid->least_cell * nx);
    all.width = all.left + all.grid_width + list;
    all.grid_height = grid->square ? SQUARE
                                   : MAX(CLAMP(CELL * ny, LEAST_HEIGHT, MOST_HEIGHT),
                                         (ny <= FIGURE_GRID_MAX ? NAME_ROW : LEAST_ROW) * ny);
    return all;
}

int figure_grid_name_rows(const FigureGrid *grid)
{
    const int height = layout_of(grid).grid_height;
    return (NAME_ROW * (int)grid->ys->len + height - 1) / height;
}

gboolean figure_grid_is_fine(const FigureGrid *grid)
{
    return layout_of(grid).grid_height < FINE_ROW * (int)grid->ys->len;
}

gboolean figure_grid_fits(const FigureGrid *grid, const char *text, int length)
{
    const GridLayout all = layout_of(grid);
    return width_of(text) + LABEL_GAP <= length * all.grid_width / (int)grid->xs->len;
}

// ---- The picture ----------------------------------------------------------------------------------------------------

// Sets the labels of an axis, of which only every step-th has room.
static void set_axis(GString *setup, const char *name, const GPtrArray *labels, int step)
{
    g_string_append_printf(setup, "n%s = %u; ", name, labels->len);
    for (guint i = 0; i < labels->len; i++)
        gnuplot_text(setup, name, i + 1, i % (guint)step ? "" : labels->pdata[i]);
}

static void set_keys(const FigureGrid *grid, GString *setup)
{
    g_string_append_printf(setup, "keys = %u; list_row = %d.; ", grid->keys->len, LIST_ROW);
    for (guint i = 0; i < grid->keys->len; i++) {
        const GridKey *const key = &g_array_index(grid->keys, GridKey, i);
        gnuplot_text(setup, "key", i + 1, key->text);
        g_string_append_printf(setup, "heading_%u = %d; hatched_%u = %d; color_%u = '#%06X'; ", i + 1, key->color < 0,
                               i + 1, key->hatched, i + 1, (guint)MAX(key->color, 0));
    }
}

char *figure_grid_setup(const FigureGrid *grid, const char *format, const char *title)
{
    const GridLayout all = layout_of(grid);
    g_autofree char *text = letters_wrap(title ? title : grid->title, all.width - 40, LETTERS_TITLE);
    g_autofree char *note = letters_wrap(grid->note, all.width - 40, LETTERS_TEXT);
    const int rows = (int)letters_lines(text), note_rows = (int)letters_lines(note);
    const int top = TOP + TITLE_ROW * (rows ? MAX(rows, 2) - 2 : -2), nx = (int)grid->xs->len;
    const int list_height = LIST_ROW * (int)grid->keys->len - BOTTOM;
    const int height =
        top + MAX(all.grid_height, list_height) + BOTTOM + (note_rows ? NOTE + NOTE_ROW * (note_rows - 1) : 0);
    GString *const setup = g_string_new(NULL);
    g_string_append_printf(setup, "format = '%s'; width = %d; height = %d; left = %d.; above = %d.; ", format,
                           all.width, height, all.left, top);
    g_string_append_printf(setup, "grid_width = %d.; grid_height = %d.; border_width = %d; note_rows = %d; fine = %d; ",
                           all.grid_width, all.grid_height, grid->border_width, note_rows, figure_grid_is_fine(grid));
    gnuplot_lines(setup, "title", 0, text);
    gnuplot_lines(setup, "note", 0, note);
    gnuplot_text(setup, "axis", 0, grid->x_axis);
    gnuplot_text(setup, "axis", 1, grid->y_axis);
    const int label = widest_of(grid->xs) + LABEL_GAP;
    set_axis(setup, "x", grid->xs, grid->square ? 1 : (label * nx + all.grid_width - 1) / all.grid_width);
    set_axis(setup, "y", grid->ys, 1);
    set_keys(grid, setup);
    return g_string_free(setup, FALSE);
}

// gnuplot does not count an empty block; a row of NaN is not drawn.
static void end_block(GString *data, gboolean any)
{
    g_string_append(data, any ? "\n\n" : "NaN NaN NaN NaN NaN NaN\n\n\n");
}

static void add_names(const FigureGrid *grid, GString *data)
{
    const GridLayout all = layout_of(grid);
    const double cell_width = (double)all.grid_width / grid->xs->len;
    const double cell_height = (double)all.grid_height / grid->ys->len;
    for (guint i = 0; i < grid->names->len; i++) {
        const GridName *const name = &g_array_index(grid->names, GridName, i);
        const int first = name->y * (int)grid->xs->len + name->x;
        gboolean boxed = FALSE; // a text is not readable on hatches
        for (int k = 0; k < name->length; k++)
            boxed |= grid->hatched[first + k];
        const double width = boxed ? (width_of(name->text) + 4) / cell_width / 2 : 0;
        const double height = boxed ? (NAME_ROW - 2) / cell_height / 2 : 0;
        char half_width[G_ASCII_DTOSTR_BUF_SIZE], half_height[G_ASCII_DTOSTR_BUF_SIZE];
        g_ascii_formatd(half_width, sizeof half_width, "%.4f", width);
        g_ascii_formatd(half_height, sizeof half_height, "%.4f", height);
        g_autofree char *text = escape_gnuplot_data(name->text);
        g_string_append_printf(data, "%d%s %d.5 %s %d %s %s %d\n", (2 * name->x + name->length) / 2,
                               name->length % 2 ? ".5" : "", name->y, text, name->color, half_width, half_height,
                               grid->color[first + name->length / 2]);
    }
    if (!grid->names->len) // gnuplot crashes on a text at NaN; this one is outside
        g_string_append(data, "-9 -9 \"\" 0 0 0 0\n");
}

// Returns TRUE if place i is drawn in a block of places, and with the colour `color` unless it is -1.
static gboolean is_drawn(const FigureGrid *grid, int i, gboolean hatched, int color)
{
    return grid->color[i] >= 0 && (color < 0 || grid->color[i] == color) && (!hatched || grid->hatched[i]);
}

// Adds a row `x y colour rows` for each place, where x and y are its lower left corner. In a fine grid, places of one
// colour that stand above each other have one row. Returns FALSE if there are no places.
static gboolean add_places(const FigureGrid *grid, gboolean hatched, GString *data)
{
    const int nx = (int)grid->xs->len, n = nx * (int)grid->ys->len;
    const gboolean fine = figure_grid_is_fine(grid);
    gboolean any = FALSE;
    for (int i = 0; i < n; i++) {
        const int color = grid->color[i];
        if (!is_drawn(grid, i, hatched, -1) || (fine && i >= nx && is_drawn(grid, i - nx, hatched, color)))
            continue;
        int rows = 1;
        while (fine && i + rows * nx < n && is_drawn(grid, i + rows * nx, hatched, color))
            rows++;
        g_string_append_printf(data, "%d %d %d %d\n", i % nx, i / nx, color, rows);
        any = TRUE;
    }
    return any;
}

// Adds the four sides of a square as `x y dx dy`.
static void add_square(const GridSquare *square, GString *data)
{
    const double side = square->side, right = square->x + side, above = square->y + side;
    const double sides[4][4] = {{square->x, square->y, side, 0},
                                {square->x, above, side, 0},
                                {square->x, square->y, 0, side},
                                {right, square->y, 0, side}};
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    for (size_t i = 0; i < G_N_ELEMENTS(sides); i++)
        for (size_t k = 0; k < 4; k++)
            g_string_append_printf(data, "%s%c", g_ascii_formatd(number, sizeof number, "%.6g", sides[i][k]),
                                   k < 3 ? ' ' : '\n');
}

// The data has four blocks: `x y colour rows` for each place; the same for those that are hatched; `x y dx dy` for each
// border; and `x y text colour half-width half-height box` for each name, with the size and colour of the box behind it.
GString *figure_grid_data(const FigureGrid *grid)
{
    GString *const data = g_string_new(NULL);
    for (int block = 0; block < 2; block++)
        end_block(data, add_places(grid, block == 1, data));
    for (guint i = 0; i < grid->borders->len; i++) {
        const GridBorder *const border = &g_array_index(grid->borders, GridBorder, i);
        g_string_append_printf(data, "%d %d %d %d\n", border->x, border->y, !border->left, border->left);
    }
    for (guint i = 0; i < grid->squares->len; i++)
        add_square(&g_array_index(grid->squares, GridSquare, i), data);
    end_block(data, grid->borders->len + grid->squares->len > 0);
    add_names(grid, data);
    return data;
}

gboolean figure_grid_draw(const FigureGrid *grid, const char *format, FILE *to, GError **error)
{
    g_autofree char *setup = figure_grid_setup(grid, format, NULL);
    g_autoptr(GString) data = figure_grid_data(grid);
    return picture_write("grid.gp", setup, data, format, grid->title, to, error);
}
