// A meter: the settings with which collsim measures real times on this machine.
#pragma once
#include "run/launch/launch.h"

typedef struct Meter {
    Launch launch;
    JobPlan plan; // its p is set by each run
    char *mpi;    // "Open MPI 4.1.4"; NULL until the meter is open
    gboolean open_mpi;
    int cores;                      // cores that this program may use; 0 if the ranks may run on other machines
    int sockets;                    // sockets of these cores; 0 as cores
    void (*note)(const char *line); // called with the command that runs, and with warnings; may be NULL
} Meter;

// Sets the defaults: Open MPI on this machine's cores, for one second a point or until the median is known to 1 %.
// Clear with meter_clear.
void meter_init(Meter *meter);
// Finds out which MPI library the backend uses. Returns FALSE and an error if the backend does not run.
gboolean meter_open(Meter *meter, GError **error);
void meter_clear(Meter *meter);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Meter, meter_clear)

// Returns true if p ranks share cores.
gboolean meter_crowded(const Meter *meter, int p);
// Notes a warning if p ranks share cores.
void meter_warn(const Meter *meter, int p);

// Runs n jobs on p ranks in one launch, whose command line it notes first. Free the results with
// job_result_clear, also after an error. Returns FALSE and an error if the backend is missing, fails, dies or hangs.
gboolean meter_run(const Meter *meter, int p, const Job *job, int n, JobResult *result, GError **error);
