// Finds out from its messages whether the library's own collective is a given algorithm of the registry.
#pragma once
#include "run/mpi/mpi_library.h"

// Calls the library's collective once and compares the messages and bytes that this rank sends to each other rank with
// those of the algorithm. The number of messages must be the same. The bytes may differ by up to p elements a message,
// because the library may round blocks differently: the lengths of our blocks differ by at most one element, and the
// lengths of the library's blocks may differ by more.
//
// Returns the first difference as one line, NULL if there is none; free with g_free. Sets *counted to true if the
// library lets its messages be counted, at all ranks; if not, the result is NULL. Collective.
char *like_difference(const LibraryCall *call, const CollAlgorithm *algorithm, bool *counted);
