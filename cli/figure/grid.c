#include "figure/grid.h"
#include "base/units.h"
#include <string.h>

// Sizes in pixels.
enum {
    LEFT = 92,
    RIGHT = 34,
    BELOW = 66,    // the labels and the name of the x axis
    LABEL_GAP = 8, // between two labels of the x axis
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

// Creates an empty grid, which owns the labels.
static FigureGrid *grid_of(GPtrArray *xs, GPtrArray *ys)
{
    FigureGrid *const grid = g_new0(FigureGrid, 1);
    const guint n = xs->len * ys->len;
    grid->xs = xs;
    grid->ys = ys;
    grid->hatched = g_new0(gboolean, n);
    grid->color = g_new(int, n);
    for (guint i = 0; i < n; i++)
        grid->color[i] = -1;
    grid->names = g_array_new(FALSE, FALSE, sizeof(GridName));
    g_array_set_clear_func(grid->names, name_clear);
    grid->borders = g_array_new(FALSE, FALSE, sizeof(GridBorder));
    grid->squares = g_array_new(FALSE, FALSE, sizeof(GridSquare));
    grid->keys = canvas_keys_new();
    return grid;
}

FigureGrid *figure_grid_new(const GArray *xs, const GArray *ys)
{
    return grid_of(labels_of(xs), labels_of(ys));
}

FigureGrid *figure_grid_new_square(int n, int numbers, int step)
{
    const GridSquare frame = {0, 0, n};
    GPtrArray *const xs = g_ptr_array_new_with_free_func(g_free), *const ys = g_ptr_array_new_with_free_func(g_free);
    for (int i = 0; i < n; i++) {
        g_ptr_array_add(xs, i % step ? g_strdup("") : g_strdup_printf("%d", i * numbers));
        g_ptr_array_insert(ys, 0, g_strdup(xs->pdata[i]));
    }
    FigureGrid *const grid = grid_of(xs, ys);
    grid->square = TRUE;
    grid->border_width = 1;
    g_array_append_val(grid->squares, frame);
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
    const CanvasLook look = {.color = color, .pattern = color < 0 ? 0 : CANVAS_SOLID, .hatched = hatched};
    canvas_keys_add(grid->keys, text, look);
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

// The room to the left of the grid, and its size, in pixels.
typedef struct GridLayout {
    int left, width, height;
} GridLayout;

static GridLayout layout_of(const FigureGrid *grid)
{
    GridLayout all = {.left = MAX(LEFT, widest_of(grid->ys) + 30)};
    const int nx = (int)grid->xs->len, ny = (int)grid->ys->len;
    all.width = grid->square
                    ? SQUARE
                    : MAX((grid->width ? grid->width : CANVAS_WIDTH) - all.left - RIGHT, grid->least_cell * nx);
    all.height = grid->square ? SQUARE
                              : MAX(CLAMP(CELL * ny, LEAST_HEIGHT, MOST_HEIGHT),
                                    (ny <= FIGURE_GRID_MAX ? NAME_ROW : LEAST_ROW) * ny);
    return all;
}

int figure_grid_name_rows(const FigureGrid *grid)
{
    const int height = layout_of(grid).height;
    return (NAME_ROW * (int)grid->ys->len + height - 1) / height;
}

gboolean figure_grid_is_fine(const FigureGrid *grid)
{
    return layout_of(grid).height < FINE_ROW * (int)grid->ys->len;
}

gboolean figure_grid_fits(const FigureGrid *grid, const char *text, int length)
{
    const GridLayout all = layout_of(grid);
    return width_of(text) + LABEL_GAP <= length * all.width / (int)grid->xs->len;
}

// ---- The picture ----------------------------------------------------------------------------------------------------

// The grid while it is drawn.
typedef struct {
    const FigureGrid *grid;
    Canvas *canvas;
    int left, top, width, height;
} GridField;

static double x_of(const GridField *field, double column)
{
    return field->left + column * field->width / field->grid->xs->len;
}

static double y_of(const GridField *field, double row)
{
    return field->top + field->height - row * field->height / field->grid->ys->len;
}

// Adds the labels of the axes. Of those below the grid only every step-th has room.
static void add_axes(const GridField *field)
{
    const FigureGrid *const grid = field->grid;
    const int nx = (int)grid->xs->len, label = widest_of(grid->xs) + LABEL_GAP,
              step = grid->square ? 1 : (label * nx + field->width - 1) / field->width;
    const double below = field->top + field->height;
    for (int i = 0; i < nx; i += step)
        if (*(char *)grid->xs->pdata[i])
            canvas_text(field->canvas, x_of(field, i + 0.5), below + 16, CANVAS_CENTERED, LETTERS_TEXT, CANVAS_INK,
                        grid->xs->pdata[i]);
    for (guint i = 0; i < grid->ys->len; i++)
        if (*(char *)grid->ys->pdata[i])
            canvas_text(field->canvas, field->left - 10, y_of(field, i + 0.5), CANVAS_ENDS, LETTERS_TEXT, CANVAS_INK,
                        grid->ys->pdata[i]);
    canvas_text(field->canvas, CANVAS_EDGE, field->top - 18, CANVAS_BEGINS, LETTERS_TEXT, CANVAS_PALE, grid->y_axis);
    canvas_text(field->canvas, field->left + field->width / 2., below + 44, CANVAS_CENTERED, LETTERS_TEXT, CANVAS_PALE,
                grid->x_axis);
}

// Returns TRUE if place i is drawn among all places or the hatched ones, and with the colour `color` unless it is -1.
static gboolean is_drawn(const FigureGrid *grid, int i, gboolean hatched, int color)
{
    return grid->color[i] >= 0 && (color < 0 || grid->color[i] == color) && (!hatched || grid->hatched[i]);
}

// Adds the places, or the hatches of those that have them. In a fine grid, places of one colour that stand above each other
// are one box.
static void add_places(const GridField *field, gboolean hatched)
{
    const FigureGrid *const grid = field->grid;
    const int nx = (int)grid->xs->len, n = nx * (int)grid->ys->len;
    const gboolean fine = figure_grid_is_fine(grid);
    for (int i = 0; i < n; i++) {
        const int color = grid->color[i];
        if (!is_drawn(grid, i, hatched, -1) || (fine && i >= nx && is_drawn(grid, i - nx, hatched, color)))
            continue;
        const int column = i % nx, row = i / nx;
        int rows = 1;
        while (fine && i + rows * nx < n && is_drawn(grid, i + rows * nx, hatched, color))
            rows++;
        const double x = x_of(field, column), y = y_of(field, row + rows), width = x_of(field, column + 1) - x,
                     height = y_of(field, row) - y;
        if (hatched)
            canvas_hatches(field->canvas, x, y, width, height);
        else
            canvas_box(field->canvas, x, y, width, height, color, CANVAS_SOLID, fine ? -1 : CANVAS_WHITE);
    }
}

// Adds the borders and squares with lines of this look.
static void add_borders(const GridField *field, const CanvasLook *look)
{
    for (guint i = 0; i < field->grid->borders->len; i++) {
        const GridBorder *const border = &g_array_index(field->grid->borders, GridBorder, i);
        canvas_line(field->canvas, look, x_of(field, border->x), y_of(field, border->y),
                    x_of(field, border->x + !border->left), y_of(field, border->y + border->left));
    }
    for (guint i = 0; i < field->grid->squares->len; i++) {
        const GridSquare *const square = &g_array_index(field->grid->squares, GridSquare, i);
        const double left = x_of(field, square->x), right = x_of(field, square->x + square->side),
                     below = y_of(field, square->y), above = y_of(field, square->y + square->side);
        canvas_path(field->canvas, look);
        canvas_to(field->canvas, left, below);
        canvas_to(field->canvas, right, below);
        canvas_to(field->canvas, right, above);
        canvas_to(field->canvas, left, above);
        canvas_to(field->canvas, left, below);
    }
}

// Adds the names. A text is not readable on hatches, so it has a box behind it there.
static void add_names(const GridField *field)
{
    const FigureGrid *const grid = field->grid;
    for (guint i = 0; i < grid->names->len; i++) {
        const GridName *const name = &g_array_index(grid->names, GridName, i);
        const int first = name->y * (int)grid->xs->len + name->x, width = width_of(name->text) + 4;
        const int color = grid->color[first + name->length / 2];
        const double x = x_of(field, name->x + name->length / 2.), y = y_of(field, name->y + 0.5);
        gboolean boxed = FALSE;
        for (int k = 0; k < name->length; k++)
            boxed |= grid->hatched[first + k];
        if (boxed)
            canvas_box(field->canvas, x - width / 2., y - NAME_ROW / 2. + 1, width, NAME_ROW - 2, color, CANVAS_SOLID,
                       -1);
        canvas_text(field->canvas, x, y, CANVAS_CENTERED, LETTERS_TEXT, canvas_ink_on(color), name->text);
    }
}

Canvas *figure_grid_canvas(const FigureGrid *grid, const PictureAsk *ask)
{
    enum { AXIS_ROW = 36 };
    const GridLayout all = layout_of(grid);
    const CanvasLook border = {.color = CANVAS_INK, .width = grid->border_width},
                     around = {.color = CANVAS_WHITE, .width = 2 * grid->border_width};
    Canvas *canvas = canvas_new(all.left + all.width + RIGHT, ask);
    const int y = canvas_legend(canvas, canvas_head(canvas, grid->title, ""), grid->keys);
    const GridField field = {grid, canvas, all.left, y + AXIS_ROW, all.width, all.height};
    canvas_part(canvas, "places");
    add_places(&field, FALSE);
    add_places(&field, TRUE);
    add_borders(&field, &around);
    add_borders(&field, &border);
    add_names(&field);
    add_axes(&field);
    canvas_note(canvas, field.top + field.height + BELOW, grid->note);
    return canvas;
}
