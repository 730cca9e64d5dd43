#include "engine/model/seeds.h"
#include "engine/replay/noise.h"
#include <math.h>
#include <stdlib.h>

void seed_run_clear(SeedRun *x)
{
    g_clear_pointer(&x->arrival, g_free);
    g_clear_pointer(&x->start, g_free);
    g_clear_pointer(&x->given_up, replay_free);
}

// Sets up run i.
static void begin(const Schedule *s, const Hockney *model, const Skew *skew, int i, SeedRun *x)
{
    seed_run_clear(x);
    x->arrival = skew_arrivals(skew, s->p, i);
    x->start = skew_starts(x->arrival, s->p);
    x->outcome.run = i;
    x->outcome.last_arrival_s = 0;
    for (int rank = 0; x->start && rank < s->p; rank++)
        x->outcome.last_arrival_s = MAX(x->outcome.last_arrival_s, x->start[rank]);
    if (model->site && model->site->noise)
        model->site->noise->seed = skew->noise_seed + (uint64_t)i;
}

// Runs i, and sets *time_s to its end: INFINITY if it takes longer than `enough_s`, then *given_up becomes the result, or
// 0 if ranks wait for ever.
static gboolean run_one(const Schedule *s, const Hockney *model, const Skew *skew, int i, double enough_s, SeedRun *x,
                        double *time_s, GError **error)
{
    begin(s, model, skew, i, x);
    const ReplayOptions o = {.start = x->start, .clock_only = true, .enough_s = enough_s};
    g_autoptr(Replay) r = replay(s, model, &o, error);
    if (!r)
        return FALSE;
    *time_s = r->beyond ? INFINITY : r->stuck->len > 0 ? 0 : r->clock_s;
    if (r->beyond)
        x->given_up = g_steal_pointer(&r);
    return TRUE;
}

// The end of one of the runs.
typedef struct SeedEnd {
    double time_s;
    int run;
} SeedEnd;

static int by_time(const void *a, const void *b)
{
    const SeedEnd *x = a, *y = b;
    return x->time_s != y->time_s ? (x->time_s > y->time_s) - (x->time_s < y->time_s)
                                  : (x->run > y->run) - (x->run < y->run);
}

// Makes all runs. Returns FALSE without an error, and x->given_up, if the one that is to be shown takes too long.
static gboolean run_all(const Schedule *s, const Hockney *model, const Skew *skew, double enough_s, SeedEnd *end,
                        SeedRun *x, GError **error)
{
    const int n = skew->seeds, shown = skew->p99 ? skew_p99(n) : skew_median(n);
    int beyond = 0;
    for (int i = 0; i < n; i++) {
        end[i].run = i;
        if (!run_one(s, model, skew, i, enough_s, x, &end[i].time_s, error))
            return FALSE;
        beyond += x->given_up != NULL;
        if (beyond > n - 1 - shown)
            return FALSE;
    }
    for (int i = 0; i < n && beyond > 0; i++) // these count for the other percentiles
        if (isinf(end[i].time_s) && !run_one(s, model, skew, i, 0, x, &end[i].time_s, error))
            return FALSE;
    qsort(end, (size_t)n, sizeof *end, by_time);
    return TRUE;
}

gboolean seed_run_choose(const Schedule *s, const Hockney *model, const Skew *skew, double enough_s, SeedRun *x,
                         GError **error)
{
    const int n = skew->seeds;
    GError *failed = NULL;
    *x = (SeedRun){.outcome = {.median_s = NAN, .p99_s = NAN, .shortest_s = NAN, .most_s = NAN}};
    begin(s, model, skew, 0, x);
    if (n == 1 && enough_s <= 0)
        return TRUE;
    if (!replay_admit_runs(s, model, &(ReplayOptions){.start = x->start}, n, error))
        return FALSE;
    g_autofree SeedEnd *end = g_new(SeedEnd, n);
    if (!run_all(s, model, skew, enough_s, end, x, &failed)) {
        if (failed)
            g_propagate_error(error, failed);
        return !failed;
    }
    if (n > 1) {
        x->outcome.median_s = end[skew_median(n)].time_s;
        x->outcome.p99_s = end[skew_p99(n)].time_s;
        x->outcome.shortest_s = end[0].time_s;
        x->outcome.most_s = end[n - 1].time_s;
    }
    begin(s, model, skew, end[skew->p99 ? skew_p99(n) : skew_median(n)].run, x);
    return TRUE;
}
