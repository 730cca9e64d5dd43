// The answer of `run --goal`: what became of a GOAL schedule.
#pragma once
#include "loggops/goal.h"
#include "loggops/platform_ticks.h"
#include "out/answer.h"

// What a schedule was run with, and the result; nothing is owned.
typedef struct GoalRun {
    const char *file;
    char **sets; // --set as given; NULL for none
    const Platform *platform;
    const Goal *goal;
    const LoggopsTicksResult *result;
    TickUnit unit;
    LoggopsTicks ticks;
    double wall_s; // the time to read and run it; below 0 if it was not asked for
} GoalRun;

// Prints or writes when each rank ends. For a schedule that does not end, CSV has no rows, JSON has the operations that
// are left over, and a table is not printed.
void goal_run_report(const Answer *answer, const GoalRun *x);
// Notes on stderr how many messages have different sizes at their two ends, and the ranks and sizes of the first ones.
void goal_run_note(const GoalRun *x);
// Writes to stderr what is left unmatched in a schedule that does not end.
void goal_run_stuck(const GoalRun *x);
