// The jobs with which the real backends are tested: every algorithm of the registry in all its variants.
#pragma once
#include "run/launch/job.h"

// Returns the jobs for p ranks, an array of Job; free with jobs_free.
//
// For each algorithm, each root (beyond 8 ranks only 0, 1, p/2 and p-1) and each size, the variants differ in elements,
// operation, in place, synchronous sends, nodes, counts and parameters. With drawn = 0 every variant becomes a job,
// otherwise `drawn` of them, chosen at random but equally in every run. *refused is set to the number of jobs that are
// left out because the algorithm cannot run there. On up to 4 ranks, the library's own collectives follow; their
// results show that the check of the results is right.
GArray *jobs_make(int p, int drawn, int *refused);
void jobs_free(GArray *jobs);
