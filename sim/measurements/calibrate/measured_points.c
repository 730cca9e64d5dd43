#include "measurements/calibrate/measured_points.h"
#include <math.h>

// Adds the times of messages one way between nodes, or with `inner` those at the levels inside.
static void add_one_way(const MeasuredFit *fit, const GPtrArray *logs, gboolean inner, Calibration *c)
{
    const Measured *m = fit->platform->measured;
    for (const LogSample *s = NULL; (s = logs_next(logs, s));) {
        int level = m->n_levels - 1;
        if ((s->kind != LOG_ONE_WAY && s->kind != LOG_PRTT) || calibration_is_at(s, NULL) == inner ||
            (inner && !levels_find(&fit->platform->levels, s->level, &level, NULL)))
            continue;
        g_autofree char *series =
            g_strconcat(MEASURED_CALIBRATED "one way", inner ? " at " : "", inner ? s->level : "", NULL);
        const CalibratedPoint point = {.kind = LOG_ONE_WAY,
                                       .sample = s,
                                       .series = calibration_series(c, series),
                                       .measured_s = s->time_s,
                                       .predicted_s = table_time_at(m->level[level].one, s->bytes),
                                       .left_out = s->time_s <= 0};
        g_array_append_val(c->points, point);
    }
}

// Returns the step from one row that is simulated to the next, so that all together take less than a minute: p^2 messages
// are counted for p ranks. Notes it if it is above 1.
static guint stride_of(const GArray *rows, Calibration *c)
{
    const double most = 1e8;
    double messages = 0;
    for (guint i = 0; i < rows->len; i++)
        messages += pow(g_array_index(rows, CalibrateRow, i).op.c.p, 2);
    const guint stride = (guint)MIN(ceil(MAX(messages / most, 1)), G_MAXINT);
    if (stride > 1)
        g_ptr_array_add(c->notes,
                        g_strdup_printf("of %u rows of collectives, every %u-th is predicted: all would take long",
                                        rows->len, stride));
    return stride;
}

static gboolean add_collectives(const MeasuredFit *fit, const GArray *rows, Calibration *c, GError **error)
{
    for (guint i = 0, stride = stride_of(rows, c); i < rows->len; i += stride) {
        const CalibrateRow *row = &g_array_index(rows, CalibrateRow, i);
        const LogSample *s = row->sample;
        const PredictOptions options = {.map = row->map, .clocks = s->mean};
        g_autoptr(Prediction) p = measured_model.predict(&measured_model, &row->op, fit->platform, &options, error);
        if (!p) {
            g_prefix_error(error, "%s:%u: ", row->sample->log->name, s->line);
            return FALSE;
        }
        g_autofree char *series = g_strconcat(fit->uses_row[i] ? MEASURED_CALIBRATED : "", row->series, NULL);
        const CalibratedPoint point = {.kind = LOG_COLLECTIVE,
                                       .sample = s,
                                       .series = calibration_series(c, series),
                                       .measured_s = s->time_s,
                                       .predicted_s = prediction_mean(p),
                                       .left_out = s->time_s <= 0};
        g_array_append_val(c->points, point);
    }
    return TRUE;
}

Calibration *measured_points(const MeasuredFit *fit, const GPtrArray *logs, const GArray *rows, GError **error)
{
    g_autoptr(Calibration) c = calibration_new(&measured_model);
    add_one_way(fit, logs, FALSE, c);
    if (!add_collectives(fit, rows, c, error))
        return NULL;
    for (guint i = 0; i < fit->notes->len; i++)
        g_ptr_array_add(c->notes, g_strdup(g_ptr_array_index(fit->notes, i)));
    calibration_sort(c->points);
    return g_steal_pointer(&c);
}

Calibration *measured_points_picture(const MeasuredFit *fit, const GPtrArray *logs, const Calibration *points)
{
    Calibration *c = calibration_new(&measured_model);
    for (guint i = 0; i < points->points->len; i++) {
        CalibratedPoint point = g_array_index(points->points, CalibratedPoint, i);
        point.series = calibration_series(c, g_ptr_array_index(points->series, point.series));
        g_array_append_val(c->points, point);
    }
    add_one_way(fit, logs, TRUE, c);
    calibration_sort(c->points);
    return c;
}
