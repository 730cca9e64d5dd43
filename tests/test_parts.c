// No setting of the parts of a composition beats what `best` finds by more than a few percent. Random points are drawn
// over the collectives that have compositions, nodes, sizes, machines (one with tables) and disciplines of messages. At
// each, every composition runs with every combination of its parts and their parameters, from a grid, if these are few.
// If they are many, a random sample of them runs, and then, from the fastest of the sample, every change of one part,
// until none gains. At last, from what `best` finds and from the fastest of each composition, parameters are changed at
// random, of parts and of their parts too. What is faster by less than the limit is printed, and does not fail the test.
//
// COLLSIM_POINTS is the number of points and COLLSIM_SEED the number of the first (default: CHECK_SEED or the day, as
// 20261126). A point depends on its number alone, and a failure names it.
#include "library/library_types.h"
#include "registry/composition.h"
#include "search/search/contest.h"
#include "engine/schedule/variant.h"
#include "sample.h"
#include "tap.h"
#include "machine/platform/platform.h"
#include <math.h>
#include <string.h>

// What `best` may take longer than the fastest setting.
static const double most_over = 1.03;

typedef struct DrawnParts {
    Collective collective;
    const char *platform;
    char ranks[32];
    uint64_t bytes;
    gboolean ordered;     // the operation does not commute
    const char *transfer; // NULL for the usual
    guint64 number;
} DrawnParts;

static gboolean has_compositions(Collective collective)
{
    for (int i = 0; i < n_algorithms; i++)
        if (algorithms[i]->collective == collective && algorithm_has_parts(algorithms[i]))
            return TRUE;
    return FALSE;
}

static DrawnParts draw(guint64 number)
{
    static const char *const platforms[] = {"lumi", "leonardo", "generic-100g", "alps", "orfeo-epyc", "archer2"};
    GRand *rand = g_rand_new_with_seed((guint32)number);
    DrawnParts x = {.number = number};
    do
        x.collective = (Collective)g_rand_int_range(rand, 0, N_COLLECTIVES);
    while (!has_compositions(x.collective));
    x.platform = platforms[g_rand_int_range(rand, 0, G_N_ELEMENTS(platforms))];
    const gboolean large = g_rand_int_range(rand, 0, 4) == 0;
    const int nodes = g_rand_int_range(rand, 2, large ? 17 : 9), per_node = g_rand_int_range(rand, 2, large ? 13 : 9);
    g_snprintf(x.ranks, sizeof x.ranks, "%dx%d", nodes, per_node);
    x.bytes = (uint64_t)g_rand_int_range(rand, 4, 8) << g_rand_int_range(rand, 1, large ? 19 : 22);
    if (!collectives[x.collective].vector)
        x.bytes /= (uint64_t)nodes * (uint64_t)per_node;
    x.bytes = MAX(x.bytes / 8, 1) * 8;
    x.ordered = g_rand_int_range(rand, 0, 4) == 0 && collectives[x.collective].reduces;
    const int discipline = strcmp(x.platform, "archer2") == 0 ? 2 : g_rand_int_range(rand, 0, 8); // that one has tables
    x.transfer = discipline == 0 ? "eager" : discipline == 1 ? "eager-port" : NULL;
    g_rand_free(rand);
    return x;
}

// ---- The grid -------------------------------------------------------------------------------------------------------

static void add_value(const CollParam *param, GArray *values, int64_t value)
{
    gboolean fresh = value >= param->min && value <= param->max;
    for (guint i = 0; i < values->len; i++)
        fresh &= g_array_index(values, int64_t, i) != value;
    if (fresh)
        g_array_append_val(values, value);
}

static GArray *numbers_of(const CollParam *param, int p, size_t m)
{
    GArray *values = g_array_new(FALSE, FALSE, sizeof(int64_t));
    add_value(param, values, param->def);
    if (param->kind == PARAM_SIZE)
        for (size_t pieces = 64; pieces > 1; pieces /= 4)
            add_value(param, values, (int64_t)MAX(m / pieces / 8, 1) * 8);
    if (param->kind == PARAM_SIZE)
        add_value(param, values, 0);
    for (int64_t i = 0; param->kind == PARAM_CHOICE && i <= param->max; i++)
        add_value(param, values, i);
    for (int64_t i = 0; param->kind == PARAM_INT && i <= 8; i++)
        if (i <= p && (i > 0 || strcmp(param->name, "max_requests") == 0 || param->cut))
            add_value(param, values, i);
    return values;
}

