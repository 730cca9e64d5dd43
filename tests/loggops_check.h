// Assertions and conversions that the tests of the LogGOPS engine share.
#pragma once
#include "engine/loggops/loggops.h"
#include "engine/schedule/operation.h"

// Asserts for a run that came to its end: every host's certificate evaluates to the host's finishing time, its critical
// path leads from 0 to that time without a gap, and last_host is the lowest of the hosts that finish last. Times are
// compared exactly, so the parameters must be whole numbers.
void loggops_assert_certificates(const LoggopsResult *result, const Goal *goal, const LoggopsParams *params);

// Returns the parameters for the engine with integer clocks. They must be whole numbers; S may be INFINITY.
LoggopsTicks loggops_ticks_of(const LoggopsParams *params);

// Returns the operation on p ranks, or one without an algorithm if it cannot run there.
Operation loggops_operation(const CollAlgorithm *a, int p, int root, size_t m, const CollNodes *nodes);
