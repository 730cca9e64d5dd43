// From an algorithm's text to a dependency graph for the LogP family.
#pragma once
#include "loggops/goal.h"
#include "schedule/operation.h"

// Sends and receives are what they are, a reduction is a calc of its bytes, copies are nothing. An operation requires
// whatever its rank has waited for. Host = rank. Free with goal_free.
Goal *goal_record(const Operation *op);

// The largest size of a calc; 0: none computes.
uint64_t goal_longest_calc(const Goal *goal);

// Makes a recorded graph one for clocks of whole nanoseconds: a calc of n bytes gets n * gamma_ns (below 2^63), to the
// nearest, and a message of 0 bytes gets 1 (what loggops_run charges for it; on 0 loggops_run_ticks would set clocks
// back). TRUE if there was such a message.
gboolean goal_to_ns(Goal *goal, double gamma_ns);
