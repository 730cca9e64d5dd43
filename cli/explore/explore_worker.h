// A process that answers one command line after the other (`collsim serve`), so that what it has recorded for one map
// serves the next one.
#pragma once
#include <gio/gio.h>

typedef struct ExploreWorker ExploreWorker;

// Called once for each request that was begun. `why` is NULL if the command ended well: then its answer is in the file. It is
// empty if the command was killed.
typedef void (*ExploreWorked)(const char *why, gpointer user);

// Returns a worker whose process, of the program collsim, starts with the first request. Free with explore_worker_free, which
// ends the process and calls nobody.
ExploreWorker *explore_worker_new(const char *program);
void explore_worker_free(ExploreWorker *worker);
// Runs a command, whose words begin with `collsim`, so that its answer is in the file. Returns FALSE if the worker is busy or
// cannot be started.
gboolean explore_worker_run(ExploreWorker *worker, char *const *words, const char *file, ExploreWorked worked,
                            gpointer user);
// Ends what the worker does, and with it the process; worked() is called later.
void explore_worker_stop(ExploreWorker *worker);

// For the child setup of a process of the server: lets it end with the server, and gives it the usual signals.
void explore_worker_follow(gpointer unused);
