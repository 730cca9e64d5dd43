// What one rank does in a scan or an exscan.
#include "shapes/prefix.h"
#include "api/communicate.h"

Prefix prefix_begin(const Coll *c, bool exclusive)
{
    // In place, an exscan's result accumulates in the buffer of the rank's own vector, so we copy that away first.
    // The last rank of an exscan sends nothing and needs no copy.
    const Slice own = exclusive ? coll_scratch(c, c->in.len) : c->out;
    if (!exclusive || c->rank < c->p - 1)
        coll_copy(c, own, c->in);
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
