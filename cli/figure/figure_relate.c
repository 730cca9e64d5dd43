// Finds what the vertical axis compares each time with.
#include "figure/figure.h"
#include "base/error.h"
#include <math.h>
#include <string.h>

#define MOST_TIMES 1e15 // a time as a multiple of its bound; more would not be a number that a double can divide by

// ---- A time for each place ------------------------------------------------------------------------------------------

// Returns the key of what a row may be compared with: rows of the same collective, ranks and bytes, on the same machine.
// Measurements and predictions are compared with their own kind, unless `any` is set. Free with g_free.
static char *place_key(const FigureRow *row, gboolean any)
{
    return g_strdup_printf("%u/%zu/%zu/%zu/%d/%s", row->collective_number, row->p, row->bytes, row->x,
                           any ? 2 : row->measured, any ? "" : row->machine);
}

// Keeps the least time of a place.
static void keep_least(GHashTable *least, char *key, double time_s)
{
    double *const known = g_hash_table_lookup(least, key);
    if (known) {
        *known = MIN(*known, time_s);
        g_free(key);
    } else {
        g_hash_table_insert(least, key, g_memdup2(&time_s, sizeof time_s));
    }
}

static double time_of(GHashTable *least, const FigureRow *row, gboolean any)
{
    g_autofree char *key = place_key(row, any);
    const double *const time_s = g_hash_table_lookup(least, key);
    return time_s ? *time_s : 0;
}

static GHashTable *times_new(void)
{
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
}

// ---- Speed-up -------------------------------------------------------------------------------------------------------

// Returns the algorithm to compare with if the user names none: what a library runs by default, or that of the first row.
static const char *usual_baseline(const GArray *rows)
{
    const FigureRow *first = NULL, *library = NULL;
    for (guint i = 0; i < rows->len; i++) {
        const FigureRow *const row = &g_array_index(rows, FigureRow, i);
        if (!first || row->number < first->number)
            first = row;
        if (g_str_has_suffix(row->algorithm, ":auto") && (!library || row->number < library->number))
            library = row;
    }
    return (library ? library : first)->algorithm;
}

static gboolean is_baseline(const FigureRow *row, const char *baseline)
{
    g_autofree char *label = g_strjoin(" ", row->algorithm, row->params, NULL);
    return strcmp(row->algorithm, baseline) == 0 || strcmp(label, baseline) == 0;
}

// Of a baseline that has several rows at a place, with other parameters, the fastest one counts.
static gboolean relate_to_baseline(Figure *figure, const char *names, GArray *rows, const char *baseline,
                                   GError **error)
{
    g_autoptr(GHashTable) least = times_new();
    gboolean found = FALSE;
    baseline = g_intern_string(baseline ? baseline : usual_baseline(rows));
    for (guint i = 0; i < rows->len; i++) {
        const FigureRow *const row = &g_array_index(rows, FigureRow, i);
        if (!is_baseline(row, baseline))
            continue;
        found = TRUE;
        if (!row->fallback && row->time_s > 0)
            keep_least(least, place_key(row, FALSE), row->time_s);
    }
    if (!found) {
        g_autofree char *shown = error_quote(baseline);
        return bad_input(error, "--baseline %s is not in %s; allowed: an algorithm of the files", shown, names);
    }
    for (guint i = 0; i < rows->len; i++) {
        FigureRow *const row = &g_array_index(rows, FigureRow, i);
        row->against = time_of(least, row, FALSE);
    }
    g_autofree char *shown = figure_cut(baseline), *axis = g_strconcat("speed-up over ", shown, NULL);
    figure->axis = g_intern_string(axis);
    figure->baseline = g_intern_string(shown);
    return TRUE;
}

// ---- The lower bound ------------------------------------------------------------------------------------------------

// The column x_bound says what a time is as a multiple of the bound. A row without it, such as a measurement, has the
// bound of a prediction for the same ranks and bytes.
static gboolean relate_to_bound(const char *names, GArray *rows, GError **error)
{
    g_autoptr(GHashTable) bounds = times_new();
    gboolean any = FALSE;
    for (guint i = 0; i < rows->len; i++) {
        FigureRow *const row = &g_array_index(rows, FigureRow, i);
        const int column = csv_column(row->csv, "x_bound");
        double ratio = 0;
        any |= column >= 0;
        if (*csv_field(row->csv, row->row, column) && !csv_number(row->csv, row->row, column, &ratio, error))
            return FALSE;
        if (ratio > MOST_TIMES)
            return bad_input(error, "%s:%zu: x_bound is %g; allowed: at most %g", csv_name(row->csv),
                             csv_line(row->csv, row->row), ratio, MOST_TIMES);
        row->against = ratio > 0 ? row->time_s / ratio : 0;
        if (row->against > 0)
            keep_least(bounds, place_key(row, TRUE), row->against);
    }
    for (guint i = 0; i < rows->len; i++) {
        FigureRow *const row = &g_array_index(rows, FigureRow, i);
        row->against = row->against > 0 ? row->against : time_of(bounds, row, TRUE);
    }
    return any ||
           bad_input(error,
                     "%s: no column `x_bound`; add the CSV that `collsim run COLLECTIVE all -p .. -m .. -f csv` writes",
                     names);
}

