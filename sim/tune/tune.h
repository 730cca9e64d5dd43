// Tuning: the rules with which a version of Open MPI runs, at each point of a grid, an algorithm that takes at most a
// share w more time than the best one that it can be told to run.
//
//     regret_compute  -->  options at each point  -->  intervals of sizes for each range of ranks  -->  rules
//                          (within w of the best)      (as few as possible)
#pragma once
#include "tune/intervals.h"
#include "tune/regret.h"

// Finds the rules of r->only, a version of Open MPI, for a collective, over the request's ranks and sizes. `within` is w,
// above 0. The request must be as for regret_compute, with by_file set. Returns NULL and an error on bad input. Free with
// tune_free.
Tune *tune_compute(Request *r, Collective collective, size_t elem, double within, GError **error);
void tune_free(Tune *tune);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Tune, tune_free)

// Returns the rules of all these collectives (Tune *) as the library's file; the lines of `header` (char *) are a
// comment in it. Free with g_free.
char *tune_file(const Library *library, const GPtrArray *tunes, const GPtrArray *header);
