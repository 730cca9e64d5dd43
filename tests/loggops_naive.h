// LogGOPSim's event loop told plainly, to hold the engine's integer clocks against: one list of events searched for its
// least, every event that cannot start put back by itself, ready operations sorted by kind.
#pragma once
#include "loggops/loggops.h"

// finish[host]: when it ends, in ticks. FALSE where something is left that never came to its end.
gboolean loggops_naive(const Goal *goal, const LoggopsTicks *q, uint64_t *finish);

// A random small graph: 2 to 8 hosts, 2 CPUs and NICs, tags, wildcards, both kinds of dependencies, messages of 0 bytes
// and of S, receives shorter than their messages; most can end. Free with goal_free.
Goal *loggops_random_goal(GRand *rand, uint64_t S);
