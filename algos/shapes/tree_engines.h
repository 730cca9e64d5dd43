// Engines over trees: segmented broadcast and reduction over any tree, and scatter and gather of the blocks of one
// vector over the in-order binomial tree.
#pragma once
#include "api/blocks.h"
#include "shapes/tree.h"

// Broadcasts the segments of a message down the tree. A rank passes a segment on to its children, in their order, while
// it receives the next one.
void tree_bcast(const Coll *c, Tree t, const Blocks *segments);
// Reduces `in` up the tree, in segments of par.segment bytes, into `into`. Every rank with children, and the root,
// needs `into`; a leaf may pass any slice. A rank computes own op child op child .., or child op own if the children
// come before it (Tree.before). It has the receive of the next message open while it reduces one. A leaf sends one
// segment after the other; if par.max_requests > 0, it has up to that many sends open.
void tree_reduce(const Coll *c, Tree t, Slice into);

// Scatter from, or gather to, v = 0 the blocks of one vector over the in-order binomial tree. Every rank has room for
// the whole vector, and block i belongs to v = i. A message has all blocks of a subtree.
void tree_scatter_blocks(const Coll *c, const Blocks *b);
void tree_gather_blocks(const Coll *c, const Blocks *b);
