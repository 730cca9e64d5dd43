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
        found[f] = (SpreadFound){n, n ? fit_quantile(logs, n, 0.683) : NAN};
    }
}

gboolean spreads_set(Platform *platform, const SpreadFound found[N_SPREADS], const char *what)
{
    g_autoptr(GString) source = g_string_new(what);
    gboolean any = FALSE;
    for (int f = 0; f < N_SPREADS; f++)
        any |= found[f].rows >= SPREAD_LEAST_ROWS;
    for (int f = 0; any && f < N_SPREADS; f++) {
        const gboolean enough = found[f].rows >= SPREAD_LEAST_ROWS;
        platform->spread[f] = enough ? CLAMP(found[f].sd, SPREAD_LEAST, SPREAD_MOST) : 0;
        if (enough)
            g_string_append_printf(source, ", %s %u", spread_families[f].name, found[f].rows);
    }
    if (any) {
        g_free(platform->spread_source);
        platform->spread_source = g_string_free(g_steal_pointer(&source), FALSE);
    }
    return any;
}
