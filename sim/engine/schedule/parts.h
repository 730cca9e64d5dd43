// Which parts of a composition fall back to another algorithm.
#pragma once
#include "engine/schedule/operation.h"
#include <glib.h>

// Returns the parts that do not run themselves, each with the algorithm that runs instead and the need that is not met:
// "reduce: linear (count < 2^floor(log2 p))", joined by "; ". Returns NULL if all parts run themselves, and if the
// algorithm has none. A part has the name of its parameter, and a part of a part that of its collective.
//
// It runs the texts of the root and of a few other ranks, so that there is one of each kind of node among them. The
// operation must be one that schedule_admit admits. Free with g_free.
char *parts_else(const Operation *op);
// Returns TRUE if one of the parts, or of their parts, runs on several ranks but nowhere itself, so that naming its
// fallback would be the same. In nodes of unequal size, a part may run in some nodes and fall back in others.
gboolean parts_never_run(const Operation *op);
