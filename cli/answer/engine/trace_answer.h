// The trace of a run, for `trace` and `run --trace`.
#pragma once
#include "answer/engine/goal_answer.h"
#include "search/search/points.h"
#include "engine/trace/trace.h"
#include <stdio.h>

// Asks the request's run for a ledger, with a wish that is borrowed. Returns FALSE and an error unless there is one run.
gboolean trace_check(RequestMachine *machine, const GPtrArray *points, const LedgerWish *wish, GError **error);
// Returns FALSE and an error if a run that took time_s ended before the time that is wished for.
gboolean trace_reaches(const LedgerWish *wish, double time_s, GError **error);
// Writes the trace of a point that has run and has a time, and notes on stderr how much of the run it has.
// `picture` makes it a picture (engine/trace/space_time.h), of at most SPACE_TIME_RANKS ranks.
void trace_report(const Request *request, const Point *point, const LedgerWish *wish, bool picture, FILE *to);
// Does the same for a GOAL schedule that ended and kept its times.
void trace_report_goal(const GoalRun *run, const LedgerWish *wish, bool picture, FILE *to);
