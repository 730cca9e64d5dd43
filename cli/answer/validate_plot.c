// Draws the picture of a validation with plots/fidelity.gp.
#include "answer/validate.h"
#include "base/error.h"
#include "base/escape.h"
#include "figure/figure.h"
#include "out/gnuplot.h"
#include "out/picture.h"
#include "registry/registry.h"
#include <math.h>
#include <string.h>

enum { MAX_SETS = 12, MAX_COLLECTIVES = 9 }; // fidelity.gp has as many colours

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

// Sets name_I, the text above panel I, and returns the least and the largest median over the sets.
static void add_names(const Validation *v, const GPtrArray *sets, GString *setup, double *least, double *most)
{
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
        gnuplot_text(setup, "name", at + 1, name);
        *least = fmin(*least, score->median);
        *most = fmax(*most, score->median);
    }
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
    for (guint c = 0; c < kinds->len; c++)
        gnuplot_text(setup, "what", c + 1, g_ptr_array_index(kinds, c));
    g_autofree char *found = sets->len == 1
                                 ? g_strdup_printf("Half of the predictions are off by at most %.0f %%", 100 * most)
                                 : g_strdup_printf("Half of a set's predictions are off by at most %.0f to %.0f %%",
                                                   100 * least, 100 * most);
    g_autofree char *wrapped = figure_wrap(title ? title : found, sets->len == 1 ? 60 : sets->len == 2 ? 70 : 106);
    g_string_append_printf(setup, "format = '%s'; n = %u; n_what = %u; title_rows = %u; ", format, sets->len,
                           kinds->len, figure_line_count(wrapped));
    gnuplot_lines(setup, "title", 0, wrapped);
    g_autoptr(GString) picture = gnuplot_draw("fidelity.gp", setup->str, data, error);
    if (!picture)
        return FALSE;
    picture_finish(picture, format, title ? title : found);
    fwrite(picture->str, 1, picture->len, to); // output_set_close() reports a failure
    return TRUE;
}
