// Runs the command lines of views: a few at a time, each in a process of its own, so that one that a newer request replaces
// can be ended at any moment, and one that fails takes nothing else with it.
#pragma once
#include "explore/explore_state.h"

typedef struct ExploreJobs ExploreJobs;
typedef struct ExploreJob ExploreJob;

// How a job ended.
typedef enum {
    EXPLORE_DONE,
    EXPLORE_FAILED,   // `error` says why
    EXPLORE_REPLACED, // a newer request of the same page and view came, or nobody waits any more
    EXPLORE_BUSY      // too many requests wait
} ExploreEnd;

typedef struct ExploreAnswer {
    ExploreEnd end;
    const char *line;  // the command line, as a shell takes it
    GBytes *printed;   // what the first command printed: rows or text; NULL unless done
    GBytes *picture;   // an SVG; NULL if the line draws none
    const char *error; // one line; NULL unless failed
    gint64 took_us;    // how long the commands ran, also if that was earlier
} ExploreAnswer;
typedef void (*ExploreReady)(const ExploreAnswer *answer, gpointer user);

// Makes a pool that runs `program`, collsim. Returns NULL and an error if it gets no folder for pictures. Free with
// explore_jobs_free, which ends what runs.
ExploreJobs *explore_jobs_new(const char *program, GError **error);
void explore_jobs_free(ExploreJobs *jobs);

// Runs a line, of which it takes ownership, and calls ready() once, perhaps before it returns: then it returns NULL. A job of
// the same page and view that has not ended is replaced. `page` is what the page calls itself; it is copied.
ExploreJob *explore_jobs_run(ExploreJobs *jobs, const char *page, ExploreView view, ExploreLine *line,
                             ExploreReady ready, gpointer user);
// Ends a job that has not called ready(), because nobody waits for it; it never will.
void explore_jobs_drop(ExploreJob *job);
