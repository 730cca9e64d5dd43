// The tolerance for comparing two sums of the same terms that were added in different orders.
#pragma once
#include <math.h>
#include <stdbool.h>

// Returns true if rounding explains the difference of two values >= 0: relative to the larger one, it is at most 1e-9 +
// additions * 2^-53. Each addition of doubles can lose 2^-53 of its result, and `additions` is the most that either
// value took.
static inline bool rounding_explains(double a, double b, double additions)
{
    return fabs(a - b) <= (1e-9 + additions * 0x1p-53) * fmax(a, b);
}
