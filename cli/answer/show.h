// What `show` says about one algorithm.
#pragma once
#include "schedule/schedule.h"
#include "search/points.h"

// Prints what the algorithm does, needs and costs.
void show_facts(const CollAlgorithm *a);
// Prints the point at which it is drawn, and what runs there.
void show_point(const Request *request, const Point *point, const Operation *op);
// Prints totals and rounds of an operation whose schedule is `s`. Returns FALSE if the operation does not end.
gboolean show_rounds(const Operation *op, const Schedule *s, const Totals *totals);
