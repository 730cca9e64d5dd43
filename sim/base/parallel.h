// Runs many jobs in parallel, on as many threads as there are processors.
#pragma once
#include <glib.h>

// How to run jobs. Only `run` must be set.
typedef struct ParallelWork {
    // Does one job, perhaps on another thread than the caller's. Returns FALSE and sets an error if the job fails.
    gboolean (*run)(gpointer job, gpointer user, GError **error);
    const char *what; // what the jobs are, for the line of progress: "points"; NULL shows none
    // Returns the name of a job for the line of progress, to be freed with g_free; NULL: jobs have no names.
    char *(*name)(gconstpointer job, gconstpointer user);
    // Called on the caller's thread whenever more jobs at the beginning of the list are done: the first n are, and none
    // of them failed. NULL: nobody needs to know.
    void (*ready)(guint n, gpointer user);
    gpointer user;  // passed to these functions
    gboolean alone; // run the jobs one after the other
} ParallelWork;

// Returns how many of n jobs parallel_run would now run at the same time, at least 1. Within a job that is as many as there
// are processors for which no other job is left, so that jobs which divide their work do not start ever more threads.
guint parallel_threads(guint n);

// Runs all jobs, even if one of them fails. Returns FALSE if any failed, with the error of the failed job that comes
// first in `jobs`.
gboolean parallel_run(const GPtrArray *jobs, const ParallelWork *work, GError **error);

// Lets another thread, or a signal handler, end what this thread runs from now on: once *stop, which is read atomically, is
// not 0, no further job begins, and parallel_stopped() tells those that run. NULL: nobody can. Returns what was set before.
const gint *parallel_stoppable(const gint *stop);
// Returns TRUE, and an error of PARALLEL_STOPPED, if the thread on which the job was begun is to end. A job that takes long
// asks between its parts.
gboolean parallel_stopped(GError **error);
#define PARALLEL_STOPPED (g_quark_from_static_string("collsim-parallel-stopped"))
