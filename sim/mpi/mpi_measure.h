// Times a job: repetitions that begin together, until the median is known well enough.
#pragma once
#include "mpi/mpi_run.h"

// *result is what rank 0 answers. Collective. To be freed with job_result_clear. first: nothing has gone before in this
// run, all clocks that are one still say 0.
void mpi_measure(MpiRun *run, const JobPlan *plan, const Job *job, bool first, JobResult *result);
