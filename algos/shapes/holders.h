// Holders: the ranks that have the same part of a vector after some rounds of a circulant reduce-scatter, or before
// these rounds backwards, for any number of ranks. After h rounds the vector has 2^h parts, or p if that is less. The
// owners of the parts stand on the ring of ranks as evenly as they can, and the holders of a part are its owner and the
// n-1 ranks before it. Ranks are counted from the root, which owns part 0.
//
// Example, p = 10, h = 2, n = 3: the owners are 0, 2, 5 and 7. Ranks 3, 4 and 5 hold part 2, and 5, 6 and 7 part 3. If
// the number of parts divides p, every rank holds one part; otherwise some owners also hold the part of the next one.
#pragma once
#include "api/blocks.h"
#include "shapes/circulant.h"
#include "shapes/tree.h"

typedef struct Holders {
    int p, parts, n, halvings;
    Circulant graph; // its p blocks are mostly empty: part i is the block of its owner
} Holders;
// Returns the holders after this number of halvings, at most ceil(log2 p).
Holders holders_of(int p, int halvings);
// Returns the owner of part i, 0 <= i <= parts; the last number means p.
int holders_owner(const Holders *x, int i);

// Cut a vector into the parts, and into the p blocks of the graph. Parts are equal, but for the last ones.
Blocks holders_parts(const Holders *x, const Coll *c, Slice vector);
Blocks holders_blocks(const Holders *x, const Coll *c, Slice vector);
// Returns the view of the owners, which are numbered as their parts. The caller is one of them, and c->rank counts from
// the root.
Coll holders_group(const Holders *x, const Coll *c);

// What a rank holds: a part whose owner is `near` ranks ahead, and one whose owner is `far` ahead, which is the same or
// the next one.
typedef struct HoldersSeat {
    int part, near, far;
} HoldersSeat;
HoldersSeat holders_seat(const Holders *x, int v);
// The holders of a part form a binomial tree below its owner. In the round of distance d = 1, 2, 4 .. < n, a rank has a
// parent d ranks ahead, a child d behind, or neither, or, if it holds two parts, both.
static inline bool holders_has_parent(const HoldersSeat *s, int d)
{
    return s->far % (2 * d) == d;
}
static inline bool holders_has_child(const Holders *x, const HoldersSeat *s, int d)
{
    return s->near % (2 * d) == 0 && s->near + d < x->n;
}
// Returns the caller's place in the tree of a part whose owner is `ahead` ranks ahead of it; the nearest child is first.
Tree holders_tree(const Holders *x, const Coll *c, int ahead);
// Returns how many parts rank v has among blocks v+first .. v+end-1 of the graph.
int holders_count(const Holders *x, int v, int first, int end);

// Writes what determines a rank's schedule, for CollAlgorithm.pattern, if all parts are alike.
int holders_pattern(const Coll *c, int *pattern);
