// The colours of a ratio of times, on maps: each is darker than the one before, so that they differ in grey too.
#pragma once
#include "figure/grid.h"

enum { HEAT_STEPS = 7 }; // the first is for what is below 1.1

// Returns the step of a ratio, and a step's colour.
guint heat_step(double x);
int heat_color(guint step);
// Returns a ratio as it stands in a place: "1.4", "13", "1490" or "12k". Free with g_free.
char *heat_text(double x);
// Adds the heading, and the steps that occur with how often they do, the largest first, to a map's legend.
void heat_keys(FigureGrid *grid, const char *heading, const guint counts[HEAT_STEPS]);
