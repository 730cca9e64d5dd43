// Calls the MPI library's own collectives on the same buffers as the algorithms of the registry.
#pragma once
#include "run/mpi/mpi_data.h"

// The arguments of a call, made before the clock starts.
typedef struct LibraryCall {
    const Job *job;
    const MpiRun *run;
    const MpiData *data;
    // The p blocks' lengths and places, in bytes (reduce_scatter: in MpiReduction.type). NULL where the collective has
    // none.
    int *in_len, *in_at, *out_len, *out_at;
} LibraryCall;

// The job, the run and the data must outlive the call. Free with library_call_free.
void library_call_make(LibraryCall *call, const Job *job, const MpiRun *run, const MpiData *data);
void library_call_free(LibraryCall *call);
// Calls the collective once. Collective.
void library_call(const LibraryCall *call);
