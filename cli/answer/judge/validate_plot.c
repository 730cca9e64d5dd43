// Draws the picture of a validation: measured over predicted times, a point for each row, with a panel for each set.
#include "answer/judge/validate.h"
#include "base/distinct.h"
#include "base/error.h"
#include "figure/chart.h"
#include "registry/registry.h"
#include <math.h>
#include <string.h>

enum { MAX_SETS = 12 };

// Returns what a row counts as in the legend: its collective, or what all that are none are called.
static const char *kind_of(const ValidateRow *row)
{
    for (int c = 0; c < N_COLLECTIVES; c++)
        if (strcmp(collectives[c].name, row->collective) == 0)
            return row->collective;
    return "others";
}

static gboolean is_drawn(const ValidateRow *row)
{
    return row->use == ROW_SCORE && row->predicted_s > 0; // false for NAN
}

// Returns the text above a set's panel, and widens the range of medians by that of the set. Free with g_free.
static char *name_of(const Validation *v, const char *set, double *least, double *most)
{
    for (guint i = 0; i < v->scores->len; i++) {
        const Score *score = &g_array_index(v->scores, Score, i);
        if (score->by != SCORE_BY_SET || !score->rows || strcmp(score->set, set) != 0)
            continue;
        *least = fmin(*least, score->median);
        *most = fmax(*most, score->median);
        return g_strdup_printf("%s: %.0f %%, p90 %.0f %% of %u rows", set, 100 * score->median, 100 * score->p90,
                               score->rows);
    }
    return g_strdup(set);
}

Canvas *validate_canvas(const Validation *v, const PictureAsk *ask, GError **error)
{
    g_autoptr(GPtrArray) sets = g_ptr_array_new(), kinds = g_ptr_array_new();
    for (guint i = 0; i < v->rows->rows->len; i++) {
        const ValidateRow *row = &g_array_index(v->rows->rows, ValidateRow, i);
        if (!is_drawn(row))
            continue;
        distinct_name(sets, row->set);
        distinct_name(kinds, kind_of(row));
    }
    if (!sets->len || sets->len > MAX_SETS || kinds->len > CHART_LOOKS) {
        bad_input(error, "--draw: rows of %u sets and %u collectives are predicted; allowed: 1 to %d, and at most %d",
                  sets->len, kinds->len, MAX_SETS, CHART_LOOKS);
        return NULL;
    }
    double least = INFINITY, most = 0;
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < sets->len; i++)
        g_ptr_array_add(names, name_of(v, g_ptr_array_index(sets, i), &least, &most));
    g_autofree char *found = sets->len == 1
                                 ? g_strdup_printf("Half of the predictions are off by at most %.0f %%", 100 * most)
                                 : g_strdup_printf("Half of a set's predictions are off by at most %.0f to %.0f %%",
                                                   100 * least, 100 * most);
    g_autoptr(Chart) chart =
        chart_new(&(ChartHead){.title = found,
                               .note = "dark diagonal: measured as predicted; pale ones: twice and half as long",
                               .x = CHART_TIME,
                               .x_name = "predicted",
                               .y = CHART_TIME,
                               .y_name = "measured",
                               .diagonals = TRUE});
    for (guint i = 0; i < sets->len; i++)
        chart_panel(chart, g_ptr_array_index(names, i), "");
    const guint first = chart_groups(chart, kinds);
    for (guint i = 0; i < v->rows->rows->len; i++) {
        const ValidateRow *row = &g_array_index(v->rows->rows, ValidateRow, i);
        if (is_drawn(row))
            chart_point(chart, distinct_name(sets, row->set), first + distinct_name(kinds, kind_of(row)),
                        row->predicted_s, row->measured_s);
    }
    return chart_canvas(chart, ask);
}
