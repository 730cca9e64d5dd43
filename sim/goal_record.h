// From an algorithm's text to a dependency graph for the LogP family.
#pragma once
#include "goal.h"
#include "model.h"

// Sends and receives are what they are, a reduction is a calc of its bytes, copies are nothing. An operation requires
// whatever its rank has waited for. Host = rank. Free with goal_free.
Goal *goal_record(const Operation *op);

// Does any rank compute?
gboolean goal_computes(const Goal *goal);

// Makes a recorded graph one for clocks of whole nanoseconds: a calc of n bytes gets n * gamma_ns, to the nearest, and
// what has 0 bytes gets 1 (as loggops_run charges it; loggops_run_ticks would set clocks back). TRUE if there was any.
gboolean goal_to_ns(Goal *goal, double gamma_ns);
