// Engines over trees: segmented broadcast and reduction, and scatter and gather of the blocks of one vector.
#include "shapes/tree_engines.h"
#include "api/blocks.h"
#include "api/communicate.h"

void tree_bcast(const Coll *c, Tree t, const Blocks *segments)
{
    const bool root = t.parent < 0;
    CollReq arriving = 0;
    if (root && t.n == 0)
        return; // a part may broadcast millions of segments to nobody
    if (!root)
        arriving = coll_irecv(c, t.parent, block(segments, 0));
    for (int s = 0; s < segments->n; s++) {
        const CollReq arrived = arriving;
        if (!root && s + 1 < segments->n)
            arriving = coll_irecv(c, t.parent, block(segments, s + 1));
        if (!root)
            coll_wait(c, arrived);
        const CollReq sends = coll_mark(c);
        for (int i = 0; i < t.n; i++)
            coll_isend(c, t.child[i], block(segments, s));
        coll_waitall(c, sends);
    }
}

static void reduce_leaf(const Coll *c, Tree t, Slice into, const Blocks *own)
{
    if (t.parent < 0)
        coll_copy(c, into, c->in);
    for (int s = 0; t.parent >= 0 && s < own->n; s++) {
        if (c->par.max_requests == 0) {
            coll_send(c, t.parent, block(own, s));
        } else {
            coll_throttle(c, c->par.max_requests);
            coll_isend(c, t.parent, block(own, s));
        }
    }
    coll_waitall(c, 0);
}

void tree_reduce(const Coll *c, Tree t, Slice into)
{
    const Blocks own = blocks_size(c, c->in, c->par.segment);
    if (t.n == 0) {
        reduce_leaf(c, t, into, &own);
        return;
    }
    const Blocks acc = blocks_size(c, into, c->par.segment);
    // The next message arrives in one buffer while the rank reduces the last one from the other.
    const Slice inbox[2] = {coll_scratch(c, block(&own, 0).len), coll_scratch(c, block(&own, 0).len)};
    const int messages = t.n * own.n; // message i is segment i / n of child i mod n
    CollReq arriving = coll_irecv(c, t.child[0], slice_like(inbox[0], block(&own, 0)));
    for (int i = 0; i < messages; i++) {
        const CollReq arrived = arriving;
        if (i + 1 < messages)
            arriving =
                coll_irecv(c, t.child[(i + 1) % t.n], slice_like(inbox[(i + 1) % 2], block(&own, (i + 1) / t.n)));
        coll_wait(c, arrived);
        const Slice sum = block(&acc, i / t.n), got = slice_like(inbox[i % 2], sum);
        const Slice before = i % t.n == 0 ? block(&own, i / t.n) : sum;
        coll_reduce(c, sum, t.before ? got : before, t.before ? before : got);
        if (i % t.n == t.n - 1 && t.parent >= 0)
            coll_send(c, t.parent, sum);
    }
}

void tree_gather_blocks(const Coll *c, const Blocks *b)
{
    const int v = coll_v(c);
    const Tree t = tree_binomial_in_order(c, c->root);
    for (int i = 0; i < t.n; i++) {
        const int w = v + (1 << i);
        coll_recv(c, t.child[i], blocks(b, w, w + tree_binomial_span(w, c->p)));
    }
    if (t.parent >= 0)
        coll_send(c, t.parent, blocks(b, v, v + tree_binomial_span(v, c->p)));
}

void tree_scatter_blocks(const Coll *c, const Blocks *b)
{
    const int v = coll_v(c);
    const Tree t = tree_binomial_in_order(c, c->root);
    if (t.parent >= 0)
        coll_recv(c, t.parent, blocks(b, v, v + tree_binomial_span(v, c->p)));
    for (int i = t.n - 1; i >= 0; i--) {
        const int w = v + (1 << i);
        coll_send(c, t.child[i], blocks(b, w, w + tree_binomial_span(w, c->p)));
    }
}
