// The verdict of `run --why`.
#pragma once
#include "search/search/points.h"
#include <stdio.h>

// Prints what the time of a point is made of, and what the messages of its critical path form: "98 % latency: 9,214
// alpha = 31.3 ms; beta 0.3 ms; gamma 0.2 ms. 9,214 messages form one ring, each from rank r to r+1."
void why_verdict(FILE *to, const Point *point);
// Returns a share as "98 %", "0.3 %" or "-2 %"; "over 99 %" if it is only almost all. Free with g_free.
char *why_percent(double share);
