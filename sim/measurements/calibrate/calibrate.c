#include "measurements/calibrate/calibrate.h"
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

// Returns which measurements would determine a figure.
static const char *needed(PlatformKey key)
{
    static const char loggp[] = "output of netgauge -x loggp (a ping-pong gives only the sum L + 2 o)";
    switch (key) {
    case KEY_GAMMA:
        return "rows of reduce_local, or of allreduce, reduce, scan .. on 2 or more ranks";
    case KEY_ALPHA:
    case KEY_BETA:
        return "a ping-pong (OSU osu_latency, IMB PingPong, netgauge, CSV), or rows of collectives of several sizes";
    case KEY_L:
    case KEY_O_CPU:
    case KEY_G_GAP:
    case KEY_O_BYTE:
        return loggp;
    case KEY_G_BYTE:
    case KEY_S:
        return "output of netgauge -x loggp, or a ping-pong";
    case KEY_LANES:
        return "rows of shm_ algorithms in which many ranks read one fragment";
    default:
        return "rows of algorithms of shared memory (shm_*) of several sizes";
    }
}

// Returns the one-way time of a message that the figures predict, in seconds.
static double one_way_time(const Calibration *c, size_t bytes)
{
    const CalibratedFigure *f = c->figure;
    if (c->model == &hockney_model)
        return f[KEY_ALPHA].value + (double)bytes * f[KEY_BETA].value;
    const double further = bytes > 1 ? (double)(bytes - 1) : 0;
    return f[KEY_L].value + 2 * f[KEY_O_CPU].value + further * MAX(f[KEY_G_BYTE].value, f[KEY_O_BYTE].value);
}

static gboolean has_key(const Model *model, PlatformKey key)
{
    for (size_t i = 0; i < model->n_keys; i++)
        if (model->keys[i] == key)
            return TRUE;
    return FALSE;
}

// Takes figures at a level of `assumed`: those of --set, and those of the model that have not been found.
static void take_assumed(Calibration *c, const Platform *assumed, int level)
{
    for (PlatformKey k = 0; k < N_PLATFORM_KEYS; k++) {
        const double value = platform_at(assumed, k, level);
        const char *own = assumed->by_level[k] ? assumed->level_source[k][level] : NULL;
        const gboolean set = calibration_is_set(assumed, k, level);
        if ((assumed->by_level[k] ? isnan(value) : !assumed->has[k]) || (c->level && !platform_keys[k].by_level))
            continue;
        if (!set && (c->figure[k].found || !has_key(c->model, k)))
            continue;
        calibration_found(c, k, value, 0, 0, (FitErrors){0},
                          g_strdup_printf("assumed, not measured: %s", own ? own : assumed->source[k]));
        c->figure[k].known = TRUE;
        c->figure[k].given = set;
    }
}

// Returns the missing figures as "L, o: what would determine them; gamma: what would determine it". Free with g_free.
static char *lacking(const Calibration *c)
{
    GString *text = g_string_new(NULL);
    const Model *model = c->model;
    for (size_t i = 0; i < model->n_keys; i++) {
        const char *missing = c->figure[model->keys[i]].missing;
        if (!missing || strstr(text->str, missing))
            continue;
        for (size_t k = i; k < model->n_keys; k++)
            if (g_strcmp0(missing, c->figure[model->keys[k]].missing) == 0)
                g_string_append_printf(text, "%s%s",
                                       k > i       ? ", "
                                       : text->len ? "; "
                                                   : "",
                                       platform_keys[model->keys[k]].name);
        g_string_append_printf(text, ": %s", missing);
    }
    return g_string_free(text, FALSE);
}

gboolean calibration_finds(const Calibration *c, PlatformKey key)
{
    gboolean any = c->figure[key].found && !c->figure[key].known;
    for (guint i = 0; i < c->inner->len; i++)
        any |= calibration_finds(g_ptr_array_index(c->inner, i), key);
    return any;
}

static gboolean check_found(Calibration *c, GError **error)
{
    gboolean any = FALSE;
    for (size_t i = 0; i < c->model->n_keys; i++) {
        const PlatformKey key = c->model->keys[i];
        any |= calibration_finds(c, key);
        calibration_missing(c, key, needed(key));
    }
    g_autofree char *lacks = lacking(c);
    return any || bad_input(error, "no figure of model %s can be determined; missing: %s", c->model->name, lacks);
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

// Predicts the points of lines.
static void predict_points(Calibration *c)
{
    for (guint i = 0; i < c->points->len; i++) {
        CalibratedPoint *p = &g_array_index(c->points, CalibratedPoint, i);
        if (p->kind == LOG_REDUCE)
            p->predicted_s = c->call_s + (double)p->sample->bytes * c->figure[KEY_GAMMA].value;
        else if (p->kind == LOG_ONE_WAY)
            p->predicted_s = one_way_time(c, p->sample->bytes);
    }
}

// Adds the points of another calibration.
static void add_points(Calibration *c, const Calibration *from)
{
    for (guint i = 0; i < from->points->len; i++) {
        CalibratedPoint p = g_array_index(from->points, CalibratedPoint, i);
        p.series = calibration_series(c, g_ptr_array_index(from->series, p.series));
        g_array_append_val(c->points, p);
    }
}

// Returns TRUE if --set gave a figure at this level, and not at all levels.
static gboolean any_set(const Platform *assumed, int level)
{
    for (PlatformKey k = 0; k < N_PLATFORM_KEYS; k++)
        if (assumed->by_level[k] && assumed->level_source[k][level] && calibration_is_set(assumed, k, level))
            return TRUE;
    return FALSE;
}

gboolean calibrate_levels(Calibration *c, const GPtrArray *logs, const Platform *assumed, GError **error)
{
    for (int i = 0; i + 1 < assumed->levels.n; i++) {
        g_autoptr(Calibration) x = calibration_new(c->model);
        const CalibratedFigure *alpha = &x->figure[KEY_ALPHA], *beta = &x->figure[KEY_BETA];
        x->level = assumed->levels.at[i].name;
        if (c->model == &hockney_model)
            calibrate_one_way(x, logs);
        const gboolean rows = alpha->found || beta->missing;
        if (!rows && !any_set(assumed, i))
            continue;
        take_assumed(x, assumed, i);
        if (rows && !(alpha->found && beta->found))
            return bad_input(error, "alpha and beta of level %s cannot be determined; missing: %s", x->level,
                             beta->missing);
        predict_points(x);
        add_points(c, x);
        g_ptr_array_add(c->inner, g_steal_pointer(&x));
    }
    return TRUE;
}

Calibration *calibrate(const Model *model, const GPtrArray *logs, const GArray *rows, const Platform *assumed,
                       GError **error)
{
    g_autoptr(Calibration) c = calibration_new(model);
    g_autoptr(Platform) nothing = platform_new("");
    const Platform *x = assumed ? assumed : nothing;
    if (!calibrate_check_labels(model, logs, &x->levels, error))
        return NULL;
    if (!model->shared) {
        if (model != &hockney_model && logs_have(logs, LOG_PRTT))
            calibrate_loggp(c, logs);
        calibrate_one_way(c, logs);
    }
    calibrate_reduce(c, logs);
    take_assumed(c, x, x->levels.n - 1);
    if (rows->len && !calibrate_rows(c, rows, error))
        return NULL;
    predict_points(c);
    if (!calibrate_levels(c, logs, x, error) || !check_found(c, error))
        return NULL;
    calibration_sort(c->points);
    return g_steal_pointer(&c);
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
