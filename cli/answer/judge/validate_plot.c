// Draws the picture of a validation with plots/fidelity.gp.
#include "answer/judge/validate.h"
#include "base/error.h"
#include "base/escape.h"
#include "figure/figure.h"
#include "out/gnuplot.h"
#include "out/letters.h"
#include "out/picture.h"
#include "registry/registry.h"
#include <math.h>
#include <string.h>

enum { MAX_SETS = 12, MAX_COLLECTIVES = 9 };                                // fidelity.gp has as many colours
enum { PANEL = 394, LEAST_WIDTH = 700, LEGEND_LEFT = 28, LEGEND_GAP = 42 }; // pixels

// Returns what a row counts as in the legend: its collective, or what all that are none are called.
static const char *kind_of(const ValidateRow *row)
{
    for (int c = 0; c < N_COLLECTIVES; c++)
        if (strcmp(collectives[c].name, row->collective) == 0)
            return row->collective;
    return "others";
}

// Returns the index of a text in a list of static or long-lived texts, to which it is added if it is new.
static guint index_of(GPtrArray *names, const char *name)
{
    guint i = 0;
    if (!g_ptr_array_find_with_equal_func(names, name, g_str_equal, &i)) {
        i = names->len;
        g_ptr_array_add(names, (gpointer)(uintptr_t)name);
    }
    return i;
}

static gboolean is_drawn(const ValidateRow *row)
{
    return row->use == ROW_SCORE && row->predicted_s > 0; // false for NAN
}

// Adds a block of points for each set and, inside it, for each collective.
static void add_blocks(const GArray *rows, const GPtrArray *sets, const GPtrArray *kinds, GString *data)
{
    for (guint s = 0; s < sets->len; s++)
        for (guint c = 0; c < kinds->len; c++) {
            for (guint i = 0; i < rows->len; i++) {
                const ValidateRow *row = &g_array_index(rows, ValidateRow, i);
                char x[G_ASCII_DTOSTR_BUF_SIZE], y[G_ASCII_DTOSTR_BUF_SIZE];
                if (is_drawn(row) && strcmp(row->set, g_ptr_array_index(sets, s)) == 0 &&
                    strcmp(kind_of(row), g_ptr_array_index(kinds, c)) == 0)
                    g_string_append_printf(data, "%s %s\n", g_ascii_formatd(x, sizeof x, "%.4g", row->predicted_s),
                                           g_ascii_formatd(y, sizeof y, "%.4g", row->measured_s));
            }
            g_string_append(data, "NaN NaN\n\n\n"); // gnuplot counts blocks, so none may be empty
        }
}

// Sets name_I, the text above panel I, and name_rows, the lines that the longest has; and returns the least and the largest
// median over the sets.
static void add_names(const Validation *v, const GPtrArray *sets, GString *setup, double *least, double *most)
{
    guint rows = 1;
    *least = INFINITY;
    *most = 0;
    for (guint i = 0; i < v->scores->len; i++) {
        const Score *score = &g_array_index(v->scores, Score, i);
        guint at = 0;
        if (score->by != SCORE_BY_SET || !score->rows ||
            !g_ptr_array_find_with_equal_func((GPtrArray *)(uintptr_t)sets, score->set, g_str_equal, &at))
            continue;
        g_autofree char *name = g_strdup_printf("%s: %.0f %%, p90 %.0f %% of %u rows", score->set, 100 * score->median,
                                                100 * score->p90, score->rows);
        g_autofree char *wrapped = letters_wrap(name, PANEL - 24, LETTERS_NOTE);
        rows = MAX(rows, figure_line_count(wrapped));
        gnuplot_lines(setup, "name", at + 1, wrapped);
        *least = fmin(*least, score->median);
        *most = fmax(*most, score->median);
    }
    g_string_append_printf(setup, "name_rows = %u; ", rows);
}

// Sets the names of the collectives and their places in the legend, in pixels from its first row, and what_rows.
static void add_legend(const GPtrArray *kinds, int width, GString *setup)
{
    int x = LEGEND_LEFT, rows = 1;
    for (guint c = 0; c < kinds->len; c++) {
        const int wide = LEGEND_GAP + (int)letters_width(g_ptr_array_index(kinds, c), LETTERS_NOTE);
        if (x > LEGEND_LEFT && x + wide > width) {
            x = LEGEND_LEFT;
            rows++;
        }
        gnuplot_text(setup, "what", c + 1, g_ptr_array_index(kinds, c));
        g_string_append_printf(setup, "what_x_%u = %d.; what_row_%u = %d; ", c + 1, x, c + 1, rows - 1);
        x += wide;
    }
    g_string_append_printf(setup, "what_rows = %d; ", rows);
}

gboolean validate_draw(const Validation *v, const char *path, const char *title, FILE *to, GError **error)
{
    const char *format;
    g_autoptr(GPtrArray) sets = g_ptr_array_new(), kinds = g_ptr_array_new();
    for (guint i = 0; i < v->rows->rows->len; i++) {
        const ValidateRow *row = &g_array_index(v->rows->rows, ValidateRow, i);
        if (!is_drawn(row))
            continue;
        index_of(sets, row->set);
        index_of(kinds, kind_of(row));
    }
    if (!picture_format("--draw", path, &format, error))
        return FALSE;
    if (!sets->len || sets->len > MAX_SETS || kinds->len > MAX_COLLECTIVES)
        return bad_input(error,
                         "--draw %s: rows of %u sets and %u collectives are predicted; allowed: 1 to %d, and at "
                         "most %d",
                         path, sets->len, kinds->len, MAX_SETS, MAX_COLLECTIVES);
    g_autoptr(GString) data = g_string_new(NULL), setup = g_string_new(NULL);
    double least, most;
    add_blocks(v->rows->rows, sets, kinds, data);
    add_names(v, sets, setup, &least, &most);
    const int width = MAX((int)MIN(sets->len, 3) * PANEL + 20, LEAST_WIDTH);
    add_legend(kinds, width, setup);
    g_autofree char *found = sets->len == 1
                                 ? g_strdup_printf("Half of the predictions are off by at most %.0f %%", 100 * most)
                                 : g_strdup_printf("Half of a set's predictions are off by at most %.0f to %.0f %%",
                                                   100 * least, 100 * most);
    g_autofree char *wrapped = letters_wrap(title ? title : found, width - 40, LETTERS_TITLE);
    g_string_append_printf(setup, "format = '%s'; width = %d; n = %u; n_what = %u; title_rows = %u; ", format, width,
                           sets->len, kinds->len, figure_line_count(wrapped));
    gnuplot_lines(setup, "title", 0, wrapped);
    return picture_write("fidelity.gp", setup->str, data, format, title ? title : found, to, error);
}
