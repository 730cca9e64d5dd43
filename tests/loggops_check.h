// What the tests of the LogGOPS engine share.
#pragma once
#include "loggops/loggops.h"

// Asserts that every host's certificate gives its finishing time exactly (for parameters that are whole numbers), that
// its critical path runs without a gap from 0 to it, and that the last host is the lowest of the latest.
void loggops_assert_certificates(const LoggopsResult *result, const Goal *goal, const LoggopsParams *params);

// The same parameters, which are whole numbers (S may be INFINITY), for clocks of integers.
LoggopsTicks loggops_ticks_of(const LoggopsParams *params);
