// Random calls between those of a grid.
#pragma once
#include "search/search/contest.h"

// Returns n calls (ContestPlace) of the request's collective, in elements of its length; none if no size of the
// request's grid is whole elements. The numbers of ranks and the sizes lie between the least and the greatest of the
// grid, evenly on a logarithmic scale, and are not on it as far as there are others. Numbers of ranks on nodes are
// those of the grid, because a machine may not have others. Free with g_array_unref.
GArray *draw_calls(const Request *r, GRand *random, guint n);
