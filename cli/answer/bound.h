// What `bound` says.
#pragma once
#include "ask/options.h"
#include "search/bound_grid.h"
#include <stdio.h>

void bound_print(const BoundGrid *grid, Format format);
// Draws bound_grid_ratio over sizes or ranks, whichever are more, and writes the picture to `to`. `format` is one of
// picture_format; `output` is the name that errors give. Returns FALSE and an error if there is nothing to draw or too much.
gboolean bound_draw(const BoundGrid *grid, const char *output, const char *format, FILE *to, GError **error);
