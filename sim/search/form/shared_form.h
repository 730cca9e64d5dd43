// The time of an algorithm in shared memory by its formula.
#pragma once
#include "machine/platform/platform.h"
#include "engine/schedule/operation.h"

// Returns a time in seconds that the operation does not take less than, and exceeds by less than a thousandth: its
// formula's value at the platform's figures, which formulas take as integers. Returns NAN if the algorithm has no
// formula for the operation, or the value would not fit. The formula takes time in proportion to the ranks times the
// fragments.
double shared_form_time(const Operation *op, const Platform *platform);
