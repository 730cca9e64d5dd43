// Collectives, algorithms and parameters as users write them.
#pragma once
#include "registry/registry.h"
#include <glib.h>

// Each with the nearest right name in the error.
gboolean find_collective(const char *name, Collective *collective, GError **error);
const CollAlgorithm *find_algorithm(Collective collective, const char *name, GError **error);
// Aliases of an entry as "ompi:6 mpich:binomial"; free with g_free.
char *aliases_text(const CollAlgorithm *a);
// A parameter's value as it is written: 64K, 4, ompi. Free with g_free.
char *param_text(const CollParam *param, int64_t value);
// Its default and what is allowed: "default 4, 1 or more". Free with g_free.
char *param_range(const CollParam *param);
// Reads "NAME=VALUE" for an algorithm's parameter into par; false with *known = FALSE where it has no such parameter.
gboolean param_parse(const CollAlgorithm *a, const char *assignment, CollParams *par, gboolean *known, GError **error);
// The parameter of that name; NULL: it has none.
const CollParam *param_named(const CollAlgorithm *a, const char *name);
// Numbers of parameters and needs of an entry.
int count_params(const CollAlgorithm *a);
int count_needs(const CollAlgorithm *a);
