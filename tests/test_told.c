// What a library can be told to run is searched with its parts: at random points on nodes, no composition of the
// library, HAN's or of MPICH's ch4, with any combination of the parts that it can be told is faster than what the
// search for the best finds, and what that finds can be told.
//
// COLLSIM_POINTS is the number of points and COLLSIM_SEED the number of the first (default: CHECK_SEED or the day, as
// 20261126). A point depends on its number alone, and a failure names it.
#include "libraries/decide/decide_ways.h"
#include "search/search/contest.h"
#include "engine/schedule/variant.h"
#include "sample.h"
#include "tap.h"
#include "tunes.h"
#include <math.h>

// What the best may take longer than the fastest combination.
static const double most_over = 1.03;

// A point, and the fastest combination found so far.
typedef struct ToldPoint {
    Request r;
    int p, per_node;
    size_t m;
    double least_s;
    char *choice;
    guint runs;
} ToldPoint;

static void draw(guint64 number, ToldPoint *x)
{
    static const char *const platforms[] = {"lumi", "leonardo", "generic-100g"};
    static const LibraryId libraries_drawn[] = {LIBRARY_OMPI_5, LIBRARY_OMPI_MAIN, LIBRARY_MPICH_40, LIBRARY_MPICH_43};
    static const Collective which[] = {COLL_ALLREDUCE, COLL_BCAST,  COLL_REDUCE, COLL_ALLGATHER,
                                       COLL_BARRIER,   COLL_GATHER, COLL_SCATTER};
    GRand *rand = g_rand_new_with_seed((guint32)number);
    const LibraryId library = libraries_drawn[g_rand_int_range(rand, 0, G_N_ELEMENTS(libraries_drawn))];
    const int nodes = g_rand_int_range(rand, 2, 9);
    x->per_node = g_rand_int_range(rand, 2, 9);
    x->p = nodes * x->per_node;
    x->m = (size_t)g_rand_int_range(rand, 4, 8) << g_rand_int_range(rand, 1, 19);
    g_autofree char *ranks = g_strdup_printf("%d", x->p);
    tunes_request(&x->r, library, ranks, "8");
    x->r.library.by_file = x->r.library.no_han = FALSE;
    x->r.question.collective = which[g_rand_int_range(rand, 0, G_N_ELEMENTS(which))];
    x->r.question.elem = 8;
    const CollectiveInfo *of = &collectives[x->r.question.collective];
    x->m = x->r.question.collective == COLL_BARRIER ? 0 : of->vector ? x->m : x->m / (size_t)x->p;
    x->m = x->m / 8 * 8;
    platform_free(x->r.machine.platform);
    x->r.machine.platform = platform_load(platforms[g_rand_int_range(rand, 0, G_N_ELEMENTS(platforms))], NULL);
    x->r.question.per_node = g_array_new(FALSE, FALSE, sizeof(int));
    g_array_append_val(x->r.question.per_node, x->per_node);
    x->least_s = INFINITY;
    g_rand_free(rand);
}

static void run(ToldPoint *x, const CollAlgorithm *a, const CollParams *par)
{
    g_autoptr(GError) error = NULL;
    Point *point = ahead_simulate(&x->r, x->p, x->per_node, x->m, algorithm_number(a), par, 0, NULL, &error);
    x->runs++;
    g_assert_no_error(error);
    if (point && point->time_s < x->least_s) {
        x->least_s = point->time_s;
        g_free(x->choice);
        x->choice = point_choice(point);
    }
    point_free(point);
}

// Runs an entry with every combination of the parts from parameter i on that can be told, beside those that it has.
static void run_all(ToldPoint *x, const DecideCall *call, const CollAlgorithm *a, const CollParams *par, int i)
{
    if (i == algorithm_n_params(a)) {
        run(x, a, par);
        return;
    }
    run_all(x, call, a, par, i + 1);
    if (a->params[i].kind != PARAM_ALGORITHM)
        return;
    g_autoptr(GArray) parts = decide_parts_told(x->r.library.only, call, a, par, &a->params[i], FALSE);
    for (guint k = 0; k < parts->len; k++) {
        CollParams next = *par;
        param_set_part(&a->params[i], &next, g_array_index(parts, const CollAlgorithm *, k));
        g_assert_true(decide_tells(x->r.library.only, a, &next, call->m, par));
        run_all(x, call, a, &next, i + 1);
    }
}

