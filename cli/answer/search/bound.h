// The answer of `bound`.
#pragma once
#include "figure/canvas.h"
#include "out/answer.h"
#include "search/search/bound_grid.h"

// Prints or writes the bounds and how near the fastest algorithms come.
void bound_report(const Answer *answer, const BoundGrid *grid);
// Returns a picture of bound_grid_ratio over sizes or ranks, whichever are more. Free with canvas_free. Returns NULL and an
// error if there is nothing to draw or too much.
Canvas *bound_canvas(const BoundGrid *grid, const PictureAsk *ask, GError **error);
