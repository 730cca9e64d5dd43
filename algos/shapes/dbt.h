// UCC's double binary tree: two in-order binary trees over all ranks, each for half of a vector. A rank is an inner
// node of at most one of them. Unlike those of two_tree.h, the trees do not depend on the root, which sends the halves
// to the trees' roots or receives them from there, and messages have no segments.
#pragma once
#include "api/view.h"

// Broadcasts c->out.
void dbt_bcast(const Coll *c);
// Reduces c->in into c->out at the root. The operation must be commutative.
void dbt_reduce(const Coll *c);
// Writes the distances to the caller's peers, and which of them are the root's, as CollAlgorithm.pattern does.
int dbt_pattern(const Coll *c, int *pattern);
