// Whether the library's own collective is an algorithm of ours, by what its ranks send each other.
#pragma once
#include "mpi/library.h"

// Calls the library once, and holds the messages and bytes that this rank sends every other one against the algorithm's
// text. As many messages, and as many bytes but for how blocks are rounded: both cut into p, ours so that no two blocks
// differ by more than an element, the libraries not always; boundaries are less than p elements apart. What differs as one line, to be freed; NULL: nothing. *counted: the library lets its messages be counted, at all
// ranks. Collective.
char *like_difference(const LibraryCall *call, const CollAlgorithm *algorithm, bool *counted);
