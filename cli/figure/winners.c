#include "figure/winners.h"
#include "base/distinct.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/units.h"
#include "figure/grid.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void winner_clear(void *data)
{
    g_free(((Winner *)data)->label);
}

void winner_map_free(WinnerMap *map)
{
    if (!map)
        return;
    g_clear_pointer(&map->xs, g_array_unref); // NULL if the rows were refused
    g_clear_pointer(&map->ys, g_array_unref);
    g_array_unref(map->winners);
    g_free(map->at);
    g_free(map->margin);
    g_free(map);
}

// ---- Rows -----------------------------------------------------------------------------------------------------------

// Returns TRUE if the rows have several sizes, and each number of ranks is on one number of nodes: then they make a map over
// sizes and ranks.
static gboolean is_over_sizes(const GArray *rows)
{
    g_autoptr(GHashTable) per_node = g_hash_table_new(g_direct_hash, g_direct_equal); // by ranks
    gboolean several = FALSE;
    for (guint i = 0; i < rows->len; i++) {
        const FigureRow *const row = &g_array_index(rows, FigureRow, i);
        gpointer known;
        several |= row->bytes != g_array_index(rows, FigureRow, 0).bytes;
        if (!g_hash_table_lookup_extended(per_node, GSIZE_TO_POINTER(row->p), NULL, &known))
            g_hash_table_insert(per_node, GSIZE_TO_POINTER(row->p), GSIZE_TO_POINTER(row->other));
        else if (known != GSIZE_TO_POINTER(row->other))
            return FALSE;
    }
    return several;
}

// Sets the place of every row: x and `other` are nodes and ranks of a node, or bytes and ranks.
static gboolean set_places(WinnerMap *map, GArray *rows, GError **error)
{
    for (guint i = 0; i < rows->len; i++) {
        FigureRow *const row = &g_array_index(rows, FigureRow, i);
        const int column = csv_column(row->csv, "per_node");
        const gboolean by_node = *csv_field(row->csv, row->row, column) != '\0';
        if (i && by_node != map->by_node)
            return bad_input(
                error,
                "%s:%zu: the row has %s per_node, others have %s; allowed with --map: rows of ranks on nodes "
                "(run -p 16x4), or rows without nodes (run -p 64)",
                csv_name(row->csv), csv_line(row->csv, row->row), by_node ? "a" : "no", by_node ? "none" : "one");
        map->by_node = by_node;
        if (!by_node)
            continue;
        if (!csv_size(row->csv, row->row, column, 1, (size_t)1 << 62, &row->other, error))
            return FALSE;
        row->x = row->p / row->other + (row->p % row->other != 0);
    }
    map->by_node = map->by_node && !is_over_sizes(rows);
    for (guint i = 0; i < rows->len && !map->by_node; i++) {
        FigureRow *const row = &g_array_index(rows, FigureRow, i);
        row->x = row->bytes;
        row->other = row->p;
    }
    return TRUE;
}

// Checks that all rows belong to one contest, which a map can show.
static gboolean check_rows(const WinnerMap *map, const char *names, const GArray *rows, GError **error)
{
    const FigureRow *const first = &g_array_index(rows, FigureRow, 0);
    for (guint i = 1; i < rows->len; i++) {
        const FigureRow *const row = &g_array_index(rows, FigureRow, i);
        if (strcmp(row->collective, first->collective) != 0)
            return bad_input(error, "%s: %s and %s; allowed with --map: one collective", names, first->collective,
                             row->collective);
        if (map->by_node && row->bytes != first->bytes)
            return bad_input(error, "%s: %zu and %zu bytes; allowed with --map over nodes: one size", names,
                             first->bytes, row->bytes);
        if (row->measured != first->measured)
            return bad_input(error, "%s: predictions and measurements; allowed with --map: one kind of them", names);
    }
    return TRUE;
}

static gboolean drawable(const FigureRow *row)
{
    return !row->fallback && row->time_s > 0;
}

// Returns the distinct values of an axis, in ascending order. Free with g_array_unref.
static GArray *axis_of(const GArray *rows, gboolean of_x)
{
    GArray *const values = g_array_new(FALSE, FALSE, sizeof(size_t));
    for (guint i = 0; i < rows->len; i++) {
        const FigureRow *const row = &g_array_index(rows, FigureRow, i);
        g_array_append_val(values, *(of_x ? &row->x : &row->other));
    }
    return distinct_sort(values, distinct_by_size);
}

