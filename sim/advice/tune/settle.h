// Settling: random calls between those of a grid, to find where the rules that it gave are bad.
#pragma once
#include "search/search/intervals.h"
#include "search/search/request.h"

// Draws calls from `random`, and returns those to add to tune->places (ContestPlace): calls at which the rules name
// what is not surely faster than the default (sure_limit), and the other sizes of the grid on the same number of ranks
// if tune->places have none there. Returns an empty array if the rules are good at all calls, if one choice has to
// serve all sizes, or if the rules are MPICH's, which apply where their algorithms can run. Returns NULL and an error
// if a simulation fails. Counts what the search at the drawn calls considers in tune->searched. Free with
// g_array_unref.
//
// The request must be that of tune_compute. Calls that refine_can() excludes are left out.
GArray *settle_calls(Tune *tune, Request *r, GRand *random, GError **error);
