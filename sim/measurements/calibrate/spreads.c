#include "measurements/calibrate/spreads.h"
#include "measurements/calibrate/fit.h"
#include <math.h>

void spreads_add(GArray *rows, const char *algorithm, double measured_s, double predicted_s)
{
    const SpreadRow row = {spread_family(algorithm), log(measured_s / predicted_s)};
    if (measured_s > 0 && predicted_s > 0) // false for NAN
        g_array_append_val(rows, row);
}

void spreads_find(const GArray *rows, SpreadFound found[N_SPREADS])
{
    g_autofree double *logs = g_new(double, MAX(rows->len, 1));
    for (guint i = 0; i < rows->len; i++)
        logs[i] = g_array_index(rows, SpreadRow, i).log;
    const double middle = fit_errors(logs, rows->len).median;
    for (int f = 0; f < N_SPREADS; f++) {
        guint n = 0;
        for (guint i = 0; i < rows->len; i++)
            if (g_array_index(rows, SpreadRow, i).family == f)
                logs[n++] = fabs(g_array_index(rows, SpreadRow, i).log - middle);
        const double deviation = n ? fit_quantile(logs, n, 0.683) : NAN,
                     rest = sqrt(MAX(deviation * deviation - SPREAD_NOISE * SPREAD_NOISE, 0));
        found[f] = (SpreadFound){n, deviation, n ? CLAMP(rest, SPREAD_LEAST, SPREAD_MOST) : NAN};
    }
}

// Returns the families that have rows, with how many: those that have enough, or the others. NULL if there are none.
static char *list(const SpreadFound found[N_SPREADS], gboolean enough)
{
    GString *text = g_string_new(NULL);
    for (int f = 0; f < N_SPREADS; f++)
        if (found[f].rows && (found[f].rows >= SPREAD_LEAST_ROWS) == enough)
            g_string_append_printf(text, "%s%s %u", text->len ? ", " : "", spread_families[f].name, found[f].rows);
    return g_string_free(text, text->len == 0);
}

char *spreads_few(const SpreadFound found[N_SPREADS])
{
    return list(found, FALSE);
}

gboolean spreads_set(Platform *platform, const SpreadFound found[N_SPREADS], const char *what)
{
    g_autofree char *enough = list(found, TRUE);
    if (!enough)
        return FALSE;
    for (int f = 0; f < N_SPREADS; f++)
        platform->spread[f] = found[f].rows >= SPREAD_LEAST_ROWS ? found[f].spread : 0;
    g_free(platform->spread_source);
    platform->spread_source = g_strdup_printf("%s: %s", what, enough);
    return TRUE;
}