static guint index_of(const GArray *values, size_t value)
{
    const size_t *const found = bsearch(&value, values->data, values->len, sizeof value, distinct_by_size);
    return (guint)(found - (const size_t *)(const void *)values->data);
}

// ---- Winners --------------------------------------------------------------------------------------------------------

// Returns TRUE if row a beats row b: it is faster, or they tie and the rule prefers it.
static gboolean beats(const FigureRow *a, const FigureRow *b)
{
    if (a->time_s < b->time_s * (1 - FIGURE_SAME) || b->time_s < a->time_s * (1 - FIGURE_SAME))
        return a->time_s < b->time_s;
    const int one = figure_oddity(a), two = figure_oddity(b);
    const int names = strcmp(a->algorithm, b->algorithm);
    return one != two ? one < two : names ? names < 0 : strcmp(a->params, b->params) < 0;
}

static guint place_of(const WinnerMap *map, const FigureRow *row)
{
    return index_of(map->ys, row->other) * map->xs->len + index_of(map->xs, row->x);
}

// Returns the winning row of each place, NULL where there is none.
static const FigureRow **find_winners(const WinnerMap *map, const GArray *rows)
{
    const FigureRow **const best = g_new0(const FigureRow *, (gsize)map->xs->len * map->ys->len);
    for (guint i = 0; i < rows->len; i++) {
        const FigureRow *const row = &g_array_index(rows, FigureRow, i);
        const guint place = place_of(map, row);
        if (drawable(row) && (!best[place] || beats(row, best[place])))
            best[place] = row;
    }
    return best;
}

// Computes how much longer the second takes at each place. Two tie where the least time of the second is not above the
// winner's; predictions have one time.
static void find_margins(WinnerMap *map, const GArray *rows, const FigureRow *const *best)
{
    const guint n = map->xs->len * map->ys->len;
    map->margin = g_new(double, n);
    for (guint i = 0; i < n; i++)
        map->margin[i] = best[i] ? INFINITY : NAN;
    for (guint i = 0; i < rows->len; i++) {
        const FigureRow *const row = &g_array_index(rows, FigureRow, i);
        const guint place = place_of(map, row);
        if (!drawable(row) || row == best[place])
            continue;
        const double time = best[place]->time_s;
        map->margin[place] =
            MIN(map->margin[place], row->low_s <= time * (1 + FIGURE_SAME) ? 0 : row->time_s / time - 1);
    }
    for (guint i = 0; i < n; i++)
        if (best[i])
            map->shades[winner_shade(map->margin[i])]++;
}

WinnerShade winner_shade(double margin)
{
    return margin <= 0 ? WINNER_TIES : margin < 0.05 ? WINNER_NEAR : margin <= 0.25 ? WINNER_AHEAD : WINNER_FAR;
}

int winner_shaded(int color, WinnerShade shade)
{
    static const double shares[] = {[WINNER_TIES] = 0.5, [WINNER_NEAR] = 0.5, [WINNER_AHEAD] = 0.75, [WINNER_FAR] = 1};
    return canvas_mix(color, 0xFFFFFF, shares[shade]);
}

static int by_places(const void *a, const void *b)
{
    const Winner *const one = a, *const two = b;
    return one->places != two->places ? (one->places < two->places) - (one->places > two->places)
                                      : strcmp(one->label, two->label);
}

// Returns the index of the winner with this label, or -1.
static int winner_of(const WinnerMap *map, const char *label)
{
    for (guint i = 0; i < map->winners->len; i++)
        if (strcmp(g_array_index(map->winners, Winner, i).label, label) == 0)
            return (int)i;
    return -1;
}

static char *label_of(const FigureRow *row)
{
    g_autofree char *label = g_strconcat(row->algorithm, *row->params ? " " : "", row->params, NULL);
    return escape_terminal(label);
}

// Counts the places of each winner, sorts the winners by that, and fills `at`.
static void count_winners(WinnerMap *map, const FigureRow *const *best)
{
    const guint n = map->xs->len * map->ys->len;
    for (guint i = 0; i < n; i++) {
        if (!best[i])
            continue;
        g_autofree char *label = label_of(best[i]);
        if (winner_of(map, label) < 0) {
            const Winner winner = {.algorithm = best[i]->algorithm, .label = g_steal_pointer(&label)};
            g_array_append_val(map->winners, winner);
        }
        g_autofree char *again = label_of(best[i]);
        g_array_index(map->winners, Winner, (guint)winner_of(map, again)).places++;
        map->places++;
    }
    g_array_sort(map->winners, by_places);
    map->at = g_new(int, n);
    for (guint i = 0; i < n; i++) {
        g_autofree char *label = best[i] ? label_of(best[i]) : NULL;
        map->at[i] = label ? winner_of(map, label) : -1;
    }
}

