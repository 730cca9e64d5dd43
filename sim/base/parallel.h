// Many jobs on all processors.
#pragma once
#include <glib.h>

// Does one job; FALSE and an error.
typedef gboolean (*JobFunc)(gpointer job, gpointer user, GError **error);

// Calls run(job, user) for each job, on all processors unless `alone`; a terminal is told how far it is, in `what`. All
// are run; FALSE and the error of the first one, in their order, that failed.
gboolean run_jobs(const GPtrArray *jobs, gboolean alone, const char *what, JobFunc run, gpointer user, GError **error);
