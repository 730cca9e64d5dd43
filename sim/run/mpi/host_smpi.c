#include "run/mpi/host.h"
#include <mpi.h>
#include <simgrid/actor.h>
#include <smpi/smpi.h>
#include <unistd.h>

bool host_one_clock(void)
{
    return true;
}

void host_wait_until(double t)
{
    const double now = MPI_Wtime();
    if (t > now)
        sg_actor_sleep_for(t - now);
}

// Simulated time passes only while a rank sleeps; a rank that merely polled would wait for ever.
void host_pause(void)
{
    sg_actor_sleep_for(1e-6);
}

void host_compute(double seconds)
{
    smpi_execute_benched(seconds);
}

void host_count_sent(HostSent *sent)
{
    (void)sent;
}
