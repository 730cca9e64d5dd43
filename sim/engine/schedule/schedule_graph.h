// A schedule whose operations form a graph, as a GOAL file has them, instead of one sequence for each rank.
#pragma once
#include "engine/goal/goal.h"
#include "engine/schedule/schedule.h"

// Returns FALSE and an error if an operation waits for itself, by way of others, so that it never starts.
gboolean schedule_graph_check(const Goal *goal, GError **error);

// Returns the number of each rank's first operation in the graph; there is one more entry than ranks. Free with g_free.
uint32_t *schedule_graph_first(const Goal *goal);

// Returns the schedule of a graph, which it borrows: a class for each rank, with its isends, irecvs and reductions in
// the order of the graph, and no waits. A calc of n is a reduction of n bytes. Free with schedule_free.
Schedule *schedule_graph_new(const Goal *goal, const char *name);
