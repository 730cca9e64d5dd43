// What `run --goal` says about a GOAL schedule that has run.
#pragma once
#include "loggops/goal.h"
#include "loggops/platform_ticks.h"

// What a schedule was run with, and what came of it; nothing is owned.
typedef struct GoalRun {
    const char *file;
    const Platform *platform;
    const Goal *goal;
    const LoggopsTicksResult *result;
    TickUnit unit;
    LoggopsTicks ticks;
    double wall_s; // the time to read and run it; below 0 if it was not asked for
} GoalRun;

// Print when each rank ends; the table and the CSV are for schedules that do end.
void goal_run_table(const GoalRun *x);
void goal_run_csv(const GoalRun *x);
void goal_run_json(const GoalRun *x);
// Writes to stderr what is left unmatched in a schedule that does not end.
void goal_run_stuck(const GoalRun *x);
