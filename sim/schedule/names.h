// Collectives, algorithms and parameters as a user writes them: reading their names, and writing their values.
//
// An unknown name is bad input, and the error proposes the nearest right one.
#pragma once
#include "registry/registry.h"
#include <glib.h>

gboolean collective_parse(const char *name, Collective *collective, GError **error);
// Returns the algorithm of this name or alias; NULL and an error if the collective has none.
const CollAlgorithm *algorithm_parse(Collective collective, const char *name, GError **error);
// Reads "NAME=VALUE" into par. Returns FALSE with *known = FALSE and no error if the algorithm has no such parameter, and
// FALSE with *known = TRUE and an error if the text or the value is wrong.
gboolean param_parse(const CollAlgorithm *a, const char *assignment, CollParams *par, gboolean *known, GError **error);
// Returns a value as it is written: "64K", "4", "ompi". Free with g_free.
char *param_text(const CollParam *param, int64_t value);
// Returns the default and what is allowed: "default 4, 1 or more". Free with g_free.
char *param_range(const CollParam *param);
