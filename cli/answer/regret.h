// The answer of `regret`: for each collective how much the library's defaults cost, the worst points, and the cliffs.
#pragma once
#include "out/answer.h"
#include "tune/regret.h"

// Reports the regret of each collective (Regret *), and in tables the `top` worst points and cliffs of each.
void regret_report(const Answer *answer, const Request *request, const GPtrArray *regrets, guint top);
