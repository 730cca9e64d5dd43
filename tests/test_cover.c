// The fewest rows: against all lists of rows, tried one by one.
#include "advice/targets/cover.h"
#include <string.h>

enum { N = 5, CHOICES = 4, MOST_ROWS = 5 };

// Returns the choice that rows give a size.
static guint choice_at(const CoverRow *rows, guint n, guint size)
{
    for (guint i = 0; i < n; i++)
        if (size >= rows[i].first && size <= rows[i].last)
            return rows[i].choice;
    return 0;
}

static gboolean overlap(const CoverRow *a, const CoverRow *b)
{
    return a->first <= b->last && b->first <= a->last;
}

// Returns TRUE if the rows are good at all sizes. Sets *cost.
static gboolean serve(const CoverRow *rows, guint n, const gboolean *good, const double *cost, gboolean nested,
                      double *sum)
{
    *sum = 0;
    for (guint s = 0; s < N; s++) {
        const guint c = choice_at(rows, n, s);
        if (!good[s * CHOICES + c])
            return FALSE;
        *sum += cost[s * CHOICES + c];
    }
    for (guint i = 0; i < n && !nested; i++)
        for (guint k = 0; k < i; k++)
            if (overlap(&rows[i], &rows[k]))
                return FALSE;
    return TRUE;
}

// Looks for n rows that serve, from row i on. Returns the least cost, or -1.
static double search(CoverRow *rows, guint i, guint n, const gboolean *good, const double *cost, gboolean nested)
{
    double best = -1, sum;
    if (i == n)
        return serve(rows, n, good, cost, nested, &sum) ? sum : -1;
    for (guint first = 0; first < N; first++)
        for (guint last = first; last < N; last++)
            for (guint c = 1; c < CHOICES; c++) {
                rows[i] = (CoverRow){first, last, c};
                const double found = search(rows, i + 1, n, good, cost, nested);
                if (found >= 0 && (best < 0 || found < best))
                    best = found;
            }
    return best;
}

static void check(GRand *random, gboolean nested)
{
    gboolean good[N * CHOICES];
    double cost[N * CHOICES], sum;
    for (guint s = 0; s < N; s++) {
        gboolean any = FALSE;
        for (guint c = 0; c < CHOICES; c++) {
            good[s * CHOICES + c] = g_rand_int_range(random, 0, 5) < 2;
            cost[s * CHOICES + c] = g_rand_int_range(random, 0, 4);
            any |= good[s * CHOICES + c];
        }
        good[s * CHOICES + (guint)g_rand_int_range(random, 0, CHOICES)] |= !any;
    }
    g_autoptr(GArray) rows = cover_rows(N, CHOICES, good, cost, nested);
    g_assert_true(serve((const CoverRow *)(void *)rows->data, rows->len, good, cost, nested, &sum));
    CoverRow tried[MOST_ROWS];
    for (guint n = 0; n <= MIN(rows->len, 3); n++) {
        const double best = search(tried, 0, n, good, cost, nested);
        if (n < rows->len)
            g_assert_cmpfloat(best, <, 0); // fewer do not serve
        else
            g_assert_cmpfloat(best, ==, sum);
    }
}

static void test_all(void)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(7);
    for (int i = 0; i < 60; i++)
        check(random, i % 2 != 0);
}

// a, b, a: the row of a goes on below that of b.
static void test_nested(void)
{
    const gboolean good[] = {FALSE, TRUE, FALSE, FALSE, FALSE, TRUE, FALSE, TRUE, FALSE};
    const double cost[9] = {0};
    g_autoptr(GArray) two = cover_rows(3, 3, good, cost, TRUE), three = cover_rows(3, 3, good, cost, FALSE);
    g_assert_cmpuint(two->len, ==, 2);
    g_assert_cmpuint(three->len, ==, 3);
    g_assert_cmpuint(g_array_index(two, CoverRow, 0).choice, ==, 2);
    g_assert_cmpuint(g_array_index(two, CoverRow, 1).last, ==, 2);
}

// Many sizes, which alternate: one row below all, and one for each of the others.
static void test_large(void)
{
    const guint n = COVER_MOST;
    g_autofree gboolean *good = g_new0(gboolean, n * 3);
    g_autofree double *cost = g_new0(double, n * 3);
    for (guint s = 0; s < n; s++)
        good[s * 3 + 1 + s % 2] = TRUE;
    g_autoptr(GArray) rows = cover_rows(n, 3, good, cost, TRUE), none = cover_rows(0, 3, good, cost, TRUE);
    g_assert_cmpuint(rows->len, ==, n / 2 + 1);
    g_assert_cmpuint(none->len, ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/cover/all", test_all);
    g_test_add_func("/cover/nested", test_nested);
    g_test_add_func("/cover/large", test_large);
    return g_test_run();
}
