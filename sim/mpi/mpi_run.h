// The backend that moves data: a CollRun that turns an algorithm's operations into MPI calls. The same code runs on
// real MPI and on SMPI.
#pragma once
#include "api/backend.h"
#include "launch/job.h"
#include <mpi.h>

// How elements are reduced.
typedef struct MpiReduction {
    MPI_Op op;
    MPI_Datatype type;
    size_t size;  // bytes of a `type`; an element is one or more of them
    bool ordered; // true for JOB_ORDERED
    bool own;     // true if mpi_reduction_free has to free the op
} MpiReduction;

typedef struct MpiRun {
    CollRun run; // must be the first member: the backend casts a CollRun to an MpiRun
    MPI_Comm comm;
    int rank, p;
    bool synchronous;
    MpiReduction reduction;
    char **base; // the addresses of COLL_IN, COLL_OUT and the scratch buffers
    int max_base;
    // The requests that were not waited for, in the order of issue, as in `run`. A throttle has seen the first `ended`
    // of them end.
    MPI_Request *request;
    int n_requests, max_requests, ended;
    // Scratch, kept from one repetition to the next, which takes the same again.
    struct MpiChunk *chunks, *chunk;
    char *spare; // a buffer for an ordered reduction into its left operand
    size_t spare_len;
    // Shared memory, of the ranks of this host: a queue of queue_len bytes for each, and as many flags for each queue.
    MPI_Comm host;
    int hosted;     // how many ranks that are
    int *hosted_as; // by rank: its number among these, -1 if it is on another host; NULL until memory is shared
    MPI_Win window;
    char *queues, *flags;
    size_t queue_len, window_len;
} MpiRun;

// Makes a run on all ranks of comm. Free with mpi_run_clear. Both are collective.
void mpi_run_init(MpiRun *x, MPI_Comm comm);
void mpi_run_clear(MpiRun *x);

// Makes room for the queues and flags that the text uses in shared memory. `view` is the rank's view of the operation.
// Returns false if ranks that are on different hosts would have to share memory. Collective.
bool mpi_run_share(MpiRun *x, const CollAlgorithm *a, const Coll *view);

// Prepares a repetition of an algorithm: frees all scratch, forgets all requests, sets this rank's flags to 0 and
// poisons the next rank's queue. With shared memory a barrier must follow.
void mpi_run_reset(MpiRun *x);

// Fills a buffer with a pattern that a right result is unlikely to contain, so that a read of unwritten data shows.
void mpi_poison(char *at, size_t len);

// Makes the reduction `op` on elements of `elem` bytes. In SMPI, where computing takes no time, each byte costs cost_s
// seconds. Returns false if there is no such reduction (JOB_ORDERED). Free with mpi_reduction_free.
bool mpi_reduction_make(JobOp op, size_t elem, double cost_s, MpiReduction *reduction);
void mpi_reduction_free(MpiReduction *reduction);
