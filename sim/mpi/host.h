// What differs between a machine and SMPI, which has one clock for all and computes in no time.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// Do all ranks' MPI_Wtime agree?
bool host_one_clock(void);
// Returns when MPI_Wtime is t or later; in SMPI exactly then.
void host_wait_until(double t);
// In a loop that waits for what another rank of this node writes.
void host_pause(void);
// A reduction was made, that a real one would take so long for.
void host_compute(double seconds);

// What this rank sends each of MPI_COMM_WORLD, within the library's collectives too.
typedef struct HostSent {
    uint64_t messages, bytes;
} HostSent;
// From now on it is added to sent[rank]; NULL: no more. Nothing ever comes where the library does not tell: Open MPI does
// under --mca pml_monitoring_enable 1.
void host_count_sent(HostSent *sent);
