// The parts of compositions that a contest tries.
#pragma once
#include "search/search/try_search.h"

// Adds groups of a composition that differ from `base` in the part `param`: it is another algorithm, or one of its
// parameters has another value. Leaves out groups that are there already, those that take at least limit_s seconds, and
// parts that group ranks by nodes. Returns TRUE if it has added any.
gboolean try_parts_add(const Request *request, int p, int per_node, size_t m, int algorithm, const CollParams *base,
                       const CollParam *param, double limit_s, GArray *groups);
