// Prints a map of winners as a table.
#include "base/units.h"
#include "figure/winners.h"
#include <math.h>

static const char marks[] = {[WINNER_TIES] = '=', [WINNER_NEAR] = ' ', [WINNER_AHEAD] = '+', [WINNER_FAR] = '*'};

// Replaces an axis's labels by its values, each with `end` behind it.
static void label_all(GPtrArray *labels, const GArray *values, const char *end)
{
    g_ptr_array_set_size(labels, 0);
    for (guint i = 0; i < values->len; i++) {
        g_autofree char *value = units_format_size(g_array_index(values, size_t, i));
        g_ptr_array_add(labels, g_strconcat(value, end, NULL));
    }
}

// Returns the places with a winner's letter and mark in each. A label of a column ends above the letter.
static FigureGrid *letter_grid(const WinnerMap *map, const char *title)
{
    FigureGrid *const grid = figure_grid_new(map->xs, map->ys);
    const int nx = (int)map->xs->len, n = nx * (int)map->ys->len;
    label_all(grid->xs, map->xs, " ");
    label_all(grid->ys, map->ys, "");
    grid->title = title ? g_strdup(title) : winner_map_title(map);
    grid->x_axis = map->by_node ? "nodes" : "bytes";
    grid->y_axis = map->by_node ? "ranks per node" : "ranks";
    for (int i = 0; i < n; i++) {
        g_autofree char *letter = map->at[i] < 0 ? g_strdup("") : winner_letter((guint)map->at[i]);
        const char mark = isnan(map->margin[i]) ? ' ' : marks[winner_shade(map->margin[i])];
        const GridName name = {i % nx, i / nx, 1, g_strdup_printf("%s%c", letter, mark)};
        g_array_append_val(grid->names, name);
    }
    return grid;
}

void winner_map_print(const WinnerMap *map, const char *title, size_t columns, FILE *to)
{
    g_autoptr(FigureGrid) grid = letter_grid(map, title);
    figure_grid_print(grid, columns, to);
    for (guint i = 0; i < map->winners->len; i++) {
        const Winner *const winner = &g_array_index(map->winners, Winner, i);
        g_autofree char *letter = winner_letter(i);
        fprintf(to, "%s  %s, at %u of %u\n", letter, winner->label, winner->places, map->places);
    }
    g_autofree char *note = winner_map_note(map);
    letters_print("=  a tie; + the second takes 5 to 25 % longer; * more, or there is no second", columns, to);
    letters_print(note, columns, to);
}
