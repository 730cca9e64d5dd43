// Times over trees that have been computed before.
#pragma once
#include "times/times.h"

// Returns the parameters that a tree depends on. Without nodes, the length of segments and the number of requests are none
// of them, so formulas that differ in these alone have one tree.
CollParams tree_known_params(const CollPoint *x);
// Returns the time of a tree on which S segments of a cost u, if it `reduces` each with a cost g, travel, and which `find`
// computes if it is not known. It must depend on S, u and g alone, and be in proportion to the costs.
int64_t tree_known_time(const CollPoint *x, CollTree tree, int root, bool reduces,
                        int64_t (*find)(const CollPoint *x, CollTree tree, int root));
