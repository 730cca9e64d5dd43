#include "measurements/calibrate/calibration.h"
#include "base/error.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WARM_UP    1.1  // a first row that takes more than this times the second row's time was warming up
#define LEAST_JUMP 1.05 // the smallest factor by which times jump at an eager limit

// ---- Figures --------------------------------------------------------------------------------------------------------

double calibration_rounded(PlatformKey key, double value)
{
    g_autofree char *text = platform_figure_text(key, value);
    double read = value;
    figure_parse(platform_keys[key].unit, text, &read, NULL);
    return read;
}

void calibration_found(Calibration *c, PlatformKey key, double value, guint rows, guint left_out, FitErrors errors,
                       char *source)
{
    GString *text = g_string_new(source);
    g_free(source);
    if (rows)
        g_string_append_printf(text, "; error %.1f %% median, %.1f %% p90, %.1f %% worst of %u rows",
                               100 * errors.median, 100 * errors.p90, 100 * errors.worst, rows);
    if (left_out)
        g_string_append_printf(text, ", %u left out", left_out);
    CalibratedFigure *figure = &c->figure[key];
    g_free(figure->source);
    g_clear_pointer(&figure->missing, g_free);
    *figure = (CalibratedFigure){.found = TRUE,
                                 .value = calibration_rounded(key, value),
                                 .source = g_string_free(text, FALSE),
                                 .rows = rows,
                                 .left_out = left_out,
                                 .errors = errors};
}

void calibration_missing(Calibration *c, PlatformKey key, const char *what)
{
    if (!c->figure[key].found && !c->figure[key].missing)
        c->figure[key].missing = g_strdup(what);
}

guint calibration_series(Calibration *c, const char *name)
{
    gpointer index;
    if (g_hash_table_lookup_extended(c->series_index, name, NULL, &index))
        return GPOINTER_TO_UINT(index);
    char *const copy = g_strdup(name);
    g_ptr_array_add(c->series, copy);
    g_hash_table_insert(c->series_index, copy, GUINT_TO_POINTER(c->series->len - 1));
    return c->series->len - 1;
}

void calibration_add_source(GString *from, const Log *log, gboolean time)
{
    enum { LONG = 1000 }; // bytes, after which further names become ".."
    g_autofree char *name = g_path_get_basename(log->name);
    if (from->len > LONG) {
        if (!g_str_has_suffix(from->str, ", .."))
            g_string_append(from, ", ..");
        return;
    }
    g_string_append_printf(from, "%s%s (%s%s%s)", from->len ? ", " : "", name, log->format, time ? ", " : "",
                           time ? log->time_is : "");
}

gboolean calibration_warms_up(const LogSample *s)
{
    const LogSample *const all = (const LogSample *)(void *)s->log->samples->data;
    if (s + 1 >= all + s->log->samples->len || s->log->warm || s[1].sweep != s->sweep ||
        (s > all && s[-1].sweep == s->sweep))
        return FALSE;
    return s->bytes < s[1].bytes && s[1].time_s > 0 && s->time_s > WARM_UP * s[1].time_s;
}

gboolean calibration_can_use(const LogSample *s)
{
    return s->time_s > 0 && !calibration_warms_up(s);
}

guint calibration_different(const GArray *points)
{
    guint n = 0;
    for (guint i = 0; i < points->len; i++)
        n += i == 0 || g_array_index(points, FitPoint, i).x > g_array_index(points, FitPoint, i - 1).x;
    return n;
}

gboolean *calibration_outliers(const GArray *points)
{
    if (calibration_different(points) < 3)
        return NULL;
    const FitPoint *data = (const FitPoint *)(const void *)points->data;
    g_autoptr(GArray) pieces = fit_pieces(data, points->len);
    gboolean *outlier = g_new(gboolean, points->len);
    fit_outliers(data, points->len, pieces, outlier);
    return outlier;
}

