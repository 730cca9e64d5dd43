// What every entry must keep, whether it is built in or loaded.
#pragma once
#include "registry/entry.h"

// Returns NULL if the entry by itself keeps the rules, otherwise the first fault as one line, with what would mend
// it: "it has no text; allowed: .run = FUNCTION, .." (free with g_free).
char *fault_in_entry(const CollAlgorithm *a);
// Does the same for the algorithms that the entry names: its fallback, and the defaults of its parts. They must be in
// the list already. A chain of fallbacks must end.
char *fault_in_names(const CollAlgorithm *a);
// Returns true if an algorithm can have this name: a-z, 0-9 and _, a letter first, and no word of the commands.
bool fault_is_name(const char *text);
