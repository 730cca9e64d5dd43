// Computes the regions of a map of winners, and draws it as a grid.
#include "figure/winners.h"
#include <string.h>

static int at(const WinnerMap *map, int x, int y)
{
    const int nx = (int)map->xs->len, ny = (int)map->ys->len;
    return x < 0 || y < 0 || x >= nx || y >= ny ? -1 : map->at[y * nx + x];
}

// ---- Names in regions -----------------------------------------------------------------------------------------------

// The places of a row that stand beside each other and have the same winner.
typedef struct {
    int region; // the least index of a place of its region
    int x, y, length;
} WinnerRun;

// Returns the region of each place: the least index of a place that it is joined to through places of the same winner.
static int *regions(const WinnerMap *map)
{
    const int nx = (int)map->xs->len, n = nx * (int)map->ys->len;
    int *const region = g_new(int, n);
    for (int i = 0; i < n; i++)
        region[i] = i;
    for (gboolean again = TRUE; again;) {
        again = FALSE;
        for (int i = 0; i < n; i++) {
            const int beside[] = {i % nx ? i - 1 : -1, i % nx < nx - 1 ? i + 1 : -1, i - nx, i + nx < n ? i + nx : -1};
            for (size_t k = 0; k < G_N_ELEMENTS(beside); k++)
                if (beside[k] >= 0 && map->at[beside[k]] == map->at[i] && region[beside[k]] < region[i]) {
                    region[i] = region[beside[k]];
                    again = TRUE;
                }
        }
    }
    return region;
}

// Orders runs by region, the longest first, and those of one length from below.
static int by_region(const void *a, const void *b)
{
    const WinnerRun *const one = a, *const two = b;
    if (one->region != two->region)
        return (one->region > two->region) - (one->region < two->region);
    return one->length != two->length ? two->length - one->length
           : one->y != two->y         ? one->y - two->y
                                      : one->x - two->x;
}

// Cuts a run to its longest stretch of columns that have its winner in all of so many rows about it; the length becomes
// 0 if there is none.
static void narrow(const WinnerMap *map, WinnerRun *run, int rows)
{
    const int winner = at(map, run->x, run->y), first = run->y - (rows - 1) / 2, end = run->x + run->length;
    int length = 0;
    run->length = 0;
    for (int x = run->x; x < end; x++) {
        gboolean all = TRUE;
        for (int y = first; y < first + rows; y++)
            all = all && at(map, x, y) == winner;
        length = all ? length + 1 : 0;
        if (length > run->length) {
            run->length = length;
            run->x = x + 1 - length;
        }
    }
}

// Returns the run of each region that has the name, which needs so many rows: one of the longest, and of these the
// middle one. Free with g_array_unref.
static GArray *name_runs(const WinnerMap *map, int rows)
{
    const int nx = (int)map->xs->len, ny = (int)map->ys->len;
    g_autofree int *region = regions(map);
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(WinnerRun));
    for (int y = 0; y < ny; y++)
        for (int x = 0, end; x < nx; x = end) {
            for (end = x + 1; end < nx && at(map, end, y) == at(map, x, y); end++)
                ;
            WinnerRun run = {region[y * nx + x], x, y, end - x};
            narrow(map, &run, rows);
            if (at(map, x, y) >= 0 && run.length)
                g_array_append_val(all, run);
        }
    g_array_sort(all, by_region);
    GArray *const chosen = g_array_new(FALSE, FALSE, sizeof(WinnerRun));
    for (guint begin = 0, end; begin < all->len; begin = end) {
        const WinnerRun *const run = &g_array_index(all, WinnerRun, begin);
        guint longest = 1;
        for (end = begin + 1; end < all->len && run[end - begin].region == run->region; end++)
            longest += run[end - begin].length == run->length;
        g_array_append_val(chosen, run[longest / 2]);
    }
    return chosen;
}

char *winner_letter(guint i)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    enum { N = sizeof letters - 1 };
    return i < N ? g_strdup_printf("%c", letters[i])
                 : g_strdup_printf("%c%c", letters[(i / N - 1) % N], letters[i % N]);
}

