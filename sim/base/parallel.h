// Runs many jobs in parallel, on as many threads as there are processors.
#pragma once
#include <glib.h>

// Does one job, perhaps on another thread than the caller's. Returns FALSE and sets an error if the job fails.
typedef gboolean (*ParallelFunc)(gpointer job, gpointer user, GError **error);

// Calls run(job, user) for each job, on all processors, or one after the other if `alone`. While it works, standard
// error shows how many jobs are done if it is a terminal; `what` is the jobs' name there ("points"). All jobs run even
// if one fails. Returns FALSE if any failed, with the error of the failed job that comes first in `jobs`.
gboolean parallel_run(const GPtrArray *jobs, gboolean alone, const char *what, ParallelFunc run, gpointer user,
                      GError **error);
