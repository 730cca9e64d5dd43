// The MPI library's own collectives, on the same buffers as an algorithm's text.
#pragma once
#include "mpi/mpi_data.h"

// Its arguments, made before the time is taken.
typedef struct LibraryCall {
    const Job *job;
    const MpiRun *run;
    const MpiData *data;
    int *in_len, *in_at, *out_len, *out_at; // p; of the v-collectives and reduce_scatter, in bytes or reduced units
} LibraryCall;

void library_call_make(LibraryCall *call, const Job *job, const MpiRun *run, const MpiData *data);
void library_call_free(LibraryCall *call);
void library_call(const LibraryCall *call);
