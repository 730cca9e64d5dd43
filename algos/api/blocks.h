// Blocks: a slice cut into n pieces. Segments, the ranks' blocks and halves are all Blocks, and nothing else in the
// program knows where elements begin.
#pragma once
#include "api/slice.h"
#include "api/view.h"

typedef struct Blocks {
    Slice all;
    int n;
    size_t size; // bytes of a block; the last one ends where the slice does
    int longer;  // the number of blocks that have one element more: the first ones, unless they are `spread`
    size_t elem; // bytes of an element
    bool even;   // made by blocks_even
    bool spread; // made by blocks_spread, and of blocks that differ in length
    int plain;   // n, or 0 if the blocks follow counts, or are spread or turned
    // If `counts` is not NULL, block i is block (i + shift) mod n of the counts, and size and longer are not used.
    const CollCounts *counts;
    int shift;
    // If made by blocks_turned, block i is block (i + turn) mod n of the original blocks. The blocks then lie one after
    // the other in `all`.
    bool turned;
    int turn;
} Blocks;

// Cuts s into n >= 1 blocks of whole elements; the first (elements mod n) blocks are one element longer.
Blocks blocks_even(const Coll *c, Slice s, int n);
// Cuts s into n >= 1 blocks of whole elements that differ by one element at most, the longer ones spread evenly: any k
// blocks that follow each other are as long as any k others, but for one element.
Blocks blocks_spread(const Coll *c, Slice s, int n);
// Cuts s into blocks of `size` bytes, rounded down to whole elements but at least one; the last block may be shorter.
// There is at least one block. size = 0 gives one block, the whole slice. A size that gives more blocks than the run
// allows (CollRun.most_segments) gives the first block alone.
Blocks blocks_size(const Coll *c, Slice s, size_t size);
// Does the same for blocks that do not count as segments, because many of them travel in one message: the run allows
// any number.
Blocks blocks_pieces(const Coll *c, Slice s, size_t size);
// Returns the length of the first of these blocks.
size_t blocks_first(const Coll *c, Slice s, size_t size);
// Notes that the blocks of a cut differ in length, if they do (CollRun.irregular). Every function here that cuts a slice does
// so; a text calls it if it makes Blocks of its own.
void blocks_note_uneven(const Coll *c, bool differ);
// Returns the p blocks of `in` or `out`, one for each rank. They follow the counts if there are counts, and are an even
// cut otherwise, so that one text serves both allgather and allgatherv.
Blocks coll_in(const Coll *c);
Blocks coll_out(const Coll *c);
// Cuts s in the way that `like` is cut. s must be as long as the slice of `like`.
Blocks blocks_of(Slice s, const Blocks *like);
// Takes scratch for the blocks of `like`, stored one after the other from number `first` on, wrapping around: block i
// of the result has the length of block (first + i) mod n of `like`. The contents are undefined at first.
Blocks blocks_turned(const Coll *c, const Blocks *like, int first);
// Returns blocks i .. j-1 as one slice, 0 <= i <= j <= n; the slice is empty if i = j. Each block must begin where the
// one before it ends.
Slice blocks(const Blocks *b, int i, int j);
// Returns block i, 0 <= i < n.
static inline Slice block(const Blocks *b, int i)
{
    if ((unsigned)i >= (unsigned)b->plain)
        return blocks(b, i, i + 1);
    // Texts need a block of an even cut more often than anything else, so this case is inlined.
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
// Returns the length of n blocks together, in bytes: those with the numbers which[0], which[1] ..
size_t blocks_total(const Blocks *b, int n, const int *which);
// Does the same for the n blocks first, first + step .. (mod b->n) of an even cut that is not turned.
size_t blocks_total_stepped(const Blocks *b, int first, int step, int n);
// Returns the length of the longest block, in bytes.
size_t blocks_longest(const Blocks *b);
// Returns the n numbers first, first + step, first + 2 step .. mod `of`, for 0 <= first < of and 0 <= step <= of. They
// live until the end of the run.
int *blocks_numbers(const Coll *c, int first, int step, int n, int of);
