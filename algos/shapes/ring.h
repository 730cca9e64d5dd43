// The ring: every rank sends to rank+1 and receives from rank-1, in p-1 steps.
#pragma once
#include "api/blocks.h"

// Brings every rank's block to all ranks. Block i of b belongs to rank i; the caller's own must be there already.
void ring_allgather(const Coll *c, const Blocks *b);
// Reduces block i of `in` to rank i, where the result is block i of acc. Partial results accumulate in the other blocks
// of acc. `in` and acc are cut alike and may be the same.
void ring_reduce_scatter(const Coll *c, const Blocks *in, const Blocks *acc);
// Does the same in n phases; phase i handles the i-th of n parts of every block.
void ring_reduce_scatter_parts(const Coll *c, const Blocks *in, const Blocks *acc, int n);
