// What differs between a real machine and SMPI, where all ranks have one clock and computing takes no time.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// Returns true if MPI_Wtime is the same clock at all ranks, as in SMPI.
bool host_one_clock(void);
// Waits until MPI_Wtime is t or later; in SMPI until exactly t. Returns at once if t is past.
void host_wait_until(double t);
// Lets the other ranks run. A loop that waits for another rank of this node to write something calls it.
void host_pause(void);
// Charges the time that a reduction would take on a real machine. Does nothing outside SMPI.
void host_compute(double seconds);

// What this rank has sent to one rank of MPI_COMM_WORLD, also within the library's collectives.
typedef struct HostSent {
    uint64_t messages, bytes;
} HostSent;
// From now on adds each message to sent[receiver]; NULL ends the counting. Nothing is ever added if the library does
// not report its messages. Open MPI reports them under --mca pml_monitoring_enable 1.
void host_count_sent(HostSent *sent);
