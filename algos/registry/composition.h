// Compositions: algorithms that are made of other algorithms.
#pragma once
#include "registry/entry.h"

// Runs another algorithm on this view, with its parameters at their defaults. It checks the algorithm's needs on the
// view, and runs the fallback if one of them is not met.
void coll_call(const Coll *c, const CollAlgorithm *algorithm);
// Returns true if coll_call can do so.
bool coll_can(const Coll *c, const CollAlgorithm *algorithm);
// The algorithm's symmetry on this view, with peers by shift (CollAlgorithm.same_as).
int call_same(const Coll *c, const CollAlgorithm *algorithm);
// T of coll_call on p ranks and m bytes; -1 if no formula is known.
int64_t call_time(const CollPoint *x, const CollAlgorithm *algorithm, int p, int64_t m);

// Returns the algorithm that runs on this view: `algorithm` itself, or its fallback. In the latter case *why becomes
// the text of the unmet need, and c->par the fallback's parameters: those that both have, and defaults for the others.
// Returns NULL if a need is not met and there is no fallback.
const CollAlgorithm *coll_resolve(const CollAlgorithm *algorithm, Coll *c, const char **why);

// A composition over nodes: part[0] can run among the leaders, and the other parts within every node.
extern const CollNeed need_node_parts;
// The sum of its parts' times; -1 if one has no formula, or if nodes are not of equal size.
int64_t call_node_parts_time(const CollPoint *x);
