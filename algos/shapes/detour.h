// Detours: an order of the ranks in which a binomial tree has hardly any edge within a node, for machines on which a
// byte takes longer there than between nodes. All nodes must be known and of equal size.
//
// An edge of the binomial tree joins places that differ in one bit, so the number of ones is even at one end and odd at
// the other. The ranks take the places with an even number of ones first, node by node, beginning with the root, and
// then those with an odd number. So only a node that has places of both kinds can have edges of its own.
//
// Example: 3 nodes of 2 ranks, root 0
//
//     place   0   3   5 | 1   2   4
//     rank    0   1   2 | 3   4   5       edges 0-1, 0-2, 0-4, 2-3, 4-5 join ranks 0-3, 0-4, 0-5, 4-1, 5-2
#pragma once
#include "api/view.h"

// Return the rank at a place, 0 <= place < p, and the place of a rank. The first one is a CollMap.
int detour_rank(const Coll *c, int place);
int detour_place(const Coll *c, int rank);
// Returns the ranks at places 0, 1 .. They live until the end of the run.
const int *detour_order(const Coll *c);
