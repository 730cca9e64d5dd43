// Relays: the ranks of the root's node pass the blocks of other nodes on between these and the root, while more blocks
// are under way. So several ranks of this node talk to other nodes at once, and the root talks to its own node, without
// a pause between the two. All nodes must be known and of equal size.
//
// The other ranks of the root's node are its mates. The blocks of another node are cut into runs of par.leaders blocks,
// in the order of its ranks; the first rank of a run, its head, has the run. The runs are numbered node by node,
// beginning behind the root's node. The first par.halvings of them go straight between their heads and the root. The
// others take turns among the mates.
//
// Example: nodes of 3 ranks, root 0, runs of 2 blocks, 1 of them direct
//
//     run 0: ranks 3, 4     direct          run 2: ranks 6, 7     mate 2
//     run 1: rank 5         mate 1          run 3: rank 8         mate 1
#pragma once
#include "api/blocks.h"

typedef struct Relay {
    const CollNodes *nodes;
    int home;   // the root's node
    int local;  // the root's number within it
    int mates;  // at least 1
    int size;   // the blocks of a run; the last one of a node may have fewer
    int runs;   // of all nodes together
    int direct; // runs 0 .. direct - 1 do not go through mates
} Relay;

Relay relay_of(const CollNodes *nodes, int root, const CollParams *par);
// Returns the number of a mate, 0 .. mates - 1; -1 for the root and for the ranks of other nodes.
int relay_mate(const Relay *x, int rank);
// Returns the rank of a mate.
int relay_rank(const Relay *x, int mate);
// Returns the run that has the block of a rank of another node.
int relay_run(const Relay *x, int rank);
// Returns the ranks whose blocks a run has, the head first, and sets *n to their number.
const int *relay_ranks(const Relay *x, int run, int *n);
// Returns the rank to which the head sends the run, or from which it comes: the root or a mate.
int relay_via(const Coll *c, const Relay *x, int run);
// Returns how many runs a mate holds at most: as many as come while the root sends or receives those that are direct,
// and one that comes, one that leaves and one that waits.
static inline int relay_buffers(const Relay *x)
{
    return x->direct + 3;
}
// Returns these n blocks as one slice: where they are if they lie one after the other, else in scratch. *packed is true
// for scratch.
Slice relay_slice(const Coll *c, const Blocks *b, const int *ranks, int n, bool *packed);

// Moves the caller's runs, if it is a mate: each from its head to the root, or from the root to its head if `down` is
// true. At most relay_buffers() of them are there at a time. Returns without waiting for what it sends.
void relay_pass(const Coll *c, const Relay *x, const Blocks *b, bool down);

// ---- Detours -------------------------------------------------------------------------------------------------------
// Where a byte takes longer within a node than between nodes, blocks of mates go through other nodes. Each mate has a
// helper there; the helpers are the last of the ranks of other nodes, in the order of runs of one block each.

// Returns the relay of runs of one block each, none of them direct, and the rank of such a run.
Relay relay_singly(const Coll *c);
int relay_single(const Relay *x, int run);
// Return the helper of a mate, and the mate that a rank of another node helps; -1 if it helps nobody.
int relay_helper(const Relay *x, int mate);
int relay_helped(const Relay *x, int rank);

// ---- Lengths -------------------------------------------------------------------------------------------------------

// Broadcasts the lengths and displacements of a v-collective down the tree of bcast node_tree with 2 rounds. Does
// nothing on the aggressive level.
void relay_tell(const Coll *c);
