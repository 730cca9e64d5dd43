#include "figure/heat.h"
#include "base/distinct.h"
#include "base/units.h"
#include <math.h>
#include <stdint.h>

enum { STEPS = 7 };

static const struct {
    double from;
    int color;
    const char *text;
} steps[STEPS] = {
    {0, 0xF2F2F2, "below 1.1"}, {1.1, 0xFEE6A8, "1.1 to 1.5"}, {1.5, 0xFEC44F, "1.5 to 2"},    {2, 0xF0892B, "2 to 5"},
    {5, 0xC94A08, "5 to 20"},   {20, 0x8C2D04, "20 to 100"},   {100, 0x3D1402, "from 100 on"},
};

static guint step_of(double x)
{
    guint step = 0;
    while (step + 1 < STEPS && x >= steps[step + 1].from)
        step++;
    return step;
}

char *heat_text(double x)
{
    return x < 9.95     ? g_strdup_printf("%.1f", x)
           : x < 9999.5 ? g_strdup_printf("%.0f", x)
           : x < 999500 ? g_strdup_printf("%.0fk", x / 1e3)
                        : g_strdup_printf("%.0e", x);
}

// ---- The axes -------------------------------------------------------------------------------------------------------

// What the axes have: places that differ in ranks, from below, and sizes (size_t), from the left.
typedef struct HeatAxes {
    GArray *ranks; // of HeatPlace
    GArray *sizes;
} HeatAxes;

static int by_ranks(const void *a, const void *b)
{
    const HeatPlace *one = a, *two = b;
    if (!one->per_node != !two->per_node)
        return one->per_node ? 1 : -1;
    return one->p != two->p ? (one->p > two->p) - (one->p < two->p)
                            : (one->per_node > two->per_node) - (one->per_node < two->per_node);
}

static HeatAxes axes_of(const GArray *places)
{
    HeatAxes axes = {g_array_new(FALSE, FALSE, sizeof(HeatPlace)), g_array_new(FALSE, FALSE, sizeof(size_t))};
    for (guint i = 0; i < places->len; i++) {
        const HeatPlace *place = &g_array_index(places, HeatPlace, i);
        g_array_append_val(axes.ranks, *place);
        g_array_append_val(axes.sizes, place->m);
    }
    distinct_sort(axes.ranks, by_ranks);
    distinct_sort(axes.sizes, distinct_by_size);
    return axes;
}

// Returns the index of the last value that is at most `value`, or -1.
static int last_up_to(const GArray *values, const void *value, GCompareFunc compare)
{
    const size_t size = g_array_get_element_size((GArray *)(uintptr_t)values);
    int last = -1;
    while (last + 1 < (int)values->len && compare(values->data + (size_t)(last + 1) * size, value) <= 0)
        last++;
    return last;
}

static int row_of(const HeatAxes *axes, const HeatPlace *place)
{
    return last_up_to(axes->ranks, place, by_ranks);
}

static int column_of(const HeatAxes *axes, const HeatPlace *place)
{
    return last_up_to(axes->sizes, &place->m, distinct_by_size);
}

// Returns an empty map with ranks and sizes as labels. Ranks on nodes are "16x4", 16 nodes of 4 ranks.
static FigureGrid *grid_of(const HeatAxes *axes)
{
    g_autoptr(GArray) ranks = g_array_new(FALSE, FALSE, sizeof(size_t));
    for (guint i = 0; i < axes->ranks->len; i++) {
        const size_t p = (size_t)g_array_index(axes->ranks, HeatPlace, i).p;
        g_array_append_val(ranks, p);
    }
    FigureGrid *grid = figure_grid_new(axes->sizes, ranks);
    for (guint i = 0; i < axes->ranks->len; i++) {
        const HeatPlace *row = &g_array_index(axes->ranks, HeatPlace, i);
        if (!row->per_node)
            continue;
        g_free(grid->ys->pdata[i]);
        grid->ys->pdata[i] = units_format_ranks(row->p, row->per_node);
    }
    return grid;
}

// ---- The map --------------------------------------------------------------------------------------------------------

// Colours the places, and adds their ratios and the legend.
static void add_places(const HeatAxes *axes, const GArray *places, const char *heading, FigureGrid *grid)
{
    const guint nx = axes->sizes->len, n = nx * axes->ranks->len;
    g_autofree double *largest = g_new(double, n);
    guint counts[STEPS] = {0};
    for (guint i = 0; i < n; i++)
        largest[i] = NAN;
    for (guint i = 0; i < places->len; i++) {
        const HeatPlace *place = &g_array_index(places, HeatPlace, i);
        double *at = &largest[(guint)row_of(axes, place) * nx + (guint)column_of(axes, place)];
        *at = fmax(*at, place->x);
    }
    for (guint i = 0; i < n; i++) {
        if (isnan(largest[i]))
            continue;
        const guint step = step_of(largest[i]);
        counts[step]++;
        grid->color[i] = steps[step].color;
        if (step == 0)
            continue;
        const GridName name = {(int)(i % nx), (int)(i / nx), 1, heat_text(largest[i])};
        g_array_append_val(grid->names, name);
    }
    figure_grid_key(grid, g_strdup(heading), -1, FALSE);
    for (guint i = STEPS; i-- > 0;)
        if (counts[i])
            figure_grid_key(grid, g_strdup_printf("%s: %u", steps[i].text, counts[i]), steps[i].color, FALSE);
}

FigureGrid *heat_map(const GArray *places, const GArray *cliffs, const char *heading)
{
    enum { CELL = 50 }; // pixels
    const HeatAxes axes = axes_of(places);
    FigureGrid *grid = grid_of(&axes);
    grid->least_cell = CELL;
    grid->border_width = 3;
    grid->y_axis = "ranks";
    add_places(&axes, places, heading, grid);
    for (guint i = 0; cliffs && i + 1 < cliffs->len; i += 2) {
        const HeatPlace *one = &g_array_index(cliffs, HeatPlace, i), *two = one + 1;
        const gboolean of_sizes = one->p == two->p;
        const GridBorder border = {column_of(&axes, one) + of_sizes, row_of(&axes, one) + !of_sizes, of_sizes};
        g_array_append_val(grid->borders, border);
    }
    g_array_unref(axes.ranks);
    g_array_unref(axes.sizes);
    return grid;
}

void heat_print(const FigureGrid *map, const char *unknown, const char *cliff, FILE *to)
{
    enum { COLUMNS = 100 };
    fputc('\n', to);
    figure_grid_print(map, COLUMNS, to);
    fprintf(to, ".  x below 1.1    ?  %s\n", unknown);
    if (cliff)
        fprintf(to, "|  or dashes between two places: %s\n", cliff);
}