// Returns TRUE if the library can be told to run what was found: it is one of its algorithms, or a way with other
// parts.
static gboolean can_tell(const ToldPoint *x, const DecideCall *call, const GArray *ways, const Point *best)
{
    const Tables *only = x->r.library.only;
    gboolean can = decide_algorithm(only, best->algorithm, &best->par) != NULL;
    for (guint i = 0; i < ways->len; i++) {
        g_autoptr(Decision) d = decide_way(x->r.library.only, call, &g_array_index(ways, DecideWay, i));
        can |= d && d->entry == best->algorithm && decide_tells(only, d->entry, &best->par, x->m, &d->par);
    }
    return can;
}

static guint check_point(guint64 number, guint *faster)
{
    ToldPoint x = {0};
    g_autoptr(GError) error = NULL;
    draw(number, &x);
    const ContestPlace at = {x.p, x.per_node, x.m, 0};
    g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(ContestPlace));
    g_array_append_val(places, at);
    g_autoptr(GPtrArray) contests = contest_make_places(&x.r, 1, places);
    g_assert_true(contest_run_all(contests, NULL, NULL, &error));
    const Point *best = ((const Contender *)((const Contest *)contests->pdata[0])->ranking->pdata[0])->point;
    const DecideCall call = request_call(&x.r, x.p, x.per_node, x.m, NULL);
    g_autoptr(GArray) ways = decide_ways(x.r.library.only, x.r.question.collective, &x.r.library.han);
    double usual_s = INFINITY;
    for (guint i = 0; i < ways->len; i++) {
        g_autoptr(Decision) d = decide_way(x.r.library.only, &call, &g_array_index(ways, DecideWay, i));
        if (!d)
            continue;
        run(&x, d->entry, &d->par);
        usual_s = MIN(usual_s, x.least_s);
        run_all(&x, &call, d->entry, &d->par, 0);
    }
    *faster += x.least_s < usual_s;
    g_autofree char *choice = point_choice(best);
    if (best->time_s > most_over * x.least_s || !can_tell(&x, &call, ways, best)) {
        g_printerr("point %" G_GUINT64_FORMAT
                   ": %s of %s on %s, %d ranks of %d a node, %zu bytes: best finds %s, %g s, "
                   "but %s takes %g s\n",
                   number, collectives[x.r.question.collective].name, x.r.library.only->library->name,
                   x.r.machine.platform->name, x.p, x.per_node, x.m, choice, best->time_s, x.choice, x.least_s);
        g_test_fail();
    }
    g_free(x.choice);
    const guint runs = x.runs;
    g_ptr_array_set_size(contests, 0);
    request_clear(&x.r);
    return runs;
}

static void test_told(void)
{
    guint64 begin;
    const guint64 n = sample_points(300, 30, &begin);
    guint runs = 0, faster = 0;
    for (guint64 i = 0; i < n; i++)
        runs += check_point(begin + i, &faster);
    g_test_message("%" G_GUINT64_FORMAT " points, %u runs; other parts than the library's own are the fastest at %u", n,
                   runs, faster);
    g_assert_cmpuint(runs, >, n);
    g_assert_cmpuint(faster, >, 0);
}

