// Numbers that are only near to what they should be.
#pragma once
#include <glib.h>
#include <math.h>

static inline double noise(GRand *rand, double share)
{
    return 1 + g_rand_double_range(rand, -share, share);
}

static inline void assert_near(double x, double expected, double share)
{
    if (!(fabs(x / expected - 1) <= share))
        g_error("%g is not within %g of %g", x, share, expected);
}
