// A meter: how real times are measured on this machine, whatever is measured.
#pragma once
#include "launch/launch.h"

typedef struct Meter {
    Launch launch;
    JobPlan plan; // its p is set by each run
    char *mpi;    // "Open MPI 4.1.4"; NULL until the meter is open
    gboolean open_mpi;
    int cores;                      // cores that this program may use; 0: the ranks may run elsewhere
    void (*note)(const char *line); // is told what runs, and what to think of it; may be NULL
} Meter;

// Sets the defaults: Open MPI on this machine's cores, for one second a point or until the median is known to 1 %. Clear
// with meter_clear.
void meter_init(Meter *meter);
// Asks the backend for its library. Returns FALSE and an error if it does not run.
gboolean meter_open(Meter *meter, GError **error);
void meter_clear(Meter *meter);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Meter, meter_clear)

// Returns true if p ranks share cores; meter_warn notes it then.
gboolean meter_crowded(const Meter *meter, int p);
void meter_warn(const Meter *meter, int p);

// Runs n jobs on p ranks in one launch, whose command line it notes first. The results are to be freed with
// job_result_clear, also on error. Returns FALSE and an error if the backend is missing, fails, dies or hangs.
gboolean meter_run(const Meter *meter, int p, const Job *job, int n, JobResult *result, GError **error);