double calibration_eager(const GArray *pieces, double shift)
{
    double most = LEAST_JUMP, limit = INFINITY;
    for (guint i = 1; i < pieces->len; i++) {
        const double last = g_array_index(pieces, FitPiece, i - 1).to + shift;
        const double next = g_array_index(pieces, FitPiece, i).from + shift, power = exp2(ceil(log2(MAX(last, 1))));
        if (fit_jump(pieces, i) < most)
            continue;
        most = fit_jump(pieces, i);
        limit = power < next ? power : last;
    }
    return limit;
}

// ---- The calibration ------------------------------------------------------------------------------------------------

static int compare_points(const void *a, const void *b)
{
    const CalibratedPoint *x = a, *y = b;
    if (x->series != y->series)
        return x->series < y->series ? -1 : 1;
    if (x->sample->bytes != y->sample->bytes)
        return x->sample->bytes < y->sample->bytes ? -1 : 1;
    return (x->sample->line > y->sample->line) - (x->sample->line < y->sample->line);
}

void calibration_sort(GArray *points)
{
    g_array_sort(points, compare_points);
}

static void free_inner(gpointer c)
{
    calibration_free(c);
}

Calibration *calibration_new(const Model *model)
{
    Calibration *c = g_new0(Calibration, 1);
    c->model = model;
    c->inner = g_ptr_array_new_with_free_func(free_inner);
    c->series = g_ptr_array_new_with_free_func(g_free);
    c->series_index = g_hash_table_new(g_str_hash, g_str_equal);
    c->points = g_array_new(FALSE, TRUE, sizeof(CalibratedPoint));
    c->notes = g_ptr_array_new_with_free_func(g_free);
    return c;
}

void calibration_free(Calibration *c)
{
    if (!c)
        return;
    for (int k = 0; k < N_PLATFORM_KEYS; k++) {
        g_free(c->figure[k].source);
        g_free(c->figure[k].missing);
    }
    if (c->pieces)
        g_array_unref(c->pieces);
    g_ptr_array_unref(c->inner);
    g_free(c->pieces_source);
    g_hash_table_unref(c->series_index);
    g_ptr_array_unref(c->series);
    g_array_unref(c->points);
    g_ptr_array_unref(c->notes);
    g_free(c);
}

// ---- Labels ---------------------------------------------------------------------------------------------------------

gboolean calibration_level_of(const Levels *levels, const LogSample *s, int *level, GError **error)
{
    *level = levels->n - 1;
    if (!s->level || levels_find(levels, s->level, level, NULL))
        return TRUE;
    g_autofree char *name = error_quote(s->level);
    if (levels->n == 1)
        return bad_input(error,
                         "%s: the label has the level %s, and the machine has none; allowed: --base with a platform "
                         "that has [levels]",
                         s->log->name, name);
    levels_find(levels, s->level, level, error);
    g_prefix_error(error, "%s: the label: ", s->log->name);
    return FALSE;
}

gboolean calibration_is_at(const LogSample *s, const char *level)
{
    return strcmp(s->level ? s->level : "far", level ? level : "far") == 0;
}

gboolean calibration_is_set(const Platform *x, PlatformKey key, int level)
{
    const char *own = level >= 0 && x->by_level[key] ? x->level_source[key][level] : NULL;
    const char *source = own ? own : x->source[key];
    if (level >= 0 && x->by_level[key] && isnan(x->by_level[key][level]))
        return FALSE;
    return source && g_str_has_prefix(source, "--set ");
}

// Replaces a source by one that does not begin with --set.
static void settle(char **source)
{
    if (!*source || !g_str_has_prefix(*source, "--set "))
        return;
    char *settled = g_strdup_printf("assumed, not measured: %s", *source);
    g_free(*source);
    *source = settled;
}

void calibration_settle_sets(Platform *x)
{
    for (int k = 0; k < N_PLATFORM_KEYS; k++) {
        settle(&x->source[k]);
        for (int i = 0; x->by_level[k] && i < x->levels.n; i++)
            settle(&x->level_source[k][i]);
    }
}
