// Brings the figures of all ranks together. The messages are the backend's own, because options may choose the
// algorithms of the library's collectives: SimGrid's `lr` calls its reduce, and a reduce that was chosen for our
// figures would be in its time.
#pragma once
#include "run/mpi/mpi_run.h"

// Merges the data of all ranks, `size` bytes at each, into rank 0's. `merge` takes a higher rank's data into a lower
// rank's. Afterwards the data of the other ranks are undefined. Collective.
void collect_merge(const MpiRun *run, void *data, size_t size,
                   void (*merge)(void *mine, const void *other, size_t size));
// Gives all ranks a copy of rank 0's data. Collective.
void collect_share(const MpiRun *run, void *data, size_t size);

// Sets the n numbers at rank 0 to the largest that any rank has in their place. Collective.
void collect_max(const MpiRun *run, double *x, int n);
// Returns at rank 0 the sum of all ranks' numbers. Collective.
double collect_sum(const MpiRun *run, double x);
