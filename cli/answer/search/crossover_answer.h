// The answer of `crossover`.
#pragma once
#include "out/answer.h"
#include "search/search/rivalry.h"

// Prints or writes the crossovers of the rivalries, which have run. There must be at least one.
void crossover_report(const Answer *answer, const Request *request, const GPtrArray *rivalries);
