// A GOAL schedule as an algorithm: an entry whose text does what the schedule says, so that every model of messages can
// run it beside the algorithms of the list.
//
// A text is one sequence of operations with waits, and a graph need not be one. It can be written as a sequence if what
// its operations wait for is nested: of any two operations of a rank, one waits for everything that the other waits
// for. An operation is then issued, in the order of the file among equals, at the time at which everything that it
// requires has ended; and a calc holds up only what requires it. Every exported algorithm is like this. A schedule that
// is not is refused, never run in another order.
#pragma once
#include "goal/goal.h"
#include "registry/registry.h"

// The name of the entry.
#define GOAL_ENTRY_NAME "goal"

// Adds the schedule to the list of algorithms as one of this collective, and takes the graph, which it frees. A program
// has at most one, and adds it before it has threads. Returns FALSE and an error, which begins with `file`, if no
// sequence of operations does the same.
gboolean goal_entry_add(Goal *goal, const char *file, Collective collective, GError **error);

// Returns how many ranks the schedule has; 0 if none was added.
int goal_entry_ranks(void);

// Returns true if the entry is the schedule. Its reductions are calcs: n bytes stand for n ns, so gamma must be 1 ns/B.
gboolean goal_entry_is(const CollAlgorithm *a);
