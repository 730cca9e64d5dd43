// logp_bound() is never above the simulated time of an algorithm under loggops, loggp and logp, wherever its ranks are. The
// search for the best algorithm passes over candidates because of it.
#include "api/make.h"
#include "machines.h"
#include "registry/composition.h"
#include "registry/registry.h"
#include "sample.h"
#include "search/form/logp_bound.h"
#include "tap.h"
#include <math.h>

// Figures in which each of L, o, g, G, O and gamma is once the one that counts; the last machine has levels.
static const char *const machines[] = {
    "[loggops]\nL = 7s\no = 1s\ng = 3s\nG = 2s/B\nO = 1s/B\nS = 100B\n[hockney]\ngamma = 1s/B\n",
    "[loggops]\nL = 0s\no = 5s\ng = 1s\nG = 0s/B\nO = 3s/B\nS = 0B\n[hockney]\ngamma = 0s/B\n",
    "[loggops]\nL = 1s\no = 0s\ng = 40s\nG = 1s/B\nO = 0s/B\nS = 1000000B\n[hockney]\ngamma = 5s/B\n",
    "[levels]\nnode = 4 ranks\n[loggops]\nL = 9s\nL.node = 1s\no = 2s\ng = 3s\nG = 4s/B\nG.node = 1s/B\nO = 2s/B\nS = "
    "64B\n"
    "[hockney]\ngamma = 1s/B\n",
};

// How many runs there were, and in how many the bound is the time, at least half of it, or 0.
typedef struct LogpRuns {
    int runs, reached, half, nothing, any_reached;
} LogpRuns;

static void check_run(const Operation *op, const Platform *platform, const Mapping *map, const Model *model,
                      LogpRuns *n)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Prediction) x = model->predict(model, op, platform, &(PredictOptions){.map = map}, &error);
    g_assert_no_error(error);
    const double bound = logp_bound(op, model, platform, map, INFINITY), most = x->time_s * (1 + 1e-12),
                 limited = logp_bound(op, model, platform, map, bound / 2);
    if (bound > most || limited > most || limited < bound / 2)
        g_error("%s %s p=%d m=%zu, %s: bound %g, with a limit %g, time %g", collectives[op->algorithm->collective].name,
                op->algorithm->name, op->c.p, op->m, model->name, bound, limited, x->time_s);
    const BoundTimes times = logp_bound_times(op->algorithm->collective, op->c.p, (double)op->m, model, platform, map);
    const double any = bound_times_longest(&times);
    if (any > most)
        g_error("%s %s p=%d m=%zu, %s: no algorithm below %g (%g, %g, %g, %g), time %g",
                collectives[op->algorithm->collective].name, op->algorithm->name, op->c.p, op->m, model->name, any,
                times.latency_s, times.bandwidth_s, times.computation_s, times.nodes_s, x->time_s);
    n->runs++;
    n->any_reached += x->time_s > 0 && any >= x->time_s * (1 - 1e-12);
    n->reached += x->time_s > 0 && bound >= x->time_s * (1 - 1e-12);
    n->half += x->time_s > 0 && bound >= x->time_s / 2;
    n->nothing += x->time_s > 0 && bound <= 0;
}

static void check_algorithm(const CollAlgorithm *a, int p, const Platform *platform, const MapSpec *spec, LogpRuns *n)
{
    static const Model *const family[] = {&loggops_model, &loggp_model, &logp_model};
    g_autoptr(Mapping) map = spec->kind == MAP_NONE ? NULL : mapping_new(spec, &platform->levels, p, NULL);
    const Coll all = {
        .p = p, .elem = 1, .commutative = true, .nodes = map ? map->nodes : NULL, .par = algorithm_defaults(a)};
    const size_t m = a->collective == COLL_BARRIER ? 0 : 12 * (size_t)p;
    Operation op = {.c = coll_make(a->collective, &all, 0, m, NULL), .m = m};
    const char *why;
    op.algorithm = coll_resolve(a, &op.c, &why) == a ? a : NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(family) && op.algorithm; i++)
        check_run(&op, platform, map, family[i], n);
}

static void test_bound(void)
{
    enum { APART = 5 }; // a sample has one in so many points
    static const int ranks[] = {2, 3, 5, 8, 13, 16};
    static const MapSpec maps[] = {{.kind = MAP_NONE}, {.kind = MAP_BLOCK, .k = 4}, {.kind = MAP_CYCLIC, .k = 4}};
    LogpRuns n = {0};
    guint point = 0;
    for (size_t k = 0; k < G_N_ELEMENTS(machines); k++) {
        g_autoptr(Platform) platform = machines_parse(machines[k]);
        for (int i = 0; i < n_algorithms; i++)
            for (size_t j = 0; j < G_N_ELEMENTS(ranks) * G_N_ELEMENTS(maps) && !algorithms[i]->shared; j++)
                if (sample_takes(point++, APART))
                    check_algorithm(algorithms[i], ranks[j % G_N_ELEMENTS(ranks)], platform,
                                    &maps[j / G_N_ELEMENTS(ranks)], &n);
    }
    g_test_message("%d runs: the bound is the time in %d, at least half of it in %d, and 0 in %d", n.runs, n.reached,
                   n.half, n.nothing);
    g_assert_cmpint(n.reached, >, n.runs / 5);
    g_assert_cmpint(n.half, >, n.runs / 4 * 3);
    g_assert_cmpint(n.nothing, ==, 0);
    g_test_message("what no algorithm can beat is the time in %d", n.any_reached);
    g_assert_cmpint(n.any_reached, >, n.runs / 20);
}

static void add(void)
{
    g_test_add_func("/logp-bound/none-above-the-time", test_bound);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