// What is said of parts: which ones a library fixes, and how it is told.
static void test_settings(void)
{
    const size_t m = 128 << 10; // two segments
    g_auto(Request) r = {0};
    tunes_request(&r, LIBRARY_OMPI_5, "32", "8");
    CollParams par = algorithm_defaults(&bcast_han_algorithm);
    const CollParam *up = algorithm_param(&bcast_han_algorithm, "up"),
                    *low = algorithm_param(&bcast_han_algorithm, "low");
    CollParams other = par;
    param_set_part(up, &other, &bcast_linear_algorithm);
    g_assert_false(decide_tells(r.library.only, &bcast_han_algorithm, &other, m, &par));    // libnbc's own
    g_assert_true(decide_tells(r.library.only, &bcast_han_algorithm, &other, m / 2, &par)); // one segment
    g_autofree char *unknown = decide_unknown_parts(r.library.only, &bcast_han_algorithm, &par, m / 2 + 1),
                    *known = decide_unknown_parts(r.library.only, &bcast_han_algorithm, &par, m / 2);
    g_assert_cmpstr(unknown, ==, "up=binomial");
    g_assert_null(known);
    par.segment = other.segment = 0;
    g_assert_true(decide_tells(r.library.only, &bcast_han_algorithm, &other, m, &par)); // simple goes by levels
    g_assert_cmpstr(decide_way_name(r.library.only, &bcast_han_algorithm, &par), ==, "simple");
    g_autofree char *two = decide_whole_setting(r.library.only, &bcast_han_algorithm, &other, m, FALSE);
    g_assert_null(two); // tuned is told one algorithm for both levels
    g_autofree char *why = decide_no_setting(r.library.only, &bcast_han_algorithm, &other, m);
    g_assert_nonnull(strstr(why, "settings of bcast"));
    const CollParams usual = algorithm_defaults(&bcast_han_algorithm);
    par = usual;
    param_set_part(low, &par, &bcast_linear_algorithm);
    g_autofree char *one = decide_whole_setting(r.library.only, &bcast_han_algorithm, &par, m, FALSE);
    g_autofree char *none = decide_no_setting(r.library.only, &bcast_han_algorithm, &par, m);
    g_assert_null(none);
    g_assert_cmpstr(one, ==,
                    "--mca coll_han_use_bcast_algorithm intra --mca coll_han_bcast_segsize 65536 --mca "
                    "coll_tuned_use_dynamic_rules 1 --mca coll_tuned_bcast_algorithm 1");
    param_set_part(low, &par, &bcast_scatter_ring_allgather_algorithm);
    g_assert_true(decide_tells(r.library.only, &bcast_han_algorithm, &par, m, &usual));
    param_set_part(low, &par, &bcast_two_tree_algorithm); // nothing of Open MPI's
    g_assert_false(decide_tells(r.library.only, &bcast_han_algorithm, &par, m, &usual));
}

// What HAN's reductions run between the nodes: libnbc has variables for it, with names of its own.
static void test_between(void)
{
    const size_t m = 128 << 10;
    g_auto(Request) r = {0};
    tunes_request(&r, LIBRARY_OMPI_5, "32", "8");
    const CollParams usual = algorithm_defaults(&reduce_han_algorithm);
    const CollParam *up = algorithm_param(&reduce_han_algorithm, "up"),
                    *low = algorithm_param(&reduce_han_algorithm, "low");
    CollParams par = usual;
    param_set_part(up, &par, &reduce_linear_algorithm); // nothing of libnbc's
    g_assert_false(decide_tells(r.library.only, &reduce_han_algorithm, &par, m, &usual));
    param_set_part(up, &par, &reduce_redscat_gather_algorithm);
    param_set_part(low, &par, &reduce_linear_algorithm);
    g_assert_true(decide_tells(r.library.only, &reduce_han_algorithm, &par, m, &usual));
    g_assert_null(decide_unknown_parts(r.library.only, &reduce_han_algorithm, &par, m));
    g_autofree char *setting = decide_whole_setting(r.library.only, &reduce_han_algorithm, &par, m, FALSE);
    g_assert_cmpstr(setting, ==,
                    "--mca coll_han_use_reduce_algorithm intra --mca coll_han_reduce_segsize 65536 --mca "
                    "coll_libnbc_ireduce_algorithm rabenseifner --mca coll_tuned_use_dynamic_rules 1 --mca "
                    "coll_tuned_reduce_algorithm 1");
    par = usual;
    decide_tell_between(r.library.only, &reduce_han_algorithm, &par, m);
    g_assert_true(param_part(up, &par) == &reduce_binomial_blocking_algorithm); // libnbc:binomial
    CollParams simple = usual;
    simple.segment = par.segment = 0;
    param_set_part(up, &par, &reduce_linear_algorithm); // by a blocking call, which gets to tuned
    g_assert_true(decide_tells(r.library.only, &reduce_han_algorithm, &par, m, &simple));
}

