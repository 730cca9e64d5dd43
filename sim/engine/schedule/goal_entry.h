// A GOAL schedule as an algorithm: an entry that runs together with those of the list, under every model of messages.
//
// Its operations form a graph and no sequence, so no text can do what it says. schedule_admit() makes a schedule of the
// graph itself (Schedule.graph), and goal_record() gives the models of the LogP family the graph. The entry's text only
// lists the operations, for those who count them.
#pragma once
#include "engine/goal/goal.h"
#include "registry/registry.h"

// The name of the entry.
#define GOAL_ENTRY_NAME "goal"

// Adds the schedule to the list of algorithms as one of this collective, and takes the graph, which it frees if it
// fails. A program has at most one at a time, and adds it before it has threads. Returns FALSE and an error, which begins with
// `file`, if an operation waits for itself.
gboolean goal_entry_add(Goal *goal, const char *file, Collective collective, GError **error);

// Frees the schedule, if one was added, whose entry algorithm_remove_added() must then remove. Another may follow.
void goal_entry_forget(void);

// Returns how many ranks the schedule has; 0 if none was added.
int goal_entry_ranks(void);

// Returns the graph if the entry is the schedule, and NULL if it is another algorithm. Its reductions are calcs: n
// bytes stand for n ns, so gamma must be 1 ns/B.
const Goal *goal_entry_graph(const CollAlgorithm *a);
