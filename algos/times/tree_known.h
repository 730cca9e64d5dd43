// Times over trees that have been computed before.
#pragma once
#include "times/times.h"

// Returns x->par without what a tree does not depend on. Without nodes, that is the length of segments and the number of
// requests, so formulas that differ only in these share one tree.
CollParams tree_known_params(const CollPoint *x);
// Returns the time of S segments that travel over a tree, each at a cost u, and that ranks reduce, if `reduces`, each at
// a cost g. `find` computes it if it is not known; its result must depend on S, u and g alone, and grow in proportion to
// the two costs.
int64_t tree_known_time(const CollPoint *x, CollTree tree, int root, bool reduces,
                        int64_t (*find)(const CollPoint *x, CollTree tree, int root));
