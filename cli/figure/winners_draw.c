// Computes the regions of a map of winners and the place of everything in the picture, and sets the variables of
// plots/winners.gp.
#include "base/units.h"
#include "figure/winners.h"
#include "out/gnuplot.h"
#include <string.h>

// Sizes around the grid, in pixels. The script's text is 16 pixels high and its titles are 17.
enum {
    WIDTH = 900,
    LEFT = 92,
    TOP = 88, // two lines of title and the name of the y axis
    BOTTOM = 66,
    NOTE = 28,
    LIST_GAP = 28, // from the grid to the list of winners
    LIST_KEY = 28, // from the left end of a colour in the list to its name
    LIST_ROW = 30,
    LETTER = 10,
    TITLE_LETTER = 11,
    CELL = 56, // height of a place, if the grid is small
    LEAST_HEIGHT = 280,
    MOST_HEIGHT = 900
};

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

// Returns the run of each region that has the name: one of the longest, and of these the middle one. Free with
// g_array_unref.
static GArray *name_runs(const WinnerMap *map)
{
    const int nx = (int)map->xs->len, ny = (int)map->ys->len;
    g_autofree int *region = regions(map);
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(WinnerRun));
    for (int y = 0; y < ny; y++)
        for (int x = 0, end; x < nx; x = end) {
            for (end = x + 1; end < nx && at(map, end, y) == at(map, x, y); end++)
                ;
            const WinnerRun run = {region[y * nx + x], x, y, end - x};
            if (at(map, x, y) >= 0)
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

// Returns TRUE if white text is easier to read on a colour than dark text is.
static gboolean is_dark(int color)
{
    return 299 * (color >> 16 & 255) + 587 * (color >> 8 & 255) + 114 * (color & 255) < 140 * 1000;
}

static glong letters(const char *text)
{
    return g_utf8_strlen(text, -1);
}

// Sets the names in the regions that have room for them. A place is `cell` pixels wide.
static void set_names(const WinnerMap *map, double cell, GString *setup)
{
    g_autoptr(GArray) runs = name_runs(map);
    guint n = 0;
    for (guint i = 0; i < runs->len; i++) {
        const WinnerRun *const run = &g_array_index(runs, WinnerRun, i);
        const Winner *const winner = &g_array_index(map->winners, Winner, (guint)at(map, run->x, run->y));
        if (LETTER * (double)letters(winner->label) + LETTER > cell * run->length)
            continue;
        gnuplot_text(setup, "name", ++n, winner->label);
        gnuplot_text(setup, "name_color", n, is_dark(winner->color) ? "#FFFFFF" : "#222222");
        g_string_append_printf(setup, "name_x_%u = %d / 2.; name_y_%u = %d / 2.; ", n, 2 * run->x + run->length, n,
                               2 * run->y + 1);
    }
    g_string_append_printf(setup, "names = %u; ", n);
}

// ---- The picture ----------------------------------------------------------------------------------------------------

char *winner_map_note(const WinnerMap *map)
{
    g_autoptr(GString) note = g_string_new(map->measured ? "" : figure_model_text(map->model));
    if (*map->transfer)
        g_string_append_printf(note, ", %s", map->transfer);
    if (map->fallbacks)
        g_string_append_printf(note, "%s%u point%s omitted: another algorithm ran", note->len ? "; " : "",
                               map->fallbacks, map->fallbacks == 1 ? "" : "s");
    return g_strdup(note->str);
}

// Sets the labels of an axis.
static void set_axis(GString *setup, const char *name, const GArray *values)
{
    g_string_append_printf(setup, "n%s = %u; ", name, values->len);
    for (guint i = 0; i < values->len; i++) {
        g_autofree char *label = units_format_size(g_array_index(values, size_t, i));
        gnuplot_text(setup, name, i + 1, label);
    }
}

// Sets the list of winners. The letters of a text picture are A, B, .., Z, a, ..
static void set_list(const WinnerMap *map, GString *setup)
{
    g_string_append_printf(setup, "winners = %u; ", map->winners->len);
    for (guint i = 0; i < map->winners->len; i++) {
        const Winner *const winner = &g_array_index(map->winners, Winner, i);
        g_autofree char *places = g_strdup_printf("at %u of %u", winner->places, map->places);
        gnuplot_text(setup, "winner", i + 1, winner->label);
        g_string_append_printf(setup, "color_%u = '#%06X'; ", i + 1, (guint)winner->color);
        gnuplot_text(setup, "places", i + 1, places);
    }
}

char *winner_map_setup(const WinnerMap *map, const char *format, const char *title, int columns, int rows)
{
    const gboolean dumb = !strcmp(format, "dumb");
    g_autofree char *own = winner_map_title(map), *note = winner_map_note(map);
    const size_t room = (size_t)(dumb ? columns - 2 : (WIDTH - 24) / TITLE_LETTER);
    g_autofree char *text = figure_wrap(title ? title : own, room);
    g_auto(GStrv) lines = g_strsplit(text, "\n", 2);
    glong longest = letters("at 100 of 100");
    for (guint i = 0; i < map->winners->len; i++)
        longest = MAX(longest, letters(g_array_index(map->winners, Winner, i).label));
    const int grid_width = WIDTH - LEFT - LIST_GAP - LIST_KEY - LETTER * (int)longest;
    const int list_height = 2 * LIST_ROW * (int)map->winners->len;
    const int grid_height = CLAMP(MAX(CELL * (int)map->ys->len, list_height), LEAST_HEIGHT, MOST_HEIGHT);
    const int height = dumb ? rows : TOP + grid_height + BOTTOM + (*note ? NOTE : 0);
    GString *const setup = g_string_new(NULL);
    g_string_append_printf(setup, "format = '%s'; width = %d; height = %d; grid_width = %d.; grid_height = %d.; ",
                           format, dumb ? columns : WIDTH, height, grid_width, grid_height);
    g_string_append_printf(setup, "list_row = %d.; ", LIST_ROW);
    gnuplot_text(setup, "title", 0, lines[0] ? lines[0] : "");
    gnuplot_text(setup, "title", 1, lines[0] && lines[1] ? lines[1] : "");
    gnuplot_text(setup, "note", 0, note);
    gnuplot_text(setup, "axis", 0, map->by_node ? "nodes" : "size (bytes)");
    gnuplot_text(setup, "axis", 1, map->by_node ? "ranks per node" : "ranks");
    set_axis(setup, "x", map->xs);
    set_axis(setup, "y", map->ys);
    set_list(map, setup);
    set_names(map, (double)grid_width / map->xs->len, setup);
    return g_string_free(setup, FALSE);
}

// Adds the line between two neighbours if their winners differ, as `x y dx dy`.
static void add_border(const WinnerMap *map, GString *data, int x, int y, gboolean upright)
{
    if (at(map, x, y) != (upright ? at(map, x - 1, y) : at(map, x, y - 1)))
        g_string_append_printf(data, "%d %d %d %d\n", x, y, upright ? 0 : 1, upright ? 1 : 0);
}

// The data has two blocks: a row `x y colour letter` for each place, where x and y are its lower left corner, and the
// borders of regions as `x y dx dy`.
GString *winner_map_data(const WinnerMap *map)
{
    GString *const data = g_string_new(NULL);
    const int nx = (int)map->xs->len, ny = (int)map->ys->len;
    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++) {
            const int winner = at(map, x, y);
            if (winner >= 0)
                g_string_append_printf(data, "%d %d %d %d\n", x, y,
                                       g_array_index(map->winners, Winner, (guint)winner).color, winner + 1);
        }
    g_string_append(data, "\n\n");
    for (int y = 0; y <= ny; y++)
        for (int x = 0; x <= nx; x++) {
            add_border(map, data, x, y, TRUE);
            add_border(map, data, x, y, FALSE);
        }
    return data;
}
