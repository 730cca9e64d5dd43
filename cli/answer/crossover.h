// The answer of `crossover`.
#pragma once
#include "out/answer.h"
#include "search/rivalry.h"

// Prints or writes the crossovers of the rivalries, of which there is at least one and which have run.
void crossover_report(const Answer *answer, const Request *request, const GPtrArray *rivalries);
