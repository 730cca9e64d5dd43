// The ring: every rank sends to rank+1 and receives from rank-1, in p-1 steps.
#pragma once
#include "api/blocks.h"

// Brings every rank's block to all ranks.
void ring_allgather(const Coll *c, const Blocks *b);
// Reduces block i to rank i; partial results grow in acc.
void ring_reduce_scatter(const Coll *c, const Blocks *in, const Blocks *acc);
// Does the same n times, each time with the n-th part of every block.
void ring_reduce_scatter_parts(const Coll *c, const Blocks *in, const Blocks *acc, int n);
