// The shapes of operations whose declared symmetry has been sampled. A search records the same text for many sizes and
// lengths of segments, and samples it once for each shape.
#pragma once
#include "engine/schedule/operation.h"

typedef struct Sampled Sampled;

// Returns a set without shapes. All operations that it is asked about must be recorded with the same other options, and
// have nodes that outlive it. Free with sampled_free.
Sampled *sampled_new(void);
void sampled_free(Sampled *sampled); // NULL is allowed
// Adds the shape of an operation, and returns true if it is new. Two operations have the same shape if they differ only
// in their bytes, in the lengths of segments and fragments, or in the number of segments. They must also agree in three
// things: whether they send segments, whether the vector has at least one element for each rank, and whether it divides
// evenly among the ranks. Threads may call this at the same time.
bool sampled_add(Sampled *sampled, const Operation *op);
