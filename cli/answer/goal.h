// The answer of `run --goal`: what became of a GOAL schedule.
#pragma once
#include "ask/ask.h"
#include "goal/goal.h"
#include "loggops/platform_ticks.h"
#include "out/answer.h"
#include <stdbool.h>

// What a schedule is run with, and the result.
typedef struct GoalRun {
    const char *file; // borrowed
    char **sets;      // --set as given; NULL for none; borrowed
    bool timed;       // keep the times of all operations
    Platform *platform;
    Goal *goal;
    LoggopsTicksResult *result; // NULL before it ran
    TickUnit unit;
    LoggopsTicks ticks;
    double wall_s; // the time to read and run it; below 0 if it was not asked for
} GoalRun;

// Prints or writes when each rank ends. For a schedule that does not end, CSV has no rows, JSON has the operations that
// are left over, and a table is not printed.
void goal_run_report(const Answer *answer, const GoalRun *x);
// Returns FALSE and an error if an option is given that does not apply to a GOAL schedule. `allowed` lists those that do.
gboolean goal_run_check(const RequestOptions *o, const char *allowed, GError **error);
// Sets what is run: on the platform loggopsim, unless the options name another. Returns FALSE and an error if an option does not
// apply; `allowed` lists those that do.
gboolean goal_run_make(GoalRun *x, const RequestOptions *o, const char *allowed, GError **error);
// Reads the schedule and runs it as LogGOPSim does. Notes on stderr which messages have different sizes at their ends. If the
// schedule does not end, that is not an error: the function notes what is left, and result->finish is NULL.
gboolean goal_run_go(GoalRun *x, GError **error);
void goal_run_clear(GoalRun *x);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(GoalRun, goal_run_clear)
