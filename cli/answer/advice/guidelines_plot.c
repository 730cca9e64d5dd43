// Draws the worst x of all guidelines as a map, for each number of ranks and each size of the left side.
#include "answer/advice/guidelines_answer.h"
#include "base/distinct.h"
#include "base/error.h"
#include "figure/figure.h"
#include "figure/grid.h"
#include "figure/heat.h"
#include <math.h>
#include <string.h>

// A row of the map.
typedef struct MapRow {
    int p, per_node;
} MapRow;

static int by_ranks(const void *a, const void *b)
{
    const MapRow *const one = a, *const two = b;
    if (one->p != two->p)
        return (one->p > two->p) - (one->p < two->p);
    return (one->per_node > two->per_node) - (one->per_node < two->per_node);
}

// Returns the index of a value among ascending ones, which have it.
static guint index_of(const GArray *values, const void *value, GCompareFunc compare)
{
    const size_t size = g_array_get_element_size((GArray *)(uintptr_t)values);
    guint i = 0;
    while (i + 1 < values->len && compare(values->data + (size_t)i * size, value) != 0)
        i++;
    return i;
}

static const GuidelineTime *left_of(const Guidelines *x, const GuidelineRow *row, MapRow *place)
{
    const GuidelineCase *at = &g_array_index(x->cases, GuidelineCase, row->worst[guidelines_side(x)]);
    const GuidelineTime *left = &g_array_index(x->times, GuidelineTime, at->left);
    const GuidelinePlace *where = x->places->pdata[left->place];
    *place = (MapRow){where->p, where->per_node};
    return left;
}

// Fills the grid with the largest x of each place.
static void fill(const Guidelines *x, const GArray *rows, const GArray *sizes, FigureGrid *grid)
{
    g_autofree double *worst = g_new(double, rows->len * sizes->len);
    guint counts[HEAT_STEPS] = {0};
    for (guint i = 0; i < rows->len * sizes->len; i++)
        worst[i] = NAN;
    for (guint i = 0; i < x->rows->len; i++) {
        const GuidelineRow *row = &g_array_index(x->rows, GuidelineRow, i);
        const double ratio = row->x[guidelines_side(x)];
        MapRow place;
        const GuidelineTime *left = left_of(x, row, &place);
        double *at =
            &worst[index_of(rows, &place, by_ranks) * sizes->len + index_of(sizes, &left->m, distinct_by_size)];
        if (!row->marked && !isnan(ratio) && !(ratio <= *at))
            *at = ratio;
    }
    for (guint i = 0; i < rows->len * sizes->len; i++) {
        if (isnan(worst[i]))
            continue;
        const guint step = heat_step(worst[i]);
        counts[step]++;
        grid->color[i] = heat_color(step);
        const GridName name = {(int)(i % sizes->len), (int)(i / sizes->len), 1, step ? heat_text(worst[i]) : NULL};
        if (step)
            g_array_append_val(grid->names, name);
    }
    heat_keys(grid, "worst x: left / right", counts);
}

static char *title_of(const GuidelinesAnswer *a)
{
    const Guidelines *x = a->guidelines;
    const GuidelineTotal total = guidelines_total(x, NULL);
    const GuidelineSide side = guidelines_side(x);
    const char *machine = a->request && side == GUIDELINE_PREDICTED ? a->request->machine.platform->name : NULL;
    return g_strdup_printf("%s%s%s%s: %u of %u guidelines are violated", a->library,
                           a->rules ? " with a rules file" : "", machine ? ", " : "", machine ? machine : "",
                           total.violated[side], total.checked[side]);
}

static char *note_of(const GuidelinesAnswer *a)
{
    const Guidelines *x = a->guidelines;
    return g_strdup_printf(
        "%s; a place has the worst of all guidelines with its size on the left; white: none is known",
        guidelines_side(x) == GUIDELINE_MEASURED ? "measured" : figure_model_text(a->request->machine.model->name));
}

// Returns the grid; NULL and an error if there is nothing to draw, or too much.
static FigureGrid *grid_of(const GuidelinesAnswer *a, GError **error)
{
    enum { CELL = 50 }; // pixels
    const Guidelines *x = a->guidelines;
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(MapRow));
    g_autoptr(GArray) sizes = g_array_new(FALSE, FALSE, sizeof(size_t)), ys = g_array_new(FALSE, FALSE, sizeof(size_t));
    for (guint i = 0; i < x->rows->len; i++) {
        MapRow place;
        const GuidelineTime *left = left_of(x, &g_array_index(x->rows, GuidelineRow, i), &place);
        g_array_append_val(rows, place);
        g_array_append_val(sizes, left->m);
    }
    distinct_sort(rows, by_ranks);
    distinct_sort(sizes, distinct_by_size);
    const guint most = MAX(rows->len, sizes->len);
    if (most == 0 || most > FIGURE_GRID_MAX) {
        bad_input(error,
                  "--draw: %u values on an axis; allowed: 1 to %d numbers of ranks and sizes of left sides, such as "
                  "those of --of allreduce",
                  most, FIGURE_GRID_MAX);
        return NULL;
    }
    for (guint i = 0; i < rows->len; i++) {
        const size_t p = (size_t)g_array_index(rows, MapRow, i).p;
        g_array_append_val(ys, p);
    }
    FigureGrid *grid = figure_grid_new(sizes, ys);
    grid->least_cell = CELL;
    grid->x_axis = "size of the left side (bytes)";
    grid->y_axis = "ranks";
    for (guint i = 0; i < rows->len; i++) {
        const MapRow row = g_array_index(rows, MapRow, i);
        if (!row.per_node || row.p % row.per_node != 0)
            continue;
        g_free(grid->ys->pdata[i]);
        grid->ys->pdata[i] = g_strdup_printf("%dx%d", row.p / row.per_node, row.per_node);
    }
    fill(x, rows, sizes, grid);
    grid->title = title_of(a);
    grid->note = note_of(a);
    return grid;
}

gboolean guidelines_drawable(const GuidelinesAnswer *a, GError **error)
{
    g_autoptr(FigureGrid) grid = grid_of(a, error);
    return grid != NULL;
}

Canvas *guidelines_canvas(const GuidelinesAnswer *a, const PictureAsk *ask, GError **error)
{
    g_autoptr(FigureGrid) grid = grid_of(a, error);
    return grid ? figure_grid_canvas(grid, ask) : NULL;
}

gboolean guidelines_print(const GuidelinesAnswer *a, FILE *to, GError **error)
{
    enum { COLUMNS = 100 };
    g_autoptr(FigureGrid) grid = grid_of(a, error);
    if (!grid)
        return FALSE;
    fputc('\n', to);
    figure_grid_print(grid, COLUMNS, to);
    fputs(".  x below 1.1    ?  nothing is known\n", to);
    return TRUE;
}
