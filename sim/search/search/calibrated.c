#include "search/search/calibrated.h"
#include "engine/model/unknown.h"
#include "measurements/calibrate/measured_points.h"
#include "search/search/measurement_rows.h"

// Takes a figure away from the platform.
static void forget(Platform *platform, PlatformKey key)
{
    platform->has[key] = FALSE;
    platform->value[key] = 0;
    g_clear_pointer(&platform->source[key], g_free);
}

// Takes gamma away from what is assumed if the logs have reductions, which are better than the gamma of --base.
static void prefer_logs(Platform *assumed, const GPtrArray *logs)
{
    for (int i = 0; i < 2 && logs_have(logs, LOG_REDUCE); i++) {
        const PlatformKey key = i ? KEY_REDUCE : KEY_GAMMA;
        if (assumed->has[key] && !calibration_is_set(assumed, key, -1))
            forget(assumed, key);
    }
}

Platform *calibrated_assume(const Platform *base)
{
    Platform *x = platform_copy(base);
    calibration_settle_sets(x);
    return x;
}

void calibrated_clear(Calibrated *found)
{
    calibration_free(found->c);
    measured_fit_free(found->fit);
}

// Notes that gamma is not known if rows that reduce were predicted without it.
static void note_gamma(const GArray *rows, const Calibrated *found, GPtrArray *notes)
{
    gboolean reduces = FALSE;
    for (guint i = 0; i < rows->len; i++)
        reduces |= collectives[g_array_index(rows, CalibrateRow, i).op.algorithm->collective].reduces;
    if (found->fit)
        unknown_note(notes, &measured_model, found->fit->platform, reduces, 0);
}

// Notes the rows of messages that a model other than measured does not use.
static void note_unused(const Model *model, const GPtrArray *logs, GPtrArray *notes)
{
    for (guint l = 0; l < logs->len; l++) {
        const Log *log = g_ptr_array_index(logs, l);
        guint n = 0;
        LogSampleKind kind = LOG_WINDOW;
        for (guint i = 0; i < log->samples->len; i++) {
            const LogSample *s = &g_array_index(log->samples, LogSample, i);
            const gboolean way = s->kind == LOG_ONE_WAY || s->kind == LOG_PRTT;
            if (s->kind == LOG_COLLECTIVE || s->kind == LOG_REDUCE || (way && !model->shared) ||
                (s->kind == LOG_SINGLE && model->shared))
                continue;
            kind = s->kind;
            n++;
        }
        if (n)
            g_ptr_array_add(notes, g_strdup_printf("%s: %u rows of %s are passed over: model %s does not use them%s",
                                                   log->name, n, log_kind_name(kind, 0), model->name,
                                                   kind == LOG_SINGLE ? "; --model shared does"
                                                   : model->shared    ? ""
                                                                      : "; --model measured does"));
    }
}

gboolean calibrated_find(const Model *model, const GPtrArray *logs, Platform *assumed, GPtrArray *keep,
                         Calibrated *found, GError **error)
{
    const gboolean measured = model == &measured_model;
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    if (!logs_agree(logs, error))
        return FALSE;
    prefer_logs(assumed, logs);
    measurement_rows_prepare(logs, model, notes);
    if (!measured)
        note_unused(model, logs, notes);
    g_autoptr(GArray) rows = measurement_rows_make(logs, model, measured ? assumed : NULL, keep, notes, error);
    if (!rows)
        return FALSE;
    if (measured)
        found->fit = measured_fit(logs, rows, assumed, error);
    found->c = !measured    ? calibrate(model, logs, rows, assumed, error)
               : found->fit ? measured_points(found->fit, logs, rows, error)
                            : NULL;
    if (found->c)
        note_gamma(rows, found, notes);
    else if (rows->len == 0 && notes->len > 0 && error && *error && // the notes say what became of the rows
             g_str_has_prefix((*error)->message, "no figure of ")) {
        g_autofree char *message = g_strdup_printf("%s; %s", (*error)->message, (const char *)notes->pdata[0]);
        g_free((*error)->message);
        (*error)->message = g_steal_pointer(&message);
    }
    for (guint i = 0; found->c && i < notes->len; i++)
        g_ptr_array_add(found->c->notes, g_strdup(g_ptr_array_index(notes, i)));
    return found->c != NULL;
}
