// The ring's two halves: p-1 steps to rank+1, from rank-1.
#include "coll.h"

// Block i mod p, for -p <= i < p.
static Slice of(const Coll *c, const Blocks *b, int i)
{
    return block(b, i < 0 ? i + c->p : i);
}

void ring_allgather(const Coll *c, const Blocks *b)
{
    const int right = (c->rank + 1) % c->p, left = (c->rank + c->p - 1) % c->p;
    for (int k = 0; k < c->p - 1; k++)
        coll_sendrecv(c, right, of(c, b, c->rank - k), left, of(c, b, c->rank - k - 1));
}

void ring_reduce_scatter(const Coll *c, const Blocks *in, const Blocks *acc)
{
    const int right = (c->rank + 1) % c->p, left = (c->rank + c->p - 1) % c->p;
    const Slice inbox = coll_scratch(c, blocks_longest(in));
    if (c->p == 1)
        coll_copy(c, block(acc, 0), block(in, 0));
    for (int k = 1; k < c->p; k++) {
        const Slice got = slice_like(inbox, of(c, in, c->rank - k - 1));
        coll_sendrecv(c, right, of(c, k == 1 ? in : acc, c->rank - k), left, got);
        coll_reduce(c, of(c, acc, c->rank - k - 1), got, of(c, in, c->rank - k - 1));
    }
}