static GArray *values_of(const CollParam *param, int p, size_t m, int depth);

// Adds the variants of a part whose parameters from i on have any values, as numbers of algorithms.
static void add_variants(const CollAlgorithm *a, const CollParams *par, int i, int p, size_t m, int depth, GArray *to)
{
    if (i == algorithm_n_params(a)) {
        const CollAlgorithm *variant = variant_find(a, par);
        g_array_append_val(to, variant);
        return;
    }
    // The combinations of all numbers with parts of parts would be too many for this test.
    const gboolean one = depth > 0 && algorithm_has_parts(a) && a->params[i].kind != PARAM_ALGORITHM;
    const gboolean throttles = strcmp(a->params[i].name, "max_requests") == 0; // it aborts among the whole's requests
    g_autoptr(GArray) values = values_of(&a->params[i], p, m, depth);
    for (guint k = 0; k < (one || throttles || values->len == 0 ? 1 : values->len); k++) {
        CollParams next = *par;
        if (throttles)
            param_set(&a->params[i], &next, 0);
        else if (a->params[i].kind == PARAM_ALGORITHM && values->len > 0)
            param_set_part(&a->params[i], &next, g_array_index(values, const CollAlgorithm *, k));
        else if (values->len > 0)
            param_set(&a->params[i], &next, g_array_index(values, int64_t, k));
        add_variants(a, &next, i + 1, p, m, depth, to);
    }
}

// Returns the values of a parameter: numbers (int64_t), or parts (const CollAlgorithm *) with parameters of their own
// if depth is above 0. A part of a part has its defaults. Empty for a part at depth 0.
static GArray *values_of(const CollParam *param, int p, size_t m, int depth)
{
    if (param->kind != PARAM_ALGORITHM)
        return numbers_of(param, p, m);
    GArray *values = g_array_new(FALSE, FALSE, sizeof(const CollAlgorithm *));
    for (int i = 0; depth > 0 && i < n_algorithms; i++)
        if (param_allows(param, i)) {
            const CollParams defaults = algorithm_defaults(algorithms[i]);
            // .. and so would be those of compositions of three parts or more.
            int parts = 0;
            for (int k = 0; k < algorithm_n_params(algorithms[i]); k++)
                parts += algorithms[i]->params[k].kind == PARAM_ALGORITHM;
            add_variants(algorithms[i], &defaults, 0, p, m, parts > 2 ? 0 : depth - 1, values);
        }
    return values;
}

// ---- The fastest ----------------------------------------------------------------------------------------------------

typedef struct PartsGrid {
    const DrawnParts *x;
    const Request *r;
    const CollAlgorithm *a;
    int p, per_node;
    size_t m;
    GArray *axis[COLL_MAX_PARAMS]; // of int64_t, or of const CollAlgorithm * for a part
    double least_s;
    guint least[COLL_MAX_PARAMS];
    CollParams least_par; // of the fastest; valid if `choice` is not NULL
    char *choice;
} PartsGrid;

static gint64 n_runs;

// Runs the composition with these parameters. Returns TRUE if it is the fastest so far.
static gboolean try_params(PartsGrid *g, const CollParams *par)
{
    n_runs++;
    Point *point = ahead_simulate(g->r, g->p, g->per_node, g->m, algorithm_number(g->a), par,
                                  isfinite(g->least_s) ? g->least_s : 0, NULL, NULL);
    const gboolean better = point && !point_beyond(point) && point->time_s < g->least_s * (1 - 1e-9);
    if (better) {
        g->least_s = point->time_s;
        g->least_par = *par;
        g_free(g->choice);
        g->choice = point_choice(point);
    }
    point_free(point);
    return better;
}

// Runs the composition with these values. Returns TRUE if it is the fastest so far.
static gboolean try(PartsGrid *g, const guint *place)
{
    CollParams par = algorithm_defaults(g->a);
    for (int i = 0; i < algorithm_n_params(g->a); i++)
        if (g->a->params[i].kind == PARAM_ALGORITHM)
            param_set_part(&g->a->params[i], &par, g_array_index(g->axis[i], const CollAlgorithm *, place[i]));
        else
            param_set(&g->a->params[i], &par, g_array_index(g->axis[i], int64_t, place[i]));
    const gboolean better = try_params(g, &par);
    if (better)
        memcpy(g->least, place, sizeof g->least);
    return better;
}

