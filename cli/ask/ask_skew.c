#include "ask/ask_skew.h"
#include "ask/options.h"
#include "base/error.h"
#include "base/nearest.h"

void skew_options_clear(SkewOptions *o)
{
    g_free(o->arrival);
    g_free(o->noise);
    g_free(o->seeds);
    g_free(o->by);
}

gboolean ask_skew(const SkewOptions *o, RequestMachine *x, GError **error)
{
    static const char *const names[] = {"median", "p99", NULL};
    size_t seeds = 1;
    int by = 0;
    if (!o->arrival && !o->noise && !o->seeds && !o->by)
        return TRUE;
    if (!options_number("--seeds", o->seeds, 1, SKEW_MOST_SEEDS, &seeds, error) ||
        (o->by && !nearest_find("--by", o->by, names, &by, error)) ||
        (o->arrival && !skew_parse_arrival(o->arrival, &x->skew.arrival, error)) ||
        (o->noise && !skew_parse_noise(o->noise, &x->skew, error)))
        return FALSE;
    if (o->seeds && !skew_is_random(&x->skew))
        return bad_input(error, "--seeds %s: nothing is random; allowed: with --arrival random:TIME or --noise",
                         o->seeds);
    if (o->by && !o->seeds)
        return bad_input(error, "--by %s says which of several runs counts; allowed: with --seeds", o->by);
    if (x->model->shared || !model_replays(x->model))
        return bad_input(error, "model %s does not know --arrival and --noise; allowed: --model hockney or measured",
                         x->model->name);
    x->skew.seeds = (int)seeds;
    x->skew.p99 = by == 1;
    x->arrival = o->arrival;
    x->noise = o->noise;
    x->options.skew = &x->skew;
    return TRUE;
}
