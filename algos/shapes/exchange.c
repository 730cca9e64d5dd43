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

static Packed listed(const Coll *c, const Blocks *b, int n, const int *which)
{
    if (n == 1)
        return (Packed){.slice = block(b, which[0])};
    return (Packed){coll_scratch(c, blocks_total(b, n, which)), which};
}

static Packed packed(const Coll *c, const Blocks *b, int first, int step, int n)
{
    if ((step == 1 || n == 1) && first + n <= b->n && all_touch(b, first, first + n))
        return (Packed){.slice = blocks(b, first, first + n)};
    return listed(c, b, n, blocks_numbers(c, first, step, n, b->n));
}

static void pack(const Coll *c, const Blocks *b, int n, const Packed *x)
{
    if (x->which)
        coll_pack(c, x->slice, b, n, x->which);
}

static void unpack(const Coll *c, const Blocks *b, int n, const Packed *x)
{
    if (x->which)
        coll_unpack(c, b, n, x->which, x->slice);
}

static void exchange(const Coll *c, const Blocks *b, int n, Packed send, int to, Packed receive, int from)
{
    pack(c, b, n, &send);
    coll_sendrecv(c, to, send.slice, from, receive.slice);
    unpack(c, b, n, &receive);
}

void exchange_blocks(const Coll *c, const Blocks *b, int n, int step, int to, int out, int from, int in)
{
    exchange(c, b, n, packed(c, b, out, step, n), to, packed(c, b, in, step, n), from);
}

void exchange_listed(const Coll *c, const Blocks *b, int n, int to, const int *out, int from, const int *in)
{
    exchange(c, b, n, listed(c, b, n, out), to, listed(c, b, n, in), from);
}

void exchange_reduced(const Coll *c, const Blocks *acc, int n, int to, const int *out, int from, const int *in)
{
    const Packed send = listed(c, acc, n, out), own = listed(c, acc, n, in);
    const Slice got = slice_like(coll_scratch(c, own.slice.len), own.slice);
    pack(c, acc, n, &send);
    coll_sendrecv(c, to, send.slice, from, got);
    pack(c, acc, n, &own);
    coll_reduce(c, own.slice, own.slice, got);
    unpack(c, acc, n, &own);
}
