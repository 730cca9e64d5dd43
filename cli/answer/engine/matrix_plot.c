// Draws a message matrix: cells in the colour of what they sum up, with the outlines of nodes and groups of nodes.
#include "answer/engine/matrix_answer.h"

static int color_of(const MatrixScale *scale, int class)
{
    // Each is darker than the one before, so that they differ in grey too.
    static const int colors[MATRIX_CLASSES] = {0xC6DBEF, 0x9ECAE1, 0x6BAED6, 0x4292C6, 0x2171B5, 0x08519C, 0x08306B};
    return colors[scale->n == 1 ? MATRIX_CLASSES / 2 + 1 : class * (MATRIX_CLASSES - 1) / (scale->n - 1)];
}

FigureGrid *matrix_grid(const MatrixAnswer *x, int step)
{
    const Matrix *m = x->matrix;
    const MatrixScale scale = matrix_scale(x);
    FigureGrid *grid = figure_grid_new_square(m->n, m->width, step);
    for (int i = 0; i < m->n * m->n; i++) {
        const int class = matrix_class(x, &scale, &m->cell[i]);
        if (class >= 0)
            grid->color[(m->n - 1 - i / m->n) * m->n + i % m->n] = color_of(&scale, class);
    }
    figure_grid_key(grid, g_strdup(x->messages ? "messages" : "bytes"), -1, FALSE);
    for (int i = scale.n; i-- > 0;)
        figure_grid_key(grid, matrix_class_text(x, &scale, i), color_of(&scale, i), FALSE);
    return grid;
}

// Returns how many cells each label of an axis is from the next, so that they are far enough apart.
static int step_of(const Matrix *m)
{
    enum { APART = 64, FEW = 16 }; // pixels; cells that all have a label
    int step = 1;
    while (m->n > FEW && step * figure_grid_square() < APART * m->n && step < m->n)
        step *= 2;
    return step;
}

// Outlines the units of a level if they are large enough to be seen. Returns whether they are.
static bool outline(FigureGrid *grid, const Matrix *m, int level)
{
    enum { LEAST = 10 }; // pixels
    const int block = matrix_block(m, level);
    if (!block || block >= m->p || (double)block / m->width * figure_grid_square() / m->n < LEAST)
        return false;
    for (int first = 0; first < m->p; first += block) {
        const double from = (double)first / m->width;
        const double end = first + block < m->p ? (double)(first + block) / m->width : m->n;
        const GridSquare square = {from, m->n - end, end - from};
        g_array_append_val(grid->squares, square);
    }
    return true;
}

static char *note_of(const MatrixAnswer *x, FigureGrid *grid)
{
    const Matrix *m = x->matrix;
    g_autofree char *all = matrix_note(x);
    GString *note = g_string_new(all);
    for (int i = 0, any = 0; i < m->n_levels; i++)
        if (outline(grid, m, i)) {
            g_string_append_printf(note, "%s%s of %d ranks",
                                   any         ? ", "
                                   : note->len ? "; squares: "
                                               : "Squares: ",
                                   m->level[i].name, matrix_block(m, i));
            any++;
        }
    return g_string_free(note, FALSE);
}

Canvas *matrix_canvas(const MatrixAnswer *x, const PictureAsk *ask)
{
    g_autoptr(FigureGrid) grid = matrix_grid(x, step_of(x->matrix));
    grid->x_axis = "receiver";
    grid->y_axis = "sender";
    grid->title = matrix_title(x);
    grid->note = note_of(x, grid);
    return figure_grid_canvas(grid, ask);
}
