// Makes a dependency graph, for the models of the LogP family, from an algorithm's text.
#pragma once
#include "engine/goal/goal.h"
#include "machine/platform/mapping.h"
#include "engine/schedule/operation.h"
#include "engine/schedule/phases.h"
#include "engine/schedule/schedule.h"

// Returns the graph of an operation. Each rank is a host. Sends and receives become sends and receives, a reduction
// becomes a calc whose size is its bytes, and copies are left out. An operation requires everything that its rank has
// waited for before it. Because a graph cannot express "whichever ends first", a throttle waits until the oldest
// requests have ended. The operation must not use shared memory. Returns NULL and an error of what is "too much" if the
// operations require more than 2^27 others in all, which only a throttle of many requests can do. Free with goal_free.
Goal *goal_record(const Operation *op, GError **error);

// The phases of a graph's operations.
typedef struct GoalPhases {
    Phases names;
    GArray *of; // of uint16_t, by the operation's index: the number of its phase
} GoalPhases;
void goal_phases_clear(GoalPhases *phases);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(GoalPhases, goal_phases_clear)
// Does the same, and fills *phases, which is all zero before, unless it is NULL. Clear it with goal_phases_clear.
Goal *goal_record_phases(const Operation *op, GoalPhases *phases, GError **error);

// Returns the graph of the first n ranks, which stand for all (LoggopsFew): every rank v does what v mod n does
// (schedule_period). `peers` is the entry's. Messages have the levels of `map`, unless it is NULL. Returns NULL and an
// error as goal_record does.
Goal *goal_record_few(const Operation *op, int n, CollPeers peers, const Mapping *map, GError **error);

// Gives each message of a recorded graph the level at which its two ranks communicate.
void goal_set_levels(Goal *goal, const Mapping *map);

// Returns the largest size of a calc, or 0 if there is no calc of more than 0 bytes.
uint64_t goal_longest_calc(const Goal *goal);

// Changes a recorded graph for clocks of whole nanoseconds. A calc of n bytes gets the size n * gamma_ns, rounded,
// which must be below 2^63. A message of 0 bytes gets 1 byte, which is what loggops_run charges for it; with 0 bytes
// loggops_run_ticks would set clocks back. Returns TRUE if there was a message of 0 bytes.
gboolean goal_to_ns(Goal *goal, double gamma_ns);