// Parts of parts: HAN's simple allreduce between the nodes by Open MPI's allreduce 2, a reduce and a bcast.
static void test_two_deep(void)
{
    const size_t m = 64 << 10;
    g_auto(Request) r = {0};
    tunes_request(&r, LIBRARY_OMPI_5, "32", "8");
    r.question.collective = COLL_ALLREDUCE;
    r.question.elem = 8;
    r.question.per_node = g_array_new(FALSE, FALSE, sizeof(int));
    const int per_node = 4;
    g_array_append_val(r.question.per_node, per_node);
    const Tables *only = r.library.only;
    const DecideCall call = request_call(&r, 32, per_node, m, NULL);
    const CollParams usual = algorithm_defaults(&allreduce_smp_algorithm);
    const CollParam *outer = algorithm_param(&allreduce_smp_algorithm, "outer");
    g_autoptr(GArray) parts = decide_parts_told(only, &call, &allreduce_smp_algorithm, &usual, outer, FALSE);
    const CollAlgorithm *composed = NULL;
    for (guint i = 0; i < parts->len; i++)
        if (algorithm_entry(g_array_index(parts, const CollAlgorithm *, i)) == &allreduce_reduce_bcast_algorithm)
            composed = g_array_index(parts, const CollAlgorithm *, i);
    g_assert_nonnull(composed);
    CollParams own = algorithm_defaults(composed), par = usual;
    const DecideCall inner = decide_call_of_part(&call, &allreduce_smp_algorithm, outer);
    g_assert_cmpint(inner.p, ==, 8); // nodes
    const CollParam *bcast = algorithm_param(&allreduce_reduce_bcast_algorithm, "bcast");
    g_autoptr(GArray) told = decide_parts_told(only, &inner, &allreduce_reduce_bcast_algorithm, &own, bcast, FALSE);
    g_assert_cmpuint(told->len, >, 3);
    param_set_part(bcast, &own, &bcast_linear_algorithm);
    param_set_part(algorithm_param(&allreduce_reduce_bcast_algorithm, "reduce"), &own, &reduce_linear_algorithm);
    param_set_part(outer, &par, variant_find(&allreduce_reduce_bcast_algorithm, &own));
    g_assert_true(decide_tells(only, &allreduce_smp_algorithm, &par, m, &usual));
    param_set_part(algorithm_param(&allreduce_smp_algorithm, "reduce"), &par, &reduce_linear_algorithm);
    param_set_part(algorithm_param(&allreduce_smp_algorithm, "bcast"), &par, &bcast_linear_algorithm);
    g_autofree char *setting = decide_whole_setting(only, &allreduce_smp_algorithm, &par, m, FALSE);
    g_assert_cmpstr(setting, ==,
                    "--mca coll_han_use_allreduce_algorithm simple --mca coll_tuned_use_dynamic_rules 1 --mca "
                    "coll_tuned_allreduce_algorithm 2 --mca coll_tuned_reduce_algorithm 1 --mca "
                    "coll_tuned_bcast_algorithm 1");
    param_set_part(bcast, &own, &bcast_two_tree_algorithm); // nothing of Open MPI's
    param_set_part(outer, &par, variant_find(&allreduce_reduce_bcast_algorithm, &own));
    g_assert_false(decide_tells(only, &allreduce_smp_algorithm, &par, m, &usual));
}

static void add(void)
{
    g_test_add_func("/told/nothing_faster", test_told);
    g_test_add_func("/told/settings", test_settings);
    g_test_add_func("/told/between", test_between);
    g_test_add_func("/told/two_deep", test_two_deep);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
