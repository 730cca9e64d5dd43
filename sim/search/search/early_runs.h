// The runs with which a contest begins. They show early which times are of no use, so that the texts of
// other tries need not run to their ends for their bounds.
#pragma once
#include "search/search/contest.h"

// Runs one try of each algorithm whose groups (TryGroup, in the order of from_s) come early and whose run costs little.
// Sets x->seeds and x->seeded_s. All algorithms run on few ranks, where no group has a bound and runs cost next to
// nothing, and on many ranks of nodes, with segments, too: there the bounds of tries say so little that thousands are
// refined before the first one runs. Bounds that are cut are found as far as they matter (tries_deepen).
void early_runs_begin(Contest *x, GArray *groups);
// Returns the point of a try that was one of these runs, which no longer is one of x->seeds; otherwise NULL. Free with
// point_free.
Point *early_runs_take(Contest *x, const Try *try);
// Returns TRUE if early_runs_take() has a point of the try.
gboolean early_runs_have(const Contest *x, const Try *try);
