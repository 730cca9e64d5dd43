// What a rank's buffers hold before an operation and must hold after it.
#pragma once
#include "mpi/mpi_run.h"

typedef struct MpiData {
    Coll view;
    char *buffer[2];     // COLL_IN, COLL_OUT; no NULL, also where empty
    size_t len[2];       // bytes
    char *before, *want; // of COLL_OUT; NULL: nobody looks
} MpiData;

// The rank's buffers for a job, filled: what ranks have is drawn by rank and place. blind: not even that, and no result
// can be told from another. false and nothing made where a buffer is too long for MPI's counts.
bool mpi_data_make(MpiData *data, const Job *job, MpiRun *run, bool blind);
void mpi_data_free(MpiData *data);

// COLL_OUT as it was before the operation. The first error in it after the operation as one line, to be freed; NULL:
// all is well.
void mpi_data_restore(MpiData *data);
char *mpi_data_error(const MpiData *data, int rank);
