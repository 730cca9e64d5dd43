// A rank's buffers: what they hold before an operation and must hold after it.
#pragma once
#include "run/mpi/mpi_run.h"

typedef struct MpiData {
    Coll view;
    char *buffer[2]; // COLL_IN, COLL_OUT; never NULL, even if empty
    size_t len[2];   // in bytes
    char *before;    // COLL_OUT before the operation; NULL if the data are not checked
    char *want;      // COLL_OUT after a right operation; NULL if the result is not checked
} MpiData;

// Makes the rank's buffers for a job and fills them with pseudo-random elements, which depend on the rank and the
// place. With `blind` the buffers are zero, and no result is checked. Returns false if a buffer is too long for MPI's
// counts. Free with mpi_data_free, before the job.
bool mpi_data_make(MpiData *data, const Job *job, MpiRun *run, bool blind);
void mpi_data_free(MpiData *data);

// Makes COLL_OUT what it was before the operation.
void mpi_data_restore(MpiData *data);
// Returns the first error in COLL_OUT after the operation as one line; NULL if there is none. Free with g_free.
char *mpi_data_error(const MpiData *data, int rank);