// ---- Colours --------------------------------------------------------------------------------------------------------

// Computes the lightness of a colour, how red against green it is, and how yellow against blue (CIELAB, white D65).
static void set_lab(int color, double lab[3])
{
    static const double to_xyz[3][3] = {{0.4339, 0.3762, 0.1899}, {0.2126, 0.7152, 0.0722}, {0.0177, 0.1095, 0.8728}};
    double f[3] = {0};
    for (int channel = 0; channel < 3; channel++) {
        const double v = (color >> (16 - 8 * channel) & 255) / 255.,
                     light = v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
        for (int i = 0; i < 3; i++)
            f[i] += to_xyz[i][channel] * light;
    }
    for (int i = 0; i < 3; i++)
        f[i] = f[i] > 0.008856 ? cbrt(f[i]) : 7.787 * f[i] + 16 / 116.;
    lab[0] = 116 * f[1] - 16;
    lab[1] = 500 * (f[0] - f[1]);
    lab[2] = 200 * (f[1] - f[2]);
}

// Returns how different two colours look to the eye: their distance in CIELAB, 100 between black and white.
static double difference(int a, int b)
{
    double one[3], two[3];
    set_lab(a, one);
    set_lab(b, two);
    return hypot(hypot(one[0] - two[0], one[1] - two[1]), one[2] - two[2]);
}

// Returns the least difference between any shade of a colour and any shade of the first n winners' colours.
static double least_difference(const WinnerMap *map, guint n, int color)
{
    double least = INFINITY;
    for (guint i = 0; i < n; i++)
        for (guint k = 0; k < WINNER_SHADES * WINNER_SHADES; k++)
            least =
                MIN(least, difference(winner_shaded(color, k / WINNER_SHADES),
                                      winner_shaded(g_array_index(map->winners, Winner, i).color, k % WINNER_SHADES)));
    return least;
}

// Returns TRUE if one of n winners, other than winner i, has this colour in other figures.
static gboolean is_taken(const CanvasLook *looks, guint n, guint i, int color)
{
    for (guint k = 0; k < n; k++)
        if (k != i && looks[k].color == color)
            return TRUE;
    return FALSE;
}

// Gives every winner the colour that it has in other figures, or another one, which no other winner has there, if a shade of
// that is hard to tell from a shade of a winner before.
static void set_colors(WinnerMap *map)
{
    enum { APART = 25 };
    static const int others[] = {0x0072B2, 0xD55E00, 0x009E73, 0xE69F00, 0x882255, 0x000000, 0x56B4E9, 0xCC79A7,
                                 0xF0E442, 0x6B4A1F, 0x808080, 0x004D3A, 0x7F00FF, 0x00E5E5, 0xFF80FF, 0x80FF00};
    const guint n = map->winners->len;
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < n; i++)
        g_ptr_array_add(names, (gpointer)(uintptr_t)g_array_index(map->winners, Winner, i).algorithm);
    g_autofree CanvasLook *looks = figure_winner_looks(names);
    for (guint i = 0; i < n; i++) {
        int best = looks[i].color;
        double most = least_difference(map, i, best);
        for (guint k = 0; k < G_N_ELEMENTS(others) && most < APART; k++) {
            const double apart = is_taken(looks, n, i, others[k]) ? 0 : least_difference(map, i, others[k]);
            best = apart > most ? others[k] : best;
            most = MAX(most, apart);
        }
        g_array_index(map->winners, Winner, i).color = best;
    }
}

// ---- The map --------------------------------------------------------------------------------------------------------

static gboolean set_axes(WinnerMap *map, const char *names, const GArray *rows, GError **error)
{
    map->xs = axis_of(rows, TRUE);
    map->ys = axis_of(rows, FALSE);
    const guint nx = map->xs->len, ny = map->ys->len;
    return (nx <= FIGURE_GRID_MAX && ny <= FIGURE_GRID_MAX_ROWS) ||
           bad_input(error, "%s: %u x %u values on the axes; allowed with --map: at most %d x %d; keep fewer rows",
                     names, nx, ny, FIGURE_GRID_MAX, FIGURE_GRID_MAX_ROWS);
}

