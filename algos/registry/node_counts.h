// Counts of v-collectives for the groups of hierarchical algorithms: how the blocks of all ranks lie for one node, or
// for the leaders of the nodes, each of whom has all blocks of its node.
#pragma once
#include "api/blocks.h"
#include "shapes/node.h"

// How the blocks of a group lie in a buffer.
typedef struct NodeCounts {
    CollCounts counts; // in bytes from `start` on
    bool packed;       // they lie one after the other in a buffer of their own, and `start` is 0
    size_t start;      // otherwise: where they begin in the buffer of all ranks' blocks
} NodeCounts;

// Returns how the blocks of the ranks of the caller's node lie, which are some of b, the blocks of all ranks: where b
// has them, or one after the other if `packed` is true. The result lives until the end of the run.
const NodeCounts *node_counts_low(const Coll *c, const Blocks *b, bool packed);
// Returns how the blocks of the leaders lie; the one of the root's node has no bytes. If the blocks lie in the order
// of ranks in b, and each node's blocks lie together, they stay there. Otherwise they are packed, in the order of the
// ranks of node_counts_others.
const NodeCounts *node_counts_up(const Coll *c, const Blocks *b);
// Returns the p blocks' part of `all`, the buffer of all ranks' blocks, or as many bytes of it if they are packed.
Slice node_counts_slice(const NodeCounts *counts, int p, Slice all);
// Returns the ranks of all nodes but the root's, by node, and sets *n to their number.
const int *node_counts_others(const Coll *c, int *n);
// Lets the ranks of a group tell its root their lengths, 8 bytes each, by this gather.
void node_counts_tell(const Coll *group, const CollAlgorithm *gather);
enum { NODE_COUNTS_BYTES = 8 };
