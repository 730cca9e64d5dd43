// The backend that moves data: a CollRun whose emit makes an algorithm's operations MPI calls. One text for real MPI and
// for SMPI.
#pragma once
#include "api/backend.h"
#include "launch/job.h"
#include <mpi.h>

// How elements are reduced.
typedef struct MpiReduction {
    MPI_Op op;
    MPI_Datatype type;
    size_t size; // bytes of a `type`; an element is one or more of them
    bool ordered;
    bool own; // the op is to be freed
} MpiReduction;

typedef struct MpiRun {
    CollRun run; // first
    MPI_Comm comm;
    int rank, p;
    bool synchronous;
    MpiReduction reduction;
    char **base; // of COLL_IN, COLL_OUT and the scratch
    int max_base;
    // Those not waited for, in the order of issue, as in `run`; below `ended` a throttle has seen them end.
    MPI_Request *request;
    int n_requests, max_requests, ended;
    // Scratch, kept from one repetition to the next: the same text takes the same again.
    struct MpiChunk *chunks, *chunk;
    char *spare; // for an ordered reduction into its left operand
    size_t spare_len;
    // Shared memory: p queues of so many bytes each, and p flags each.
    MPI_Win window;
    char *queues, *flags;
    size_t queue_len, window_len;
} MpiRun;

// A run on all of comm; mpi_run_clear frees it. Both are collective.
void mpi_run_init(MpiRun *x, MPI_Comm comm);
void mpi_run_clear(MpiRun *x);

// Room for queues of shared memory, of slots bytes each. Collective; false where the ranks are not on one node.
bool mpi_run_share(MpiRun *x, const CollParams *par);

// Before the algorithm's text runs (again): scratch is free, nothing pends, the own flags are 0 and the own queue is
// poisoned. With shared memory a barrier must follow.
void mpi_run_reset(MpiRun *x);

// Fills with what no result has by chance.
void mpi_poison(char *at, size_t len);

// For elements of so many bytes, a byte of which takes cost_s on a machine that computes in no time; false where there is
// none of this kind. Free with mpi_reduction_free.
bool mpi_reduction_make(JobOp op, size_t elem, double cost_s, MpiReduction *reduction);
void mpi_reduction_free(MpiReduction *reduction);
