// What the ranks of a node share, in the event gear: NICs and memory as resources with lines. Private to that gear. The
// functions that every message needs are inline.
#pragma once
#include "engine/replay/event_gear.h"

// A resource: one side of a NIC, or a node's memory.
typedef struct Resource {
    Stamp free;     // when it is free: the chain of its last user; t is -1 before the first
    int local;      // the last user's number within the node
    int head, tail; // the v of the messages in its line; -1 for none
    Served last;    // the last message that came to an in-side
} Resource;

// What has yet to leave through an out-side.
typedef struct OutWork {
    double left_s; // for which its messages occupy it; 0 if nobody knows
    double most_s; // of these, the longest one
} OutWork;

struct Sharing {
    const Site *site;
    Resource *out, *in; // by node and NIC; NULL if there are no NICs
    unsigned nics;      // of each side
    OutWork *work;      // by node and NIC, if a run that takes too long may be given up; otherwise NULL
    Resource *memory;   // by node; NULL if there is none
    int nodes;          // that are simulated
    int *node;          // by v: the index of its node among these
    int *nic;           // by v: the index of its NIC in out and in
    int *next;          // by v: the v behind it in its line
    bool *waits;        // by v: its message is in a line
    // rendezvous: a heap of places in the order of keys, of the messages that join a line or may take its resource now
    int *ready, n_ready;
};

// Sets what the event gear needs where ranks share something, and frees it.
void sharing_begin(Machine *m);
void sharing_end(EventGear *e);

// ---- Resources ------------------------------------------------------------------------------------------------------

// Returns the first resource of a message from v, or NULL if it uses none.
static inline Resource *sharing_first(const Machine *m, int v, int peer)
{
    const struct Sharing *x = m->event->share;
    if (G_LIKELY(!x))
        return NULL;
    const int other = m->mirror ? peer_of(m->s, v, peer, 0, 0) : peer;
    if (x->site->node[v] == x->site->node[other])
        return x->memory ? &x->memory[x->node[v]] : NULL;
    return x->out ? &x->out[x->nic[v]] : NULL;
}

static inline bool sharing_is_memory(const struct Sharing *x, const Resource *r)
{
    return x->memory && r >= x->memory && r < x->memory + x->nodes;
}

static inline bool sharing_enters(const struct Sharing *x, const Resource *r)
{
    return x->in && r >= x->in && r < x->in + x->nics;
}

// Returns the in-side that a message to place d uses after its first resource; NULL if that is a memory.
static inline Resource *sharing_in_side(const Machine *m, const Resource *first, int d)
{
    const struct Sharing *x = m->event->share;
    return sharing_is_memory(x, first) ? NULL : &x->in[x->nic[d]];
}

// Returns true if the resource is v's now: nobody is before it in line, and it is free. Otherwise v waits in line; the
// event `kind` comes when v is the first and the resource is free.
bool sharing_take(Machine *m, Resource *r, int v, int kind);
// Sets m->tie if two messages come to the in-side at the same time, and which is the first depends on the node. `name`
// is what the receiver calls the sender v.
void sharing_check_tie(Machine *m, Resource *in, int v, int name, double t);

// ---- Chains ---------------------------------------------------------------------------------------------------------

// The general case of sharing_chain(), if the machine mirrors and has a trace.
Stamp sharing_moved(Machine *m, const Resource *r, int v);
// Returns r->free, of a resource of v's node, as a stamp of v's chain.
static inline Stamp sharing_chain(Machine *m, const Resource *r, int v)
{
    if (G_UNLIKELY(m->trace && m->mirror) && m->event->share->site->local[v] != r->local)
        return sharing_moved(m, r, v);
    return r->free;
}

// A rendezvous message from v to d that has its first resource: what its ends call each other, and when they are ready.
typedef struct SharingPair {
    int v, d, v_to_d, d_to_v;
    Stamp ours, theirs;
} SharingPair;

