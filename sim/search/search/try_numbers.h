// Numbers that the usual search passes over: those beside the fastest try's, and a denser choice of small ones.
#pragma once
#include "search/search/try_search.h"

// Adds to `to` (CollParams) what differs from `par` in one number of an entry, or of its parts at any depth, that the
// question does not set. Segments become longer or shorter by a few shares. The parameters take turns, and of each those
// come first that are not far away, and then those that are beside it. try_add_numbers() adds the usual numbers.
void try_add_other_numbers(const TrySearch *s, const CollAlgorithm *a, const CollParams *par, GArray *to);
