// Times a job: repeats it, with all ranks beginning together, until the median is precise enough.
#pragma once
#include "run/mpi/mpi_run.h"

// Runs a job. At rank 0 sets *result to the answer; free with job_result_clear at all ranks. `first` says that nothing
// has run before: SMPI's clock is still 0 then, so that the first job needs no synchronization. Collective.
void mpi_measure(MpiRun *run, const JobPlan *plan, const Job *job, bool first, JobResult *result);
