// For tests of values that come out of noisy or rounded input.
#pragma once
#include <glib.h>
#include <math.h>

// Returns a random factor between 1 - share and 1 + share.
static inline double noise(GRand *rand, double share)
{
    return 1 + g_rand_double_range(rand, -share, share);
}

// Fails unless x differs from `expected` (not 0) by at most the part `share` of it: 0.01 allows 1 %.
static inline void assert_near(double x, double expected, double share)
{
    if (!(fabs(x / expected - 1) <= share))
        g_error("%g is not within %g of %g", x, share, expected);
}
