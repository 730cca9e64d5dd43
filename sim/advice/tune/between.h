// What Open MPI's HAN calls between the nodes, with a rank for each node. Where these calls block, tuned decides them
// by its rules for as many ranks as there are nodes. Such a rule also decides calls of programs on as many ranks, and
// what HAN calls in nodes of as many ranks; so numbers of ranks that occur as such are left to the rules for those.
#pragma once
#include "search/search/request.h"

// Returns the numbers of nodes of the request's calls (size_t), ascending, if tuned may decide what HAN calls between
// them for the collective; empty otherwise. With `all`, also those that are numbers of ranks of other calls. Free with
// g_array_unref.
GArray *between_nodes(const Request *request, Collective collective, gboolean all);
// Returns the sizes of what HAN calls between these nodes (size_t), ascending: a block there is what all ranks of a
// node have. Free with g_array_unref.
GArray *between_sizes(const Request *request, Collective collective, const GArray *nodes);
