// Where a reduction grows, and how its result reaches the root.
#pragma once
#include "shapes/tree.h"

// Where a rank's result grows: `out` at the root, scratch elsewhere.
Slice reduce_acc(const Coll *c);
// The same for a rank of the tree t; a rank without children needs no room and gets its `in`.
Slice reduce_room(const Coll *c, Tree t);
// The rank at which an in-order tree of v must end: the root, or rank 0 if the order of the ranks matters.
int reduce_top(const Coll *c);
// Hands the result from rank `top` to the root, if they differ.
void reduce_hand_over(const Coll *c, int top, Slice result);
// Reduces over a tree whose root is rank `top`, and hands over the result.
void reduce_over(const Coll *c, int top, Tree t);
