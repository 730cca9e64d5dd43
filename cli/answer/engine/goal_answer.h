// The answer of `run --goal`: what became of a GOAL schedule.
#pragma once
#include "ask/ask.h"
#include "engine/goal/goal.h"
#include "engine/loggops/platform_ticks.h"
#include "out/answer.h"
#include <stdbool.h>

// What a schedule is run with, and the result: as LogGOPSim runs it, or under a model that replays it.
typedef struct GoalRun {
    const char *file; // borrowed
    char **sets;      // --set as given; NULL for none; borrowed
    bool timed;       // keep the times of all operations
    const Model *model;
    const Goal *goal;
    double wall_s; // the time to read and run it; below 0 if it was not asked for
    // Under loggops:
    Platform *platform;
    Goal *owned;                // the same graph
    LoggopsTicksResult *result; // NULL before it ran
    TickUnit unit;
    LoggopsTicks ticks;
    // Under the other models the schedule is the entry of goal_entry.h, and runs at one point:
    Request request;
    RequestOptions options; // borrowed, apart from `ranks`
    char *ranks;
    GPtrArray *points;
} GoalRun;

// Prints or writes when each rank ends. For a schedule that does not end, CSV has no rows, JSON has the operations that
// are left over, and a table is not printed.
void goal_run_report(const Answer *answer, const GoalRun *x);
// Returns FALSE and an error if an option is given that does not apply to a GOAL schedule, unless a model replays it.
// `allowed` lists those that do.
gboolean goal_run_check(const RequestOptions *o, const char *allowed, GError **error);
// Reads the schedule and sets what it is run with: under loggops and on the platform loggopsim, unless the options name
// others. Returns FALSE and an error if an option does not apply; `allowed` lists those that do.
gboolean goal_run_make(GoalRun *x, const RequestOptions *o, const char *allowed, GError **error);
// Runs the schedule; `wish` is what a trace wants, NULL for none. Notes on stderr which messages have different sizes
// at their ends. If the schedule does not end, that is not an error: the function notes what is left.
gboolean goal_run_go(GoalRun *x, const LedgerWish *wish, GError **error);
// Notes on stderr how many messages of these runs have another size at their receive than at their send.
void goal_note_sizes(const GPtrArray *points);
// Returns whether a schedule that has run came to its end, how long it took, in s, and the platform that it ran on.
bool goal_run_ended(const GoalRun *x);
double goal_run_time(const GoalRun *x);
const Platform *goal_run_platform(const GoalRun *x);
void goal_run_clear(GoalRun *x);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(GoalRun, goal_run_clear)