// Runs all n combinations of values.
static void try_all(PartsGrid *g, guint n)
{
    for (guint k = 0; k < n; k++) {
        guint place[COLL_MAX_PARAMS] = {0}, rest = k;
        for (int i = 0; i < algorithm_n_params(g->a); rest /= g->axis[i++]->len)
            place[i] = rest % g->axis[i]->len;
        try(g, place);
    }
}

static void descend(PartsGrid *g)
{
    for (gboolean better = TRUE; better;) {
        better = FALSE;
        for (int i = 0; i < algorithm_n_params(g->a); i++) {
            guint place[COLL_MAX_PARAMS];
            memcpy(place, g->least, sizeof place);
            for (place[i] = 0; place[i] < g->axis[i]->len; place[i]++)
                better |= try(g, place);
        }
    }
}

// Finds about the fastest of a composition on the grid.
static void search(PartsGrid *g, guint most)
{
    double n = 1;
    for (int i = 0; i < algorithm_n_params(g->a); i++) {
        g->axis[i] = values_of(&g->a->params[i], g->p, g->m, sample_all() && g->x->number % 10 == 0 ? 2 : 1);
        n *= g->axis[i]->len;
    }
    if (n <= most) {
        try_all(g, (guint)n);
    } else {
        guint place[COLL_MAX_PARAMS] = {0};
        GRand *rand = g_rand_new_with_seed((guint32)g->x->number);
        for (guint k = 0; k < most; k++) {
            for (int i = 0; i < algorithm_n_params(g->a); i++)
                place[i] = (guint)g_rand_int_range(rand, 0, (gint32)g->axis[i]->len);
            try(g, place);
        }
        g_rand_free(rand);
        descend(g);
    }
    for (int i = 0; i < algorithm_n_params(g->a); i++)
        g_array_unref(g->axis[i]);
}

// ---- Random changes -------------------------------------------------------------------------------------------------

enum { DEEPEST = 3, MOST_CHANGES = 3 }; // levels of parts, and changes at a time

static void change(GRand *rand, const CollAlgorithm *a, CollParams *par, const PartsGrid *g, int depth);

// Returns any algorithm as a part, with its default parameters, or with one of them changed.
static const CollAlgorithm *any_part(GRand *rand, const CollParam *param, const PartsGrid *g, int depth)
{
    int i;
    do
        i = g_rand_int_range(rand, 0, n_algorithms);
    while (!param_allows(param, i));
    const CollAlgorithm *entry = algorithms[i];
    CollParams own = algorithm_defaults(entry);
    const CollParam *requests = algorithm_param(entry, "max_requests"); // it aborts among the whole's requests
    if (requests)
        param_set(requests, &own, 0);
    if (g_rand_boolean(rand))
        change(rand, entry, &own, g, depth);
    return variant_find(entry, &own);
}

// Changes one of the parameters, or one of a part's, `depth` levels down at most.
static void change(GRand *rand, const CollAlgorithm *a, CollParams *par, const PartsGrid *g, int depth)
{
    const int n = algorithm_n_params(a);
    const CollParam *param = n > 0 ? &a->params[g_rand_int_range(rand, 0, n)] : NULL;
    if (!param || depth == 0)
        return;
    const CollAlgorithm *part = param->kind == PARAM_ALGORITHM ? param_part(param, par) : NULL;
    if (part && g_rand_boolean(rand)) {
        CollParams own = algorithm_defaults(part);
        change(rand, algorithm_entry(part), &own, g, depth - 1);
        param_set_part(param, par, variant_find(algorithm_entry(part), &own));
    } else if (part) {
        param_set_part(param, par, any_part(rand, param, g, depth - 1));
    } else if (strcmp(param->name, "max_requests") != 0) {
        g_autoptr(GArray) values = numbers_of(param, g->p, g->m);
        param_set(param, par, g_array_index(values, int64_t, g_rand_int_range(rand, 0, (gint32)values->len)));
    }
}

// Changes what is the fastest so far, and keeps what is faster.
static void climb(PartsGrid *g, guint tries)
{
    GRand *rand = g_rand_new_with_seed((guint32)g->x->number);
    for (guint k = 0; g->choice && k < tries; k++) {
        CollParams par = g->least_par;
        for (int n = g_rand_int_range(rand, 0, MOST_CHANGES); n >= 0; n--)
            change(rand, g->a, &par, g, DEEPEST);
        try_params(g, &par);
    }
    g_rand_free(rand);
}

