// The language between collsim and the programs that really run algorithms (sim/run/mpi): lines of text, which pass
// through any launcher (mpirun, srun, smpirun) without its help. collsim writes a plan, which the program reads from a
// file or from rank 0's standard input. Its first line has what all jobs share:
//
//   collsim-plan ranks=4 sync=window warmup=2 least=10 most=1000 budget=0.5 precision=0.01 gamma=0
//   plugin /home/me/mine.so
//   allreduce ring m=65536 elem=8 op=sum
//   bcast pipeline m=65536 root=2 param.segment=8192
//   barrier smp map=block:2
//   end
//
// A plugin's line has the full path of a shared library, which every rank loads; bytes that are not plain are written
// as %20. The libraries come before the jobs, in the order in which collsim loaded them, because the numbers of
// algorithms depend on it.
//
// For each job, in order, rank 0 answers with one line on standard output, which begins with the job's number from 0
// on:
//
//   @0 repetitions=10 min=.. median=.. mean=.. p95=.. max=.. ranks_min=.. ranks_mean=..
//   @1 wrong rank 3: byte 17 of its result is 8, not 9
//   @2 unlike rank 0 sends 2 messages, 64 bytes to rank 1; ring sends 1, 32 bytes
#pragma once
#include "registry/registry.h"
#include <glib.h>

typedef enum {
    JOB_ALGORITHM, // times an algorithm of the registry
    JOB_LIBRARY,   // times the library's own collective, as MPI_Bcast
    JOB_LIKE, // compares the messages of the library's own collective with those of an algorithm; runs once, untimed
    JOB_PINGPONG, // times a message between two ranks: half of the time there and back
    JOB_REDUCE,   // times how long one rank takes to reduce m bytes with m other bytes
    JOB_SINGLE,   // times how long rank 0 takes to copy m bytes straight out of rank 1's buffer
} JobKind;

// JOB_ORDERED is an operation that does not commute; it needs elements of 2, 4, 8 or 16 bytes.
typedef enum { JOB_SUM, JOB_MAX, JOB_ORDERED } JobOp;

typedef struct Job {
    JobKind kind;
    Collective collective;          // JOB_ALGORITHM, JOB_LIBRARY, JOB_LIKE
    const CollAlgorithm *algorithm; // JOB_ALGORITHM, JOB_LIKE; else NULL
    CollParams par;
    int root;
    size_t m, elem;         // bytes
    CollCounts *counts;     // the blocks' lengths; NULL if all are equal
    const CollNodes *nodes; // which ranks share a node; NULL if that is not known
    JobOp op;
    bool in_place;
    bool synchronous; // every send waits for its receive (MPI_Ssend)
} Job;

// How ranks begin a repetition together: at an agreed time (SYNC_WINDOW), or when they leave a barrier.
typedef enum { SYNC_WINDOW, SYNC_BARRIER } JobSync;
extern const char *const sync_names[], *const job_op_names[]; // NULL-terminated

// What all jobs of a plan share.
typedef struct JobPlan {
    int p;
    JobSync sync;
    int warmup;       // repetitions that do not count
    int least, most;  // bounds on the repetitions that count
    double budget_s;  // time for one job: it ends after `least` repetitions if the budget is spent by then
    double precision; // a job also ends when half of the median's 95 % interval is at most this fraction of the median
    double gamma_s;   // SMPI only: the time that reducing a byte takes there
    bool blind;       // do not check the data
} JobPlan;

// The outcome of a job.
typedef struct JobResult {
    char *wrong;     // what is wrong with the data, or why the job cannot run; else NULL
    char *unlike;    // JOB_LIKE: how the library's messages differ; NULL if they do not, or could not be counted
    bool counted;    // JOB_LIKE: true if the library lets its messages be counted
    int repetitions; // 0 if nothing was timed: JOB_LIKE, or with `wrong`
    double min_s, median_s, mean_s, p95_s, max_s; // over the repetitions, of the time of the slowest rank
    double ranks_min_s, ranks_mean_s;             // over the repetitions and all ranks
} JobResult;

// Return the lines above, without the newline; free with g_free.
char *job_plan_text(const JobPlan *plan);
char *job_text(const Job *job, int p);
char *job_plugin_text(const char *library);
char *job_result_text(int number, const JobResult *result);
// Parse these lines. A field that is missing in a plan or a job has its default; a result has each of its fields.
// Return FALSE and an error if the line is not one of them, has a field twice, or has a value out of its range. Free
// what a parsed job has with job_clear, a result's texts with job_result_clear.
gboolean job_plan_parse(const char *line, JobPlan *plan, GError **error);
gboolean job_parse(const char *line, int p, Job *job, GError **error);
gboolean job_result_parse(const char *line, int *number, JobResult *result, GError **error);
// Returns the library of a plugin's line, to be freed with g_free; NULL if the line is not one.
char *job_plugin_parse(const char *line);
void job_clear(Job *job);
void job_result_clear(JobResult *result);
