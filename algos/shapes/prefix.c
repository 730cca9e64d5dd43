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

// The messages of a side of the chain: each has this many segments, and the last one what is left.
typedef struct ChainSide {
    const Blocks *segments;
    int each;
} ChainSide;

static int messages_of(const ChainSide *x)
{
    return (x->segments->n + x->each - 1) / x->each;
}

// Returns message i, in blocks that lie like the segments.
static Slice message_of(const ChainSide *x, const Blocks *at, int i)
{
    const int end = (i + 1) * x->each;
    return blocks(at, i * x->each, end < at->n ? end : at->n);
}

// Returns true if segment i is the last one of its message.
static bool ends_message(const ChainSide *x, int i)
{
    return (i + 1) % x->each == 0 || i + 1 == x->segments->n;
}

// What comes before the rank, in `out`, or in one buffer after the other if there are any.
typedef struct ChainInbox {
    ChainSide side;
    const Blocks *out;
    Slice buffer[2];
} ChainInbox;

static Slice room_for(const ChainInbox *x, int message)
{
    const Slice there = message_of(&x->side, x->out, message);
    return x->buffer[0].len > 0 ? slice_like(x->buffer[message % 2], there) : there;
}

// Returns where segment i of its message lies.
static Slice arrived_at(const ChainInbox *x, int i)
{
    const int message = i / x->side.each;
    const Slice room = room_for(x, message), there = block(x->out, i);
    return slice_at(room, blocks(x->out, message * x->side.each, i).len, there.len);
}

void prefix_chain_joined(const Coll *c, bool exclusive, int from_each, int to_each)
{
    const Blocks own = blocks_size(c, prefix_own(c, exclusive), c->par.segment), out = blocks_of(c->out, &own);
    const bool sends = c->rank + 1 < c->p, receives = c->rank > 0;
    const ChainSide to = {&own, to_each};
    ChainInbox from = {.side = {&own, from_each}, .out = &out};
    // A scan receives the next message in one buffer while it reduces the last one from the other.
    const size_t room = exclusive || !receives ? 0 : message_of(&from.side, &own, 0).len;
    from.buffer[0] = coll_scratch(c, room);
    from.buffer[1] = coll_scratch(c, messages_of(&from.side) > 1 ? room : 0);
    CollReq arriving = 0, sent = 0;
    if (receives)
        arriving = coll_irecv(c, c->rank - 1, room_for(&from, 0));
    for (int i = 0; i < own.n; i++) {
        const Slice mine = block(&own, i);
        const int message = i / from_each;
        const CollReq arrived = arriving;
        const bool begins = receives && i % from_each == 0;
        if (begins && message + 1 < messages_of(&from.side))
            arriving = coll_irecv(c, c->rank - 1, room_for(&from, message + 1));
        if (begins)
            coll_wait(c, arrived);
        if (receives && (sends || !exclusive))
            coll_reduce(c, mine, arrived_at(&from, i), mine);
        if (!sends || !ends_message(&to, i))
            continue;
        if (i >= to_each)
            coll_wait(c, sent);
        sent = coll_isend(c, c->rank + 1, message_of(&to, &own, i / to_each));
    }
    if (sends)
        coll_wait(c, sent);
}

void prefix_chain(const Coll *c, bool exclusive)
{
    prefix_chain_joined(c, exclusive, 1, 1);
}

// ---- A scan that ends with the sum ----------------------------------------------------------------------------------

// What a rank of prefix_and_sum has: two vectors, one after the other, so that one message can carry both.
typedef struct PrefixSum {
    Slice both, before, sum;
    bool any; // something comes before the caller, or before its pair
} PrefixSum;

// Sets `out` to the caller's result. `lower` is the vector of the rank below it in its pair; it is empty without one.
static void prefix_result(const Coll *c, const PrefixSum *s, bool exclusive, Slice lower, Slice own)
{
    Slice last = exclusive ? lower : own; // what follows s->before
    if (!exclusive && lower.len > 0) {
        coll_reduce(c, c->out, lower, own);
        last = c->out;
    }
    if (s->any && last.len > 0)
        coll_reduce(c, c->out, s->before, last);
    else if (s->any || last.len > 0)
        coll_copy(c, c->out, s->any ? s->before : last);
}

// Doubles among 2^d ranks, numbered v; the first `pairs` of them are the upper ranks of pairs.
static void prefix_double(const Coll *c, PrefixSum *s, int v, int n, int pairs)
{
    const Slice inbox = coll_scratch(c, s->sum.len);
    for (int m = 1; m < n; m *= 2) {
        const int w = v ^ m, peer = w < pairs ? 2 * w + 1 : w + pairs;
        coll_sendrecv(c, peer, s->sum, peer, inbox);
        if (w > v) {
            coll_reduce(c, s->sum, s->sum, inbox);
            continue;
        }
        coll_reduce(c, s->sum, inbox, s->sum);
        if (s->any)
            coll_reduce(c, s->before, inbox, s->before);
        else
            coll_copy(c, s->before, inbox);
        s->any = true;
    }
}

void prefix_and_sum(const Coll *c, bool exclusive, Slice sum)
{
    const int n = pow2_floor(c->p), pairs = c->p - n, r = c->rank;
    const bool paired = r < 2 * pairs;
    const size_t m = c->in.len;
    PrefixSum s = {.both = coll_scratch(c, 2 * m)};
    s.before = slice_at(s.both, 0, m);
    s.sum = slice_at(s.both, m, m);
    if (paired && r % 2 == 0) {
        s.any = r > 0;
        coll_send(c, r + 1, c->in);
        coll_recv(c, r + 1, s.any ? s.both : s.sum);
        prefix_result(c, &s, exclusive, (Slice){0}, c->in);
    } else {
        const Slice lower = coll_scratch(c, paired ? m : 0);
        if (paired) {
            coll_recv(c, r - 1, lower);
            coll_reduce(c, s.sum, lower, c->in);
        } else
            coll_copy(c, s.sum, c->in);
        prefix_double(c, &s, paired ? r / 2 : r - pairs, n, pairs);
        if (paired)
            coll_send(c, r - 1, s.any ? s.both : s.sum);
        prefix_result(c, &s, exclusive, lower, c->in);
    }
    coll_copy(c, sum, s.sum);
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
