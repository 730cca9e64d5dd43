// The hash of what the specification of a sweep means. Rows that are kept under another hash are of another grid.
#pragma once
#include "search/sweep/sweep_grid.h"
#include "search/sweep/spec.h"

// Adds a text, which may be NULL, and what it says.
void ask_hash_text(GChecksum *sum, const char *what, const char *text);
// Adds a block of the grid: its request, the choices (SweepChoice) and the roots (int), with the contents of the files
// that the specification names.
void ask_hash_block(GChecksum *sum, const SweepSpec *spec, const Request *r, const GArray *choices,
                    const GArray *roots);
// Adds the code of all plugins that are loaded: rows of another text must not stay. The compiled code also has what the
// file includes. Returns FALSE and an error if a library cannot be read any more.
gboolean ask_hash_plugins(GChecksum *sum, GError **error);
