// Refuses values that a sweep's lists have twice: a sweep's rows differ.
#pragma once
#include "search/search/request.h"
#include "search/sweep/spec.h"

// Checks the lists of words of a specification: collectives, roots, models and transfers.
gboolean once_lists(const SweepSpec *spec, GError **error);
// Checks machines (AskedMachine *).
gboolean once_machines(const GPtrArray *machines, GError **error);
// Checks the numbers of ranks, with those of a node, and the sizes.
gboolean once_points(const Request *r, GError **error);
