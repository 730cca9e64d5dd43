#include "measurements/calibrate/measured_own.h"
#include <math.h>

// A message must take some time; this is what it takes on a machine where it should cost nothing.
#define NOTHING "1:0.000001ps 2:0.000001ps"

Platform *measured_own_machine(const Platform *assumed, double gamma)
{
    static const PlatformKey work[] = {KEY_GAMMA, KEY_REDUCE, KEY_COPY, KEY_FRESH};
    g_autoptr(Platform) x = platform_new_like("own work", assumed);
    for (guint i = 0; i < G_N_ELEMENTS(work); i++)
        platform_take_figure(x, assumed, work[i]);
    if (!isnan(gamma) && !x->has[KEY_GAMMA] && !x->has[KEY_REDUCE]) {
        g_autofree char *text = platform_figure_text(KEY_REDUCE, gamma);
        platform_set_figure(x, KEY_REDUCE, NULL, text, "known", NULL);
    }
    platform_set_figure(x, KEY_ONE, NULL, NOTHING, "free", NULL);
    platform_set_figure(x, KEY_LAMBDA, NULL, "0", "free", NULL);
    for (int kind = 0; kind < N_WORK_KINDS; kind++)
        if (measured_charges(&x->measured->work[kind]))
            return g_steal_pointer(&x);
    return NULL;
}

gboolean measured_own_time(const Platform *machine, const CalibrateRow *row, MeasuredOwn *own, GError **error)
{
    const gboolean rooted = collectives[row->op.algorithm->collective].rooted;
    const PredictOptions options = {.map = row->map, .clocks = rooted || row->sample->mean};
    *own = (MeasuredOwn){0, 0};
    if (!machine)
        return TRUE;
    g_autoptr(Prediction) p = measured_model.predict(&measured_model, &row->op, machine, &options, error);
    if (!p) {
        g_prefix_error(error, "%s:%u: ", row->sample->log->name, row->sample->line);
        return FALSE;
    }
    own->all_s = own->others_s = row->sample->mean ? prediction_mean(p) : p->time_s;
    if (!rooted || !p->clock)
        return TRUE;
    own->others_s = 0;
    for (int r = 0; r < row->op.c.p; r++)
        own->others_s = r == row->op.c.root ? own->others_s : fmax(own->others_s, p->clock[r]);
    return TRUE;
}
