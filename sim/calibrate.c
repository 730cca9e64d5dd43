#include "calibrate.h"
#include "error.h"
#include "units.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WARM_UP    1.1 // times the second row's time
#define LEAST_JUMP 1.05

// ---- Figures -------------------------------------------------------------------------------------------------------------

// The value as its text will be read back.
static double rounded(PlatformKey key, double value)
{
    g_autofree char *text = platform_figure_text(key, value);
    double read = value;
    if (platform_keys[key].unit == PLATFORM_TIME)
        units_parse_time(text, &read, NULL);
    else if (platform_keys[key].unit == PLATFORM_PER_BYTE)
        units_parse_per_byte(text, &read, NULL);
    else if (platform_keys[key].unit == PLATFORM_NUMBER)
        read = g_ascii_strtod(text, NULL);
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
    *figure = (CalibratedFigure){TRUE, rounded(key, value), g_string_free(text, FALSE), NULL, rows, left_out, errors};
}

void calibration_missing(Calibration *c, PlatformKey key, const char *what)
{
    if (!c->figure[key].found && !c->figure[key].missing)
        c->figure[key].missing = g_strdup(what);
}

guint calibration_series(Calibration *c, const char *name)
{
    guint index;
    if (!g_ptr_array_find_with_equal_func(c->series, name, g_str_equal, &index)) {
        index = c->series->len;
        g_ptr_array_add(c->series, g_strdup(name));
    }
    return index;
}

void calibration_add_source(GString *from, const Log *log, gboolean time)
{
    g_autofree char *name = g_path_get_basename(log->name);
    g_string_append_printf(from, "%s%s (%s%s%s)", from->len ? ", " : "", name, log->format, time ? ", " : "",
                           time ? log->time_is : "");
}

