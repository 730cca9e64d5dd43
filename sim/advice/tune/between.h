// The calls that Open MPI's HAN makes between the nodes, with one rank of each. If they block, tuned decides them by its
// rules for as many ranks as there are nodes. Such a rule also decides calls of programs on as many ranks, and HAN's
// calls within nodes of as many. So a number of nodes gets no rules of its own if the grid has such calls or such nodes.
#pragma once
#include "search/search/request.h"

// Returns the numbers of nodes of the request's calls (size_t), ascending, if tuned may decide what HAN calls between
// them for the collective; empty otherwise. With `all`, also those that are numbers of ranks of other calls. Free with
// g_array_unref.
GArray *between_nodes(const Request *request, Collective collective, gboolean all);
// Returns the sizes of what HAN calls between these nodes (size_t), ascending: a block there is what all ranks of a
// node have. Free with g_array_unref.
GArray *between_sizes(const Request *request, Collective collective, const GArray *nodes);
