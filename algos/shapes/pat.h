// Parallel aggregated trees. Each block travels down a binomial tree from its rank r, which is r + u at u = 0: r + u
// sends to r + u + d, the farthest first, for the powers of two d below the lowest bit of u. All ranks are the roots of
// such trees at a time, and what many trees send to the same distance is one message of at most par.chains = a blocks.
//
// The first rounds are those of the distances d = .. D at which all blocks fit into one message. The blocks are then at
// u = 0, D, 2D .., and every a of them form a group. The groups go on one after the other, and each goes through a tree of
// D ranks depth-first. So no more than a log2 D blocks are under way, whatever p is.
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
