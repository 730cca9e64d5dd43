// Fits: outliers do not move them, no figure becomes negative, figures that the rows do not determine are recognised,
// and the sizes at which a line bends are found.
#include "calibrate/calibrate.h"
#include "near.h"
#include "tap.h"

// A quarter of the rows are 10 times too slow, and a few are 10 times too fast. The others have no noise, and the fit
// finds exactly the figures that they were made from.
static void test_outliers(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(1);
    double a[3 * 60], b[60], x[3];
    for (int i = 0; i < 60; i++) {
        a[3 * i] = g_rand_double_range(rand, 0, 2);
        a[3 * i + 1] = g_rand_double_range(rand, 0, 4000);
        a[3 * i + 2] = g_rand_double_range(rand, 0, 1000);
        b[i] = (2 * a[3 * i] + 0.001 * a[3 * i + 1] + 0.003 * a[3 * i + 2]) * (i % 4 == 1 ? 10 : i % 20 == 7 ? 0.1 : 1);
    }
    fit_relative(a, b, b, NULL, 60, 3, x);
    assert_near(x[0], 2, 1e-5);
    assert_near(x[1], 0.001, 1e-5);
    assert_near(x[2], 0.003, 1e-5);
}

// A figure that the best fit would make negative becomes 0, and the other figure is the best one without it.
static void test_not_negative(void)
{
    const double a[] = {1, 1, 1, 2, 1, 3, 1, 4}, b[] = {4, 3, 2, 1};
    double x[2];
    const double sum = fit_relative(a, b, b, NULL, 4, 2, x);
    g_assert_cmpfloat(x[1], ==, 0);
    double best = INFINITY; // the sum of errors is least where the error of one row is 0
    for (int i = 0; i < 4; i++) {
        double trial = 0;
        for (int k = 0; k < 4; k++)
            trial += fabs(log(b[i] / b[k]));
        best = MIN(best, trial);
    }
    g_assert_cmpfloat_with_epsilon(sum, best, 1e-5);
    g_assert_cmpfloat(x[0], >, 0.5);
}

static void test_determined(void)
{
    // The columns are a, 0, b, 2 a + b and c. The second is empty, and each of a, b and 2 a + b depends on the other
    // two. So only c is determined.
    double a[5 * 20], scale[20];
    gboolean determined[5];
    for (int i = 0; i < 20; i++) {
        const double p = i + 1, q = i * i + 3, r = 1 + i % 3;
        memcpy(&a[5 * i], ((const double[]){p, 0, q, 2 * p + q, r}), 5 * sizeof(double));
        scale[i] = 1;
    }
    fit_determined(a, scale, 20, 5, determined);
    g_assert_true(!determined[0] && !determined[1] && !determined[2] && !determined[3] && determined[4]);
}

static void test_pieces(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(2);
    FitPoint points[27];
    for (int i = 0; i < 27; i++) {
        const double x = exp2(i - 1);
        const double y = x <= 128 ? 1e-6 + x * 2e-9 : x <= 16384 ? 3e-6 + x * 4e-10 : 9e-6 + x * 1e-10;
        points[i] = (FitPoint){x, y * noise(rand, 0.02), 1};
    }
    g_autoptr(GArray) pieces = fit_pieces(points, 27);
    g_assert_cmpuint(pieces->len, ==, 3);
    const FitPiece *p = (const FitPiece *)(void *)pieces->data;
    g_assert_cmpfloat(p[1].from, ==, 256);
    g_assert_cmpfloat(p[2].from, ==, 32768);
    assert_near(p[0].at_zero, 1e-6, 0.02);
    assert_near(p[1].slope, 4e-10, 0.05);
    assert_near(p[2].slope, 1e-10, 0.03);
    g_assert_cmpfloat(fit_jump(pieces, 1), >, 2);
    g_assert_cmpfloat(calibration_eager(pieces, 0), ==, 128); // at the largest jump, not at the largest size
    // One line with noise stays one piece.
    for (int i = 0; i < 27; i++)
        points[i].y = (1e-6 + points[i].x * 1e-10) * noise(rand, 0.05);
    g_autoptr(GArray) one = fit_pieces(points, 27);
    g_assert_cmpuint(one->len, ==, 1);
    gboolean outlier[27];
    points[12].y *= 1.8;
    points[26].y *= 0.3;
    g_autoptr(GArray) again = fit_pieces(points, 27);
    fit_outliers(points, 27, again, outlier);
    for (int i = 0; i < 27; i++)
        g_assert_cmpint(outlier[i], ==, i == 12 || i == 26);
}

static void add(void)
{
    g_test_add_func("/fit/outliers", test_outliers);
    g_test_add_func("/fit/not_negative", test_not_negative);
    g_test_add_func("/fit/determined", test_determined);
    g_test_add_func("/fit/pieces", test_pieces);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
