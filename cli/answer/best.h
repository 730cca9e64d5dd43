// What `best` says about contests that have run.
#pragma once
#include "search/contest.h"

void best_table(const Request *request, const GPtrArray *contests);
void best_csv(const Request *request, const GPtrArray *contests);
void best_json(const Request *request, const GPtrArray *contests);
