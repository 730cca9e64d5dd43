// What differs between a machine and SMPI, which has one clock for all and computes in no time.
#pragma once
#include <stdbool.h>

// Do all ranks' MPI_Wtime agree?
bool host_one_clock(void);
// Returns when MPI_Wtime is t or later; in SMPI exactly then.
void host_wait_until(double t);
// In a loop that waits for what another rank of this node writes.
void host_pause(void);
// A reduction was made, that a real one would take so long for.
void host_compute(double seconds);
