// Verdicts on numbers that are made by hand, and the pieces of random curves against all ways to cut them.
#include "judge/compare/verdict.h"
#include "tap.h"
#include <math.h>

enum { SIZES = 6, CANDIDATES = 3 };

// A case: by candidate and size, how many times the prediction is the measured time, and the pieces as "0..2:1 3..5:0".
typedef struct VerdictCase {
    const char *name;
    double times[CANDIDATES][SIZES];
    const char *pieces;
    guint first; // the candidate that is nearest over all sizes
    double worse;
    gboolean tied; // with a tie of 1 %
} VerdictCase;

static CurveVerdict *judge(const double times[CANDIDATES][SIZES], double tie)
{
    double measured[SIZES], time_s[CANDIDATES][SIZES];
    const double *predicted[CANDIDATES];
    for (int i = 0; i < SIZES; i++)
        measured[i] = 1e-6 * (1 << i);
    for (int c = 0; c < CANDIDATES; c++) {
        for (int i = 0; i < SIZES; i++)
            time_s[c][i] = times[c][i] * measured[i];
        predicted[c] = time_s[c];
    }
    return verdict_new(measured, SIZES, predicted, CANDIDATES, tie);
}

static char *pieces_text(const CurveVerdict *v)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < v->pieces->len; i++) {
        const VerdictPiece *piece = &g_array_index(v->pieces, VerdictPiece, i);
        g_string_append_printf(text, "%s%u..%u:%u", i ? " " : "", piece->first, piece->last, piece->candidate);
    }
    return g_string_free(text, FALSE);
}

// e^1.1 = 3.004 at three sizes pays for a change, which costs 3; e^0.9 = 2.46 does not.
static const VerdictCase cases[] = {
    {"a candidate that is right everywhere",
     {{2, 2, 2, 2, 2, 2}, {1, 1, 1, 1, 1, 1}, {3, 3, 3, 3, 3, 3}},
     "0..5:1",
     1,
     0.693147e9,
     FALSE},
    {"too slow counts as much as too fast",
     {{0.5, 2, 2, 0.5, 2, 2}, {4, 4, .25, 4, 4, 4}, {5, 5, 5, 5, 5, 5}},
     "0..5:0",
     0,
     2,
     FALSE},
    {"a change that pays",
     {{1, 1, 1, 3.005, 3.005, 3.005}, {9, 9, 9, 1, 1, 1}, {9, 9, 9, 9, 9, 9}},
     "0..2:0 3..5:1",
     0,
     1.100277e9,
     FALSE},
    {"a change that does not pay",
     {{1, 1, 1, 2.46, 2.46, 2.46}, {9, 9, 9, 1, 1, 1}, {9, 9, 9, 9, 9, 9}},
     "0..5:0",
     0,
     2.440921,
     FALSE},
    {"two changes",
     {{1, 1, 30, 30, 1, 1}, {40, 40, 1, 1, 40, 40}, {50, 50, 50, 50, 50, 50}},
     "0..1:0 2..3:1 4..5:0",
     0,
     3.401197e9,
     FALSE},
    {"the lower number of two that are equal",
     {{4, 4, 4, 4, 4, 4}, {2, 2, 2, 2, 2, 2}, {.5, .5, .5, .5, .5, .5}},
     "0..5:1",
     1,
     1,
     TRUE},
    {"less than 1 % apart",
     {{2, 2, 2, 2, 2, 2}, {9, 9, 9, 9, 9, 9}, {2.01, 2.01, 2.01, 2.01, 2.01, 2.01}},
     "0..5:0",
     0,
     1.007195,
     TRUE},
    {"more than 1 % apart",
     {{2, 2, 2, 2, 2, 2}, {9, 9, 9, 9, 9, 9}, {2.02, 2.02, 2.02, 2.02, 2.02, 2.02}},
     "0..5:0",
     0,
     1.014355,
     FALSE},
    {"tied at some sizes",
     {{2, 2, 2, 99, 99, 99}, {99, 99, 99, 1.5, 1.5, 1.5}, {2, 2, 2, 99, 99, 99}},
     "0..2:0 3..5:1",
     1,
     1,
     TRUE},
};

