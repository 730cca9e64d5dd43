// Many jobs on all processors.
#pragma once
#include <glib.h>

// Calls run(job, user) for each job, on all processors unless `alone`; a terminal is told how far it is, in `what`.
void run_jobs(const GPtrArray *jobs, gboolean alone, const char *what, GFunc run, gpointer user);
