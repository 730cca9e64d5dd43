// Tables that `plot` draws: the first line has --only and the axis, separated by a blank; the rest is the table.
#include "figure/bars.h"
#include "figure/figure.h"
#include "figure/winners.h"
#include "fuzz.h"
#include <string.h>

// Calls a function that prints, and forgets what it prints.
#define PRINTED(call)                                                                                                  \
    do {                                                                                                               \
        char *text = NULL;                                                                                             \
        size_t length = 0;                                                                                             \
        FILE *const to = open_memstream(&text, &length);                                                               \
        call;                                                                                                          \
        fclose(to);                                                                                                    \
        free(text);                                                                                                    \
    } while (0)

static void lay_out(const Figure *figure, const FigureChoice *choice)
{
    canvas_free(figure_canvas(figure, choice, NULL));
    PRINTED(figure_print(figure, choice, NULL, 100, 30, to));
}

static void lay_out_bars(const Figure *figure)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Bars) bars = bars_new(figure, &error);
    if (!fuzz_outcome(bars != NULL, &error))
        return;
    canvas_free(bars_canvas(bars, NULL));
    PRINTED(bars_print(bars, NULL, 60, to));
}

static void lay_out_winners(const GPtrArray *tables)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(WinnerMap) map = winner_map_read(tables, &error);
    if (!fuzz_outcome(map != NULL, &error))
        return;
    g_autoptr(FigureGrid) grid = winner_map_grid(map);
    canvas_free(figure_grid_canvas(grid, NULL));
    PRINTED(winner_map_print(map, NULL, 60, to));
}

FUZZ_HARNESS(figure)
{
    const uint8_t *const end = memchr(data, '\n', size);
    if (!end)
        return 0;
    const size_t head = (size_t)(end - data) + 1;
    g_auto(GStrv) line = fuzz_lines(data, head - 1, 0), word = g_strsplit(line[0], " ", 2), only = NULL;
    if (word[0] && *word[0])
        only = g_strsplit(word[0], ",", -1);
    const FigureX axis = !word[0] || !word[1] ? FIGURE_X_AUTO : *word[1] == 'p' ? FIGURE_X_RANKS : FIGURE_X_SIZE;
    const FigureChoice choice = {.all = !only, .only = only};
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) tables = g_ptr_array_new_with_free_func((GDestroyNotify)csv_free);
    Csv *const csv = csv_parse((const char *)data + head, size - head, "f.csv", &error);
    if (!fuzz_outcome(csv != NULL, &error))
        return 0;
    g_ptr_array_add(tables, csv);
    lay_out_winners(tables);
    for (FigureY y = 0; y < N_FIGURE_Y; y++) {
        g_autoptr(Figure) figure = figure_read(tables, axis, y, NULL, &choice, &error);
        if (!fuzz_outcome(figure != NULL, &error))
            continue;
        if (figure->bars)
            lay_out_bars(figure);
        else
            lay_out(figure, &choice);
    }
    return 0;
}