static int n_points, n_equal, n_faster, n_slower;

static void check_request(const DrawnParts *x, const Request *r)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) contests = contest_make_all(r, 1, &error);
    g_assert_no_error(error);
    contest_run_all(contests, NULL, NULL, &error);
    g_assert_no_error(error);
    const Contest *contest = contests->pdata[0];
    const Point *best = ((const Contender *)contest->ranking->pdata[0])->point;
    n_points++;
    double least_s = INFINITY;
    g_autofree char *fastest = NULL;
    for (int i = 0; i < n_algorithms; i++) {
        PartsGrid g = {x, r, algorithms[i], best->p, best->per_node, best->m, .least_s = best->time_s * 2};
        if (algorithms[i]->collective != x->collective || !algorithm_has_parts(algorithms[i]))
            continue;
        const gboolean found = algorithms[i] == best->algorithm;
        search(&g, (guint)sample_of(1000, 200));
        if (found && !(g.least_s < best->time_s)) {
            g.least_s = best->time_s;
            g.least_par = best->par;
            g_free(g.choice);
            g.choice = point_choice(best);
        }
        climb(&g, (guint)(found ? sample_of(2000, 400) : sample_of(400, 100)));
        if (g.choice && g.least_s < least_s) {
            least_s = g.least_s;
            g_free(fastest);
            fastest = g_steal_pointer(&g.choice);
        }
        g_free(g.choice);
    }
    const gboolean faster = best->time_s<least_s *(1 - 1e-9), slower = best->time_s> least_s * (1 + 1e-9);
    n_faster += faster; // also where the grid has nothing within twice the time
    n_slower += slower;
    n_equal += !faster && !slower;
    if (!slower)
        return;
    g_autofree char *choice = point_choice(best);
    g_printerr("# point %" G_GUINT64_FORMAT ": best %s -p %s -m %" G_GUINT64_FORMAT
               " --element 8 --platform %s%s%s%s finds %s, %.6g s, but %s takes %.6g s\n",
               x->number, collectives[x->collective].name, x->ranks, x->bytes, x->platform,
               x->ordered ? " --non-commutative" : "", x->transfer ? " --transfer " : "",
               x->transfer ? x->transfer : "", choice, best->time_s, fastest, least_s);
    if (best->time_s > most_over * least_s)
        g_test_fail();
}

static void check_point(const DrawnParts *x)
{
    collsim_platform *platform = collsim_platform_open(x->platform, NULL);
    collsim_request *request = collsim_request_new(platform, collectives[x->collective].name, NULL);
    Request r = {0};
    g_autoptr(GError) error = NULL;
    g_assert_cmpint(collsim_request_ranks_list(request, x->ranks, NULL), ==, COLLSIM_OK);
    g_assert_cmpint(collsim_request_sizes(request, &x->bytes, 1, NULL), ==, COLLSIM_OK);
    g_assert_cmpint(collsim_request_option(request, "element", "8", NULL), ==, COLLSIM_OK);
    g_assert_cmpint(collsim_request_option(request, "non-commutative", x->ordered ? "yes" : NULL, NULL), ==,
                    COLLSIM_OK);
    g_assert_cmpint(collsim_request_option(request, "transfer", x->transfer, NULL), ==, COLLSIM_OK);
    g_assert_true(library_request_make(request, FALSE, &r, &error));
    check_request(x, &r);
    library_request_clear(&r);
    collsim_request_free(request);
    collsim_platform_free(platform);
}

static void test_parts(void)
{
    guint64 begin;
    const guint64 n = sample_points(200, 5, &begin);
    for (guint64 i = 0; i < n; i++) {
        const DrawnParts x = draw(begin + i);
        check_point(&x);
    }
    g_assert_cmpint(n_faster + n_equal + n_slower, ==, n_points);
    g_test_message("seed %" G_GUINT64_FORMAT ": of %d points, best is as fast as the grid at %d, faster at %d, slower "
                   "at %d; %" G_GINT64_FORMAT " runs",
                   begin, n_points, n_equal, n_faster, n_slower, n_runs);
}

static void add(void)
{
    g_test_add_func("/parts/nothing_faster", test_parts);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
