// Messages of several blocks.
#include "coll.h"

int *blocks_numbers(const Coll *c, int first, int step, int n, int of)
{
    int *which = coll_ints(c, (size_t)n);
    for (int i = 0, number = first; i < n; i++) {
        which[i] = number;
        number = number + step < of ? number + step : number + step - of;
    }
    return which;
}

// Do blocks i .. j-1 lie in one piece?
static bool all_touch(const Blocks *b, int i, int j)
{
    while (b->counts && i + 1 < j && blocks_touch(b, i, i + 1))
        i++;
    return !b->counts || i + 1 >= j;
}

// Some blocks as one slice.
typedef struct Run {
    Slice slice;
    const int *which; // what is packed in it; NULL: it is the blocks themselves
} Run;

static Run run_of(const Coll *c, const Blocks *b, int first, int step, int n)
{
    if ((step == 1 || n == 1) && first + n <= b->n && all_touch(b, first, first + n))
        return (Run){.slice = blocks(b, first, first + n)};
    const int *which = blocks_numbers(c, first, step, n, b->n);
    const bool alike = !b->counts && b->longer == 0;
    size_t len = alike ? (size_t)n * b->size : 0;
    for (int i = 0; i < n && !alike; i++)
        len += block(b, which[i]).len;
    return (Run){coll_scratch(c, len), which};
}

void exchange_blocks(const Coll *c, const Blocks *b, int n, int step, int to, int out, int from, int in)
{
    const Run send = run_of(c, b, out, step, n), receive = run_of(c, b, in, step, n);
    if (send.which)
        coll_pack(c, send.slice, b, n, send.which);
    coll_sendrecv(c, to, send.slice, from, receive.slice);
    if (receive.which)
        coll_unpack(c, b, n, receive.which, receive.slice);
}
