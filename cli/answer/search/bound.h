// The answer of `bound`.
#pragma once
#include "out/answer.h"
#include "search/search/bound_grid.h"

// Prints or writes the bounds and how near the fastest algorithms come.
void bound_report(const Answer *answer, const BoundGrid *grid);
// Draws bound_grid_ratio over sizes or ranks, whichever are more, and writes the picture to `to`. `format` is one of
// picture_format; `path` is the name that errors give. Returns FALSE and an error if there is nothing to draw or too
// much.
gboolean bound_draw(const BoundGrid *grid, const char *path, const char *format, FILE *to, GError **error);
