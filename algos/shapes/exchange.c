// Messages of several blocks.
#include "shapes/exchange.h"
#include "api/blocks.h"
#include "api/communicate.h"

// Returns true if blocks i .. j-1 are contiguous.
static bool all_touch(const Blocks *b, int i, int j)
{
    while (b->counts && i + 1 < j && blocks_touch(b, i, i + 1))
        i++;
    return !b->counts || i + 1 >= j;
}

// Several blocks as one slice, for one message.
typedef struct Packed {
    Slice slice;
    const int *which; // the numbers of the blocks, if the slice is scratch; NULL if the slice is the blocks themselves
} Packed;

static Packed packed(const Coll *c, const Blocks *b, int first, int step, int n)
{
    if ((step == 1 || n == 1) && first + n <= b->n && all_touch(b, first, first + n))
        return (Packed){.slice = blocks(b, first, first + n)};
    const int *which = blocks_numbers(c, first, step, n, b->n);
    const bool alike = !b->counts && b->longer == 0;
    size_t len = alike ? (size_t)n * b->size : 0;
    for (int i = 0; i < n && !alike; i++)
        len += block(b, which[i]).len;
    return (Packed){coll_scratch(c, len), which};
}

void exchange_blocks(const Coll *c, const Blocks *b, int n, int step, int to, int out, int from, int in)
{
    const Packed send = packed(c, b, out, step, n), receive = packed(c, b, in, step, n);
    if (send.which)
        coll_pack(c, send.slice, b, n, send.which);
    coll_sendrecv(c, to, send.slice, from, receive.slice);
    if (receive.which)
        coll_unpack(c, b, n, receive.which, receive.slice);
}
