// A map of ratios of times: each place has a colour and its ratio as a text. Colours of larger ratios are darker, so that they
// differ in grey too.
#pragma once
#include "figure/grid.h"
#include <stdio.h>

// The ratio x (NAN if it is not known) on p ranks, per_node (0 for no nodes) of them on each node, with m bytes.
typedef struct HeatPlace {
    int p, per_node;
    size_t m;
    double x;
} HeatPlace;

// Returns a map of places (HeatPlace), with ranks on nodes above those on none; of several ratios for one place the largest is
// shown. `cliffs` has pairs of places (HeatPlace), which differ in ranks or in bytes: each is a thick border between the two
// or, if they are not on the map, between the places around them; NULL for none. The legend begins with the heading. Title and
// note are the caller's. Free with figure_grid_free.
FigureGrid *heat_map(const GArray *places, const GArray *cliffs, const char *heading);
// Prints it as text of at most 100 characters a line, and below it what a place that is not known stands for and what, unless
// `cliff` is NULL, a border says.
void heat_print(const FigureGrid *map, const char *unknown, const char *cliff, FILE *to);
// Returns a ratio as it stands in a place: "1.4", "13", "1490" or "12k". Free with g_free.
char *heat_text(double x);
