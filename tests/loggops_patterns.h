// The communication patterns of the reference rows (tests/golden/loggopsim.csv): what LogGOPSim's own schedule
// generator makes, with its dependencies given directly. They test the cost model, not the algorithms of the registry.
#pragma once
#include "loggops/goal.h"

// The pattern's graph for p ranks and `bytes` of data; `segment` (bytes, >= 1) matters to the pipelined rings alone.
// NULL for a name that is none. Free it with goal_free.
Goal *loggops_pattern(const char *name, uint32_t p, uint64_t bytes, uint64_t segment);
