// UCC's double binary tree. The first tree is in order: rank r has the height of the lowest 0 in its binary digits, so
// that even ranks are leaves, and a rank of height h has the children r - 2^(h-1) and r + 2^(h-1). Where the latter
// does not exist, the ranks beyond r form a tree of their own, and its root is the child. The second tree is the first
// one with all ranks one higher (mod p) if p is odd, and counted from the other end if p is even.
//
//      p = 8      first        7                        second     0
//                            3                                       4
//                         1     5                                 2     6
//                        0 2   4 6                               1 3   5 7
#include "shapes/dbt.h"
#include "api/blocks.h"
#include "api/communicate.h"
#include "api/integers.h"

enum { NONE = -1 };

// The caller's place in a tree; all of these are ranks, or NONE.
typedef struct Dbt {
    int root, parent, child[2];
} Dbt;

// Returns the root of the first tree of n >= 1 ranks.
static int root_of(int n)
{
    return pow2_floor(n) - 1;
}

// Writes the children of rank r in the first tree of p ranks.
static void children_of(int r, int p, int child[2])
{
    const int half = ((r + 1) & -(r + 1)) / 2; // 2^(height-1), 0 for a leaf
    child[0] = half > 0 ? r - half : NONE;
    child[1] = half == 0 || r == p - 1 ? NONE : r + half < p ? r + half : r + 1 + root_of(p - r - 1);
}

static Dbt first_tree(int r, int p)
{
    Dbt t = {.root = root_of(p), .parent = NONE};
    children_of(r, p, t.child);
    for (int at = t.root, child[2]; at != r; at = r < at ? child[0] : child[1]) {
        children_of(at, p, child);
        t.parent = at;
    }
    return t;
}

// Returns the rank that has, in the second tree, the place of rank r in the first one, or the other way round.
static int mapped(int r, int p, bool back)
{
    if (r == NONE)
        return NONE;
    return p % 2 == 0 ? p - 1 - r : (r + (back ? p - 1 : 1)) % p;
}

static Dbt tree_of(const Coll *c, int which)
{
    const int p = c->p;
    if (which == 0)
        return first_tree(c->rank, p);
    const Dbt t = first_tree(mapped(c->rank, p, true), p);
    // Counted from the other end, the right child is the left one.
    const int left = p % 2 == 0 ? 1 : 0;
    return (Dbt){mapped(t.root, p, false),
                 mapped(t.parent, p, false),
                 {mapped(t.child[left], p, false), mapped(t.child[1 - left], p, false)}};
}

void dbt_bcast(const Coll *c)
{
    const Blocks half = blocks_even(c, c->out, 2);
    const Dbt tree[2] = {tree_of(c, 0), tree_of(c, 1)};
    const bool root = c->rank == c->root;
    CollReq arriving[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        if (root && tree[i].root != c->rank)
            coll_isend(c, tree[i].root, block(&half, i));
        else if (!root && tree[i].root == c->rank)
            arriving[i] = coll_irecv(c, c->root, block(&half, i));
    }
    for (int i = 0; i < 2; i++)
        if (!root && tree[i].root != c->rank)
            arriving[i] = coll_irecv(c, tree[i].parent, block(&half, i));
    for (int i = 0; i < 2; i++) {
        if (!root)
            coll_wait(c, arriving[i]);
        for (int j = 0; j < 2; j++)
            if (tree[i].child[j] != NONE && tree[i].child[j] != c->root)
                coll_isend(c, tree[i].child[j], block(&half, i));
    }
    coll_waitall(c, 0);
}

// Returns the slice in which half i of the sum over the caller's subtree is, once the children's sums have arrived.
static Slice add_children(const Coll *c, const Dbt *t, Slice own, const Slice inbox[2], const CollReq arriving[2],
                          Slice result)
{
    const bool keeps = t->parent == NONE && c->rank == c->root;
    Slice sum = own;
    for (int j = 0; j < 2; j++)
        if (t->child[j] != NONE)
            coll_wait(c, arriving[j]);
    for (int j = 0; j < 2; j++) {
        if (t->child[j] == NONE)
            continue;
        const Slice into = keeps ? result : inbox[t->child[0] == NONE];
        coll_reduce(c, into, sum, inbox[j]);
        sum = into;
    }
    if (keeps)
        coll_copy(c, result, sum);
    return sum;
}

void dbt_reduce(const Coll *c)
{
    const Blocks own = blocks_even(c, c->in, 2), result = blocks_even(c, c->out, 2);
    const Dbt tree[2] = {tree_of(c, 0), tree_of(c, 1)};
    const bool root = c->rank == c->root;
    Slice inbox[2][2], sum[2];
    CollReq arriving[2][2] = {{0}};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            inbox[i][j] = coll_scratch(c, tree[i].child[j] != NONE ? block(&own, i).len : 0);
            if (tree[i].child[j] != NONE)
                arriving[i][j] = coll_irecv(c, tree[i].child[j], inbox[i][j]);
        }
    for (int i = 0; i < 2; i++) {
        sum[i] = add_children(c, &tree[i], block(&own, i), inbox[i], arriving[i], block(&result, i));
        if (tree[i].parent != NONE)
            coll_isend(c, tree[i].parent, sum[i]);
    }
    coll_waitall(c, 0);
    for (int i = 0; i < 2; i++) {
        if (tree[i].parent == NONE && !root)
            coll_send(c, c->root, sum[i]);
        else if (tree[i].parent != NONE && root)
            coll_irecv(c, tree[i].root, block(&result, i));
    }
    coll_waitall(c, 0);
}

int dbt_pattern(const Coll *c, int *pattern)
{
    int n = 0;
    pattern[n++] = c->rank == c->root;
    for (int i = 0; i < 2; i++) {
        const Dbt t = tree_of(c, i);
        const int peer[] = {t.parent, t.child[0], t.child[1], t.parent == NONE || c->rank == c->root ? c->root : NONE,
                            c->rank == c->root ? t.root : NONE};
        for (int j = 0; j < 5; j++) {
            pattern[n++] = peer[j] == NONE ? NONE : (peer[j] - c->rank + c->p) % c->p;
            pattern[n++] = peer[j] == c->root;
        }
    }
    return n;
}
