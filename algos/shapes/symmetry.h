// Symmetries: which ranks have the same schedule. Two ranks v are called alike if each does, relative to itself, what
// the other does. A registry entry declares one of these functions as CollAlgorithm.same_as, and the simulator then
// records one schedule for all ranks that are alike.
//
// Each function returns the smallest v that is alike to the caller's v, or the caller's v itself if no symmetry is
// known. The comments say under which condition ranks are alike.
//
// A row is a run of consecutive v that do the same, except that each repeats what it repeats more or less often than
// the one before it, by the same number all along the row. An entry may declare rows as CollAlgorithm.row_of; the
// simulator then records the first two ranks of a row and finds the others' schedules from these.
#pragma once
#include "api/view.h"

// All ranks are alike, for every p.
int same_always(const Coll *c);
// All ranks are alike if p is a power of two.
int same_pow2(const Coll *c);
// All ranks are alike if p divides the elements of `in`.
int same_divided(const Coll *c);
// All ranks are alike if p is a power of two and divides the elements of `in`.
int same_pow2_even(const Coll *c);
// All ranks but the root are alike.
int same_linear(const Coll *c);
// Ranks are alike if their places in a tree of tree.h have the same shape: the same distances to the parent and to the
// children.
int same_chain(const Coll *c);
int same_pipeline(const Coll *c);
int same_binary(const Coll *c);
int same_binomial(const Coll *c);
int same_binomial_in_order(const Coll *c);
int same_knomial(const Coll *c);
int same_chosen(const Coll *c);
// Ranks of the k-nomial tree are alike if their places and their parents' places have the same shape.
int same_knomial_siblings(const Coll *c);
// Ranks are alike in a scatter or gather if their places have the same shape and their subtrees the same size, because
// the size is the number of blocks that a rank handles.
int same_chain_run(const Coll *c);
int same_binary_run(const Coll *c);
int same_knomial_run(const Coll *c);
// Returns the first v of the caller's row: the ranks of the first chain behind its head, or all but the root in a
// pipeline. Each has one block less to handle than the one before it.
int symmetry_chain_row(const Coll *c);
int symmetry_pipeline_row(const Coll *c);
// As same_binomial_in_order, unless runs_bcast_counts broadcasts over another tree (LENGTHS_NEAR on the conservative
// level): then no symmetry is known.
int same_after_counts(const Coll *c);
// Returns same(c) if the tree's root (reduce_top) is the operation's root. If the result is handed on to another root,
// the ranks have no known symmetry.
int same_under_top(const Coll *c, int (*same)(const Coll *c));
// Even ranks are alike, and odd ranks are, if p is even.
int same_parity(const Coll *c);
// For exchanges by butterfly_swing: even ranks are alike, and odd ranks are, if p is even and divides the elements.
int same_swing(const Coll *c);
// For texts over nodes of k consecutive ranks each, in which the ranks that have the same number in their nodes do the
// same, but each in an order of its own. They are alike if the order does not matter (CollRun.unordered); otherwise no
// symmetry is known.
int same_in_nodes(const Coll *c);
// For two rings of all ranks, one by node and one by lane, where the nodes are runs of equally many ranks. A message of
// the second ring goes to the rank of the same number in the next node, except that the last node sends to the first
// one's next number. Ranks that are neither in the first node nor in the last are alike, and so are those in each of these
// two, but for the first and the last rank of all.
int same_two_rings(const Coll *c);
// As same_two_rings, but only if p divides the elements of `in`.
int same_two_rings_divided(const Coll *c);
// After fold_ranks there are three kinds of ranks: those folded away, those they are folded into, and the others.
int same_fold(const Coll *c);
// As same_fold, but only if the elements divide evenly among the 2^floor(log2 p) ranks that go on.
int same_fold_even(const Coll *c);
// After fold_runs and fold_beyond, for exchanges of whole vectors by butterfly_digit_peer. The radix must be a power of
// two; otherwise no symmetry is known.
int same_fold_runs(const Coll *c);
int same_fold_beyond(const Coll *c);
// Writes a pattern (CollAlgorithm.pattern) after fold_pairs, for exchanges of whole vectors by butterfly_digit_peer
// with butterfly_base. If the radix is not a power of two, none is known.
int symmetry_fold_pairs(const Coll *c, int *x);
