// Compositions of two parts, one after the other: part[HALF_SCATTER] leaves every rank with one of p blocks, and
// part[HALF_GATHER] collects the blocks.
#pragma once
#include "registry/entry.h"

enum { HALF_SCATTER, HALF_GATHER };
// Runs a scatter or a reduce-scatter, whose phase is called `scatter`, and then an allgather.
void call_halves(const Coll *c, const char *scatter);
// Returns what CollAlgorithm.same_as does, for call_halves.
int call_halves_same(const Coll *c);
// Returns T of a reduce-scatter of m bytes, and of what then collects the blocks. Returns -1 if a part has no formula,
// or if ranks may end the reduce-scatter at different times.
int64_t call_halves_time(const CollPoint *x);
