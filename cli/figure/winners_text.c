// Prints a map of winners as a table.
#include "base/escape.h"
#include "base/units.h"
#include "figure/winners.h"
#include <math.h>
#include <string.h>

static const char marks[] = {[WINNER_TIES] = '=', [WINNER_NEAR] = ' ', [WINNER_AHEAD] = '+', [WINNER_FAR] = '*'};

// Returns the width of the longest label of an axis, at least `width`.
static int label_width(const GArray *values, int width)
{
    for (guint i = 0; i < values->len; i++) {
        g_autofree char *label = units_format_size(g_array_index(values, size_t, i));
        width = MAX(width, (int)strlen(label));
    }
    return width;
}

// Prints a line without the spaces at its end.
static void print_line(GString *line, FILE *to)
{
    fprintf(to, "%s\n", g_strchomp(line->str));
    g_string_truncate(line, 0);
}

// Prints the columns from `begin` to before `end`, each of them `width` characters wide.
static void print_columns(const WinnerMap *map, guint begin, guint end, int left, int width, FILE *to)
{
    g_autoptr(GString) line = g_string_new(NULL);
    fprintf(to, "\n%s\n", map->by_node ? "ranks per node" : "ranks");
    for (guint y = map->ys->len; y-- > 0;) {
        g_autofree char *label = units_format_size(g_array_index(map->ys, size_t, y));
        g_string_append_printf(line, "%*s |", left, label);
        for (guint x = begin; x < end; x++) {
            const guint place = y * map->xs->len + x;
            g_autofree char *letter = map->at[place] < 0 ? g_strdup("") : winner_letter((guint)map->at[place]);
            const char mark = isnan(map->margin[place]) ? ' ' : marks[winner_shade(map->margin[place])];
            g_string_append_printf(line, "%*s%c", width - 1, letter, mark);
        }
        print_line(line, to);
    }
    g_string_append_printf(line, "%*s  ", left, "");
    for (guint x = begin; x < end; x++) {
        g_autofree char *label = units_format_size(g_array_index(map->xs, size_t, x));
        g_string_append_printf(line, "%*s ", width - 1, label);
    }
    g_string_append(line, map->by_node ? " nodes" : " bytes");
    print_line(line, to);
}

void winner_map_print(const WinnerMap *map, const char *title, size_t columns, FILE *to)
{
    enum { UNIT = 6 }; // characters of the name of the x axis, behind its labels
    const int left = label_width(map->ys, 4), width = label_width(map->xs, 2) + 2;
    const guint most = MAX(((guint)columns - (guint)left - 2 - UNIT) / (guint)width, 1);
    g_autofree char *own = winner_map_title(map), *shown = escape_terminal(title ? title : own);
    g_autofree char *text = letters_wrap_cells(shown, columns);
    fprintf(to, "%s\n", text);
    for (guint begin = 0; begin < map->xs->len; begin += most)
        print_columns(map, begin, MIN(begin + most, map->xs->len), left, width, to);
    fputc('\n', to);
    for (guint i = 0; i < map->winners->len; i++) {
        const Winner *const winner = &g_array_index(map->winners, Winner, i);
        g_autofree char *letter = winner_letter(i);
        fprintf(to, "%s  %s, at %u of %u\n", letter, winner->label, winner->places, map->places);
    }
    g_autofree char *note = winner_map_note(map), *plain = escape_terminal(note);
    g_autofree char *marked = g_strdup_printf("=  a tie; + the second takes 5 to 25 %% longer; * more, or there is no "
                                              "second%s%s",
                                              *plain ? "\n" : "", plain);
    g_auto(GStrv) notes = g_strsplit(marked, "\n", 2);
    for (char **line = notes; *line; line++) {
        g_autofree char *wrapped = letters_wrap_cells(*line, columns);
        fprintf(to, "%s\n", wrapped);
    }
}
