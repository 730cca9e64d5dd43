// Events in order of time, those of one time by key: a radix heap on the bits of the time, which never goes back. Private to
// the event gear.
//
//      bucket 0:      due now, ascending by key from `at` on; what is pushed below its end goes to a heap beside it
//      bucket b > 0:  times whose highest bit that differs from now's is bit b - 1
#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct EventEntry {
    uint64_t time; // the bits of a double >= 0, which order as its values do
    uint64_t key;
} EventEntry;

typedef struct EventBucket {
    EventEntry *entry;
    uint32_t n, max;
} EventBucket;

typedef struct EventQueue {
    EventBucket bucket[65];
    uint64_t filled, now; // bit b - 1: bucket b is not empty
    uint32_t at;
    bool by_key;      // false: those of one time in any order
    EventBucket late; // binary heap by key
    EventBucket spare;
} EventQueue;

// Goes to the next time at which something is due; false: there is none.
bool event_queue_advance(EventQueue *q, double *now);
void event_queue_late(EventQueue *q, const EventEntry *x);
bool event_queue_take_late(EventQueue *q, uint64_t *key);
void event_queue_grow(EventBucket *b);
void event_queue_clear(EventQueue *q);

static inline void event_queue_append(EventBucket *b, const EventEntry *x)
{
    if (G_UNLIKELY(b->n == b->max))
        event_queue_grow(b);
    b->entry[b->n++] = *x;
}

static inline void event_queue_push(EventQueue *q, double t, uint64_t key)
{
    EventEntry x = {.key = key};
    __builtin_memcpy(&x.time, &t, sizeof t);
    g_assert(x.time >= q->now);
    const int b = x.time == q->now ? 0 : 64 - __builtin_clzll(x.time ^ q->now);
    EventBucket *k = &q->bucket[b];
    if (b > 0)
        q->filled |= (uint64_t)1 << (b - 1);
    else if (q->at == k->n)
        q->at = k->n = 0;
    else if (q->by_key && key < k->entry[k->n - 1].key) {
        event_queue_late(q, &x);
        return;
    }
    event_queue_append(k, &x);
}

static inline bool event_queue_is_due(const EventQueue *q)
{
    return q->at < q->bucket[0].n || q->late.n > 0;
}

// The least key of those that are due now; false: there is none.
static inline bool event_queue_take(EventQueue *q, uint64_t *key)
{
    const EventBucket *k = &q->bucket[0];
    if (G_UNLIKELY(q->late.n > 0) && (q->at == k->n || q->late.entry[0].key < k->entry[q->at].key))
        return event_queue_take_late(q, key);
    if (q->at == k->n)
        return false;
    *key = k->entry[q->at++].key;
    return true;
}
