// The two halves of a ring allreduce, each of p-1 steps.
#include "shapes/ring.h"
#include "api/blocks.h"
#include "api/communicate.h"

// Returns block i mod p, for -p <= i < p.
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

// Returns part i of n parts of block k mod p.
static Slice part(const Coll *c, const Blocks *b, int k, int n, int i)
{
    if (n == 1)
        return of(c, b, k);
    const Blocks parts = blocks_even(c, of(c, b, k), n);
    Slice s = block(&parts, i);
    s.cut.parts = 0; // a schedule must not take this for the vector's cut among the ranks, even if n = p
    return s;
}

void ring_reduce_scatter_parts(const Coll *c, const Blocks *in, const Blocks *acc, int n)
{
    const int right = (c->rank + 1) % c->p, left = (c->rank + c->p - 1) % c->p;
    const Slice inbox = coll_scratch(c, blocks_longest(in));
    if (c->p == 1)
        coll_copy(c, block(acc, 0), block(in, 0));
    for (int i = 0; i < n; i++)
        for (int k = 1; k < c->p; k++) {
            const Slice own = part(c, in, c->rank - k - 1, n, i), got = slice_like(inbox, own);
            coll_sendrecv(c, right, part(c, k == 1 ? in : acc, c->rank - k, n, i), left, got);
            coll_reduce(c, part(c, acc, c->rank - k - 1, n, i), got, own);
        }
}

void ring_reduce_scatter(const Coll *c, const Blocks *in, const Blocks *acc)
{
    ring_reduce_scatter_parts(c, in, acc, 1);
}
