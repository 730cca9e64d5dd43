// Whether the library's own collective is an algorithm of ours, by what its ranks send each other.
#pragma once
#include "library.h"

// Calls the library once, and holds the messages and bytes that this rank sends every other one against the algorithm's
// text. What differs as one line, to be freed; NULL: nothing. *counted: the library lets its messages be counted, at all
// ranks. Collective.
char *library_unlike(const LibraryCall *call, const CollAlgorithm *algorithm, bool *counted);
