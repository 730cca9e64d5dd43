// How far two sums of the same terms may be apart because they were added in another order.
#pragma once
#include <math.h>
#include <stdbool.h>

// Returns true if rounding explains the difference of two values >= 0: they differ by at most 1e-9, or by what `additions`
// of doubles of 53 bits can have lost, relative to the larger one.
static inline bool rounding_explains(double a, double b, double additions)
{
    return fabs(a - b) <= (1e-9 + additions * 0x1p-53) * fmax(a, b);
}
