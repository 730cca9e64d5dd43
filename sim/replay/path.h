// Critical paths, as the gears collect them. Private to the replay.
#pragma once
#include "replay/result.h"

enum { MAX_TRACE = 150000000 }; // the entries of a trace that are kept, in 3 GB

// Sets the error for a path that needs more entries.
void path_too_long(GError **error);
// Turns a path that was collected backwards into the order of time, and gives each step its end.
void path_in_order(GArray *path);