// Refuses rows of several machines: a place would have the colour of whatever machine is the fastest.
static gboolean check_machines(const char *names, const GArray *rows, GError **error)
{
    const FigureRow *const first = &g_array_index(rows, FigureRow, 0);
    for (guint i = 1; i < rows->len; i++) {
        const char *const one = first->machine, *const two = g_array_index(rows, FigureRow, i).machine;
        if (strcmp(one, two) != 0)
            return bad_input(error,
                             "%s: rows %s and %s; allowed with --map: one machine; give it a file of one machine, "
                             "or draw lines, without --map",
                             names, *one ? one : "without changes", *two ? two : "without changes");
    }
    return TRUE;
}

// Refuses a second row for a point, and counts what is left out. The rows are sorted.
static gboolean check_points(WinnerMap *map, const GArray *rows, GError **error)
{
    for (guint i = 0; i < rows->len; i++) {
        const FigureRow *const row = &g_array_index(rows, FigureRow, i), *const before = i ? row - 1 : NULL;
        if (before && figure_rows_same_algorithm(before, row) && !strcmp(before->params, row->params) &&
            before->x == row->x && before->other == row->other)
            return figure_rows_twice(before, row, error);
        map->fallbacks += row->fallback;
    }
    return TRUE;
}

WinnerMap *winner_map_read(const GPtrArray *tables, GError **error)
{
    g_autoptr(GArray) rows = figure_rows_read(tables, error);
    if (!rows)
        return NULL;
    g_autofree char *names = figure_names(tables);
    g_autoptr(WinnerMap) map = g_new0(WinnerMap, 1);
    map->winners = g_array_new(FALSE, FALSE, sizeof(Winner));
    g_array_set_clear_func(map->winners, winner_clear);
    if (!set_places(map, rows, error) || !check_rows(map, names, rows, error))
        return NULL;
    figure_rows_sort(rows, TRUE);
    if (!check_machines(names, rows, error) || !set_axes(map, names, rows, error) || !check_points(map, rows, error))
        return NULL;
    const FigureRow *const first = &g_array_index(rows, FigureRow, 0);
    map->collective = first->collective;
    map->bytes = first->bytes;
    map->platform = figure_shared_field(rows, first->measured, "platform");
    map->measured = first->measured;
    map->model = figure_shared_field(rows, first->measured, "model");
    map->transfer = figure_shared_field(rows, first->measured, "transfer");
    g_autofree const FigureRow **best = find_winners(map, rows);
    count_winners(map, best);
    find_margins(map, rows, best);
    if (!map->places) {
        bad_input(error, "%s: nothing to draw: another algorithm ran or the time is 0; allowed: one time or more",
                  names);
        return NULL;
    }
    set_colors(map);
    return g_steal_pointer(&map);
}

// ---- The title ------------------------------------------------------------------------------------------------------

char *winner_map_title(const WinnerMap *map)
{
    enum { NAMED = 3 }; // winners in the title
    GString *const title = g_string_new(map->collective);
    g_autofree char *size = units_format_size(map->bytes);
    if (map->by_node && map->bytes)
        g_string_append_printf(title, ", %s bytes", size);
    if (!map->by_node && map->xs->len == 1 && g_array_index(map->xs, size_t, 0)) {
        g_autofree char *only = units_format_size(g_array_index(map->xs, size_t, 0));
        g_string_append_printf(title, ", %s bytes", only);
    }
    if (!map->by_node && map->ys->len == 1) {
        g_autofree char *only = units_format_size(g_array_index(map->ys, size_t, 0));
        g_string_append_printf(title, ", %s ranks", only);
    }
    if (*map->platform)
        g_string_append_printf(title, ", %s", map->platform);
    if (map->measured)
        g_string_append(title, ", measured");
    guint rest = map->places;
    for (guint i = 0; i < map->winners->len && i < NAMED; i++) {
        const Winner *const winner = &g_array_index(map->winners, Winner, i);
        rest -= winner->places;
        if (map->winners->len == 1)
            g_string_append_printf(title, ": %s wins everywhere", winner->label);
        else if (!i)
            g_string_append_printf(title, ": %s wins at %u of %u places", winner->label, winner->places, map->places);
        else
            g_string_append_printf(title, ", %s at %u", winner->label, winner->places);
    }
    if (rest)
        g_string_append_printf(title, ", %s at %u", map->winners->len == NAMED + 1 ? "another" : "others", rest);
    return g_string_free(title, FALSE);
}
