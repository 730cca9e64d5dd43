#include "shapes/bine.h"
#include "api/communicate.h"
#include "api/integers.h"
#include "shapes/butterfly.h"

// ---- The tree ------------------------------------------------------------------------------------------------------

// The ranks of a subtree on either side of its root.
typedef struct Extent {
    int below, above;
} Extent;

// On level l = 0 .. levels, a subtree has about p / 2^(levels-l) ranks, rounded down or up. extent[l] is for these two
// sizes, if the root sees the tree as rank 0 does; a subtree may be its mirror image.
typedef struct BineTree {
    int p, levels;
    Extent extent[32][2];
} BineTree;

static Extent extent(const BineTree *t, int n, int l)
{
    return t->extent[l][n - (t->p >> (t->levels - l))];
}

static BineTree bine_tree(int p)
{
    BineTree t = {.p = p, .levels = log2_ceil(p)};
    for (int l = 1; l <= t.levels; l++)
        for (int i = 0; i < 2; i++) {
            const int n = (p >> (t.levels - l)) + i, far = n / 2;
            Extent e = extent(&t, n - far, l - 1);
            *(l % 2 ? &e.above : &e.below) += far;
            t.extent[l][i] = e;
        }
    return t;
}

// A subtree: the position of its root, from -p to p, its number of ranks, its level, and -1 in `sign` if it is the
// mirror image.
typedef struct Subtree {
    int at, n, level, sign;
} Subtree;

static Subtree whole(const BineTree *t)
{
    return (Subtree){.n = t->p, .level = t->levels, .sign = 1};
}

// Returns the farther half, which is a subtree of the root's first child, for n >= 2.
static Subtree far_half(const BineTree *t, Subtree x)
{
    const int l = x.level, far = x.n / 2;
    const Extent near = extent(t, x.n - far, l - 1), child = extent(t, far, l - 1);
    const int distance = l % 2 ? near.above + 1 + child.above : -(near.below + 1 + child.below);
    return (Subtree){.at = x.at + x.sign * distance, .n = far, .level = l - 1, .sign = -x.sign};
}

// Returns the nearer half, which keeps the root.
static Subtree near_half(Subtree x)
{
    x.n -= x.n / 2;
    x.level--;
    return x;
}

// Returns true if a position in the subtree lies in its farther half.
static bool is_far(const BineTree *t, Subtree x, int position)
{
    const Extent near = extent(t, x.n - x.n / 2, x.level - 1);
    const int beyond = x.sign * (position - x.at);
    return x.level % 2 ? beyond > near.above : -beyond > near.below;
}

static int rank_at(const Coll *c, int root, int position)
{
    return (root + position + c->p) % c->p;
}

// Returns the caller's place. If `spans` is not NULL, it becomes the sizes of the children's subtrees, and *n that of
// the caller's.
static Tree place_in_tree(const Coll *c, int root, int **spans, int *n)
{
    const BineTree t = bine_tree(c->p);
    const int v = (c->rank - root + c->p) % c->p, position = v <= extent(&t, c->p, t.levels).above ? v : v - c->p;
    Subtree x = whole(&t);
    Tree place = {.parent = -1};
    while (x.at != position) {
        if (is_far(&t, x, position)) {
            place.parent = rank_at(c, root, x.at);
            x = far_half(&t, x);
        } else {
            x = near_half(x);
        }
    }
    int *child = coll_ints(c, 32);
    if (spans) {
        *spans = coll_ints(c, 32);
        *n = x.n;
    }
    for (; x.n > 1; x = near_half(x)) {
        const Subtree far = far_half(&t, x);
        if (spans)
            (*spans)[place.n] = far.n;
        child[place.n++] = rank_at(c, root, far.at);
    }
    place.child = child;
    return place;
}

Tree tree_bine(const Coll *c, int root)
{
    return place_in_tree(c, root, NULL, NULL);
}

