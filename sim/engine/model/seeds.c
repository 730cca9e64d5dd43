#include "engine/model/seeds.h"
#include "base/parallel.h"
#include "engine/network/link_prices.h"
#include "engine/replay/noise.h"
#include <math.h>
#include <stdlib.h>

// Gives the site the prices of messages with the placement of run i.
static gboolean place(const SeedQuestion *of, int i, SeedRun *x, GError **error)
{
    const NetworkSpec *spec = of->o->network;
    Site *site = of->model->site;
    g_autofree int *host = NULL;
    const int nodes = of->o->map ? of->o->map->nodes->n : of->op->c.p;
    const LinkPricesOptions options = {.transfer = of->model->transfer,
                                       .each = of->o->clocks || of->o->start || of->o->full ||
                                               (of->o->skew && skew_disturbs(of->o->skew)),
                                       .links = of->o->why || of->o->ledger};
    if (site->links)
        links_remove(site);
    g_clear_pointer(&x->network, network_free);
    x->network = placement_make(&spec->nodes, placement_seed(&spec->nodes, i), &spec->topology, spec->hosts, nodes,
                                &host, error);
    return x->network && link_prices_add(site, of->s, &options, x->network, host, error);
}

// Frees what a run has for itself, and not from the run before it.
static void clear_run(SeedRun *x)
{
    g_clear_pointer(&x->arrival, g_free);
    g_clear_pointer(&x->start, g_free);
    g_clear_pointer(&x->given_up, replay_free);
}

void seed_run_clear(SeedRun *x)
{
    clear_run(x);
    g_clear_pointer(&x->network, network_free);
}

// Sets up run i. It has the placement of the run before it, unless placements differ.
static gboolean begin(const SeedQuestion *of, int i, SeedRun *x, GError **error)
{
    const Skew *skew = of->o->skew;
    const NetworkSpec *network = of->o->network;
    const bool moves = network && placement_seeds(&network->nodes) > 1 && i != x->outcome.run;
    clear_run(x);
    x->outcome.run = i;
    x->outcome.last_arrival_s = 0;
    if (network && (!x->network || moves) && !place(of, i, x, error))
        return FALSE;
    x->arrival = skew ? skew_arrivals(skew, of->s->p, i) : NULL;
    x->start = skew_starts(x->arrival, of->s->p);
    for (int rank = 0; x->start && rank < of->s->p; rank++)
        x->outcome.last_arrival_s = MAX(x->outcome.last_arrival_s, x->start[rank]);
    if (skew && of->model->site && of->model->site->noise)
        of->model->site->noise->seed = skew->noise_seed + (uint64_t)i;
    return TRUE;
}