// ---- Measured and predicted -----------------------------------------------------------------------------------------

// The rows are sorted, so that a point's prediction comes before its measurement.
static gboolean relate_to_prediction(Figure *figure, const char *names, GArray *rows, GError **error)
{
    guint kept = 0;
    if (!figure->predicted || !figure->measured)
        return bad_input(error, "%s: only %s; allowed with --y x-predicted: predictions and measurements", names,
                         figure->measured ? "measurements" : "predictions");
    for (guint i = 0; i < rows->len; i++) {
        FigureRow row = g_array_index(rows, FigureRow, i);
        const FigureRow *const before = i ? &g_array_index(rows, FigureRow, i - 1) : NULL;
        if (row.measured && before && !before->measured && !before->fallback &&
            figure_rows_same_algorithm(before, &row) && !strcmp(before->params, row.params) &&
            before->other == row.other && before->x == row.x)
            row.against = before->time_s;
        g_array_index(rows, FigureRow, i) = row;
    }
    for (guint i = 0; i < rows->len; i++)
        if (g_array_index(rows, FigureRow, i).measured)
            g_array_index(rows, FigureRow, kept++) = g_array_index(rows, FigureRow, i);
    g_array_set_size(rows, kept);
    figure->predicted = FALSE;
    return TRUE;
}

static int by_double(gconstpointer a, gconstpointer b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

char *figure_agreement(const FigurePanel *panel)
{
    g_autoptr(GArray) ratios = g_array_new(FALSE, FALSE, sizeof(double));
    double least = INFINITY, most = 0;
    for (guint l = 0; l < panel->lines->len; l++) {
        const FigureLine *const line = panel->lines->pdata[l];
        for (guint i = 0; i < line->measurements->len; i++) {
            const FigurePoint *const point = &g_array_index(line->measurements, FigurePoint, i);
            const double ratio = figure_value(FIGURE_Y_X_PREDICTED, point->time_s, point->against);
            if (point->hole)
                continue;
            g_array_append_val(ratios, ratio);
            least = MIN(least, ratio);
            most = MAX(most, ratio);
        }
    }
    g_array_sort(ratios, by_double);
    const double *const sorted = (const double *)(void *)ratios->data;
    const double median = (sorted[(ratios->len - 1) / 2] + sorted[ratios->len / 2]) / 2;
    return ratios->len == 1
               ? g_strdup_printf("%.3g times the predicted time", most)
               : g_strdup_printf("%.3g to %.3g times the predicted time, %.3g in the median", least, most, median);
}

// ---- All ------------------------------------------------------------------------------------------------------------

// Removes measurements, because nobody knows what they consist of.
static gboolean keep_predicted(Figure *figure, const char *names, GArray *rows, GError **error)
{
    gboolean any = FALSE;
    guint kept = 0;
    for (guint i = 0; i < rows->len; i++) {
        const FigureRow row = g_array_index(rows, FigureRow, i);
        any |= csv_column(row.csv, "costs") >= 0;
        if (!row.measured)
            g_array_index(rows, FigureRow, kept++) = row;
    }
    g_array_set_size(rows, kept);
    figure->measured = FALSE;
    return (any && kept) ||
           bad_input(error,
                     "%s: no column `costs`; draw the CSV that `collsim run COLLECTIVE all -p .. -m .. -f csv` writes",
                     names);
}

gboolean figure_relate(Figure *figure, const char *names, GArray *rows, const char *baseline, GError **error)
{
    figure->axis = figure->y == FIGURE_Y_X_BOUND       ? "time / lower bound"
                   : figure->y == FIGURE_Y_X_PREDICTED ? "measured / predicted time"
                                                       : figure_y_names[figure->y];
    switch (figure->y) {
    case FIGURE_Y_SPEEDUP:
        return relate_to_baseline(figure, names, rows, baseline, error);
    case FIGURE_Y_X_BOUND:
        return relate_to_bound(names, rows, error);
    case FIGURE_Y_X_PREDICTED:
        return relate_to_prediction(figure, names, rows, error);
    case FIGURE_Y_SHARES:
    case FIGURE_Y_PARTS:
        return keep_predicted(figure, names, rows, error);
    default:
        for (guint i = 0; i < rows->len; i++)
            g_array_index(rows, FigureRow, i).against = (double)g_array_index(rows, FigureRow, i).bytes;
        return TRUE;
    }
}
