// Makes MPICH's ranks sleep while they wait. MPICH polls and never gives up the core. If ranks share cores, as in tests
// on a small machine, a message then takes as long as the system lets one rank poll: milliseconds.
//
// MPI's profiling interface lets a program replace the library's functions. The functions here do the same operations,
// but sleep between two polls. If every rank has a core of its own, they call the library's functions.
#define _GNU_SOURCE // sched_getaffinity
#include "base/number.h"
#include <mpi.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

// Set before the first message and not changed after that. MPI's functions have no argument that could hold it.
static int shares_cores;

int MPI_Init(int *argc, char ***argv)
{
    const char *text = getenv("MPI_LOCALNRANKS"); // set by MPICH's launcher: the ranks on this node
    int ranks;
    cpu_set_t cores;
    if (text && number_int(text, 1, G_MAXINT, &ranks) && sched_getaffinity(0, sizeof cores, &cores) == 0)
        shares_cores = ranks > CPU_COUNT(&cores);
    return PMPI_Init(argc, argv);
}

// Sleeps for a moment, which Linux makes about 50 us. After sched_yield() the rank would soon poll again: the ranks
// that wait then take the core in turns, or lose it to another program for a whole time slice at each poll.
static void give_way(void)
{
    const struct timespec moment = {.tv_nsec = 1000};
    nanosleep(&moment, NULL);
}

static int finish(MPI_Request *request, MPI_Status *status)
{
    int done = 0, code = PMPI_Test(request, &done, status);
    for (; code == MPI_SUCCESS && !done; code = PMPI_Test(request, &done, status))
        give_way();
    return code;
}

// ---- Messages ------------------------------------------------------------------------------------------------------

int MPI_Send(const void *at, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    MPI_Request request;
    if (!shares_cores)
        return PMPI_Send(at, n, type, to, tag, comm);
    PMPI_Isend(at, n, type, to, tag, comm, &request);
    return finish(&request, MPI_STATUS_IGNORE);
}

int MPI_Ssend(const void *at, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    MPI_Request request;
    if (!shares_cores)
        return PMPI_Ssend(at, n, type, to, tag, comm);
    PMPI_Issend(at, n, type, to, tag, comm, &request);
    return finish(&request, MPI_STATUS_IGNORE);
}

int MPI_Recv(void *at, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    MPI_Request request;
    if (!shares_cores)
        return PMPI_Recv(at, n, type, from, tag, comm, status);
    PMPI_Irecv(at, n, type, from, tag, comm, &request);
    return finish(&request, status);
}

int MPI_Sendrecv(const void *out, int n_out, MPI_Datatype type_out, int to, int tag_out, void *in, int n_in,
                 MPI_Datatype type_in, int from, int tag_in, MPI_Comm comm, MPI_Status *status)
{
    MPI_Request sent, received;
    if (!shares_cores)
        return PMPI_Sendrecv(out, n_out, type_out, to, tag_out, in, n_in, type_in, from, tag_in, comm, status);
    PMPI_Irecv(in, n_in, type_in, from, tag_in, comm, &received);
    PMPI_Isend(out, n_out, type_out, to, tag_out, comm, &sent);
    const int code = finish(&sent, MPI_STATUS_IGNORE);
    return code == MPI_SUCCESS ? finish(&received, status) : code;
}

// ---- Requests ------------------------------------------------------------------------------------------------------

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    return shares_cores ? finish(request, status) : PMPI_Wait(request, status);
}

int MPI_Waitall(int n, MPI_Request *request, MPI_Status *status)
{
    int code = MPI_SUCCESS;
    for (int i = 0, done = 0; shares_cores && i < n && code == MPI_SUCCESS; i += done)
        if ((code = PMPI_Test(&request[i], &done, MPI_STATUS_IGNORE)) == MPI_SUCCESS && !done)
            give_way();
    return code == MPI_SUCCESS ? PMPI_Waitall(n, request, status) : code;
}

int MPI_Waitany(int n, MPI_Request *request, int *which, MPI_Status *status)
{
    int done = 0, code = MPI_SUCCESS;
    if (!shares_cores)
        return PMPI_Waitany(n, request, which, status);
    while ((code = PMPI_Testany(n, request, which, &done, status)) == MPI_SUCCESS && !done)
        give_way();
    return code;
}

// ---- Collectives that collsim calls around a job -------------------------------------------------------------------

int MPI_Barrier(MPI_Comm comm)
{
    MPI_Request request;
    if (!shares_cores)
        return PMPI_Barrier(comm);
    PMPI_Ibarrier(comm, &request);
    return finish(&request, MPI_STATUS_IGNORE);
}

int MPI_Bcast(void *at, int n, MPI_Datatype type, int root, MPI_Comm comm)
{
    MPI_Request request;
    if (!shares_cores)
        return PMPI_Bcast(at, n, type, root, comm);
    PMPI_Ibcast(at, n, type, root, comm, &request);
    return finish(&request, MPI_STATUS_IGNORE);
}

int MPI_Reduce(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm)
{
    MPI_Request request;
    if (!shares_cores)
        return PMPI_Reduce(in, out, n, type, op, root, comm);
    PMPI_Ireduce(in, out, n, type, op, root, comm, &request);
    return finish(&request, MPI_STATUS_IGNORE);
}

int MPI_Allreduce(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    MPI_Request request;
    if (!shares_cores)
        return PMPI_Allreduce(in, out, n, type, op, comm);
    PMPI_Iallreduce(in, out, n, type, op, comm, &request);
    return finish(&request, MPI_STATUS_IGNORE);
}
