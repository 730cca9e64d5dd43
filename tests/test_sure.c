// How sure a gain is: the families' spreads, a machine's own, and the time below which an algorithm is surely faster.
#include "search/search/sure.h"
#include "tap.h"
#include <math.h>
#include <string.h>

#define NEAR(x, y) g_assert_cmpfloat_with_epsilon(x, y, 1e-9)

static void test_z(void)
{
    g_assert_cmpfloat(sure_z(50), ==, 0);
    g_assert_cmpfloat_with_epsilon(sure_z(90), 1.2815515655446, 1e-12);
    g_assert_cmpfloat_with_epsilon(sure_z(97.5), 1.9599639845401, 1e-12);
    g_assert_cmpfloat(sure_z(100 - 1e-9), <, 40);
}

static const CollAlgorithm *entry(Collective collective, const char *name)
{
    const CollAlgorithm *a = algorithm_find(collective, name);
    g_assert_nonnull(a);
    return a;
}

// Each family but the last is an algorithm of some collective, and the last one has all others.
static void test_families(void)
{
    for (int i = 0; i < N_SPREADS - 1; i++) {
        gboolean any = FALSE;
        for (int k = 0; k < n_algorithms; k++)
            any |= spread_family(algorithms[k]->name) == i;
        if (!any)
            g_error("no algorithm has the name %s", spread_families[i].name);
        g_assert_cmpint(spread_family(spread_families[i].name), ==, i);
    }
    g_assert_cmpint(spread_family(NULL), ==, N_SPREADS - 1);
    g_assert_cmpint(spread_family("two_tree"), ==, N_SPREADS - 1);
    g_assert_cmpstr(spread_families[N_SPREADS - 1].name, ==, "others");
}

static void test_limit(void)
{
    g_autoptr(Platform) platform = platform_new("here");
    const CollAlgorithm *ring = entry(COLL_ALLGATHER, "ring"), *bruck = entry(COLL_ALLGATHER, "bruck");
    NEAR(sure_deviation(platform, ring, bruck), sqrt(0.1 * 0.1 + 0.61 * 0.61 + 2 * 0.24 * 0.24));
    NEAR(sure_deviation(platform, ring, NULL), sqrt(0.1 * 0.1 + 0.24 * 0.24 * 3));
    NEAR(sure_limit(platform, 2, ring, bruck, 0), 2);
    const double limit_s = sure_limit(platform, 2, ring, bruck, sure_z(90));
    NEAR(limit_s, 2 * exp(-sure_z(90) * sure_deviation(platform, ring, bruck)));
    for (int i = -1; i <= 1; i++) { // a little faster than the limit, at it, a little slower
        const Sure sure = sure_of(platform, 2, ring, limit_s * (1 + i * 1e-6), bruck);
        g_assert_cmpint((sure.share < 0.9 - 1e-12) - (sure.share > 0.9 + 1e-12), ==, i);
        g_assert_cmpint((sure.low < 1 - 1e-12) - (sure.low > 1 + 1e-12), ==, i);
        NEAR(sure.low * sure.high, sure.saves * sure.saves);
    }
    const Sure same = sure_of(platform, 2, ring, 2, ring);
    NEAR(same.saves, 1);
    NEAR(same.share, 0.5);
    g_assert_true(isnan(sure_of(platform, NAN, ring, 2, ring).share));
    g_assert_true(isnan(sure_of(platform, 0, ring, 0, ring).saves));
}

// ---- A machine's own spreads ------------------------------------------------------------------------------------------

static Platform *parse(const char *spread, GError **error)
{
    g_autofree char *text = g_strconcat("[machine]\ntitle = x\n[spread]\n", spread, "\n", NULL);
    return platform_parse("x.ini", text, strlen(text), error);
}

static void test_machine(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Platform) x = parse("ring = 0.05\nothers=0.5\nsource = three runs", &error), copy = NULL;
    g_assert_no_error(error);
    NEAR(sure_spread(x, entry(COLL_ALLGATHER, "ring")), 0.05);
    NEAR(sure_spread(x, entry(COLL_ALLGATHER, "bruck")), 0.61);
    NEAR(sure_spread(x, NULL), 0.5);
    g_autofree char *text = platform_text(x, NULL, &error);
    g_assert_no_error(error);
    g_assert_nonnull(strstr(text, "[spread]\nring = 0.05\nothers = 0.5\nsource = three runs"));
    copy = platform_copy(x);
    g_assert_cmpstr(copy->spread_source, ==, "three runs");
    NEAR(copy->spread[spread_family("ring")], 0.05);
}

static void test_bad(void)
{
    static const char *const bad[][2] = {
        {"ringg = 0.05\nsource = x", "x.ini:4: unknown family in [spread] 'ringg'"},
        {"ring = 0.0099\nsource = x", "x.ini:4: ring = 0.0099 is not a spread; allowed: 0.01 to 2"},
        {"ring = 2.01\nsource = x", "x.ini:4: ring = 2.01 is not a spread; allowed: 0.01 to 2"},
        {"ring = nan\nsource = x", "x.ini:4: ring = nan is not a spread; allowed: 0.01 to 2"},
        {"ring = 0.1\nring = 0.1\nsource = x", "x.ini:5: ring is set twice; allowed: once"},
        {"source = x\nsource = y", "x.ini:5: source is set twice; allowed: once"},
        {"source =", "x.ini:4: source is empty; allowed: a text that says where the spreads come from"},
        {"ring = 0.1", "[spread] has no source; allowed: spreads and source together"},
        {"source = x", "[spread] has only a source; allowed: spreads and source together"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        g_assert_null(parse(bad[i][0], &error));
        if (!strstr(error->message, bad[i][1]))
            g_error("%s: %s", bad[i][0], error->message);
    }
    for (int i = 0; i < 2; i++) { // the bounds themselves
        g_autoptr(GError) error = NULL;
        g_autoptr(Platform) x = parse(i ? "ring = 2\nsource = x" : "ring = 0.01\nsource = x", &error);
        g_assert_no_error(error);
        g_assert_nonnull(x);
    }
}

static void add_tests(void)
{
    g_test_add_func("/sure/z", test_z);
    g_test_add_func("/sure/families", test_families);
    g_test_add_func("/sure/limit", test_limit);
    g_test_add_func("/sure/machine", test_machine);
    g_test_add_func("/sure/bad", test_bad);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add_tests);
}
