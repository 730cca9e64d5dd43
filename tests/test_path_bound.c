// The lower bounds by chains of messages under measured: path_bound(), path_form() with any length of segments, and, by
// the NICs of a node, node_bound() and node_late_bound() are never above the simulated time of an algorithm, whatever
// the gaps, the eager limit, the ports and the nodes, and neither is bound_times_on(), which knows no algorithm. The
// search for the best algorithm passes over candidates because of these bounds.
#include "api/make.h"
#include "machines.h"
#include "search/form/bound_times.h"
#include "search/form/node_bound.h"
#include "search/form/path_bound.h"
#include "registry/composition.h"
#include "registry/registry.h"
#include "sample.h"
#include "tap.h"
#include <math.h>

// Machines with nodes of 4 ranks. In most of them times and gaps are far from what machines have: a gap may be longer
// than the message, and a node slower than the network.
static const char *const machines[] = {
    "one = 8:1us 1K:2us\n",
    "one = 8:1us 1K:2us\neager = none\ngap = 0:3us 1K:9us\n",
    "one = 8:1us 1K:2us\neager = unlimited\ngap = 0:3us 1K:9us\nlambda = 1\n",
    "one = 0:5us 1K:5us\none.node = 0:9us 1K:10us\neager = 100\ngap = 0:1us 1K:4us\ngap.node = 0:0s 64:0s\n",
    "one = 8:1us 1K:2us\neager = 500\ngap = 0:3us 1K:9us\nports = 3\ngamma = 10ns/B above 40\n",
    "one = 8:1us 1K:2us\nstep = 8:0.1us 1K:0.2us\ngap = 0:0s 1K:0s\ngamma = 0:7us 1K:9us\n",
    "one = 8:1us 1K:2us\ngamma = 10ns/B\n[node]\nnics = 1\nnic.rate = 0.02GB/s\n",
    ("one = 8:1us 1K:3us\none.node = 8:2us 1K:4us\neager = none\ngap = 0:3us 1K:9us\nports = 2\n"
     "[node]\nnics = 2\nnic.rate = 0.05GB/s\nnic.messages = 500000/s\n"),
};

static Platform *machine(const char *figures)
{
    g_autofree char *text = g_strconcat("[levels]\nnode = 4 ranks\n[measured]\n", figures, NULL);
    return machines_parse(text);
}

typedef struct PathRuns {
    int runs, near; // near: how often the bound is at least half of the time
    int any;        // how often what no algorithm can beat takes at least half of the time
    int nics;       // how often what must pass through NICs, whatever the algorithm is, takes a quarter of the time
    int begun;      // .. and how often the beginnings of texts say more
    int late;       // how often what comes before and after a node's messages gives the longest bound
    int least;      // how often the bound for all lengths of segments is nearly that for one
} PathRuns;

static void check_run(const CollAlgorithm *a, int p, size_t block, const Platform *platform, const MapSpec *spec,
                      PathRuns *n)
{
    g_autoptr(Mapping) map = mapping_new(spec, &platform->levels, p, NULL);
    g_autoptr(GError) error = NULL;
    const size_t m = a->collective == COLL_BARRIER ? 0 : block * (size_t)p;
    const Coll all = {.p = p, .elem = 1, .commutative = true, .nodes = map->nodes, .par = algorithm_defaults(a)};
    Operation op = {.algorithm = a, .c = coll_make(a->collective, &all, p / 2, m, NULL), .m = m};
    const char *why;
    if (coll_resolve(a, &op.c, &why) != a)
        return;
    g_autoptr(Prediction) x =
        measured_model.predict(&measured_model, &op, platform, &(PredictOptions){.map = map}, &error);
    g_assert_no_error(error);
    const double bound = path_bound(&op, platform, TRANSFER_MEASURED, map, INFINITY);
    if (bound > x->time_s * (1 + 1e-12))
        g_error("%s %s p=%d m=%zu, %d nodes: bound %g, time %g", collectives[a->collective].name, a->name, p, m,
                map->nodes->n, bound, x->time_s);
    n->runs++;
    n->near += bound >= x->time_s / 2;
    const double node = node_bound(&op, platform, TRANSFER_MEASURED, map, INFINITY),
                 late = node_late_bound(&op, platform, TRANSFER_MEASURED, map, INFINITY);
    const double nics = bounds_nics(a->collective, (double)m, platform, TRANSFER_MEASURED, map),
                 begun = MAX(nics, node_begun_bound(&op, platform, TRANSFER_MEASURED, map, INFINITY));
    if (MAX(begun, MAX(node, late)) > x->time_s * (1 + 1e-12))
        g_error("%s %s p=%d m=%zu, %d nodes: bounds of a node %g, %g, %g and %g, time %g",
                collectives[a->collective].name, a->name, p, m, map->nodes->n, node, late, nics, begun, x->time_s);
    const BoundTimes times = bound_times_on(a->collective, p, (double)m, 1, platform, TRANSFER_MEASURED, map);
    const double any = bound_times_longest(&times);
    if (any > x->time_s * (1 + 1e-12))
        g_error("%s %s p=%d m=%zu, %d nodes: bound of any algorithm %g, time %g", collectives[a->collective].name,
                a->name, p, m, map->nodes->n, any, x->time_s);
    n->any += any >= x->time_s / 2;
    n->late += late > MAX(node, bound);
    n->nics += nics >= x->time_s / 4;
    n->begun += begun > nics;
}

