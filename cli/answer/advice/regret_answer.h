// The answer of `regret`: for each collective how much the library's defaults cost, the worst points, and the cliffs.
#pragma once
#include "figure/grid.h"
#include "out/answer.h"
#include "out/html_sheet.h"
#include "advice/tune/regret.h"

// Reports the regret of each collective (Regret *), and in tables the `top` worst points and cliffs of each.
void regret_report(const Answer *answer, const Request *request, const GPtrArray *regrets, guint top);

// Adds the regret of one collective to a page, with its `top` worst points and cliffs.
void regret_html(Html *page, const Request *request, Regret *regret, guint top);

// Returns a map of the regret of one collective over its grid, and of where its cliffs are. Free with figure_grid_free. Returns
// NULL and an error if there is nothing to draw.
FigureGrid *regret_map(const Regret *regret, const Request *request, GError **error);
// Prints the map as text.
void regret_print(const FigureGrid *map, FILE *to);