static void test_case(gconstpointer data)
{
    const VerdictCase *x = data;
    g_autoptr(CurveVerdict) v = judge(x->times, 0.01);
    g_autofree char *pieces = pieces_text(v);
    g_assert_cmpstr(pieces, ==, x->pieces);
    g_assert_cmpuint(v->order[0], ==, x->first);
    g_assert_cmpfloat(fabs(v->times_worse / x->worse - 1), <, 1e-5);
    g_assert_cmpint(v->tied, ==, x->tied);
}

// A second candidate that is exactly as much worse as a tie allows is not one: ln 4 is twice ln 2, to the last bit.
static void test_tie(void)
{
    static const double times[CANDIDATES][SIZES] = {{4, 4, 4, 4, 4, 4}, {2, 2, 2, 2, 2, 2}, {32, 32, 32, 32, 32, 32}};
    const double tie[] = {nextafter(2, 0) - 1, 1, nextafter(2, 3) - 1};
    for (size_t i = 0; i < G_N_ELEMENTS(tie); i++) {
        g_autoptr(CurveVerdict) v = judge(times, tie[i]);
        g_assert_cmpfloat(v->times_worse, ==, 2);
        g_assert_cmpint(v->tied, ==, tie[i] > 1);
        g_assert_cmpint(v->near_tied, ==, tie[i] > 1);
    }
}

static void test_alone(void)
{
    const double measured[] = {1, 2}, time_s[] = {2, 2}, *predicted[] = {time_s};
    g_autoptr(CurveVerdict) v = verdict_new(measured, 2, predicted, 1, 0.01);
    g_assert_true(isinf(v->times_worse) && !v->tied);
    g_assert_cmpfloat(fabs(v->fit - log(2) / 2), <, 1e-12);
    g_assert_cmpfloat(fabs(v->bias[0] - 0.5), <, 1e-12);
}

// The pieces cost the least of all ways to give each size a candidate.
static void test_least(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(18);
    for (int round = 0; round < 300; round++) {
        double times[CANDIDATES][SIZES], least = INFINITY, cost = 0;
        for (int c = 0; c < CANDIDATES; c++)
            for (int i = 0; i < SIZES; i++)
                times[c][i] = exp(g_rand_double_range(rand, -4, 4));
        for (int way = 0; way < 729; way++) { // 3^6
            double sum = 0;
            int before = way % 3;
            for (int i = 0, rest = way; i < SIZES; i++, rest /= 3) {
                sum += fabs(log(times[rest % 3][i])) + (rest % 3 != before ? VERDICT_SWITCH : 0);
                before = rest % 3;
            }
            least = fmin(least, sum);
        }
        g_autoptr(CurveVerdict) v = judge(times, 0.01);
        guint next = 0;
        for (guint k = 0; k < v->pieces->len; k++) {
            const VerdictPiece *piece = &g_array_index(v->pieces, VerdictPiece, k);
            g_assert_cmpuint(piece->first, ==, next);
            next = piece->last + 1;
            for (guint i = piece->first; i <= piece->last; i++)
                cost += fabs(log(times[piece->candidate][i]));
        }
        g_assert_cmpuint(next, ==, SIZES);
        g_assert_cmpfloat(fabs(cost / SIZES - v->fit), <, 1e-9);
        g_assert_cmpfloat(fabs(cost + VERDICT_SWITCH * (v->pieces->len - 1) - least), <, 1e-9);
    }
}

static void add(void)
{
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *path = g_strdup_printf("/compare/%s", cases[i].name);
        g_test_add_data_func(path, &cases[i], test_case);
    }
    g_test_add_func("/compare/tie", test_tie);
    g_test_add_func("/compare/one candidate", test_alone);
    g_test_add_func("/compare/the least of all cuts", test_least);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
