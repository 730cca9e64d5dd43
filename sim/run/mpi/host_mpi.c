#include "run/mpi/host.h"
#include <glib.h>
#include <mpi.h>
#include <sched.h>
#include <stddef.h>

bool host_one_clock(void)
{
    return false;
}

// The start of a repetition is far ahead only if ranks have had to wait for a processor. Then a rank sleeps for most of the
// time, so that it does not take the processor from those that it waits for; it is awake when the time comes.
void host_wait_until(double t)
{
    const double awake_s = 1e-3;
    for (double left; (left = t - MPI_Wtime()) > 0;)
        if (left > 2 * awake_s)
            g_usleep((gulong)((left - awake_s) * 1e6));
}

// Ranks may share a core, so a rank that waits must give it up.
void host_pause(void)
{
    sched_yield();
}

void host_compute(double seconds)
{
    (void)seconds;
}

// ---- Messages, as Open MPI's monitoring reports them ----------------------------------------------------------------

// Open MPI's monitoring component calls a function of one of its libraries for each message. This program exports a
// function of the same name, so that the component calls it instead. The component's own counters cannot be read,
// because 4.1 removes their MPI_T variables when it starts. The function has no argument that could hold our state,
// hence a variable of the file.
static HostSent *counted;

void mca_common_monitoring_record_pml(int world_rank, size_t len, int tag);

void mca_common_monitoring_record_pml(int world_rank, size_t len, int tag)
{
    (void)tag;
    if (!counted)
        return;
    counted[world_rank].messages++;
    counted[world_rank].bytes += len;
}

void host_count_sent(HostSent *sent)
{
    counted = sent;
}
