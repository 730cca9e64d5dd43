// Trees over v = (rank - root) mod p, the ranks counted from the root.
#pragma once
#include "api/view.h"

// A rank's place in a tree. Parent and children are ranks; the children are in the order in which a broadcast or a
// reduction serves them.
typedef struct Tree {
    int parent;       // -1 at the root
    int n;            // number of children
    const int *child; // n ranks; the array lives until the end of the run
    bool before;      // the children's ranks come before this one, the first child's right before it
} Tree;

// Each of these functions returns the caller's place in the tree whose root is rank `root`.

// The flat tree: all other ranks are the root's children, the highest rank first.
Tree tree_flat(const Coll *c, int root);
// k = min(chains, p-1) chains of consecutive v; the first (p-1) mod k of them have one rank more. The root's children
// are the heads of the chains, the lowest v first.
Tree tree_chain(const Coll *c, int root, int chains);
// The binary tree: level l has the 2^l ranks v = 2^l - 1 .. 2^(l+1) - 2, and the children of v are v+2^l and v+2^(l+1),
// in this order.
Tree tree_binary(const Coll *c, int root);
// The in-order binary tree over the ranks root+1, root+2 .. root (mod p). The root of a subtree of n consecutive ranks
// is the last of them; the first floor(n/2) ranks are the low part, and the ranks in between the high part. The
// children are the last rank of the high part and the last rank of the low part, in this order. A subtree of two ranks
// has no high part.
Tree tree_binary_in_order(const Coll *c, int root);
// The binomial tree: the parent is v without its highest bit; the children are v+2^i for 2^i > v, the nearest first.
Tree tree_binomial(const Coll *c, int root);
// The in-order binomial tree: the parent is v without its lowest bit, so that a subtree is a run of consecutive v; the
// children are v+1, v+2, v+4 .., in this order, below v's lowest bit.
Tree tree_binomial_in_order(const Coll *c, int root);
// The k-nomial tree, k = radix: the parent is v with its lowest non-zero digit in base k cleared. The children have one
// of the zero digits below that one changed to 1 .. k-1; those at the highest place come first, by ascending digit.
Tree tree_knomial(const Coll *c, int root, int radix);
// The k-nomial tree, but of the children at one place, the one with the largest digit comes first.
Tree tree_knomial_descending(const Coll *c, int root, int radix);
// The k-nomial tree in preorder: every subtree is a run of consecutive v. The first of p <= k^h ranks is the root; the
// others form k-1 runs of k^(h-1) ranks, then k-1 runs of k^(h-2) ranks, and so on, cut at p. Each run is a subtree of
// the same kind, and the first run's root is the first child. Example, p = 8, k = 2: the root 0 has the subtrees 1-4,
// 5-6 and 7.
Tree tree_knomial_runs(const Coll *c, int root, int radix);
// The k-ary tree whose ranks are numbered level by level: the children of v are kv+1 .. kv+k, in this order.
Tree tree_kary(const Coll *c, int root, int radix);

// The tree shapes that the parameter `tree` names; chains and radix are TREE_FANOUT.
enum { TREE_FANOUT = 4 };
typedef enum {
    TREE_CHAIN,
    TREE_PIPELINE,
    TREE_BINARY,
    TREE_BINOMIAL,
    TREE_IN_ORDER_BINOMIAL,
    TREE_IN_ORDER_BINARY,
    TREE_KNOMIAL
} TreeShape;
// Their names, in the order of TreeShape, ended by NULL.
extern const char *const tree_names[TREE_KNOMIAL + 2];
// The tree whose TreeShape is par.choice.
Tree tree_chosen(const Coll *c, int root);

// Returns the number of chains, min(chains, p-1).
int tree_chain_count(int p, int chains);
// Returns the number of ranks from v to the end of its chain, v included: p for the root, 0 for v >= p.
int tree_chain_span(int v, int p, int chains);
// Returns true if a chain begins at v.
bool tree_chain_begins(int v, int p, int chains);
// Return the number of ranks in v's subtree, v included: in the binary tree (0 for v >= p), and in the in-order
// binomial tree (v < p).
int tree_binary_span(int v, int p);
int tree_binomial_span(int v, int p);
// Return the parent of v > 0, and the number of v's children, in the k-nomial tree.
int tree_knomial_parent(int v, int radix);
int tree_knomial_children(int v, int p, int radix);
// Returns the place value of v's lowest non-zero digit in base `radix`. For v = 0, returns the smallest power of the
// radix that is at least p.
int64_t tree_knomial_place(int v, int p, int radix);
// Returns the number of ranks in v's subtree, v < p included, in the k-nomial tree.
int tree_knomial_span(int v, int p, int radix);
// Returns the number of children of the caller's parent in the k-nomial tree of c->root; 0 at the root.
int tree_knomial_siblings(const Coll *c);
