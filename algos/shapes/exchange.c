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
    const int *which; // the numbers of the blocks, if they are copied to and from the slice
} Packed;

static Packed listed(const Coll *c, const Blocks *b, int n, const int *which)
{
    if (n == 1)
        return (Packed){.slice = block(b, which[0])};
    return (Packed){coll_scratch(c, blocks_total(b, n, which)), which};
}

// Does the same for the blocks first, first + step ..; does not list them if nobody needs the copies.
static Packed stepped(const Coll *c, const Blocks *b, int first, int step, int n)
{
    if (n == 1 || !b->even || b->turned || coll_copies(c))
        return listed(c, b, n, blocks_numbers(c, first, step, n, b->n));
    return (Packed){.slice = coll_scratch(c, blocks_total_stepped(b, first, step, n))};
}

static Packed packed(const Coll *c, const Blocks *b, int first, int step, int n)
{
    if ((step == 1 || n == 1) && first + n <= b->n && all_touch(b, first, first + n))
        return (Packed){.slice = blocks(b, first, first + n)};
    return stepped(c, b, first, step, n);
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

static void reduced(const Coll *c, const Blocks *acc, int n, Packed send, int to, Packed own, int from)
{
    const Slice got = slice_like(coll_scratch(c, own.slice.len), own.slice);
    pack(c, acc, n, &send);
    coll_sendrecv(c, to, send.slice, from, got);
    pack(c, acc, n, &own);
    coll_reduce(c, own.slice, own.slice, got);
    unpack(c, acc, n, &own);
}

void exchange_reduced(const Coll *c, const Blocks *acc, int n, int step, int to, int out, int from, int in)
{
    const Packed send = stepped(c, acc, out, step, n);
    reduced(c, acc, n, send, to, stepped(c, acc, in, step, n), from);
}

void exchange_reduced_listed(const Coll *c, const Blocks *acc, int n, int to, const int *out, int from, const int *in)
{
    const Packed send = listed(c, acc, n, out);
    reduced(c, acc, n, send, to, listed(c, acc, n, in), from);
}

void exchange_pack(const Coll *c, Slice into, const Blocks *b, int first, int step)
{
    if (coll_copies(c))
        coll_pack(c, into, b, b->n, blocks_numbers(c, first, step, b->n, b->n));
}

void exchange_unpack(const Coll *c, const Blocks *b, int first, int step, Slice from)
{
    if (coll_copies(c))
        coll_unpack(c, b, b->n, blocks_numbers(c, first, step, b->n, b->n), from);
}

void exchange_pad(const Coll *c, Slice into, const Blocks *b, int first, int step, size_t size)
{
    for (int i = 0, j = first; i < b->n; i++, j = (j + step) % b->n) {
        const Slice one = block(b, j);
        coll_copy(c, slice_at(into, (size_t)i * size, one.len), one);
    }
}

void exchange_unpad(const Coll *c, const Blocks *b, int first, int step, Slice from, size_t size)
{
    for (int i = 0, j = first; i < b->n; i++, j = (j + step) % b->n) {
        const Slice one = block(b, j);
        coll_copy(c, one, slice_at(from, (size_t)i * size, one.len));
    }
}
