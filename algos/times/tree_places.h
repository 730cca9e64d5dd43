// The ranks' places in a tree, all at once, for times over trees.
#pragma once
#include "times/times.h"

// The children of a rank are child[first] .. child[first + n-1].
typedef struct TreePlace {
    int first, n;
} TreePlace;

typedef struct TreePlaces {
    TreePlace *of;
    int *child;
    CollTree tree; // the tree, its ranks and its root
    int p, root;
} TreePlaces;

// Returns x->par without what a tree does not depend on. Without nodes, that is the length of segments and the number of
// requests, so formulas that differ only in these share one tree.
CollParams tree_places_params(const CollPoint *x);
// Returns true if no nodes are known, or if every rank has one of its own, so that p says what they are.
bool tree_places_plain(const CollPoint *x);
// Returns every rank's place in the tree. Free with tree_places_free.
TreePlaces *tree_places_find(const CollPoint *x, CollTree tree, int root);
void tree_places_free(void *places);
