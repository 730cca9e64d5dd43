// What every entry must keep, whether it is built in or loaded.
#pragma once
#include "registry/entry.h"

// Returns NULL if the entry by itself keeps the rules, otherwise the first fault as one line such as "param segment: its
// default 8 is outside of its range" (free with g_free).
char *fault_in_entry(const CollAlgorithm *a);
// The same for the entry's names of other algorithms, all of which must be in the list by now: its fallback, which must
// end at an algorithm without one of its own, and the defaults of its parts.
char *fault_in_names(const CollAlgorithm *a);
