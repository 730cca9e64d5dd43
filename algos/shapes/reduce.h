// The order of sums, the buffer that a reduction accumulates in, and how its result reaches the root.
#pragma once
#include "shapes/tree.h"

// Adds `got` to `sum`, in the order of the ranks: `got` comes first if it is a sum of ranks before those of `sum`.
void reduce_in_order(const Coll *c, Slice sum, Slice got, bool before);
// Returns the buffer in which a rank's partial result accumulates: `out` at the root, scratch elsewhere.
Slice reduce_acc(const Coll *c);
// Returns the same for a rank of the tree t, except that a rank without children gets `in`, because it accumulates
// nothing and sends its own vector. (The root needs `out` even if it has no children.)
Slice reduce_room(const Coll *c, Tree t);
// Returns the rank that the root of an in-order tree should be: the operation's root if the operation is commutative,
// and rank 0 otherwise, because a tree over v keeps the order of the ranks only if v = rank.
int reduce_top(const Coll *c);
// Sends the result from rank `top` to the root. Does nothing if they are the same rank.
void reduce_hand_over(const Coll *c, int top, Slice result);
// Reduces `in` over the tree t, whose root is rank `top`, and hands the result to the operation's root.
void reduce_over(const Coll *c, int top, Tree t);
