// Runs the command lines of views: a few at a time, each command in a process of its own. So a line can be ended at any
// moment if a newer request replaces it, and one that fails does no harm to others.
#pragma once
#include "explore/explore_state.h"

typedef struct ExploreJobs ExploreJobs;
typedef struct ExploreJob ExploreJob;

// How a job ended.
typedef enum {
    EXPLORE_DONE,
    EXPLORE_FAILED,   // `error` says why
    EXPLORE_REPLACED, // a newer request of the same page and view came, or nobody waits for this one
    EXPLORE_BUSY      // too many requests wait
} ExploreEnd;

typedef struct ExploreAnswer {
    ExploreEnd end;
    const char *line;  // the command line, as a shell takes it
    GBytes *printed;   // what the first command printed: rows or text; NULL unless done
    GBytes *picture;   // an SVG; NULL if the line draws none
    const char *error; // one line; NULL unless failed
    gint64 took_us;    // how long the commands ran, which for a known answer was earlier
} ExploreAnswer;
typedef void (*ExploreReady)(const ExploreAnswer *answer, gpointer user);

// Makes a pool that runs `program`, collsim. Returns NULL and an error if no folder for pictures can be made. Free with
// explore_jobs_free, which ends what runs.
ExploreJobs *explore_jobs_new(const char *program, GError **error);
void explore_jobs_free(ExploreJobs *jobs);

// Makes a job that runs a line, and ends any job of the same page and view, which is replaced. ready() is called once, when
// the job ends. The function makes no job and returns NULL if the answer is known or too many jobs wait; then it calls
// ready() before it returns. The pool owns the line from now on. `page` is the page's name for itself; it is copied.
ExploreJob *explore_jobs_run(ExploreJobs *jobs, const char *page, ExploreView view, ExploreLine *line,
                             ExploreReady ready, gpointer user);
// Ends a job for whose answer nobody waits any longer. Its ready(), which must not have been called yet, never is.
void explore_jobs_drop(ExploreJob *job);
