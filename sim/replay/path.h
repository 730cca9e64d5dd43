// Critical paths, as the gears collect them. Private to the replay.
#pragma once
#include "replay/result.h"

// Longest traces kept: 3 GB.
enum { MAX_TRACE = 150000000 };
void path_too_long(GError **error);
// Puts a path that was collected backwards in order of time, and gives each step its end.
void path_in_order(GArray *path);