static void test_bound(void)
{
    static const int ranks[] = {1, 2, 3, 5, 8, 13};
    static const size_t blocks[] = {0, 1, 48};
    static const MapSpec maps[] = {{.kind = MAP_NONE}, {.kind = MAP_BLOCK, .k = 4}, {.kind = MAP_CYCLIC, .k = 4}};
    PathRuns n = {0};
    for (size_t k = 0; k < G_N_ELEMENTS(machines); k++) {
        g_autoptr(Platform) platform = machine(machines[k]);
        for (int i = 0; i < n_algorithms; i++)
            for (size_t j = 0; j < G_N_ELEMENTS(ranks) && !algorithms[i]->shared; j++)
                for (size_t b = 0; b < G_N_ELEMENTS(blocks); b++)
                    check_run(algorithms[i], ranks[j], blocks[b], platform, &maps[(k + j + b) % G_N_ELEMENTS(maps)],
                              &n);
    }
    g_test_message(
        "%d runs; in %d the bound is at least half of the time; that of a node is longer in %d, that of NICs "
        "a quarter in %d, and longer by beginnings in %d; in %d that of any algorithm is half",
        n.runs, n.near, n.late, n.nics, n.begun, n.any);
    g_assert_cmpint(n.runs, >, 10000);
    g_assert_cmpint(n.near, >, 2000);
    g_assert_cmpint(n.late, >, 200);
    g_assert_cmpint(n.nics, >, 1000);
    g_assert_cmpint(n.begun, >, 5);
    g_assert_cmpint(n.any, >, 4000);
}

// ---- Messages that follow each other --------------------------------------------------------------------------------

// A port is free after a quarter of a message, so that the bound is the time of the optimal broadcast tree of the LogP
// model, which bcast postal is. Without gaps, it is that of one message.
static void test_spread(void)
{
    static const struct {
        const char *figures, *algorithm;
    } machines_of[] = {{"one = 8:4us 16:4us\ngap = 8:1us 16:1us\neager = none\n", "postal"},
                       {"one = 8:4us 16:4us\ngap = 8:0s 16:0s\neager = none\n", "linear"}};
    for (size_t i = 0; i < G_N_ELEMENTS(machines_of); i++) {
        g_autoptr(Platform) platform = machine(machines_of[i].figures);
        const CollAlgorithm *a = algorithm_find(COLL_BCAST, machines_of[i].algorithm);
        for (int p = 1; p <= 60; p++) {
            g_autoptr(Mapping) map = mapping_new(&(MapSpec){.kind = MAP_NONE}, &platform->levels, p, NULL);
            const Coll all = {.p = p, .elem = 1, .nodes = map->nodes, .par = algorithm_defaults(a)};
            const Operation op = {.algorithm = a, .c = coll_make(COLL_BCAST, &all, 0, 8, NULL), .m = 8};
            g_autoptr(Prediction) x =
                measured_model.predict(&measured_model, &op, platform, &(PredictOptions){.map = map}, NULL);
            const BoundTimes times = bound_times_on(COLL_BCAST, p, 8, 1, platform, TRANSFER_MEASURED, map);
            g_assert_cmpfloat_with_epsilon(times.latency_s, x->time_s, 1e-15);
        }
    }
}

// ---- All lengths of segments ----------------------------------------------------------------------------------------

static const CollParam *param_of_kind(const CollAlgorithm *a, CollParamKind kind)
{
    for (int i = 0; i < algorithm_n_params(a); i++)
        if (a->params[i].kind == kind)
            return &a->params[i];
    return NULL;
}

