// What the programs that really run algorithms (sim/mpi) are asked, and what they answer: lines of text through pipes, so
// that whoever starts them, mpirun, srun or smpirun, need not know. A plan of several lines goes to rank 0's standard
// input, its head first:
//
//   collsim-plan ranks=4 sync=window warmup=2 least=10 most=1000 budget=0.5 precision=0.01 gamma=0
//   allreduce ring m=65536 elem=8 op=sum
//   bcast pipeline m=65536 root=2 param.segment=8192
//   end
//
// and for each job, in order, a line comes from its standard output, numbered from 0:
//
//   @0 repetitions=10 min=.. median=.. mean=.. p95=.. max=.. ranks_min=.. ranks_mean=..
//   @1 wrong rank 3: byte 17 of its result is 8, not 9
//   @2 unlike rank 0 sends rank 1 2 messages, 64 bytes; ring 1, 32
#pragma once
#include "registry/registry.h"
#include <glib.h>

typedef enum {
    JOB_ALGORITHM, // of the registry
    JOB_LIBRARY,   // the library's own: MPI_Bcast ..
    JOB_LIKE,      // is the library's own an algorithm of the registry, by its messages? once, not timed
    JOB_PINGPONG,  // of two ranks: half of the way there and back
    JOB_REDUCE,    // of one rank: the reduction of m bytes with m others
} JobKind;

typedef enum { JOB_SUM, JOB_MAX, JOB_ORDERED /* does not commute; elements of 2, 4, 8 or 16 bytes */ } JobOp;

typedef struct Job {
    JobKind kind;
    Collective collective;          // of an algorithm, or the library's
    const CollAlgorithm *algorithm; // of JOB_ALGORITHM and JOB_LIKE, else NULL
    CollParams par;
    int root, per_node;
    size_t m, elem;     // bytes
    CollCounts *counts; // NULL: blocks are alike
    JobOp op;
    bool in_place;
    bool synchronous; // every send waits for its receive
} Job;

typedef enum { SYNC_WINDOW /* all start at an agreed time */, SYNC_BARRIER } JobSync;
extern const char *const sync_names[], *const job_op_names[]; // NULL-terminated

// What all jobs of a plan share.
typedef struct JobPlan {
    int p;
    JobSync sync;
    int warmup;       // repetitions that do not count
    int least, most;  // repetitions that do
    double budget_s;  // of a job; once it is spent the least number is enough
    double precision; // or once the median is known so well: half of its 95 % interval over itself
    double gamma_s;   // SMPI: what reducing a byte costs
    bool blind;       // do not look at the data
} JobPlan;

// Over the repetitions, in seconds: of the time of the slowest rank; and of all ranks' times.
typedef struct JobResult {
    char *wrong;  // what is wrong with the data, or why it cannot run; else NULL
    char *unlike; // of JOB_LIKE: how the library's messages differ; NULL: they do not, if they could be counted
    bool counted; // of JOB_LIKE
    int repetitions;
    double min_s, median_s, mean_s, p95_s, max_s, ranks_min_s, ranks_mean_s;
} JobResult;

// Lines as above, without the newline; free with g_free.
char *job_plan_text(const JobPlan *plan);
char *job_text(const Job *job, int p);
char *job_result_text(int number, const JobResult *result);
// And back; false and bad input where they are not such lines. A job's counts are to be freed with job_clear, a result
// with job_result_clear.
gboolean job_plan_parse(const char *line, JobPlan *plan, GError **error);
gboolean job_parse(const char *line, int p, Job *job, GError **error);
gboolean job_result_parse(const char *line, int *number, JobResult *result, GError **error);
void job_clear(Job *job);
void job_result_clear(JobResult *result);
