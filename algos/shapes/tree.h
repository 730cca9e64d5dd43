// Trees over v = (rank - root) mod p, the ranks counted from the root.
#pragma once
#include "api/view.h"

// A rank's place in a tree. Parent and children are ranks; the children stand in the order in which they are served.
typedef struct Tree {
    int parent;       // -1 at the root
    int n;            // number of children
    const int *child; // lives to the end of the run
    bool before;      // the children's ranks come before this one's, the first child's right before it
} Tree;

// All other ranks are the root's children, the highest rank first.
Tree tree_flat(const Coll *c, int root);
// min(chains, p-1) chains of consecutive v; the first (p-1) mod chains of them have one rank more. The root's children
// are the heads of the chains.
Tree tree_chain(const Coll *c, int root, int chains);
// Level l holds 2^l consecutive v; the children of v are v+2^l and v+2^(l+1).
Tree tree_binary(const Coll *c, int root);
// A binary tree over the ranks root+1, root+2 .. root. The root of a subtree of n consecutive ranks is its last one;
// the first n/2 ranks are the low part, those in between the high part. The children are the last ranks of the high
// part and of the low part, in this order.
Tree tree_binary_in_order(const Coll *c, int root);
// The parent is v without its highest bit; the children are v+2^i, the nearest first.
Tree tree_binomial(const Coll *c, int root);
// The parent is v without its lowest bit, so that a subtree is a run of consecutive v; the children are v+1, v+2, v+4
// ..
Tree tree_binomial_in_order(const Coll *c, int root);
// The parent is v with its lowest non-zero digit in base `radix` cleared; the children with the highest digit come
// first.
Tree tree_knomial(const Coll *c, int root, int radix);

// The tree that par.choice names; it has TREE_FANOUT chains, or radix TREE_FANOUT.
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
extern const char *const tree_names[TREE_KNOMIAL + 2];
Tree tree_chosen(const Coll *c, int root);

// The number of chains, at most p-1.
int tree_chain_count(int p, int chains);
// The number of ranks from v to the end of its chain: p for the root, 0 for v >= p.
int tree_chain_span(int v, int p, int chains);
// Returns true if a chain begins at v.
bool tree_chain_begins(int v, int p, int chains);
// The number of ranks in v's subtree of the binary tree, and of the in-order binomial tree.
int tree_binary_span(int v, int p);
int tree_binomial_span(int v, int p);
// The k-nomial tree: the parent of v > 0, and the number of v's children.
int tree_knomial_parent(int v, int radix);
int tree_knomial_children(int v, int p, int radix);
// The place value of v's lowest non-zero digit in base `radix`; for v = 0 a power of the radix that is at least p.
int64_t tree_knomial_place(int v, int p, int radix);
// The number of children that the caller's parent has in the k-nomial tree of c->root; 0 at the root.
int tree_knomial_siblings(const Coll *c);