Tree tree_bine_nearest(const Coll *c, int root)
{
    Tree t = tree_bine(c, root);
    int *child = coll_ints(c, (size_t)t.n);
    for (int i = 0; i < t.n; i++)
        child[i] = t.child[t.n - 1 - i];
    t.child = child;
    return t;
}

// Returns the v at a place. A subtree has its root first, then the farther half, then the rest of the nearer half.
static int bine_preorder(const Coll *c, int place)
{
    const BineTree t = bine_tree(c->p);
    Subtree x = whole(&t);
    while (place > 0) {
        if (place <= x.n / 2) {
            x = far_half(&t, x);
            place--;
        } else {
            place -= x.n / 2;
            x = near_half(x);
        }
    }
    return rank_at(c, 0, x.at);
}

Runs runs_bine(const Coll *c)
{
    Runs r = {.at = bine_preorder};
    int *first; // the sizes of the runs at first, then where they begin
    r.tree = place_in_tree(c, c->root, &first, &r.n);
    for (int i = 0, begin = 1; i < r.tree.n; i++) {
        const int span = first[i];
        first[i] = begin;
        begin += span;
    }
    r.first = first;
    return r;
}

int bine_pattern(const Coll *c, int *pattern)
{
    const Runs r = runs_bine(c);
    int n = 0;
    pattern[n++] = r.n;
    pattern[n++] = r.tree.parent < 0 ? 0 : (r.tree.parent - c->rank + c->p) % c->p;
    for (int i = 0; i < r.tree.n; i++) {
        pattern[n++] = (r.tree.child[i] - c->rank + c->p) % c->p;
        pattern[n++] = r.first[i];
    }
    return n;
}

// ---- The butterfly -------------------------------------------------------------------------------------------------

// The steps that lead from rank 0 to rank v are the Gray code of the base -2 digits of v if v is odd, and of p - v if v
// is even.
int bine_place(int v, int p)
{
    const unsigned negative = 0xaaaaaaaa, mod = (unsigned)p - 1; // the digits of negative weight
    const unsigned x = v % 2 ? (unsigned)v : (unsigned)(p - v), digits = ((x + negative) ^ negative) & mod;
    return butterfly_mirror((int)(digits ^ digits >> 1), p);
}

int bine_at_place(int place, int p)
{
    int v = 0;
    for (int s = 0, n = p / 2; n >= 1; s++, n /= 2)
        if (place & n)
            v = butterfly_swing_peer(v, s, p);
    return v;
}

// Returns the blocks of the players i .. j-1.
static Slice players(const Coll *c, const Blocks *b, int i, int j)
{
    const int r = b->n - c->p; // players that have two blocks
    if (r == 0)
        return blocks(b, i, j);
    Blocks uneven = *b;
    uneven.even = false; // two players need not have equally many blocks
    return blocks(&uneven, i + (i < r ? i : r), j + (j < r ? j : r));
}

BineStep bine_step(const Coll *c, const Blocks *b, int s)
{
    const int n = c->p >> (s + 1), place = bine_place(c->rank, c->p), mine = place & -n, other = mine ^ n;
    return (BineStep){.peer = butterfly_swing_peer(c->rank, s, c->p),
                      .keep = players(c, b, mine, mine + n),
                      .give = players(c, b, other, other + n),
                      .parent = place % (2 * n) == 0,
                      .child = place % (2 * n) == n};
}

void bine_halve(const Coll *c, const Blocks *acc)
{
    const Slice inbox = coll_scratch(c, c->p > 1 ? bine_step(c, acc, 0).keep.len : 0);
    for (int s = 0; s < log2_floor(c->p); s++) {
        const BineStep x = bine_step(c, acc, s);
        const Slice got = slice_like(inbox, x.keep);
        coll_sendrecv(c, x.peer, x.give, x.peer, got);
        coll_reduce(c, x.keep, x.keep, got);
    }
}

void bine_halve_back(const Coll *c, const Blocks *b)
{
    for (int s = log2_floor(c->p) - 1; s >= 0; s--) {
        const BineStep x = bine_step(c, b, s);
        coll_sendrecv(c, x.peer, x.keep, x.peer, x.give);
    }
}
