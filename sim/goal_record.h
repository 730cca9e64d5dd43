// From an algorithm's text to a dependency graph for the LogP family.
#pragma once
#include "goal.h"
#include "model.h"

// Sends and receives are what they are, a reduction is a calc of its bytes, copies are nothing. An operation requires
// whatever its rank has waited for. Host = rank. Free with goal_free.
Goal *goal_record(const Operation *op);
