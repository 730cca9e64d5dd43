// What `bound` says.
#pragma once
#include "ask/options.h"
#include "search/bound_grid.h"

void bound_print(const BoundGrid *grid, Format format);
// Draws bound_grid_ratio over sizes or ranks, whichever are more; `format` is one of picture_format.
gboolean bound_draw(const BoundGrid *grid, const char *output, const char *format, GError **error);
