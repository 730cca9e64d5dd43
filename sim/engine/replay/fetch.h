// Asks for memory that is needed soon. On many ranks, most of the time of a replay is spent waiting for memory: one rank
// after the other has an event, and what all of them have does not fit into a cache. So a step of a gear asks for what
// the steps behind it need: first, FETCH_FAR steps ahead, for what lies at a known place, and when their turn is nearer
// for what that refers to. None of this changes a result. Private to the replay.
#pragma once
#include "engine/replay/event_gear.h"

enum { FETCH_FAR = 12, FETCH_NEARER = 8, FETCH_NEAR = 4, FETCH_NEXT = 2 };

static inline void fetch_rank(const Machine *m, int v)
{
    __builtin_prefetch(&m->ranks[v]);
    __builtin_prefetch(&m->ranks[v].missing);
}

// A request, which may lie in two cache lines; -1 is allowed.
static inline void fetch_request(const Machine *m, Index i)
{
    if (i < 0)
        return;
    __builtin_prefetch(&m->pool[i].at);
    __builtin_prefetch(&m->pool[i].queue);
}

// Asks for what the ranks need that run soon.
static inline void fetch_runnable(const Machine *m)
{
    const int last = m->n_runnable - 1;
    if (last >= FETCH_FAR)
        fetch_rank(m, m->runnable[last - FETCH_FAR]);
    if (last >= FETCH_NEARER) {
        const Rank *r = &m->ranks[m->runnable[last - FETCH_NEARER]];
        fetch_request(m, r->near);
        fetch_request(m, r->newest);
    }
    if (last >= FETCH_NEAR) {
        const Index near = m->ranks[m->runnable[last - FETCH_NEAR]].near;
        if (near >= 0)
            fetch_request(m, m->pool[near].newer);
    }
}

// Returns the rank of the event of this kind, by the last two bits of its key, that is due so many events after the next
// one; -1 if there is none.
static inline int fetch_due(const Machine *m, const EventQueue *q, uint32_t after, int kind)
{
    uint64_t key;
    return event_queue_ahead(q, after, &key) && (int)(key % 4) == kind ? v_of_key(m, key) : -1;
}
