#include "measurements/calibrate/site_sweep.h"
#include "base/units.h"
#include "measurements/calibrate/measured_table.h"
#include <math.h>
#include <string.h>

SiteSweep *site_sweep_new(void)
{
    SiteSweep *s = g_new0(SiteSweep, 1);
    s->rows = g_array_new(FALSE, TRUE, sizeof(SiteRow));
    s->from = g_string_new(NULL);
    s->names = g_string_new(NULL);
    return s;
}

void site_sweep_free(SiteSweep *s)
{
    if (!s)
        return;
    g_array_unref(s->rows);
    g_string_free(s->from, TRUE);
    g_string_free(s->names, TRUE);
    g_free(s);
}

static SiteRow *row_at(const SiteSweep *s, guint i)
{
    return &g_array_index(s->rows, SiteRow, i);
}

static int compare_rows(const void *a, const void *b)
{
    const SiteRow *x = a, *y = b;
    if (x->point.x != y->point.x)
        return x->point.x < y->point.x ? -1 : 1;
    const int name = strcmp(x->sample->log->name, y->sample->log->name);
    return name ? name : (x->sample->line > y->sample->line) - (x->sample->line < y->sample->line);
}

void site_sweep_sort(SiteSweep *s)
{
    g_array_sort(s->rows, compare_rows);
}

void site_sweep_add(SiteSweep *s, const SiteTable *t, double factor)
{
    enum { LONG = 400 }; // bytes of names, after which further ones become ".."
    g_autofree char *base = g_path_get_basename(t->log->name);
    for (guint i = 0; i < t->n; i++) {
        const SiteRow row = {{(double)t->first[i].bytes, t->first[i].time_s * factor, 1}, &t->first[i], FALSE};
        if (row.point.y > 0)
            g_array_append_val(s->rows, row);
    }
    site_sweep_sort(s);
    s->format = s->format ? s->format : t->log->format;
    if (strstr(s->names->str, base))
        return;
    if (s->names->len > LONG) {
        if (!g_str_has_suffix(s->names->str, ".."))
            g_string_append(s->names, ", ..");
        return;
    }
    g_string_append_printf(s->names, "%s%s", s->names->len ? ", " : "", base);
    g_string_printf(s->from, "%s (%s)", s->names->str, s->format);
}

// ---- Curves ---------------------------------------------------------------------------------------------------------

typedef gboolean FitCurve(const FitPoint *points, size_t n, const gboolean *spike, gpointer fit);

static gboolean fit_a_step(const FitPoint *points, size_t n, const gboolean *spike, gpointer fit)
{
    return fit_step(points, n, spike, fit);
}

static gboolean fit_a_ladder(const FitPoint *points, size_t n, const gboolean *spike, gpointer fit)
{
    return fit_ladder(points, n, spike, fit);
}

// Fits and finds spikes in turn.
static gboolean fit_curve(SiteSweep *s, FitCurve *fit, FitAt *at, gpointer curve)
{
    enum { TURNS = 3 };
    const guint n = s->rows->len;
    g_autofree FitPoint *points = g_new(FitPoint, MAX(n, 1));
    g_autofree double *y = g_new(double, MAX(n, 1));
    g_autofree gboolean *spike = g_new0(gboolean, MAX(n, 1));
    for (guint i = 0; i < n; i++)
        points[i] = row_at(s, i)->point;
    for (int turn = 0; turn < TURNS; turn++) {
        if (!fit(points, n, spike, curve))
            return FALSE;
        for (guint i = 0; i < n; i++)
            y[i] = at(curve, points[i].x);
        if (turn + 1 < TURNS)
            fit_spikes(points, n, y, spike);
    }
    for (guint i = 0; i < n; i++)
        row_at(s, i)->spike = spike[i];
    return TRUE;
}

gboolean site_sweep_step(SiteSweep *s, FitStep *step)
{
    return fit_curve(s, fit_a_step, fit_step_at, step);
}

gboolean site_sweep_ladder(SiteSweep *s, FitLadder *ladder)
{
    return fit_curve(s, fit_a_ladder, fit_ladder_at, ladder);
}

// ---- Results --------------------------------------------------------------------------------------------------------

void site_sweep_note(const SiteSweep *s, GPtrArray *notes)
{
    g_autoptr(GHashTable) said = g_hash_table_new(g_direct_hash, g_direct_equal); // logs
    for (guint i = 0; i < s->rows->len; i++) {
        const Log *const log = row_at(s, i)->sample->log;
        if (!row_at(s, i)->spike || !g_hash_table_add(said, (gpointer)(uintptr_t)log))
            continue;
        g_autoptr(GString) lines = g_string_new(NULL);
        for (guint k = i; k < s->rows->len; k++) {
            const LogSample *const sample = row_at(s, k)->sample;
            if (sample->log != log || !row_at(s, k)->spike)
                continue;
            g_autofree char *size = units_format_size(sample->bytes);
            g_string_append_printf(lines, "%s%u (%s bytes)", lines->len ? ", " : "", sample->line, size);
        }
        g_ptr_array_add(notes, g_strdup_printf("%s: left out, because the sweep's other rows contradict it: line %s",
                                               log->name, lines->str));
    }
}

// Gives sizes that took longer than larger ones the mean of both: the nearest table in which no size does.
static void make_rise(GArray *table)
{
    const guint n = table->len;
    g_autofree double *mean = g_new(double, MAX(n, 1));
    g_autofree guint *weight = g_new(guint, MAX(n, 1));
    guint blocks = 0;
    for (guint i = 0; i < n; i++) {
        mean[blocks] = g_array_index(table, MeasuredPoint, i).time_s;
        weight[blocks++] = 1;
        for (; blocks > 1 && mean[blocks - 2] > mean[blocks - 1]; blocks--) {
            const guint both = weight[blocks - 2] + weight[blocks - 1];
            mean[blocks - 2] =
                (mean[blocks - 2] * weight[blocks - 2] + mean[blocks - 1] * weight[blocks - 1]) / (double)both;
            weight[blocks - 2] = both;
        }
    }
    for (guint b = 0, i = 0; b < blocks; b++)
        for (guint k = 0; k < weight[b]; k++)
            g_array_index(table, MeasuredPoint, i++).time_s = mean[b];
}

GArray *site_sweep_table(const SiteSweep *s, FitAt *curve, const void *fit)
{
    GArray *table = g_array_new(FALSE, FALSE, sizeof(MeasuredPoint));
    g_autofree double *times = g_new(double, MAX(s->rows->len, 1));
    for (guint i = 0, next; i < s->rows->len; i = next) {
        const double x = row_at(s, i)->point.x;
        guint n = 0;
        for (next = i; next < s->rows->len && row_at(s, next)->point.x == x; next++)
            if (!row_at(s, next)->spike)
                times[n++] = row_at(s, next)->point.y;
        const MeasuredPoint point = {(uint64_t)x, n ? fit_errors(times, n).median : curve(fit, x)};
        g_array_append_val(table, point);
    }
    make_rise(table);
    return table;
}
