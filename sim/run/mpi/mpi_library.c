#include "run/mpi/mpi_library.h"
#include "api/blocks.h"
#include <glib.h>

// Sets *len and *at to the lengths and places of the blocks, in units of `unit` bytes. Free both with g_free.
static void blocks_layout(const Blocks *b, size_t unit, int **len, int **at)
{
    *len = g_new(int, b->n);
    *at = g_new(int, b->n);
    for (int i = 0; i < b->n; i++) {
        const Slice s = block(b, i);
        (*len)[i] = (int)(s.len / unit);
        (*at)[i] = (int)(s.off / unit);
    }
}

void library_call_make(LibraryCall *call, const Job *job, const MpiRun *run, const MpiData *data)
{
    *call = (LibraryCall){.job = job, .run = run, .data = data};
    const Blocks in = coll_in(&data->view), out = coll_out(&data->view);
    const Collective collective = job->collective;
    if (collective == COLL_REDUCE_SCATTER)
        blocks_layout(&in, run->reduction.size, &call->in_len, &call->in_at);
    if (collective == COLL_ALLTOALLV || collective == COLL_SCATTERV)
        blocks_layout(&in, 1, &call->in_len, &call->in_at);
    if (collective == COLL_ALLTOALLV || collective == COLL_GATHERV || collective == COLL_ALLGATHERV)
        blocks_layout(&out, 1, &call->out_len, &call->out_at);
}

void library_call_free(LibraryCall *call)
{
    g_free(call->in_len);
    g_free(call->in_at);
    g_free(call->out_len);
    g_free(call->out_at);
}

// The functions are called by their PMPI names where polite_mpich.c replaces them: its nonblocking collectives would
// run other algorithms than the library's blocking ones.
static void reduce_call(const LibraryCall *call, const void *in, void *out)
{
    const MpiReduction *r = &call->run->reduction;
    const MPI_Comm comm = call->run->comm;
    const int n = (int)(call->data->view.out.len / r->size), root = call->job->root;
    switch (call->job->collective) {
    case COLL_REDUCE:
        PMPI_Reduce(in, out, n, r->type, r->op, root, comm);
        break;
    case COLL_ALLREDUCE:
        PMPI_Allreduce(in, out, n, r->type, r->op, comm);
        break;
    case COLL_SCAN:
        MPI_Scan(in, out, n, r->type, r->op, comm);
        break;
    case COLL_EXSCAN:
        MPI_Exscan(in, out, n, r->type, r->op, comm);
        break;
    case COLL_REDUCE_SCATTER:
        MPI_Reduce_scatter(in, out, call->in_len, r->type, r->op, comm);
        break;
    default:
        MPI_Reduce_scatter_block(in, out, n, r->type, r->op, comm);
        break;
    }
}

void library_call(const LibraryCall *call)
{
    const Coll *view = &call->data->view;
    const void *in = call->data->buffer[COLL_IN];
    void *out = call->data->buffer[COLL_OUT];
    const MpiReduction *r = &call->run->reduction;
    const MPI_Comm comm = call->run->comm;
    const int root = call->job->root, m = (int)call->job->m, in_len = (int)view->in.len, out_len = (int)view->out.len;
    switch (call->job->collective) {
    case COLL_BARRIER:
        PMPI_Barrier(comm);
        break;
    case COLL_BCAST:
        // The library may cut the message into segments; the type makes it cut between elements.
        PMPI_Bcast(out, m / (int)r->size, r->type, root, comm);
        break;
    case COLL_SCATTER:
        MPI_Scatter(in, m, MPI_BYTE, out, m, MPI_BYTE, root, comm);
        break;
    case COLL_SCATTERV:
        MPI_Scatterv(in, call->in_len, call->in_at, MPI_BYTE, out, out_len, MPI_BYTE, root, comm);
        break;
    case COLL_GATHER:
        MPI_Gather(in, m, MPI_BYTE, out, m, MPI_BYTE, root, comm);
        break;
    case COLL_GATHERV:
        MPI_Gatherv(in, in_len, MPI_BYTE, out, call->out_len, call->out_at, MPI_BYTE, root, comm);
        break;
    case COLL_ALLGATHER:
        MPI_Allgather(in, m, MPI_BYTE, out, m, MPI_BYTE, comm);
        break;
    case COLL_ALLGATHERV:
        MPI_Allgatherv(in, in_len, MPI_BYTE, out, call->out_len, call->out_at, MPI_BYTE, comm);
        break;
    case COLL_ALLTOALL:
        MPI_Alltoall(in, m, MPI_BYTE, out, m, MPI_BYTE, comm);
        break;
    case COLL_ALLTOALLV:
        MPI_Alltoallv(in, call->in_len, call->in_at, MPI_BYTE, out, call->out_len, call->out_at, MPI_BYTE, comm);
        break;
    default:
        reduce_call(call, in, out);
        break;
    }
}