gboolean calibration_warms_up(const Log *log, guint i)
{
    const Sample *s = &g_array_index(log->samples, Sample, i);
    if (i + 1 >= log->samples->len || strcmp(log->format, "CSV") == 0 || s[1].sweep != s->sweep ||
        (i > 0 && s[-1].sweep == s->sweep))
        return FALSE;
    return s->bytes < s[1].bytes && s->time_s > WARM_UP * s[1].time_s;
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

// ---- One-way times -------------------------------------------------------------------------------------------------------

static int compare_points(const void *a, const void *b)
{
    const CalibratedPoint *x = a, *y = b;
    if (x->series != y->series)
        return x->series < y->series ? -1 : 1;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

// The one-way times of all logs, by size; `from` names the files. What cannot be used is there, left out.
static GArray *one_way_points(Calibration *c, const GPtrArray *logs, GString *from)
{
    GArray *points = g_array_new(FALSE, TRUE, sizeof(CalibratedPoint));
    for (guint l = 0; l < logs->len; l++) {
        const Log *log = g_ptr_array_index(logs, l);
        const guint before = points->len;
        for (guint i = 0; i < log->samples->len; i++) {
            const Sample *s = &g_array_index(log->samples, Sample, i);
            if (s->kind == SAMPLE_COLLECTIVE)
                continue;
            const CalibratedPoint point = {.log = log,
                                           .line = s->line,
                                           .series = calibration_series(c, "one way"),
                                           .bytes = s->bytes,
                                           .measured_s = s->time_s,
                                           .left_out = s->time_s <= 0 || calibration_warms_up(log, i)};
            g_array_append_val(points, point);
        }
        if (points->len > before)
            calibration_add_source(from, log, TRUE);
    }
    g_array_sort(points, compare_points);
    return points;
}

// Those that are not left out, as x and y.
static GArray *used_points(const GArray *points, double most_bytes)
{
    GArray *used = g_array_new(FALSE, FALSE, sizeof(FitPoint));
    for (guint i = 0; i < points->len; i++) {
        const CalibratedPoint *p = &g_array_index(points, CalibratedPoint, i);
        const FitPoint point = {(double)p->bytes, p->measured_s, 1};
        if (!p->left_out && point.x <= most_bytes)
            g_array_append_val(used, point);
    }
    fit_weigh_doublings((FitPoint *)(void *)used->data, used->len);
    return used;
}

static guint different_sizes(const GArray *used)
{
    guint n = 0;
    for (guint i = 0; i < used->len; i++)
        n += i == 0 || g_array_index(used, FitPoint, i).x > g_array_index(used, FitPoint, i - 1).x;
    return n;
}

// Leaves out what is far off its piece; `used` are the points that are not left out.
static void leave_out(GArray *points, const GArray *used, const GArray *pieces)
{
    g_autofree gboolean *outlier = g_new(gboolean, used->len);
    fit_outliers((const FitPoint *)(void *)used->data, used->len, pieces, outlier);
    for (guint i = 0, k = 0; i < points->len; i++) {
        CalibratedPoint *p = &g_array_index(points, CalibratedPoint, i);
        if (!p->left_out)
            p->left_out = outlier[k++];
    }
}

static FitErrors line_errors(const GArray *used, const FitPiece *line)
{
    g_autofree double *errors = g_new(double, used->len);
    for (guint i = 0; i < used->len; i++) {
        const FitPoint *p = &g_array_index(used, FitPoint, i);
        errors[i] = fabs((line->at_zero + line->slope * p->x) / p->y - 1);
    }
    return fit_errors(errors, used->len);
}

// Alpha, beta and the pieces; in the log family G and S, where no loggp rows told them.
static void calibrate_one_way(Calibration *c, const GPtrArray *logs)
{
    g_autoptr(GString) from = g_string_new(NULL);
    g_autoptr(GArray) points = one_way_points(c, logs, from);
    g_autoptr(GArray) all = used_points(points, INFINITY);
    if (different_sizes(all) < 3) {
        if (points->len)
            calibration_missing(c, c->model == &hockney_model ? KEY_BETA : KEY_G_BYTE,
                                "one-way times of at least 3 different sizes above 0 s");
        return;
    }
    g_autoptr(GArray) first = fit_pieces((const FitPoint *)(void *)all->data, all->len);
    leave_out(points, all, first);
    const gboolean hockney = c->model == &hockney_model;
    g_autoptr(GArray) kept = used_points(points, INFINITY);
    GArray *pieces = fit_pieces((const FitPoint *)(void *)kept->data, kept->len);
    const double eager = calibration_eager(pieces, 0);
    g_autoptr(GArray) used = hockney ? g_array_ref(kept) : used_points(points, eager);
    const FitPiece line = fit_line((const FitPoint *)(void *)used->data, used->len);
    const FitErrors errors = line_errors(used, &line);
    const guint left_out = points->len - kept->len;
    g_autofree char *least = units_format_size((size_t)line.from), *most = units_format_size((size_t)line.to);
    g_autofree char *what =
        g_strdup_printf("%s: line through one-way times of %s to %s bytes, least sum of |ln(predicted/measured)|",
                        from->str, least, most);
    if (hockney) {
        calibration_found(c, KEY_ALPHA, line.at_zero, used->len, left_out, errors, g_strdup(what));
        calibration_found(c, KEY_BETA, line.slope, used->len, left_out, errors, g_strdup(what));
    } else if (!c->figure[KEY_S].found) {
        calibration_found(c, KEY_G_BYTE, line.slope, used->len, left_out, errors, g_strdup(what));
        calibration_found(
            c, KEY_S, eager, 0, 0, (FitErrors){0},
            g_strdup_printf("%s: %s", from->str,
                            isinf(eager) ? "one-way times do not jump" : "where one-way times jump most"));
    }
    for (guint i = 0; i < points->len; i++) {
        CalibratedPoint *p = &g_array_index(points, CalibratedPoint, i);
        p->pieces_s = fit_pieces_at(pieces, (double)p->bytes);
        g_array_append_val(c->points, *p);
    }
    if (c->pieces) {
        g_array_unref(pieces); // those of g and G are told
        return;
    }
    c->pieces = pieces;
    c->pieces_source =
        g_strdup_printf("%s: one-way times, up to %d lines of least sum of |ln(predicted/measured)|, their number by "
                        "the Bayesian information criterion",
                        from->str, FIT_MAX_PIECES);
}

// ---- All -----------------------------------------------------------------------------------------------------------------

static gboolean any_kind(const GPtrArray *logs, SampleKind kind)
{
    for (guint l = 0; l < logs->len; l++) {
        const Log *log = g_ptr_array_index(logs, l);
        for (guint i = 0; i < log->samples->len; i++)
            if (g_array_index(log->samples, Sample, i).kind == kind)
                return TRUE;
    }
    return FALSE;
}

// What would tell a figure of which nothing is known.
static const char *needed(PlatformKey key)
{
    static const char loggp[] = "output of netgauge -x loggp (a ping-pong has only the sum L + 2 o)";
    switch (key) {
    case KEY_GAMMA:
        return "rows of a reduction (allreduce, reduce, reduce_scatter, scan) on 2 or more ranks";
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
        return "rows of shm_ algorithms where many ranks read one fragment";
    default:
        return "rows of algorithms of shared memory (shm_*) of several sizes";
    }
}

// What the figures make of a one-way message.
static double one_way_time(const Calibration *c, size_t bytes)
{
    const CalibratedFigure *f = c->figure;
    if (c->model == &hockney_model)
        return f[KEY_ALPHA].value + (double)bytes * f[KEY_BETA].value;
    const double further = bytes > 1 ? (double)(bytes - 1) : 0;
    return f[KEY_L].value + 2 * f[KEY_O_CPU].value + further * MAX(f[KEY_G_BYTE].value, f[KEY_O_BYTE].value);
}

static void take_assumed(Calibration *c, const Platform *assumed)
{
    for (int k = 0; assumed && k < N_PLATFORM_KEYS; k++)
        if (assumed->has[k])
            calibration_found(c, k, assumed->value[k], 0, 0, (FitErrors){0},
                              g_strdup_printf("assumed, not measured: %s", assumed->source[k]));
}

// "L, o: what tells them; gamma: what tells it", of all that is missing.
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

static gboolean check_found(Calibration *c, const Platform *assumed, GError **error)
{
    gboolean any = FALSE;
    for (size_t i = 0; i < c->model->n_keys; i++) {
        const PlatformKey key = c->model->keys[i];
        any |= c->figure[key].found && !(assumed && assumed->has[key]);
        calibration_missing(c, key, needed(key));
    }
    g_autofree char *lacks = lacking(c);
    return any || bad_input(error, "no figure of model %s can be told; missing: %s", c->model->name, lacks);
}

Calibration *calibrate(const Model *model, const GPtrArray *logs, const GArray *rows, const Platform *assumed,
                       GError **error)
{
    g_autoptr(Calibration) c = g_new0(Calibration, 1);
    c->model = model;
    c->series = g_ptr_array_new_with_free_func(g_free);
    c->points = g_array_new(FALSE, TRUE, sizeof(CalibratedPoint));
    c->notes = g_ptr_array_new_with_free_func(g_free);
    if (!model->shared) {
        if (model != &hockney_model && any_kind(logs, SAMPLE_PRTT))
            calibrate_loggp(c, logs);
        calibrate_one_way(c, logs);
    }
    take_assumed(c, assumed);
    if (rows->len && !calibrate_rows(c, rows, error))
        return NULL;
    if (!check_found(c, assumed, error))
        return NULL;
    for (guint i = 0; i < c->points->len; i++) {
        CalibratedPoint *p = &g_array_index(c->points, CalibratedPoint, i);
        if (strcmp(g_ptr_array_index(c->series, p->series), "one way") == 0)
            p->predicted_s = one_way_time(c, p->bytes);
    }
    g_array_sort(c->points, compare_points);
    return g_steal_pointer(&c);
}

Platform *calibration_platform(const Calibration *c, const char *name, const char *title)
{
    Platform *platform = g_new0(Platform, 1);
    platform->name = g_strdup(name);
    platform->title = g_strdup(title);
    for (int k = 0; k < N_PLATFORM_KEYS; k++) {
        platform->has[k] = c->figure[k].found;
        platform->value[k] = c->figure[k].value;
        platform->source[k] = g_strdup(c->figure[k].source);
    }
    if (!c->pieces || c->model != &hockney_model || c->pieces->len < 2)
        return platform;
    platform->pieces = g_array_new(FALSE, TRUE, sizeof(PlatformPiece));
    platform->pieces_source = g_strdup(c->pieces_source);
    for (guint i = 0; i < c->pieces->len; i++) {
        const FitPiece *piece = &g_array_index(c->pieces, FitPiece, i);
        const PlatformPiece p = {i ? (size_t)piece->from : 0, rounded(KEY_ALPHA, piece->at_zero),
                                 rounded(KEY_BETA, piece->slope)};
        g_array_append_val(platform->pieces, p);
    }
    return platform;
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
    g_free(c->pieces_source);
    g_ptr_array_unref(c->series);
    g_array_unref(c->points);
    g_ptr_array_unref(c->notes);
    g_free(c);
}
