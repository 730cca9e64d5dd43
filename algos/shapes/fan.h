// Fans: trees and groups for machines on which messages between nodes take longer than those within a node. In a round
// between nodes, many ranks of a node send at once, each to a node of its own, so that the number of nodes that are
// reached grows by more than a factor of two. All nodes must be of equal size.
//
// The factor is the radix R, the least number with R^rounds >= nodes, rounds = par.halvings. A node's first R-1 ranks,
// its senders, serve R-1 other nodes; if a node has fewer ranks, all of them do, and some serve several nodes. The
// first rank is the leader. In a rooted collective, nodes and the ranks of a node are counted from the root.
#pragma once
#include "api/blocks.h"
#include "shapes/tree.h"

// Returns the radix, at least 2, that reaches n >= 1 nodes in this many rounds >= 1.
int fan_radix(int n, int rounds);
// Returns the number of senders of a node.
int fan_senders(const Coll *c);

// The tree. Over the nodes it is the tree of tree_knomial, k = R, and the j-th of the nodes at one place gets its
// message from sender j mod the senders. A node's leader first serves the other senders, by the tree of tree_binomial;
// then all senders serve the nodes below theirs, the largest subtree first; and then each sender serves its share of
// the node's other ranks, those at distances that its senders divide, by a tree of tree_binomial, too. A node without
// nodes below it has one tree of tree_binomial. The root must be a rank of c, and `nodes` be known.
//
// Example, nodes of 4 ranks, one round, 4 nodes: 0 serves 1 and 2; then 0 -> 4, 1 -> 8, 2 -> 12; then 0 -> 3, 4 -> 5 ..
Tree tree_fan(const Coll *c, int root);
// The same tree, but the children of a rank are in the reverse order.
Tree tree_fan_reversed(const Coll *c, int root);
// Lists the ranks of the caller's subtree, each before the subtrees of its children, and begins with the caller, whose
// place is t. Sets end[i] to the number of ranks before child i's subtree, end[t.n] to that of all. The list lives
// until the end of the run.
const int *fan_preorder(const Coll *c, const Tree *t, int *end);
// Returns where the first n blocks of such a list begin if they lie one after the other, and after them where the last
// one ends. Lives until the end of the run.
const size_t *fan_positions(const Coll *c, const Blocks *b, const int *order, int n);

// The group of a node's first `senders` ranks, for collectives that are not rooted; its `rank` is -1 for other ranks.
// `view` is a copy of the caller's view in which par.leaders is `senders`, and must outlive the group.
Coll fan_group(const Coll *view);
// The group of the caller's sender: the ranks l, l + senders .. of the node, which are numbers in the node below
// par.max_requests. The sender l is the root. `view` is as above.
Coll fan_followers(const Coll *view);
