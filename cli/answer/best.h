// The answer of `best`.
#pragma once
#include "out/answer.h"
#include "search/contest.h"

// Prints or writes the rankings of the contests, which have run.
void best_report(const Answer *answer, const Request *request, const GPtrArray *contests);
