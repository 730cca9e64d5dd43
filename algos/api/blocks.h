// Blocks: a slice cut into n pieces. Segments, the ranks' blocks and halves are all Blocks, and nothing else in the
// program knows where elements begin.
#pragma once
#include "api/slice.h"
#include "api/view.h"

typedef struct Blocks {
    Slice all;
    int n;
    size_t size; // bytes of a block; the last one ends where the slice does
    int longer;  // the first `longer` blocks have one element more
    size_t elem; // bytes
    bool even;   // made by blocks_even
    // If there are counts: block i is number (i + shift) mod n of these.
    const CollCounts *counts;
    int shift;
    // If made by blocks_turned: block i is number (i + turn) mod n of the original blocks, and they touch each other.
    bool turned;
    int turn;
} Blocks;

// Cuts s into n >= 1 blocks of whole elements; the first (elements mod n) blocks are one element longer.
Blocks blocks_even(const Coll *c, Slice s, int n);
// Cuts s into blocks of `size` bytes, rounded down to whole elements but at least one; the last block may be shorter.
// There is at least one block. size = 0 gives one block, the whole slice.
Blocks blocks_size(const Coll *c, Slice s, size_t size);
// The p blocks of `in` or `out`, one for each rank: as the counts say, or an even cut. So one text serves allgather and
// allgatherv.
Blocks coll_in(const Coll *c);
Blocks coll_out(const Coll *c);
// Cuts another slice of the same length in the same way.
Blocks blocks_of(Slice s, const Blocks *like);
// Takes scratch for the same blocks, stored one after the other beginning with number `first` and wrapping around.
Blocks blocks_turned(const Coll *c, const Blocks *like, int first);
// Blocks i .. j-1 as one slice, 0 <= i <= j <= n, empty if i = j. The blocks must touch each other.
Slice blocks(const Blocks *b, int i, int j);
// Block i.
static inline Slice block(const Blocks *b, int i)
{
    if (b->counts || b->turned || i < 0 || i >= b->n)
        return blocks(b, i, i + 1);
    // Texts ask for a block of an even cut more often than for anything else, so this case is inlined.
    const size_t start = (size_t)i * b->size + (size_t)(i < b->longer ? i : b->longer) * b->elem;
    const size_t len = b->size + (i < b->longer ? b->elem : 0), left = b->all.len - start;
    return (Slice){.buf = b->all.buf,
                   .readers = 0,
                   .off = b->all.off + start,
                   .len = len < left ? len : left,
                   .cut = {.first = b->even ? i : 0,
                           .count = b->even,
                           .parts = b->even ? b->n : 0,
                           .whole = b->even ? b->all.len : 0}};
}
// Returns true if block j begins where block i ends.
bool blocks_touch(const Blocks *b, int i, int j);
// The length of the longest block, in bytes.
size_t blocks_longest(const Blocks *b);
// Returns the n numbers first, first + step .. mod `of` (0 <= step <= of). They live to the end of the run.
int *blocks_numbers(const Coll *c, int first, int step, int n, int of);
