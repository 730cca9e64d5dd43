// The answer of `measure`.
#pragma once
#include "launch/measure.h"
#include "out/answer.h"

// Prints or writes the rows, without those whose data were wrong.
void measure_report(const Answer *answer, const Measure *x);
