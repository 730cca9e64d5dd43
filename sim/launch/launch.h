// Starts a program of sim/mpi under its launcher, hands it a plan and collects the answers.
#pragma once
#include "launch/job.h"
#include "launch/simgrid.h"

// The backends that may have been built. They lie beside the running program, or where COLLSIM_BACKENDS says.
typedef enum { LAUNCH_MPI, LAUNCH_MPICH, LAUNCH_SMPI, N_LAUNCHES } LaunchKind;
extern const char *const launch_programs[N_LAUNCHES]; // "collsim-mpi" ..

// The program's path, to be freed; NULL and what is missing.
char *launch_find(LaunchKind kind, GError **error);

// The MPI library that it was built with, "Open MPI 4.1.4"; free with g_free. NULL and bad input where it does not run. Not
// of SMPI, which has to be launched.
char *launch_library(LaunchKind kind, GError **error);

typedef struct Launch {
    LaunchKind kind;
    const SimgridMachine *machine; // SMPI: what it simulates; its p does not matter
    const char *launcher;       // real MPI: its words, {p} stands for the number of ranks: "srun -n {p}"; NULL: mpirun
    const char *const *options; // more of them, before the program; NULL-terminated; NULL: none
    double patience_s;          // without an answer for so long it is killed; 0: PATIENCE_S beyond the plan's budget
    void (*progress)(int done, int total, void *user); // NULL: nobody looks
    void *user;
} Launch;

enum { PATIENCE_S = 60 };

// What is run, as one would type it, but for the plan; free with g_free. NULL and bad input where it cannot be.
char *launch_command(const Launch *launch, int p, GError **error);
// Runs n jobs on plan->p ranks; result[i] is to be freed with job_result_clear, also on error. FALSE and one line where
// the program is missing, fails, dies or hangs: which job it was, and its last output.
gboolean launch_run(const Launch *launch, const JobPlan *plan, const Job *job, int n, JobResult *result,
                    GError **error);
