// The answer of `check --backends`.
#pragma once
#include "run/launch/backends.h"
#include "out/answer.h"

// Prints or writes the times of all backends side by side.
void backends_report(const Answer *answer, const BackendCheck *check);
