// What the two halves of the time of scan and exscan halving share.
#pragma once
#include "times/times.h"

// The messages of a level, in each direction: their number, 1 or 2, and the costs of one and of reducing one.
typedef struct HalvingLevel {
    int n;
    int64_t u, g;
} HalvingLevel;
// Returns those of a level of h, counted from the first halving.
HalvingLevel halving_level(const CollPoint *x, int h, int level);

// Returns T with h halvings; the parameter `pieces` says in how many of them messages travel in two pieces. It follows the
// ranks of each kind of group. Returns -1 if a rank may take messages in another order than that in which it posted
// their receives.
int64_t halving_groups_time(const CollPoint *x, int h, bool exclusive);
