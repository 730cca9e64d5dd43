// A queue of events in order of time, and of key among equal times. It is a radix heap on the bits of the time: nothing
// may be pushed for a time before the current one. Private to the event gear.
//
//      bucket 0:      events due now, in ascending order of key from index `at` on; an event pushed with a smaller key
//                     than the last one goes into the heap `late` instead
//      bucket b > 0:  events whose time differs from the current one in bit b - 1 and in no higher bit
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
    uint64_t filled;   // bit b - 1 is set if bucket b is not empty
    uint64_t now;      // the current time, as in EventEntry
    uint32_t at;       // the next event to take from bucket 0
    bool by_key;       // false if events of one time may come in any order
    EventBucket late;  // a binary heap by key
    EventBucket spare; // room for sorting bucket 0
} EventQueue;

// Goes on to the time of the earliest event, and sets *now to it. All events that are due must have been taken. Returns
// false if the queue is empty.
bool event_queue_advance(EventQueue *q, double *now);
// The rare cases of the inline functions below: add an event to `late`, take the first event of `late` (which must not
// be empty) and return true, and enlarge a full bucket.
void event_queue_late(EventQueue *q, const EventEntry *x);
bool event_queue_take_late(EventQueue *q, uint64_t *key);
void event_queue_grow(EventBucket *b);
// Frees what the queue holds.
void event_queue_clear(EventQueue *q);

static inline void event_queue_append(EventBucket *b, const EventEntry *x)
{
    if (G_UNLIKELY(b->n == b->max))
        event_queue_grow(b);
    b->entry[b->n++] = *x;
}

// Adds an event at time t, which must not be before the current time.
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

// Returns true if an event is due at the current time.
static inline bool event_queue_is_due(const EventQueue *q)
{
    return q->at < q->bucket[0].n || q->late.n > 0;
}

// Sets *key to the smallest key of the events that are due now, if the queue is by_key. Returns false if none is.
static inline bool event_queue_peek(const EventQueue *q, uint64_t *key)
{
    const EventBucket *k = &q->bucket[0];
    const bool any = q->at < k->n;
    if (any)
        *key = k->entry[q->at].key;
    if (G_UNLIKELY(q->late.n > 0) && (!any || q->late.entry[0].key < *key))
        *key = q->late.entry[0].key;
    return any || q->late.n > 0;
}

// Sets *key to that of the event that is due n places behind the next one, as far as is known now. Returns false if there
// is none.
static inline bool event_queue_ahead(const EventQueue *q, uint32_t n, uint64_t *key)
{
    const EventBucket *k = &q->bucket[0];
    const bool any = k->n - q->at > n;
    if (any)
        *key = k->entry[q->at + n].key;
    return any;
}

// Takes the event with the smallest key (any event, if not by_key) of those that are due now. Returns false if none is.
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
