// Two trees at once, each for half of the message, by segments; two_tree.c says how the trees lie.
#pragma once
#include "api/blocks.h"

// Broadcasts the message from the root.
void two_tree_bcast(const Coll *c, Slice message);
// Reduces up to the root into acc, which holds the caller's own vector at first.
void two_tree_reduce(const Coll *c, Slice acc);

// The number of steps with this many segments in each half.
int two_tree_steps(int p, int64_t segments_of_half);
// An edge of one of the trees.
typedef struct TwoTreeLink {
    int peer;  // rank; -1 if there is none
    int first; // the first step at which a segment crosses it; one more follows every second step
    int half;  // of the message
} TwoTreeLink;
// A rank's edges up and down, for even steps and for odd steps.
typedef struct TwoTreeLinks {
    TwoTreeLink up[2], down[2];
} TwoTreeLinks;
TwoTreeLinks two_tree_links(const Coll *c);
// Which of `links` a segment crosses at this step, if the halves have n[0] and n[1] segments; NULL if none.
const TwoTreeLink *two_tree_link_at(const TwoTreeLink links[2], int step, const int n[2]);
