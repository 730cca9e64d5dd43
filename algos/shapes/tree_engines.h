// What runs over any tree: a segmented broadcast and reduction, and the blocks of one vector.
#pragma once
#include "api/blocks.h"
#include "shapes/tree.h"

// Hands the segments of a message down the tree. A rank passes a segment on while the next one arrives.
void tree_bcast(const Coll *c, Tree t, const Blocks *segments);
// Reduces `in` by segments up the tree into `into`, which every rank with children needs. A rank computes own op child
// op child .., or the other way round where the children's ranks come before. A leaf sends one segment after the other,
// or up to par.max_requests at a time.
void tree_reduce(const Coll *c, Tree t, Slice into);

// Scatters or gathers, within one vector whose block i belongs to v = i, the blocks of each subtree over the in-order
// binomial tree from or to v = 0.
void tree_scatter_blocks(const Coll *c, const Blocks *b);
void tree_gather_blocks(const Coll *c, const Blocks *b);
