// Runs: scatter and gather, from or into a rank's own buffer, over trees in which the blocks of every subtree are one
// run of places. A rank holds its own block, followed by what its children's subtrees hold.
#pragma once
#include "api/blocks.h"
#include "shapes/tree.h"

typedef struct Runs {
    Tree tree;                           // children in the order of a scatter; a gather serves them the other way round
    int n;                               // ranks of the rank's own subtree
    const int *first;                    // child i's run begins this many places after the rank
    int (*at)(const Coll *c, int place); // the v of a place; if NULL, places are v. With `at` all blocks must be alike
} Runs;
// The in-order binomial tree, the farthest child first; chains; the binary tree.
Runs runs_binomial(const Coll *c);
Runs runs_chain(const Coll *c, int chains);
Runs runs_binary(const Coll *c);

// A child's run can reach a gather's root as several messages. A rule returns where the message that begins with v = i
// ends, in a run that ends before j, and whether it may be received in its place if its blocks touch there; else it
// goes through scratch.
typedef struct MessageChain {
    int end;
    bool stays;
} MessageChain;
typedef MessageChain (*MessageChainRule)(const Coll *c, const Blocks *b, int i, int j);
// The rule of one message for the whole run, in place if possible.
MessageChain runs_whole(const Coll *c, const Blocks *b, int i, int j);

// Sends every rank its block from the root, or collects the blocks there; between ranks, a run is one message.
void runs_scatter(const Coll *c, const Runs *r);
void runs_gather(const Coll *c, const Runs *r, MessageChainRule chain);

// MPI gives lengths and displacements to the root alone. On the conservative level the root broadcasts them first; on
// the aggressive level, where all ranks know them, this does nothing.
void runs_tell_counts(const Coll *c);
