// Parallel aggregated trees. Each block travels down a binomial tree from its rank r, which is r + u at u = 0: r + u
// sends to r + u + d, the farthest first, for the powers of two d below the lowest bit of u. All ranks are the roots of
// such trees at a time, and what many trees send to the same distance is one message of at most par.chains = a blocks.
//
// First come the rounds d = .. D whose blocks fit into one message. The blocks that are then at u = 0, D, 2D .. go on in
// groups of a, one group after the other. A group takes the edges of a tree of D ranks depth-first, so that there are
// never more than a log2 D blocks under way, whatever p is.
//
// The source is Jeaugey 2025.
#pragma once
#include "api/blocks.h"

// Brings every rank's block to all ranks. Block i of b belongs to rank i; the caller's own must be there already.
void pat_allgather(const Coll *c, const Blocks *b);
// Takes the messages backwards: block i is reduced to rank i. The operation must be commutative.
void pat_reduce_scatter(const Coll *c, const Blocks *acc);
// Returns the number of messages that each of p ranks sends, at most `a` blocks in one.
int64_t pat_messages(int p, int a);
