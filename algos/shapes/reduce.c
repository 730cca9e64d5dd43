#include "shapes/reduce.h"
#include "api/communicate.h"
#include "shapes/tree_engines.h"

void reduce_in_order(const Coll *c, Slice sum, Slice got, bool before)
{
    coll_reduce(c, sum, before ? got : sum, before ? sum : got);
}

Slice reduce_acc(const Coll *c)
{
    return c->rank == c->root ? c->out : coll_scratch(c, c->in.len);
}

Slice reduce_room(const Coll *c, Tree t)
{
    return t.n == 0 && c->rank != c->root ? c->in : reduce_acc(c);
}

int reduce_top(const Coll *c)
{
    return c->commutative ? c->root : 0;
}

void reduce_hand_over(const Coll *c, int top, Slice result)
{
    if (top == c->root)
        return;
    coll_phase(c, "to the root");
    if (c->rank == top)
        coll_send(c, c->root, result);
    else if (c->rank == c->root)
        coll_recv(c, top, c->out);
}

void reduce_over(const Coll *c, int top, Tree t)
{
    const Slice into = reduce_room(c, t);
    if (top != c->root)
        coll_phase(c, "reduce");
    tree_reduce(c, t, into);
    reduce_hand_over(c, top, into);
}
