// The rows of a sweep: points as lines of CSV.
#pragma once
#include "search/sweep/sweep_grid.h"

// Returns the columns of a sweep (char *, borrowed), apart from those that depend on other points: what `run` writes on
// each of its machines, `entry` if there are searches, and `note`. Free with g_ptr_array_unref.
GPtrArray *sweep_columns(const SweepGrid *grid);
// Returns a point's cells of these columns, without a comma at the end. Free with g_free.
char *sweep_cells(const GPtrArray *columns, const SweepCell *cell, const Point *point, const char *note);
