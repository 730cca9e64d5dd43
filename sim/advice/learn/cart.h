// A decision tree, grown as CART does (Breiman, Friedman, Olshen, Stone 1984), but by what a choice costs in place of how
// many labels differ, and in integers alone, so that the same table gives the same tree on every machine.
//
//     rows of features, with what each choice costs there  --cart_grow-->  tree  --cart_leaf-->  the leaf of any row
//
// A leaf makes the choice whose sum of costs over the leaf's rows is smallest; of equal choices, the first one. A split
// asks one question: is x at most a threshold, or, where a feature is a name, is x this one? The best split is the one
// after which both sides cost least together; it may save nothing by itself, because pruning removes what stays useless.
// Of equal splits, the one of the first feature is taken and, within a feature, the one with the lowest threshold or
// name.
//
// A threshold between neighbouring values a < b is the integer below the root of a b, half way between them on a
// logarithmic axis: 8192 between 4096 and 16384.
#pragma once
#include <glib.h>

typedef enum {
    CART_ORDERED, // integers from 0 on, on a logarithmic axis
    CART_NAMED,   // integers that stand for names
} CartKind;

// The rows that a tree is grown from. Nothing is owned.
typedef struct CartTable {
    guint features, choices;
    const CartKind *kinds; // by feature
    const gint64 *x;       // row by row, `features` values each
    const guint32 *cost;   // row by row, `choices` values each; 0 for a choice that is the best there
} CartTable;

typedef struct CartLimits {
    guint depth; // the most questions on the way to a leaf
    guint leaf;  // the fewest rows of a leaf, 1 or more
    // Cost-complexity pruning: the tree that is left has the smallest sum of its costs and `saved` for each leaf, and of
    // several such trees it is the smallest. So each part of it saves more than `saved` for each leaf that it adds.
    guint64 saved;
} CartLimits;

// A node. The rows for which the answer is yes go to `yes`.
typedef struct CartNode {
    int feature;          // -1 at a leaf
    gint64 value;         // the threshold, or the name
    guint yes, no, above; // their places in the tree; `above` is the parent, and 0 at the root
    guint choice;         // what costs least at the rows that arrive here; of several the first
    guint rows, misses;   // rows that arrive here, and those where the choice is not the best
    guint64 cost;         // what the choice costs at these rows
} CartNode;

// Nodes, of CartNode: the root first, and each node before those below it, `yes` first.
typedef GArray Cart;

// Grows and prunes a tree on n >= 1 rows of the table, whose numbers `rows` lists. At most 2^20 rows. Takes a time of
// n x choices x features for each level of the tree. Free with g_array_unref.
Cart *cart_grow(const CartTable *table, const guint *rows, guint n, const CartLimits *limits);
// Returns what pruning leaves of a tree that was pruned by less. Free with g_array_unref.
Cart *cart_pruned(const Cart *tree, guint64 saved);
// Returns the place of the leaf at which these values of the features arrive.
guint cart_leaf(const Cart *tree, const CartTable *table, const gint64 *x);
// Returns the number of leaves, and of questions on the longest way to one.
guint cart_leaves(const Cart *tree);
guint cart_depth(const Cart *tree);
static inline const CartNode *cart_node(const Cart *tree, guint i)
{
    return &g_array_index(tree, CartNode, i);
}
