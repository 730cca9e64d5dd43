// What entries without a formula say of their times (CollAlgorithm.estimate), for the numbers that a search tries.
#pragma once
#include "search/search/try_search.h"

// Returns TRUE if the searched algorithm's time can be estimated under the request's model.
gboolean estimates_know(const TrySearch *search);
// Returns about the time with these parameters, in a unit of the machine, the ranks and the size.
int64_t estimates_time(const TrySearch *search, const CollParams *par);
// Gives `par` the segment with the least estimate, unless the question sets one, and returns that estimate.
int64_t estimates_best(const TrySearch *search, CollParams *par);
// Keeps those few of these CollParams with the least estimates, the least first, whatever segments they have.
void estimates_keep_likely(const TrySearch *search, GArray *all);
