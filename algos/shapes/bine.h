// Bine trees and butterflies, whose ranks are numbered in base -2. The source is De Sensi et al. 2025.
#pragma once
#include "api/blocks.h"
#include "shapes/runs.h"
#include "shapes/tree.h"

// The distance-halving tree: a subtree is a run of consecutive ranks (mod p), and its root sends to the farther half of
// it first. That half lies to the other side than the one before it, and is the mirror image of the nearer half: so the
// distances are about p/3, p/6, p/12 .., while those of a binomial tree are p/2, p/4, p/8 .. If p is not a power of
// two, the paper has no tree; here the nearer half then has the odd rank.
//
// Example, p = 8: 0 sends to 3, then to -1 = 7, then to 1; 3 sends to 4, then to 2.
//
// Returns the caller's place in the tree whose root is rank `root`. The farthest child comes first.
Tree tree_bine(const Coll *c, int root);
// The same tree, but the nearest child comes first, which has the smallest subtree.
Tree tree_bine_nearest(const Coll *c, int root);
// Returns the caller's runs in tree_bine. A place is a rank's number in preorder.
Runs runs_bine(const Coll *c);
// Writes the distances to the caller's parent and children, and the sizes of their subtrees, as CollAlgorithm.pattern
// does.
int bine_pattern(const Coll *c, int *pattern);

// The butterfly among p = 2^d ranks. The peers of step s = 0 .. d-1 are those of Swing (butterfly_swing_peer). Step s
// leaves a rank n = p / 2^(s+1) of the blocks that it had. They are contiguous, and the last one is block bine_place.
//
// Returns the block that step d-1 leaves to rank v. Peers of step s agree in the digits above n, and differ in that of
// n. The digits are those steps, written backwards, that lead from rank 0 to rank v.
int bine_place(int v, int p);
// Returns the rank that has this place.
int bine_at_place(int place, int p);
// What the caller keeps in step s, and the other half of what it has left, which its peer keeps. If `b` has r more blocks
// than there are ranks, these are the players after a fold (shapes/fold.h, PRESTEP_MPICH), and each of the first r of
// them has the blocks of two ranks. The blocks of `b` lie one after the other.
typedef struct BineStep {
    int peer;
    Slice keep, give;
    // The steps 0 .. d-1 lead away from rank 0, in a tree in which a rank sends to its nearest child first.
    bool parent, child; // the caller sends in step s in the tree; it receives
} BineStep;
BineStep bine_step(const Coll *c, const Blocks *b, int s);
// Takes the steps 0 .. d-1: peers exchange halves of what they have left and reduce the half that they keep. The
// operation must be commutative.
void bine_halve(const Coll *c, const Blocks *acc);
// Takes the steps backwards, without reducing.
void bine_halve_back(const Coll *c, const Blocks *b);
