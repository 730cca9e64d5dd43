// Times over trees that have been computed before.
#pragma once
#include "times/times.h"

// Returns the time of S segments that travel over a tree, each at a cost u, and that ranks reduce, if `reduces`, each at
// a cost g. `find` computes it if it is not known; its result must depend on the ranks' places in the tree, S, u and g
// alone, and grow in proportion to the two costs.
int64_t tree_known_time(const CollPoint *x, CollTree tree, int root, bool reduces,
                        int64_t (*find)(const CollPoint *x, CollTree tree, int root));
