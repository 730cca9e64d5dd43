// What one rank does in a scan or an exscan.
#include "shapes/prefix.h"
#include "api/communicate.h"

// Returns the rank's own vector, in a buffer to which it may be added.
static Slice own_vector(const Coll *c, bool exclusive)
{
    // In place, an exscan's result accumulates in the buffer of the rank's own vector, so we copy that away first.
    // The last rank of an exscan sends nothing and needs no copy.
    const Slice own = exclusive ? coll_scratch(c, c->in.len) : c->out;
    if (!exclusive || c->rank < c->p - 1)
        coll_copy(c, own, c->in);
    return own;
}

Prefix prefix_begin(const Coll *c, bool exclusive)
{
    const Slice own = own_vector(c, exclusive);
    return (Prefix){.exclusive = exclusive, .own = own, .through = own, .inbox = coll_scratch(c, c->in.len)};
}

void prefix_step(const Coll *c, Prefix *s, int to, int from)
{
    const bool sends = 0 <= to && to < c->p, receives = 0 <= from && from < c->p;
    if (sends && s->stale) {
        s->through = s->through.buf == s->own.buf ? coll_scratch(c, c->in.len) : s->through;
        coll_reduce(c, s->through, c->out, s->own);
        s->stale = false;
    }
    const Slice got = s->exclusive && !s->any ? c->out : s->inbox;
    coll_exchange(c, sends ? to : -1, s->through, receives ? from : -1, got);
    if (!receives)
        return;
    if (!s->exclusive || s->any)
        coll_reduce(c, c->out, got, c->out);
    s->any = true;
    s->stale = s->exclusive;
}

// Returns where segment i of what comes before the rank arrives: in `out`, or in one of the buffers if there are any.
static Slice room_for(const Blocks *out, const Slice inbox[2], int i)
{
    const Slice there = block(out, i);
    return inbox[0].len > 0 ? slice_like(inbox[i % 2], there) : there;
}

void prefix_chain(const Coll *c, bool exclusive)
{
    const Blocks own = blocks_size(c, own_vector(c, exclusive), c->par.segment), out = blocks_of(c->out, &own);
    const bool sends = c->rank + 1 < c->p, receives = c->rank > 0;
    // A scan receives the next segment in one buffer while it reduces the last one from the other.
    const size_t room = exclusive || !receives ? 0 : block(&own, 0).len;
    const Slice inbox[2] = {coll_scratch(c, room), coll_scratch(c, own.n > 1 ? room : 0)};
    CollReq arriving = 0, sent = 0;
    if (receives)
        arriving = coll_irecv(c, c->rank - 1, room_for(&out, inbox, 0));
    for (int i = 0; i < own.n; i++) {
        const Slice mine = block(&own, i);
        const CollReq arrived = arriving;
        if (receives && i + 1 < own.n)
            arriving = coll_irecv(c, c->rank - 1, room_for(&out, inbox, i + 1));
        if (receives)
            coll_wait(c, arrived);
        if (receives && (sends || !exclusive))
            coll_reduce(c, mine, room_for(&out, inbox, i), mine);
        if (sends && i > 0)
            coll_wait(c, sent);
        if (sends)
            sent = coll_isend(c, c->rank + 1, mine);
    }
    if (sends)
        coll_wait(c, sent);
}
