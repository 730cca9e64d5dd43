// Postal trees, for machines on which a rank can send its next message long before the last one has arrived.
#pragma once
#include "shapes/runs.h"
#include "shapes/tree.h"

// The tree that reaches the most ranks in every number of steps, if a rank that has the message sends it to another
// rank in each step, and it arrives after L = par.leaders >= 1 steps: f(t) = f(t-1) + f(t-L) ranks in t steps, f(t) = 1
// for t < L. It is the binomial tree for L = 1 and the flat tree for L >= p-1. A subtree is a run of consecutive v; the
// rank sends to the last part of its run first. Example, p = 8, L = 2:
//
//     0 -> 5   0 -> 3   0 -> 2   0 -> 1   5 -> 7   5 -> 6   3 -> 4
//
// Returns the caller's place in the tree whose root is rank `root`. The largest subtree comes first.
Tree tree_postal(const Coll *c, int root);
// The same tree, but the smallest subtree comes first.
Tree tree_postal_reversed(const Coll *c, int root);
// Returns the caller's runs in tree_postal.
Runs runs_postal(const Coll *c);
// Writes the distances to the caller's parent and children, and the size of its subtree, as CollAlgorithm.pattern does.
// Returns 0 if these would be more than POSTAL_PATTERN integers.
enum { POSTAL_PATTERN = 64 };
int postal_pattern(const Coll *c, int *pattern);