// Runs i, and sets *time_s to its end: INFINITY if it takes longer than `enough_s`, then *given_up becomes the result, or
// 0 if ranks wait for ever.
static gboolean run_one(const SeedQuestion *of, int i, double enough_s, SeedRun *x, double *time_s, GError **error)
{
    if (!begin(of, i, x, error))
        return FALSE;
    const ReplayOptions o = {.start = x->start, .clock_only = true, .enough_s = enough_s};
    g_autoptr(Replay) r = replay(of->s, of->model, &o, error);
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

static int seeds_shown(const Skew *skew)
{
    return skew->p99 ? skew_p99(skew->seeds) : skew_median(skew->seeds);
}

// Makes all runs. Returns FALSE without an error, and x->given_up, if the one that is to be shown takes too long.
static gboolean run_in_turn(const SeedQuestion *of, SeedEnd *end, SeedRun *x, GError **error)
{
    const int n = of->o->skew->seeds, shown = seeds_shown(of->o->skew);
    int beyond = 0;
    for (int i = 0; i < n; i++) {
        end[i].run = i;
        if (!run_one(of, i, of->o->enough_s, x, &end[i].time_s, error))
            return FALSE;
        beyond += x->given_up != NULL;
        if (beyond > n - 1 - shown)
            return FALSE;
    }
    for (int i = 0; i < n && beyond > 0; i++) // these count for the other percentiles
        if (isinf(end[i].time_s) && !run_one(of, i, 0, x, &end[i].time_s, error))
            return FALSE;
    return TRUE;
}

// ---- On several threads --------------------------------------------------------------------------------------------

// Consecutive runs.
typedef struct SeedPart {
    const SeedQuestion *of;
    SeedEnd *end; // of the first of them
    int first, n;
} SeedPart;

static gboolean run_part(gpointer job, gpointer user, GError **error)
{
    (void)user;
    const SeedPart *part = job;
    const SeedQuestion *of = part->of;
    g_autoptr(Site) site = of->site(of->op, of->platform, of->o);
    Hockney model = *of->model;
    model.site = site;
    SeedQuestion own = *of;
    own.model = &model;
    g_auto(SeedRun) x = {.outcome = {.run = -1}};
    for (int i = 0; i < part->n; i++) {
        part->end[i].run = part->first + i;
        if (!run_one(&own, part->first + i, 0, &x, &part->end[i].time_s, error))
            return FALSE;
    }
    return TRUE;
}

// Makes all runs on so many threads, each with a site of its own. A run depends on its seed alone.
static gboolean run_parts(const SeedQuestion *of, guint threads, SeedEnd *end, GError **error)
{
    const int n = of->o->skew->seeds;
    g_autoptr(GPtrArray) jobs = g_ptr_array_new_with_free_func(g_free);
    for (int i = 0; i < (int)threads; i++) {
        const int first = (int)((int64_t)n * i / threads), next = (int)((int64_t)n * (i + 1) / threads);
        const SeedPart part = {of, end + first, first, next - first};
        g_ptr_array_add(jobs, g_memdup2(&part, sizeof part));
    }
    return parallel_run(jobs, &(ParallelWork){.run = run_part}, error);
}

// ---- The choice ----------------------------------------------------------------------------------------------------

double *seed_time(SkewOutcome *x, SeedTime which)
{
    double *const at[] = {[SEED_SHORTEST] = &x->shortest_s,
                          [SEED_MEDIAN] = &x->median_s,
                          [SEED_P99] = &x->p99_s,
                          [SEED_LONGEST] = &x->most_s};
    return at[which];
}

gboolean seed_run_again(const SeedQuestion *of, int i, SeedRun *x, GError **error)
{
    return begin(of, i, x, error);
}

gboolean seed_run_choose(const SeedQuestion *of, SeedRun *x, GError **error)
{
    const Skew *skew = of->o->skew;
    const int n = skew ? skew->seeds : 1;
    GError *failed = NULL;
    *x = (SeedRun){.outcome = {.median_s = NAN, .p99_s = NAN, .shortest_s = NAN, .most_s = NAN}};
    if (!begin(of, 0, x, error))
        return FALSE;
    if (!skew || (n == 1 && of->o->enough_s <= 0))
        return TRUE;
    if (!replay_admit_runs(of->s, of->model, &(ReplayOptions){.start = x->start}, n, error))
        return FALSE;
    g_autofree SeedEnd *end = g_new(SeedEnd, n);
    // A limit ends the runs before the last one, so these are made in turn.
    const guint threads = of->o->enough_s > 0 ? 1 : parallel_threads((guint)n);
    if (threads > 1 ? !run_parts(of, threads, end, &failed) : !run_in_turn(of, end, x, &failed)) {
        if (failed)
            g_propagate_error(error, failed);
        return !failed;
    }
    qsort(end, (size_t)n, sizeof *end, by_time);
    const int places[] = {
        [SEED_SHORTEST] = 0, [SEED_MEDIAN] = skew_median(n), [SEED_P99] = skew_p99(n), [SEED_LONGEST] = n - 1};
    for (SeedTime which = 0; which < N_SEED_TIMES && n > 1; which++) {
        *seed_time(&x->outcome, which) = end[places[which]].time_s;
        x->run_of[which] = end[places[which]].run;
    }
    return begin(of, end[seeds_shown(skew)].run, x, error);
}
