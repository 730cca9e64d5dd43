#include "engine/model/seeds.h"
#include "engine/network/link_prices.h"
#include "engine/replay/noise.h"
#include <math.h>
#include <stdlib.h>

void seed_run_clear(SeedRun *x)
{
    g_clear_pointer(&x->network, network_free);
    g_clear_pointer(&x->arrival, g_free);
    g_clear_pointer(&x->start, g_free);
    g_clear_pointer(&x->given_up, replay_free);
}

// What the runs have in common.
typedef struct SeedRuns {
    const Operation *op;
    const Schedule *s;
    const Hockney *model;
    const PredictOptions *o;
    bool placed; // the next run has the placement of the one before it
} SeedRuns;

// Gives the site the prices of messages with the placement of run i.
static gboolean place(SeedRuns *a, int i, SeedRun *x, GError **error)
{
    const NetworkSpec *spec = a->o->network;
    g_autofree int *host = NULL;
    const int nodes = a->o->map ? a->o->map->nodes->n : a->op->c.p;
    const LinkPricesOptions options = {.transfer = a->model->transfer,
                                       .each = a->o->clocks || a->o->start || a->o->full ||
                                               (a->o->skew && skew_disturbs(a->o->skew)),
                                       .links = a->o->why || a->o->ledger};
    if (a->model->site->links)
        links_remove(a->model->site);
    g_clear_pointer(&x->network, network_free);
    x->network = placement_make(&spec->nodes, placement_seed(&spec->nodes, i), &spec->topology, spec->hosts, nodes,
                                &host, error);
    a->placed = x->network && link_prices_add(a->model->site, a->s, &options, x->network, host, error);
    return a->placed;
}

// Sets up run i.
static gboolean begin(SeedRuns *a, int i, SeedRun *x, GError **error)
{
    const Skew *skew = a->o->skew;
    const bool moves = a->o->network && placement_seeds(&a->o->network->nodes) > 1 && i != x->outcome.run;
    g_clear_pointer(&x->arrival, g_free);
    g_clear_pointer(&x->start, g_free);
    g_clear_pointer(&x->given_up, replay_free);
    x->outcome.run = i;
    x->outcome.last_arrival_s = 0;
    if (a->o->network && (!a->placed || moves) && !place(a, i, x, error))
        return FALSE;
    x->arrival = skew ? skew_arrivals(skew, a->s->p, i) : NULL;
    x->start = skew_starts(x->arrival, a->s->p);
    for (int rank = 0; x->start && rank < a->s->p; rank++)
        x->outcome.last_arrival_s = MAX(x->outcome.last_arrival_s, x->start[rank]);
    if (skew && a->model->site && a->model->site->noise)
        a->model->site->noise->seed = skew->noise_seed + (uint64_t)i;
    return TRUE;
}

// Runs i, and sets *time_s to its end: INFINITY if it takes longer than `enough_s`, then *given_up becomes the result, or
// 0 if ranks wait for ever.
static gboolean run_one(SeedRuns *a, int i, double enough_s, SeedRun *x, double *time_s, GError **error)
{
    if (!begin(a, i, x, error))
        return FALSE;
    const ReplayOptions o = {.start = x->start, .clock_only = true, .enough_s = enough_s};
    g_autoptr(Replay) r = replay(a->s, a->model, &o, error);
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
static gboolean run_all(SeedRuns *a, SeedEnd *end, SeedRun *x, GError **error)
{
    const Skew *skew = a->o->skew;
    const int n = skew->seeds, shown = skew->p99 ? skew_p99(n) : skew_median(n);
    int beyond = 0;
    for (int i = 0; i < n; i++) {
        end[i].run = i;
        if (!run_one(a, i, a->o->enough_s, x, &end[i].time_s, error))
            return FALSE;
        beyond += x->given_up != NULL;
        if (beyond > n - 1 - shown)
            return FALSE;
    }
    for (int i = 0; i < n && beyond > 0; i++) // these count for the other percentiles
        if (isinf(end[i].time_s) && !run_one(a, i, 0, x, &end[i].time_s, error))
            return FALSE;
    qsort(end, (size_t)n, sizeof *end, by_time);
    return TRUE;
}

gboolean seed_run_choose(const Operation *op, const Schedule *s, const Hockney *model, const PredictOptions *o,
                         SeedRun *x, GError **error)
{
    SeedRuns all = {.op = op, .s = s, .model = model, .o = o};
    const Skew *skew = o->skew;
    const int n = skew ? skew->seeds : 1;
    GError *failed = NULL;
    *x = (SeedRun){.outcome = {.median_s = NAN, .p99_s = NAN, .shortest_s = NAN, .most_s = NAN}};
    if (!begin(&all, 0, x, error))
        return FALSE;
    if (!skew || (n == 1 && o->enough_s <= 0))
        return TRUE;
    if (!replay_admit_runs(s, model, &(ReplayOptions){.start = x->start}, n, error))
        return FALSE;
    g_autofree SeedEnd *end = g_new(SeedEnd, n);
    if (!run_all(&all, end, x, &failed)) {
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
    return begin(&all, end[skew->p99 ? skew_p99(n) : skew_median(n)].run, x, error);
}