// Compares the form of an algorithm with the times of segments of these lengths.
static void check_form(const CollAlgorithm *a, const Coll *all, size_t m, const Platform *platform, const Mapping *map,
                       PathRuns *n)
{
    const size_t lengths[] = {0, 3, 24, m / 5, m / 2 + 1};
    const CollParam *segment = param_of_kind(a, PARAM_SIZE);
    Operation op = {.algorithm = a, .c = coll_make(a->collective, all, 0, m, NULL), .m = m};
    g_autoptr(PathForm) form = path_form(&op, segment, platform, TRANSFER_MEASURED, map);
    const double least = form ? path_form_least(form, 1, m) : 0;
    for (size_t i = 0; i < G_N_ELEMENTS(lengths) && form; i++) {
        const char *why;
        g_autoptr(GError) error = NULL;
        op.c = coll_make(a->collective, all, 0, m, NULL);
        param_set(segment, &op.c.par, (int64_t)lengths[i]);
        if (coll_resolve(a, &op.c, &why) != a)
            continue;
        g_autoptr(Prediction) x =
            measured_model.predict(&measured_model, &op, platform, &(PredictOptions){.map = map}, &error);
        g_assert_no_error(error);
        const double bound = path_form_time(form, lengths[i]);
        if (bound > x->time_s * (1 + 1e-12))
            g_error("%s %s p=%d m=%zu segment=%zu chains=%d radix=%d choice=%d, %d nodes: bound %g, time %g",
                    collectives[a->collective].name, a->name, all->p, m, lengths[i], all->par.chains, all->par.radix,
                    all->par.choice, map->nodes->n, bound, x->time_s);
        if (least > bound * (1 + 1e-12))
            g_error("%s %s p=%d m=%zu: bound of all segments %g, with segment=%zu %g", collectives[a->collective].name,
                    a->name, all->p, m, least, lengths[i], bound);
        n->runs++;
        n->near += bound >= x->time_s / 2;
        n->least += least >= bound * 0.9;
    }
}

// Does so with each value of its choice, and a few of its numbers.
static void check_forms(const CollAlgorithm *a, int p, size_t m, const Platform *platform, const MapSpec *spec,
                        PathRuns *n)
{
    const CollParam *choice = param_of_kind(a, PARAM_CHOICE), *number = param_of_kind(a, PARAM_INT);
    g_autoptr(Mapping) map = mapping_new(spec, &platform->levels, p, NULL);
    for (int64_t c = 0; c <= (choice ? choice->max : 0); c++)
        for (int64_t k = 0; k <= (number ? 2 : 0); k++) {
            Coll all = {.p = p, .elem = 1, .commutative = true, .nodes = map->nodes, .par = algorithm_defaults(a)};
            if (choice)
                param_set(choice, &all.par, c);
            if (k > 0)
                param_set(number, &all.par, CLAMP(k, number->min, number->max));
            check_form(a, &all, m, platform, map, n);
        }
}

static void test_forms(void)
{
    static const int ranks[] = {2, 5, 13};
    static const size_t sizes[] = {11, 1536};
    static const MapSpec maps[] = {{.kind = MAP_NONE}, {.kind = MAP_BLOCK, .k = 4}, {.kind = MAP_CYCLIC, .k = 4}};
    PathRuns n = {0};
    for (size_t k = 0; k < G_N_ELEMENTS(machines); k++) {
        g_autoptr(Platform) platform = machine(machines[k]);
        for (int i = 0; i < n_algorithms; i++)
            for (size_t j = 0; j < G_N_ELEMENTS(ranks) * G_N_ELEMENTS(sizes); j++)
                if (!algorithms[i]->shared && param_of_kind(algorithms[i], PARAM_SIZE) &&
                    sample_takes((guint)(i * (int)G_N_ELEMENTS(machines)) + (guint)(k + j), 3))
                    check_forms(algorithms[i], ranks[j / G_N_ELEMENTS(sizes)], sizes[j % G_N_ELEMENTS(sizes)], platform,
                                &maps[(j + k) % G_N_ELEMENTS(maps)], &n);
    }
    g_test_message("%d runs; in %d the form is at least half of the time, in %d nearly that of all lengths", n.runs,
                   n.near, n.least);
    g_assert_cmpint(n.runs, >, sample_of(10000, 3000));
    g_assert_cmpint(n.near, >, sample_of(2000, 500));
    g_assert_cmpint(n.least, >, sample_of(2000, 500));
}

static void add_tests(void)
{
    g_test_add_func("/path-bound/registry", test_bound);
    g_test_add_func("/path-bound/spread", test_spread);
    g_test_add_func("/path-bound/segments", test_forms);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add_tests);
}
