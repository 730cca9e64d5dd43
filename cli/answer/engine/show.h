// The answer of `show`: one algorithm.
#pragma once
#include "out/answer.h"
#include "engine/schedule/schedule.h"
#include "search/search/points.h"

// Prints what the algorithm does, needs and costs, the point, what runs there, and its rounds drawn; `s` and `totals`
// are the schedule of `op`, and `memory` is NULL if it is not to be shown. CSV has the messages round by round, and
// JSON the facts as well. Returns FALSE if the operation does not end.
gboolean show_report(const Answer *answer, const Request *request, const Point *point, const Operation *op,
                     const Schedule *s, const Totals *totals, const Memory *memory);
