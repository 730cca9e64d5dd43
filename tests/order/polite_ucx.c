// Makes MPICH's ranks sleep while they wait, like sim/run/mpi/polite_mpich.c, but also within collectives: UCX calls this
// function in place of its own of the same name. Without it, ranks that share cores poll in each other's way.
#define _GNU_SOURCE // RTLD_NEXT
#include <dlfcn.h>
#include <time.h>

unsigned ucp_worker_progress(void *worker);

unsigned ucp_worker_progress(void *worker)
{
    static const struct timespec moment = {.tv_nsec = 1000};
    static unsigned (*next)(void *);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "ucp_worker_progress");
    const unsigned done = next(worker);
    if (done == 0)
        nanosleep(&moment, NULL);
    return done;
}
