// What `crossover` says about rivalries that have run.
#pragma once
#include "search/rivalry.h"

void crossover_table(const Request *request, const GPtrArray *rivalries);
void crossover_csv(const Request *request, const GPtrArray *rivalries);
void crossover_json(const Request *request, const GPtrArray *rivalries);
