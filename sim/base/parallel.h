// Runs many jobs on all processors.
#pragma once
#include <glib.h>

// Does one job. Returns FALSE and sets an error if it fails.
typedef gboolean (*ParallelFunc)(gpointer job, gpointer user, GError **error);

// Calls run(job, user) for each job, on all processors, or on one thread if `alone`. While it works, a terminal shows how
// many jobs of the kind `what` are done. All jobs run even if one fails; then it returns FALSE with the error of the first
// failed job in their order.
gboolean parallel_run(const GPtrArray *jobs, gboolean alone, const char *what, ParallelFunc run, gpointer user,
                      GError **error);
