// The communication patterns of tests/golden/loggopsim.csv. They are those of LogGOPSim's schedule generator, built
// here as graphs. They test the cost model, not the algorithms of the registry.
#pragma once
#include "engine/goal/goal.h"

// Returns the pattern's graph for p ranks and `bytes` of data, or NULL if there is no pattern of this name; free with
// goal_free. Only the pipelined rings use `segment`, in bytes (1 or more).
Goal *loggops_pattern(const char *name, uint32_t p, uint64_t bytes, uint64_t segment);
