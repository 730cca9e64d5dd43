// Two trees at once, each for half of the message, in segments of par.segment bytes. two_tree.c describes the trees.
#pragma once
#include "api/blocks.h"

// Broadcasts the message from the root.
void two_tree_bcast(const Coll *c, Slice message);
// Reduces acc of all ranks into acc of the root. acc has the caller's own vector at first; other ranks' acc is
// overwritten with partial results.
void two_tree_reduce(const Coll *c, Slice acc);

// Returns the number of steps if each half has this many segments; 0 if p = 1.
int two_tree_steps(int p, int64_t segments_of_half);
// An edge of one of the trees.
typedef struct TwoTreeLink {
    int peer;  // a rank; -1 if the edge does not exist
    int first; // the first step in which a segment crosses the edge; one more follows in every second step
    int half;  // the half of the message, and the tree: 0 or 1
} TwoTreeLink;
// A rank's edges to its parents (up) and children (down): [0] for even steps and [1] for odd steps.
typedef struct TwoTreeLinks {
    TwoTreeLink up[2], down[2];
} TwoTreeLinks;
TwoTreeLinks two_tree_links(const Coll *c);
// Returns the one of `links` that a segment crosses in this step, if the halves have n[0] and n[1] segments; NULL if
// there is none.
const TwoTreeLink *two_tree_link_at(const TwoTreeLink links[2], int step, const int n[2]);
