// Draws the regret of a collective as a map: places in the colour of x, with borders where there is a cliff.
#include "answer/advice/regret_answer.h"
#include "base/distinct.h"
#include "base/error.h"
#include "base/units.h"
#include "figure/figure.h"
#include "figure/grid.h"
#include "figure/heat.h"
#include <math.h>
#include <string.h>

// A row of the map.
typedef struct RegretRow {
    int p, per_node;
} RegretRow;

// Orders rows by ranks. Those on nodes come after the others.
static int by_ranks(const void *a, const void *b)
{
    const RegretRow *const one = a, *const two = b;
    if (!one->per_node != !two->per_node)
        return one->per_node ? 1 : -1;
    return one->p != two->p ? (one->p > two->p) - (one->p < two->p)
                            : (one->per_node > two->per_node) - (one->per_node < two->per_node);
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

typedef struct RegretMap {
    const Regret *regret;
    GArray *rows;  // of RegretRow, from below
    GArray *sizes; // of size_t
    FigureGrid *grid;
} RegretMap;

static int row_of(const RegretMap *map, const RegretPlace *place)
{
    const RegretRow row = {place->p, place->per_node};
    return last_up_to(map->rows, &row, by_ranks);
}

static int column_of(const RegretMap *map, const RegretPlace *place)
{
    return last_up_to(map->sizes, &place->m, distinct_by_size);
}

static void add_places(const RegretMap *map, guint *unknown)
{
    const int nx = (int)map->sizes->len;
    guint counts[HEAT_STEPS] = {0};
    for (guint i = 0; i < map->regret->places->len; i++) {
        const RegretPlace *const place = &g_array_index(map->regret->places, RegretPlace, i);
        const double x = regret_x(place);
        if (!place->grid)
            continue;
        *unknown += isnan(x) ? 1 : 0;
        if (isnan(x))
            continue;
        const int at_x = column_of(map, place), at_y = row_of(map, place);
        const guint step = heat_step(x);
        counts[step]++;
        map->grid->color[at_y * nx + at_x] = heat_color(step);
        const GridName name = {at_x, at_y, 1, heat_text(x)};
        if (step)
            g_array_append_val(map->grid->names, name);
        else
            g_free(name.text);
    }
    heat_keys(map->grid, "x: default / best", counts);
}

// Adds a border for each cliff, between the two places of the grid where the neighbours are or between which they lie.
static void add_cliffs(const RegretMap *map)
{
    for (guint i = 0; i < map->regret->cliffs->len; i++) {
        const RegretPair *const pair = &g_array_index(map->regret->cliffs, RegretPair, i);
        const RegretPlace *const one = &g_array_index(map->regret->places, RegretPlace, pair->place[0]);
        const RegretPlace *const two = &g_array_index(map->regret->places, RegretPlace, pair->place[1]);
        const gboolean of_sizes = one->p == two->p;
        const GridBorder border = {column_of(map, one) + of_sizes, row_of(map, one) + !of_sizes, of_sizes};
        g_array_append_val(map->grid->borders, border);
    }
}

static char *title_of(const Regret *x, const Request *r)
{
    GString *const title = g_string_new(NULL);
    g_string_append_printf(title, "%s, %s, %s: ", r->library.only->library->title, collectives[x->collective].name,
                           r->machine.platform->name);
    g_autoptr(GArray) worst = regret_worst(x, 1);
    if (!worst->len) {
        g_string_append(title, x->known ? "no default is slower than the best" : "no default is known");
        return g_string_free(title, FALSE);
    }
    const RegretPlace *const place = &g_array_index(x->places, RegretPlace, g_array_index(worst, guint, 0));
    g_autofree char *mean = heat_text(x->mean), *most = heat_text(regret_x(place)), *size = units_format_size(place->m);
    g_autofree char *ranks = units_format_size((size_t)place->p);
    g_string_append_printf(title, "the default takes %s times the best (geometric mean), %s times on %s ranks", mean,
                           most, ranks);
    if (x->collective != COLL_BARRIER)
        g_string_append_printf(title, " with %s bytes", size);
    return g_string_free(title, FALSE);
}

static char *note_of(const Regret *x, const RequestMachine *machine, guint unknown)
{
    GString *const note = g_string_new(figure_model_text(machine->model->name));
    if (machine->model->transfers)
        g_string_append_printf(note, ", %s", transfer_names[machine->options.transfer]);
    g_string_append(note, "; best: of what this version can be told to run");
    if (x->cliffs->len)
        g_string_append_printf(note,
                               "; thick lines: cliffs, where x of two neighbours (p and p + 1, or two sizes one "
                               "element apart) differs by a factor of 1.5 or more, %u in all",
                               x->cliffs->len);
    if (unknown)
        g_string_append_printf(note, "; white: the default is not known, or too large to simulate");
    return g_string_free(note, FALSE);
}

// Replaces the labels of ranks on nodes by "16x4", 16 nodes of 4 ranks.
static void label_nodes(const RegretMap *map)
{
    for (guint i = 0; i < map->rows->len; i++) {
        const RegretRow row = g_array_index(map->rows, RegretRow, i);
        if (!row.per_node)
            continue;
        g_free(map->grid->ys->pdata[i]);
        map->grid->ys->pdata[i] = g_strdup_printf("%dx%d", (row.p + row.per_node - 1) / row.per_node, row.per_node);
    }
}

static FigureGrid *grid_of(const Regret *x, const Request *r)
{
    enum { CELL = 50 }; // pixels
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(RegretRow));
    g_autoptr(GArray) sizes = g_array_new(FALSE, FALSE, sizeof(size_t)), ys = g_array_new(FALSE, FALSE, sizeof(size_t));
    for (guint i = 0; i < x->places->len; i++) {
        const RegretPlace *const place = &g_array_index(x->places, RegretPlace, i);
        const RegretRow row = {place->p, place->per_node};
        if (!place->grid)
            continue;
        g_array_append_val(rows, row);
        g_array_append_val(sizes, place->m);
    }
    distinct_sort(rows, by_ranks);
    distinct_sort(sizes, distinct_by_size);
    for (guint i = 0; i < rows->len; i++) {
        const size_t p = (size_t)g_array_index(rows, RegretRow, i).p;
        g_array_append_val(ys, p);
    }
    RegretMap map = {x, rows, sizes, figure_grid_new(sizes, ys)};
    guint unknown = 0;
    map.grid->least_cell = CELL;
    map.grid->border_width = 3;
    map.grid->x_axis = "size (bytes)";
    map.grid->y_axis = "ranks";
    label_nodes(&map);
    add_places(&map, &unknown);
    add_cliffs(&map);
    map.grid->title = title_of(x, r);
    map.grid->note = note_of(x, &r->machine, unknown);
    return map.grid;
}

// Returns FALSE and an error if there is nothing to draw.
static gboolean check_known(const Regret *x, GError **error)
{
    return x->known ||
           bad_input(error, "--draw: the default is not known at any point of the grid; allowed: one or more");
}

gboolean regret_print(const Regret *x, const Request *r, FILE *to, GError **error)
{
    enum { COLUMNS = 100 };
    if (!check_known(x, error))
        return FALSE;
    g_autoptr(FigureGrid) grid = grid_of(x, r);
    fputc('\n', to);
    figure_grid_print(grid, COLUMNS, to);
    fputs(".  x below 1.1    ?  the default is not known\n"
          "|  or dashes between two places: there is a cliff\n",
          to);
    return TRUE;
}

Canvas *regret_canvas(const Regret *x, const Request *r, const PictureAsk *ask, GError **error)
{
    if (!check_known(x, error))
        return NULL;
    g_autoptr(FigureGrid) grid = grid_of(x, r);
    return figure_grid_canvas(grid, ask);
}