// Sets when the transfer begins, as a stamp of the sender's chain and of the receiver's. `in` is the in-side of the
// receiver's NIC, NULL if the message uses none.
void sharing_meet(Machine *m, const Resource *first, const Resource *in, const SharingPair *pair, Stamp *send_from,
                  Stamp *recv_from);
// Makes the transfer of a rendezvous receive and its message (Req.match), which has taken its first resource and uses
// the in-side `in` of the receiver's NIC, unless that is NULL. Sets the `at` of both to its end.
void sharing_transfer(Machine *m, Index recv, Resource *first, Resource *in);
// Notes that a message of this many bytes has left by the resource, which is free after r->free, if that is an out-side
// with work. The run is given up if what has yet to leave keeps it busy for too long.
void sharing_left(Machine *m, const Resource *r, uint64_t bytes);
// Notes that v's message occupies the resource, which is free after r->free, from `begin` on.
static inline void sharing_used(Machine *m, Resource *r, int v, double begin)
{
    r->local = m->event->share->site->local[v];
    m->tie |= m->mirror && r->free.t == begin; // who is next at this instant depends on the nodes
}

// Lets v's message, which begins at `begin` on v's chain, occupy the resource; `node` is the message's entry in the
// trace.
static inline void sharing_occupy(Machine *m, Resource *r, int v, Stamp begin, uint32_t node, int level, uint64_t bytes)
{
    const struct Sharing *x = m->event->share;
    if (G_UNLIKELY(node))
        begin.node = machine_trace_occupies(m, begin, node, sharing_enters(x, r));
    r->free = sharing_is_memory(x, r) ? stamp_memory(x->site, begin, level, bytes) : stamp_nic(x->site, begin, bytes);
    if (x->work)
        sharing_left(m, r, bytes);
    sharing_used(m, r, v, begin.t);
}

// Does the same under measured, for a message with these prices whose T is `price`.
static inline void sharing_occupy_at(Machine *m, Resource *r, int v, Stamp begin, uint32_t node, Prices *prices,
                                     PriceKind price)
{
    const struct Sharing *x = m->event->share;
    const PriceKind memory = price == PRICE_STEP   ? PRICE_MEMORY_STEP
                             : price == PRICE_SWAP ? PRICE_MEMORY_SWAP
                                                   : PRICE_MEMORY;
    Site *site = m->model.site;
    if (G_UNLIKELY(node))
        begin.node = machine_trace_occupies(m, begin, node, sharing_enters(x, r));
    r->free =
        sharing_is_memory(x, r) ? stamp_price(site, begin, prices, memory) : stamp_nic(site, begin, prices->bytes);
    if (x->work)
        sharing_left(m, r, prices->bytes);
    if (G_UNLIKELY(node))
        trace_price(m, begin.node, memory, r->free.t - begin.t);
    sharing_used(m, r, v, begin.t);
}

// ---- The heap of those that may go on now ---------------------------------------------------------------------------

// Adds v to the heap.
static inline void sharing_ready(EventGear *e, int v)
{
    struct Sharing *x = e->share;
    const int place = e->place[v];
    int i = x->n_ready++;
    for (; i > 0 && x->ready[(i - 1) / 2] > place; i = (i - 1) / 2)
        x->ready[i] = x->ready[(i - 1) / 2];
    x->ready[i] = place;
}

// Takes the v with the smallest key. Returns false if there is none.
static inline bool sharing_take_ready(EventGear *e, int *v)
{
    struct Sharing *x = e->share;
    if (x->n_ready == 0)
        return false;
    *v = e->v_at[x->ready[0]];
    const int last = x->ready[--x->n_ready];
    int i = 0;
    for (int child; (child = 2 * i + 1) < x->n_ready; i = child) {
        if (child + 1 < x->n_ready && x->ready[child + 1] < x->ready[child])
            child++;
        if (x->ready[child] >= last)
            break;
        x->ready[i] = x->ready[child];
    }
    x->ready[i] = last;
    return true;
}
