// Powers and logarithms of small integers.
#pragma once
#include "api/linkage.h"
#include <stdbool.h>
#include <stdint.h>

// Return floor(log2 x) and ceil(log2 x), for x >= 1.
int log2_floor(int x);
int log2_ceil(int x);
// Returns the largest power of two that is at most x >= 1.
int pow2_floor(int x);
// Returns true if x >= 1 is a power of two; 1 counts as a power of two.
bool is_pow2(int x);
// Returns the largest power of k >= 2 that is at most x >= 1; for x < k that is 1.
int pow_floor(int x, int k);
