// Puts the rows of a sweep, from one file or from those of its shards, into the order of the grid.
#pragma once
#include <glib.h>
#include <stdio.h>

// Writes the CSV of the sweep whose rows are in these files, each row with its place in the ranking of its points and
// the schema of its columns. Sets *points to their number. Returns FALSE and an error if the files belong to different
// sweeps, if two rows of a point differ, or if points are missing.
gboolean sweep_merge(char *const *paths, int schema, FILE *to, guint64 *points, GError **error);
