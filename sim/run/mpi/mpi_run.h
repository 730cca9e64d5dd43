// The backend that moves data: a CollRun that turns an algorithm's operations into MPI calls. The same code runs on
// real MPI and on SMPI.
#pragma once
#include "api/backend.h"
#include "run/launch/job.h"
#include "engine/schedule/segment.h"
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
    // Shared memory, of the ranks of this host. Each host has a segment with room for all ranks' slots and flags.
    MPI_Comm host;
    bool *hosted;          // by rank: whether it is on this host; NULL until memory is shared
    SegmentLayout *layout; // what is where in the segment; NULL for an algorithm that sends messages alone
    MPI_Win window;
    char *segment;
    size_t window_len;
} MpiRun;

// Makes a run on all ranks of comm. Free with mpi_run_clear. Both are collective.
void mpi_run_init(MpiRun *x, MPI_Comm comm);
void mpi_run_clear(MpiRun *x);

// Makes room in shared memory for the slots and flags that the operation touches. Returns false if ranks that are on
// different hosts would have to share memory. Collective.
bool mpi_run_share(MpiRun *x, const Operation *op);
// Forgets the operation; the memory is kept for the next one.
void mpi_run_unshare(MpiRun *x);

// Prepares a repetition of an algorithm: frees all scratch, forgets all requests, sets this rank's flags to 0 and
// poisons the next rank's queue. With shared memory a barrier must follow.
void mpi_run_reset(MpiRun *x);

// Fills a buffer with a pattern that a right result is unlikely to contain, so that a read of unwritten data shows.
void mpi_poison(char *at, size_t len);

// Makes the reduction `op` on elements of `elem` bytes. In SMPI, where computing takes no time, each byte costs cost_s
// seconds. Returns false if MPI has no such reduction (JOB_ORDERED). Free with mpi_reduction_free.
bool mpi_reduction_make(JobOp op, size_t elem, double cost_s, MpiReduction *reduction);
void mpi_reduction_free(MpiReduction *reduction);
