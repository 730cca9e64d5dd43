// Runs: scatter and gather over trees, from or into the ranks' own buffers. Every rank has a place, and the places are
// chosen so that the blocks of every subtree are consecutive; these blocks are called the run of the subtree's root. A
// run has the rank's own block first, followed by the runs of its children.
#pragma once
#include "api/blocks.h"
#include "shapes/tree.h"

typedef struct Runs {
    Tree tree;                           // children in the order in which a scatter serves them; a gather reverses it
    int n;                               // number of ranks in the rank's subtree
    const int *first;                    // child i's run begins first[i] places after the rank
    int (*at)(const Coll *c, int place); // returns the v at a place, for blocks of equal length; NULL if places are v
} Runs;
// Return the caller's runs in the in-order binomial tree, the farthest child first; in the k-nomial tree of
// tree_knomial_descending, k = par.radix; in tree_chain; in tree_binary. The arrays live until the end of the run of
// the text.
Runs runs_binomial(const Coll *c);
Runs runs_knomial(const Coll *c);
Runs runs_chain(const Coll *c, int chains);
Runs runs_binary(const Coll *c);

// A child's run can reach the root of a gather as several messages, and a rule cuts it into these. For a run that ends
// before place j, the rule returns the place before which the message that begins with place i ends. `stays` allows the
// root to receive the message straight into place if its blocks touch each other there; otherwise the message goes
// through scratch.
typedef struct MessageChain {
    int end;
    bool stays;
} MessageChain;
typedef MessageChain (*MessageChainRule)(const Coll *c, const Blocks *b, int i, int j);
// The rule that makes the whole run one message, received into place if possible.
MessageChain runs_whole(const Coll *c, const Blocks *b, int i, int j);

// Sends every rank its block from the root's `in`, down the tree; every run is one message.
void runs_scatter(const Coll *c, const Runs *r);
// Collects the blocks in the root's `out`, up the tree. Every run is one message, except that `chain` cuts the runs
// that the root receives.
void runs_gather(const Coll *c, const Runs *r, MessageChainRule chain);
// Does the same for blocks of equal length and places that are v. A rank is ready for the runs of all its children at
// once, so that the first one to arrive is taken first; every run is one message.
void runs_gather_at_once(const Coll *c, const Runs *r);

// Broadcasts the lengths and displacements of a v-collective, which MPI gives to the root alone, and which algorithm it
// has decided to run. par.lengths selects the tree: near is that of bcast binomial; any other is the tree of
// runs_binomial, so that a gather over it needs no other connections. Does nothing on the aggressive level, where all
// ranks know them. lengths_bcast (registry/lengths.h) also knows LENGTHS_MPICH.
void runs_bcast_counts(const Coll *c);
// Returns how many bytes that broadcast has: two integers of 4 bytes for each rank, and as much for the decision.
static inline size_t runs_counts_bytes(int p)
{
    return 8 * ((size_t)p + 1);
}
// Broadcasts the lengths and displacements alone, over another tree.
void runs_bcast_counts_over(const Coll *c, Tree tree);
