// Critical paths, as the gears collect them: from the end backwards. Private to the replay.
#pragma once
#include "replay/result.h"

enum { MAX_TRACE = 150000000 }; // the most entries that a trace keeps, which take 3 GB

// Sets the error for a trace that needs more entries.
void path_too_long(GError **error);
// Puts a path that was collected backwards into the order of time, and computes the `end` of each step.
void path_in_order(GArray *path);
