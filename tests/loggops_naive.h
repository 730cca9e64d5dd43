// LogGOPSim's event loop in its simplest form, with which the engine's integer clocks are compared. There is one list
// of events, searched for the earliest; an event that cannot start yet goes back into the list with a later time;
// operations that become ready at once are started in the order sends, receives, calcs.
#pragma once
#include "engine/loggops/loggops.h"

// Runs the graph, which has at most 8 hosts. `level` has the L and G of each level as whole numbers; if it is NULL, all
// messages have those of `q`. Sets finish[host] to the host's finishing time in ticks, and for each
// receive met[op] to the send that it met, or UINT32_MAX. Returns FALSE if a message or receive is left over or an
// operation never became ready.
gboolean loggops_naive(const Goal *goal, const LoggopsTicks *q, const LoggopsLevel *level, uint64_t *finish,
                       uint32_t *met);

// Returns a random graph; free with goal_free. It has 2 to 8 hosts with up to 2 CPUs and NICs, tags, wildcards, both
// kinds of dependencies, messages of 0, S and S + 1 bytes, and receives that are shorter or longer than their messages.
// Some graphs get stuck: an end of a message may be missing, and dependencies may form a circle.
Goal *loggops_random_goal(GRand *rand, uint64_t S);
