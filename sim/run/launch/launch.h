// Starts a program of sim/run/mpi under its launcher, hands it a plan and collects the answers.
#pragma once
#include "run/launch/job.h"
#include "run/launch/launch_argv.h"

// Runs n jobs on plan->p ranks; the caller frees each result[i] with job_result_clear, also after an error. Returns
// FALSE if the program is missing, fails, dies or hangs; the error is one line that names the job and ends with the
// last output.
gboolean launch_run(const Launch *launch, const JobPlan *plan, const Job *job, int n, JobResult *result,
                    GError **error);
