// The answer of `bound`.
#pragma once
#include "figure/canvas.h"
#include "out/answer.h"
#include "search/search/bound_grid.h"

// Prints or writes the bounds and how near the fastest algorithms come.
void bound_report(const Answer *answer, const BoundGrid *grid);
// Returns what the bound is the largest of, as "ceil(log2 p) alpha, m beta". Free with g_free.
char *bound_text(const BoundGrid *grid);
// Returns FALSE and an error if a picture of the request, whose cells need not be made, would have too many lines.
gboolean bound_can_draw(const BoundGrid *grid, GError **error);
// Returns a picture of bound_grid_ratio over sizes or ranks, whichever are more. Free with canvas_free. Returns NULL and an
// error if there is nothing to draw.
Canvas *bound_canvas(const BoundGrid *grid, const PictureAsk *ask, GError **error);
