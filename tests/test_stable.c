// How stable the choices of `tune` are: if every figure of a machine is a little wrong, most calls keep their algorithm.
#include "advice/tune/tune.h"
#include "machine/platform/platform_figure.h"
#include "sample.h"
#include "tap.h"
#include "tunes.h"
#include <string.h>

// The default grid of `tune`.
#define RANKS "2 3 4 6 8 12 16 24 32 48 64 96 128"
#define SIZES "8 32 128 512 2048 8192 32768 131072 524288 2097152"

static const double within = 0.03, wrong = 0.05;

// ---- Machines that are wrong ----------------------------------------------------------------------------------------

static double draw_factor(GRand *random)
{
    return g_rand_double_range(random, 1 - wrong, 1 + wrong);
}

// Makes the values of a table wrong; NULL is allowed.
static void make_table_wrong(Table *table, GRand *random)
{
    for (int i = 0; table && i < table->n; i++) {
        table->at[i].value *= draw_factor(random);
        if (i > 0) // in a machine's file a time is at most 5 % below the one before
            table->at[i].value = MAX(table->at[i].value, 0.96 * table->at[i - 1].value);
    }
}

// Makes each time, rate and factor of a platform wrong, and each value of its tables.
static void make_wrong(Platform *platform, GRand *random)
{
    const int n = platform->levels.n;
    for (int key = 0; key < N_PLATFORM_KEYS; key++) {
        const PlatformUnit unit = platform_keys[key].unit;
        double *const by_level = platform->by_level[key];
        make_table_wrong(platform->table[key], random);
        for (int level = 0; platform->level_table[key] && level < n; level++)
            make_table_wrong(platform->level_table[key][level], random);
        if (unit == PLATFORM_SIZE || unit == PLATFORM_NUMBER || unit == PLATFORM_COUNT || unit == PLATFORM_LIMIT ||
            unit == PLATFORM_PART)
            continue;
        platform->value[key] *= draw_factor(random);
        for (int level = 0; by_level && level < n; level++)
            by_level[level] *= draw_factor(random);
        if (by_level)
            platform->value[key] = by_level[n - 1]; // that of far
    }
    make_table_wrong(platform->memory, random);
    platform_update_measured(platform);
}

// ---- Tunes ----------------------------------------------------------------------------------------------------------

// Fills in a request for the default grid on a platform, which is wrong if `random` is not NULL.
static void ask(Request *r, LibraryId library, const char *platform, GRand *random)
{
    g_autoptr(GError) error = NULL;
    tunes_request(r, library, RANKS, SIZES);
    platform_free(r->machine.platform);
    r->machine.platform = platform_load(platform, &error);
    g_assert_no_error(error);
    if (random)
        make_wrong(r->machine.platform, random);
    r->machine.model = request_default_model(r->machine.platform);
    r->library.any_operation = r->library.no_compositions = TRUE;
    r->library.z = sure_z(SURE_DEFAULT);
}

// Tunes one collective; with `refined`, as a file has it, which takes several times as long.
static Tune *tune_of(Request *r, Collective collective, gboolean refined)
{
    g_autoptr(GError) error = NULL;
    Tune *tune = tune_compute(r, collective, collectives[collective].reduces ? 8 : 1, within, FALSE, &error);
    g_assert_no_error(error);
    if (refined)
        g_assert_true(tune_refine(tune, r, within, &error));
    return tune;
}

// Counts of the grid's calls.
typedef struct Calls {
    int all, named, same, same_named; // `named`: one of two tunes at least names an id; `same`: both the same
} Calls;

static void compare(const Tune *one, const Tune *two, Calls *calls)
{
    for (guint i = 0, k = 0; i < one->places->len; i++) {
        const TunePlace *x = &g_array_index(one->places, TunePlace, i);
        if (!x->grid)
            continue;
        while (!g_array_index(two->places, TunePlace, k).grid)
            k++;
        const TunePlace *y = &g_array_index(two->places, TunePlace, k++);
        g_assert_true(x->p == y->p && x->m == y->m);
        const int named = x->choice.id || y->choice.id, same = x->choice.id == y->choice.id;
        calls->all++;
        calls->named += named;
        calls->same += same;
        calls->same_named += named && same;
    }
}

// Tunes a library for a platform, and for machines on which its figures would be a little wrong.
static void check(LibraryId library, const char *platform, guint32 machines, gboolean refined)
{
    static const Collective some[] = {COLL_ALLGATHER, COLL_ALLREDUCE, COLL_BCAST, COLL_REDUCE, COLL_REDUCE_SCATTER};
    g_auto(Request) r = {0};
    Calls calls = {0};
    ask(&r, library, platform, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(some); i++) {
        g_autoptr(Tune) right = tune_of(&r, some[i], refined);
        for (guint32 seed = 1; seed <= machines; seed++) {
            g_autoptr(GRand) random = g_rand_new_with_seed(seed);
            g_auto(Request) other = {0};
            ask(&other, library, platform, random);
            g_autoptr(Tune) tune = tune_of(&other, some[i], refined);
            compare(right, tune, &calls);
        }
    }
    const double share = (double)calls.same / calls.all;
    g_test_message("%s on %s: %.2f %% of %d calls, %d of %d with an id", libraries[library].name, platform, 100 * share,
                   calls.all, calls.same_named, calls.named);
    g_assert_cmpfloat(share, >=, 0.95);
}

// ---- Tests ----------------------------------------------------------------------------------------------------------

// Three libraries on machines of three kinds. A sample tests one of the three.
static void test_some(void)
{
    static const struct {
        LibraryId library;
        const char *platform;
    } some[] = {{LIBRARY_OMPI_41, "lumi"}, {LIBRARY_MPICH_43, "leonardo"}, {LIBRARY_OMPI_MAIN, "archer2"}};
    for (guint i = 0; i < G_N_ELEMENTS(some); i++)
        if (sample_takes(i, G_N_ELEMENTS(some)))
            check(some[i].library, some[i].platform, 1, sample_all());
}

// Every platform with every library; a sample of them takes two each day.
static void test_all(void)
{
    g_auto(GStrv) names = platform_names();
    const guint all = g_strv_length(names) * N_LIBRARIES;
    for (guint i = 0; i < all; i++)
        if (sample_takes(i, all / 2))
            check((LibraryId)(i % N_LIBRARIES), names[i / N_LIBRARIES], 1, FALSE);
}

static void add_tests(void)
{
    g_test_add_func("/stable/some", test_some);
    g_test_add_func("/stable/all", test_all);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add_tests);
}
