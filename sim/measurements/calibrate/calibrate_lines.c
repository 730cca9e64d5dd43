// Figures that come from a line through times over sizes: alpha and beta (or G and S) from one-way messages, gamma from
// the reductions of one rank, and single from copies out of another rank's buffer.
#include "measurements/calibrate/calibration.h"
#include "base/units.h"
#include <math.h>

// Returns the samples of one kind in all logs, by size, and appends the names of their files to `from`. Samples that
// cannot be used are among them, with left_out set.
static GArray *points_of(Calibration *c, const GPtrArray *logs, LogSampleKind kind, GString *from)
{
    GArray *points = g_array_new(FALSE, TRUE, sizeof(CalibratedPoint));
    g_autofree char *series = kind == LOG_REDUCE || kind == LOG_SINGLE ? g_strdup(log_kind_name(kind, COLL_BCAST))
                              : c->level                               ? g_strdup_printf("one way at %s", c->level)
                                                                       : g_strdup("one way");
    const Log *last = NULL;
    for (const LogSample *s = NULL; (s = logs_next(logs, s));) {
        if ((s->kind == LOG_PRTT ? LOG_ONE_WAY : s->kind) != kind || !calibration_is_at(s, c->level))
            continue;
        const CalibratedPoint point = {.kind = kind,
                                       .sample = s,
                                       .series = calibration_series(c, series),
                                       .measured_s = s->time_s,
                                       .left_out = !calibration_can_use(s)};
        g_array_append_val(points, point);
        if (s->log != last)
            calibration_add_source(from, s->log, TRUE);
        last = s->log;
    }
    calibration_sort(points);
    return points;
}

// Returns the points of at most most_bytes that are not left out, as FitPoint.
static GArray *used_points(const GArray *points, double most_bytes)
{
    GArray *used = g_array_new(FALSE, FALSE, sizeof(FitPoint));
    for (guint i = 0; i < points->len; i++) {
        const CalibratedPoint *p = &g_array_index(points, CalibratedPoint, i);
        const FitPoint point = {(double)p->sample->bytes, p->measured_s, 1};
        if (!p->left_out && point.x <= most_bytes)
            g_array_append_val(used, point);
    }
    fit_weigh_doublings((FitPoint *)(void *)used->data, used->len);
    return used;
}

// Leaves out the outliers and returns the points that stay, as FitPoint. Returns NULL if they have fewer than 3
// different sizes.
static GArray *keep(GArray *points)
{
    g_autoptr(GArray) all = used_points(points, INFINITY);
    g_autofree gboolean *outlier = calibration_outliers(all);
    if (!outlier)
        return NULL;
    for (guint i = 0, k = 0; i < points->len; i++) {
        CalibratedPoint *p = &g_array_index(points, CalibratedPoint, i);
        if (!p->left_out)
            p->left_out = outlier[k++];
    }
    g_autoptr(GArray) kept = used_points(points, INFINITY);
    return calibration_different(kept) < 3 ? NULL : g_steal_pointer(&kept);
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

void calibrate_one_way(Calibration *c, const GPtrArray *logs)
{
    g_autoptr(GString) from = g_string_new(NULL);
    g_autoptr(GArray) points = points_of(c, logs, LOG_ONE_WAY, from);
    g_autoptr(GArray) kept = keep(points);
    if (!kept) {
        if (points->len)
            calibration_missing(c, c->model == &hockney_model ? KEY_BETA : KEY_G_BYTE,
                                "one-way times of at least 3 different sizes above 0 s");
        return;
    }
    const gboolean hockney = c->model == &hockney_model;
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
        p->pieces_s = fit_pieces_at(pieces, (double)p->sample->bytes);
        g_array_append_val(c->points, *p);
    }
    if (c->pieces) {
        g_array_unref(pieces); // the pieces of g and G are reported instead
        return;
    }
    c->pieces = pieces;
    c->pieces_source =
        g_strdup_printf("%s: one-way times, up to %d lines of least sum of |ln(predicted/measured)|, their number by "
                        "the Bayesian information criterion",
                        from->str, FIT_MAX_PIECES);
}

void calibrate_reduce(Calibration *c, const GPtrArray *logs)
{
    g_autoptr(GString) from = g_string_new(NULL);
    g_autoptr(GArray) points = points_of(c, logs, LOG_REDUCE, from);
    g_autoptr(GArray) kept = keep(points);
    if (!kept) {
        if (points->len)
            calibration_missing(c, KEY_GAMMA, "rows of reduce_local of at least 3 different sizes above 0 s");
        return;
    }
    const FitPiece line = fit_line((const FitPoint *)(void *)kept->data, kept->len);
    g_autofree char *least = units_format_size((size_t)line.from), *most = units_format_size((size_t)line.to);
    calibration_found(c, KEY_GAMMA, line.slope, kept->len, points->len - kept->len, line_errors(kept, &line),
                      g_strdup_printf("%s: slope of the line through reductions of %s to %s bytes by one rank, least "
                                      "sum of |ln(predicted/measured)|",
                                      from->str, least, most));
    c->call_s = line.at_zero;
    g_array_append_vals(c->points, points->data, points->len);
    if (line.at_zero > 0) {
        g_autofree char *call = units_format_time(line.at_zero);
        g_ptr_array_add(c->notes,
                        g_strdup_printf("calling a reduction takes another %s, which no model charges", call));
    }
}

void calibrate_single(Calibration *c, const GPtrArray *logs)
{
    g_autoptr(GString) from = g_string_new(NULL);
    g_autoptr(GArray) points = points_of(c, logs, LOG_SINGLE, from);
    g_autoptr(GArray) kept = keep(points);
    if (!kept) {
        if (points->len)
            g_ptr_array_add(c->notes,
                            g_strdup("single is not known: it needs rows of single_copy of at least 3 different "
                                     "sizes above 0 s"));
        return;
    }
    const FitPiece line = fit_line((const FitPoint *)(void *)kept->data, kept->len);
    g_autofree char *least = units_format_size((size_t)line.from), *most = units_format_size((size_t)line.to);
    calibration_found(c, KEY_SINGLE, fmax(line.at_zero, 0), kept->len, points->len - kept->len,
                      line_errors(kept, &line),
                      g_strdup_printf("%s: start of the line through single copies of %s to %s bytes, least sum of "
                                      "|ln(predicted/measured)|",
                                      from->str, least, most));
    c->single_byte = line.slope;
    g_array_append_vals(c->points, points->data, points->len);
}
