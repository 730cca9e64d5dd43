// Linked into a backend, this file flips a bit in the first byte of every message that an algorithm receives by a
// blocking call, so that test_mpi can see whether the backend notices wrong results. The backend's own messages have
// other tags and stay as they are.
#include <mpi.h>

enum { ALGORITHMS_TAG = 1 };

static void flip(void *at, int n, int tag)
{
    if (tag == ALGORITHMS_TAG && n > 0)
        *(unsigned char *)at ^= 1;
}

int MPI_Recv(void *at, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    const int code = PMPI_Recv(at, n, type, from, tag, comm, status);
    flip(at, n, tag);
    return code;
}

int MPI_Sendrecv(const void *out, int n_out, MPI_Datatype type_out, int to, int tag_out, void *in, int n_in,
                 MPI_Datatype type_in, int from, int tag_in, MPI_Comm comm, MPI_Status *status)
{
    const int code = PMPI_Sendrecv(out, n_out, type_out, to, tag_out, in, n_in, type_in, from, tag_in, comm, status);
    flip(in, n_in, tag_in);
    return code;
}
