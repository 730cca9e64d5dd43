// Linked into a backend, this file makes every rank but 1 and 2 take these two for each other when an algorithm sends
// or receives by a blocking call: a gather then has their blocks in each other's place. So test_mpi can see whether the
// backend notices data that are right, but at the wrong place. The backend's own messages have other tags and go to
// their receivers.
#include <mpi.h>

enum { ALGORITHMS_TAG = 1 };

static int other(int peer, int tag, MPI_Comm comm)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    const int swaps = tag == ALGORITHMS_TAG && rank != 1 && rank != 2 && (peer == 1 || peer == 2);
    return swaps ? 3 - peer : peer;
}

int MPI_Send(const void *at, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    return PMPI_Send(at, n, type, other(to, tag, comm), tag, comm);
}

int MPI_Recv(void *at, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    return PMPI_Recv(at, n, type, other(from, tag, comm), tag, comm, status);
}
