// The trace of a run, for `trace` and `run --trace`.
#pragma once
#include "search/points.h"
#include "trace/trace.h"
#include <stdio.h>

// Asks the request's run for a ledger. Returns FALSE and an error unless there is one run, of a model that keeps one.
gboolean trace_check(Request *request, const GPtrArray *points, GError **error);
// Writes the trace of a point that has run and has a time, and notes on stderr how much of the run it has.
void trace_report(const Request *request, const Point *point, const TraceWish *wish, FILE *to);
