// Measuring on this machine, for `collsim measure` and for who else needs real times.
#pragma once
#include "launch/launch.h"
#include "search/points.h"

// How it is measured, whatever it is.
typedef struct Meter {
    Launch launch;
    JobPlan plan; // but p
    char *mpi;    // "Open MPI 4.1.4"
    gboolean open_mpi;
    int cores; // that this program may use; 0: the ranks may run elsewhere
} Meter;

// The options that make a meter, as they were given; NULL: not at all.
typedef struct MeterOptions {
    char *mpi, *launcher, *sync, *budget, *precision, *repetitions, *warmup, *patience;
} MeterOptions;
void meter_options_clear(MeterOptions *o);

#define METER_ENTRIES(o)                                                                                               \
    {"mpi", 0, 0, G_OPTION_ARG_STRING, &(o).mpi, "openmpi (default) or mpich", "NAME"},                                \
        {"launcher", 0, 0, G_OPTION_ARG_STRING, &(o).launcher, "in place of mpirun, as \"srun -n {p}\"", "WORDS"},     \
        {"sync",                                                                                                       \
         0,                                                                                                            \
         0,                                                                                                            \
         G_OPTION_ARG_STRING,                                                                                          \
         &(o).sync,                                                                                                    \
         "ranks begin after a barrier (default), or at an agreed time",                                                \
         "barrier|window"},                                                                                            \
        {"budget", 0, 0, G_OPTION_ARG_STRING, &(o).budget, "time for a point's repetitions (1s)", "TIME"},             \
        {"precision", 0, 0, G_OPTION_ARG_STRING, &(o).precision, "that the median must have to stop earlier (1%)",     \
         "PERCENT"},                                                                                                   \
        {"repetitions", 0, 0, G_OPTION_ARG_STRING, &(o).repetitions, "this number of them, whatever they take", "N"},  \
        {"warmup", 0, 0, G_OPTION_ARG_STRING, &(o).warmup, "repetitions before, that do not count (3)", "N"},          \
    {                                                                                                                  \
        "patience", 0, 0, G_OPTION_ARG_STRING, &(o).patience,                                                          \
            "without an answer for so long it is ended (60s more "                                                     \
            "than the budget)",                                                                                        \
            "TIME"                                                                                                     \
    }

// Reads the options, which must outlive the meter; then asks the backend for its library. FALSE and bad input. To be
// cleared with meter_clear.
gboolean meter_read(const MeterOptions *o, Meter *meter, GError **error);
gboolean meter_open(Meter *meter, GError **error);
void meter_clear(Meter *meter);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Meter, meter_clear)

// Do p ranks share cores? And a line to stderr where they do.
gboolean meter_crowded(const Meter *meter, int p);
void meter_warn(const Meter *meter, int p);

// Runs n jobs on p ranks in one launch, after its command line has been written to stderr; the results are to be freed with
// job_result_clear, also on error. FALSE and bad input where the backend is missing, fails, dies or hangs.
gboolean meter_run(const Meter *meter, int p, const Job *job, int n, JobResult *result, GError **error);

// A probe of the machine: half of a ping-pong's round trip between two ranks (JOB_PINGPONG), or a rank's reduction of so
// many bytes with as many (JOB_REDUCE, elements of `elem` bytes).
typedef struct ProbeSample {
    size_t bytes;
    JobResult times; // over the repetitions
} ProbeSample;

// One launch for all sizes (size_t); ProbeSamples in their order, to be freed with g_array_unref. NULL and bad input as of
// meter_run, or where the data were wrong.
GArray *probe_run(const Meter *meter, JobKind kind, size_t elem, const GArray *sizes, GError **error);
// The name in place of a collective's, "pingpong", and in place of an algorithm's, "sendrecv".
const char *probe_name(JobKind kind), *probe_algorithm(JobKind kind);