// Sets a name in each region, or its letter if there is no room.
static void set_names(const WinnerMap *map, FigureGrid *grid)
{
    g_autoptr(GArray) runs = name_runs(map, figure_grid_name_rows(grid));
    for (guint i = 0; i < runs->len; i++) {
        const WinnerRun *const run = &g_array_index(runs, WinnerRun, i);
        const int winner = at(map, run->x, run->y);
        const char *const label = g_array_index(map->winners, Winner, (guint)winner).label;
        const GridName name = {.x = run->x,
                               .y = run->y,
                               .length = run->length,
                               .text = figure_grid_fits(grid, label, run->length) ? g_strdup(label)
                                                                                  : winner_letter((guint)winner)};
        g_array_append_val(grid->names, name);
    }
}

// ---- The picture ----------------------------------------------------------------------------------------------------

char *winner_map_note(const WinnerMap *map)
{
    g_autofree char *model = map->measured ? NULL : figure_model_text(map->model, map->transfer);
    GString *const note = g_string_new(model);
    canvas_omitted(note, map->fallbacks, FIGURE_FELL_BACK);
    return g_string_free(note, FALSE);
}

static void set_keys(const WinnerMap *map, FigureGrid *grid)
{
    enum { SAMPLE = 0x555555 };
    static const char *const texts[] = {
        [WINNER_TIES] = "0 (tie)", [WINNER_NEAR] = "below 5 %", [WINNER_AHEAD] = "5 to 25 %", [WINNER_FAR] = "more"};
    figure_grid_key(grid, g_strdup("wins at"), -1, FALSE);
    for (guint i = 0; i < map->winners->len; i++) {
        const Winner *const winner = &g_array_index(map->winners, Winner, i);
        g_autofree char *letter = winner_letter(i);
        figure_grid_key(grid, g_strdup_printf("%s %s: %u", letter, winner->label, winner->places), winner->color,
                        FALSE);
    }
    figure_grid_key(grid, g_strdup("lead over second"), -1, FALSE);
    for (guint i = 0; i < WINNER_SHADES; i++)
        if (map->shades[i])
            figure_grid_key(grid, g_strdup_printf("%s: %u", texts[i], map->shades[i]), winner_shaded(SAMPLE, i),
                            i == WINNER_TIES);
}

// Adds the line between two neighbours if their winners differ.
static void add_border(const WinnerMap *map, FigureGrid *grid, int x, int y, gboolean left)
{
    const GridBorder border = {x, y, left};
    if (at(map, x, y) != (left ? at(map, x - 1, y) : at(map, x, y - 1)))
        g_array_append_val(grid->borders, border);
}

FigureGrid *winner_map_grid(const WinnerMap *map)
{
    FigureGrid *const grid = figure_grid_new(map->xs, map->ys);
    const int nx = (int)map->xs->len, ny = (int)map->ys->len;
    grid->title = winner_map_title(map);
    grid->note = winner_map_note(map);
    grid->x_axis = map->by_node ? "nodes" : "size (bytes)";
    grid->y_axis = map->by_node ? "ranks per node" : "ranks";
    grid->width = map->width;
    grid->border_width = 2;
    grid->least_cell = 30;
    set_keys(map, grid);
    for (int i = 0; i < nx * ny; i++) {
        if (map->at[i] < 0)
            continue;
        const WinnerShade shade = winner_shade(map->margin[i]);
        grid->color[i] = winner_shaded(g_array_index(map->winners, Winner, (guint)map->at[i]).color, shade);
        grid->hatched[i] = shade == WINNER_TIES;
    }
    for (int y = 0; y <= ny && !figure_grid_is_fine(grid); y++)
        for (int x = 0; x <= nx; x++) {
            add_border(map, grid, x, y, TRUE);
            add_border(map, grid, x, y, FALSE);
        }
    set_names(map, grid);
    return grid;
}
