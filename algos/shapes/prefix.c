// What one rank does in a scan or an exscan.
#include "shapes/prefix.h"
#include "api/communicate.h"
#include "api/integers.h"

Slice prefix_own(const Coll *c, bool exclusive)
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
    const Slice own = prefix_own(c, exclusive);
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
    const Blocks own = blocks_size(c, prefix_own(c, exclusive), c->par.segment), out = blocks_of(c->out, &own);
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

// ---- An exclusive scan in the fewest rounds ------------------------------------------------------------------------

int prefix_inclusive_rounds(int p)
{
    const int q = log2_ceil(p);
    int n = p > 1;
    while ((((int64_t)1 << n) - 1) << (q - n) < p - 1)
        n++;
    return n;
}

int64_t prefix_distance(int inclusive, int i)
{
    return i < inclusive ? (int64_t)1 << i : (((int64_t)1 << inclusive) - 1) << (i - inclusive);
}

int prefix_two_phase_same(int rank, int p)
{
    const int inclusive = prefix_inclusive_rounds(p);
    int64_t first = rank > 0;
    for (int i = 0; i < log2_ceil(p); i++) {
        const int64_t d = prefix_distance(inclusive, i), begins[] = {d, d + 1, p - d, p - 2 * d};
        for (int k = 0; k < 4; k++)
            first = begins[k] <= rank && begins[k] > first ? begins[k] : first;
    }
    return (int)first;
}

void prefix_two_phase(const Coll *c)
{
    const int r = c->rank, q = log2_ceil(c->p), inclusive = prefix_inclusive_rounds(c->p);
    const Slice through = prefix_own(c, true), inbox[2] = {coll_scratch(c, c->in.len), coll_scratch(c, c->in.len)};
    bool any = false, late = false; // the rank has a prefix; what it received last is not in there yet
    for (int i = 0; i < q; i++) {
        // A rank sends the sum over itself and those before it, or in the last rounds the sum over those before it.
        const bool self = i < inclusive;
        const int64_t d = prefix_distance(inclusive, i);
        const bool sends = r + d < c->p && (self || r > 0), receives = self ? r >= d : r > d;
        const Slice got = any ? inbox[i % 2] : c->out;
        const CollReq first = coll_mark(c);
        if (receives)
            coll_irecv(c, r - (int)d, got);
        if (sends)
            coll_isend(c, r + (int)d, self ? through : c->out);
        if (late)
            coll_reduce(c, c->out, inbox[(i + 1) % 2], c->out);
        coll_waitall(c, first);
        late = false;
        if (!receives)
            continue;
        // The next message comes first; the prefix can wait while it travels.
        const bool next = i + 1 < inclusive && r + 2 * d < c->p;
        if (next)
            coll_reduce(c, through, got, through);
        if (any && next)
            late = true;
        else if (any)
            coll_reduce(c, c->out, got, c->out);
        any = true;
    }
    if (late)
        coll_reduce(c, c->out, inbox[(q + 1) % 2], c->out);
}
