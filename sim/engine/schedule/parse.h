// Collectives, algorithms and parameters as a user writes them: parses their names and values, and prints values.
//
// Names match as nearest_match says: case, '-' and '_' do not count. An unknown name is bad input, and the error
// proposes the nearest right one.
#pragma once
#include "registry/registry.h"
#include <glib.h>

// Accepts the names of MPI too: `broadcast`, `MPI_Bcast`, `MPI_Reduce_scatter_block`.
gboolean collective_parse(const char *name, Collective *collective, GError **error);
// Returns true if the word names a file with algorithms (engine/plugin/plugin.h), not an algorithm: it has a '/', or
// ends in .c or .so.
gboolean algorithm_is_file(const char *word);
// Returns the collective's algorithm that has this name or alias ("ompi:6"); NULL and an error if there is none. It
// does not load files, because names may come from data files, and a plugin is code.
const CollAlgorithm *algorithm_parse(Collective collective, const char *name, GError **error);
// Returns the hint of an error about an algorithm that the collective lacks (nearest_hint). Free with g_free.
char *algorithm_hint(Collective collective, const char *name);
// Sets *error to that of a parameter that the algorithm lacks, of "NAME=VALUE"; it proposes the nearest. Returns FALSE.
gboolean param_unknown(const CollAlgorithm *a, const char *assignment, GError **error);
// Parses "NAME=VALUE" into par. "PART.NAME=VALUE" sets a parameter of the algorithm that is this part now, as in
// "outer.radix=4". Returns FALSE with *known = FALSE and without an error if the algorithm lacks the
// parameter, and FALSE with *known = TRUE and an error if the text is malformed or the value is not allowed.
gboolean param_parse(const CollAlgorithm *a, const char *assignment, CollParams *par, gboolean *known, GError **error);
// Returns a value as a user writes it: "64K", "4", "ompi". Free with g_free.
char *param_text(const CollParam *param, int64_t value);
// Returns the default and the allowed values: "default 4, 1 or more". Free with g_free.
char *param_range(const CollParam *param);
