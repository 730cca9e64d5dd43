// Jobs for the real backends: what there is to be run of every algorithm, on p ranks.
#pragma once
#include "launch/job.h"

// All jobs of p ranks (struct Job, counts owned): each algorithm, root and size, and of its kinds (elements, operation, in
// place, synchronous sends, nodes, counts, parameters) all or `drawn` of them, the same in every run; 0: all. Then the
// library's own collectives, by which the checker is checked. *refused is the number of those left out because the
// algorithm cannot run there.
GArray *jobs_make(int p, int drawn, int *refused);
void jobs_free(GArray *jobs);
