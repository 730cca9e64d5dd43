// The rounds of a k-ary Bruck reduce-scatter: at distances d = .., k^2, k, 1 a rank sends runs of d of its p blocks.
#pragma once
#include <stdint.h>

// Returns how many runs of d blocks a rank sends in a round.
static inline int64_t k_bruck_runs(int p, int k, int64_t d)
{
    const int64_t all = (p - 1) / d;
    return all < k - 1 ? all : k - 1;
}

// Returns the distance of the first round.
static inline int64_t k_bruck_first(int p, int k)
{
    int64_t d = 1;
    while (d * k < p)
        d *= k;
    return d;
}
