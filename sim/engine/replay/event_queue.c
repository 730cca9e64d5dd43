#include "engine/replay/event_queue.h"
#include <string.h>

void event_queue_grow(EventBucket *b)
{
    b->max = MAX(64, 2 * b->max);
    b->entry = g_renew(EventEntry, b->entry, b->max);
}

void event_queue_late(EventQueue *q, const EventEntry *x)
{
    event_queue_append(&q->late, x);
    EventEntry *e = q->late.entry;
    uint32_t i = q->late.n - 1;
    for (; i > 0 && e[(i - 1) / 2].key > x->key; i = (i - 1) / 2)
        e[i] = e[(i - 1) / 2];
    e[i] = *x;
}

bool event_queue_take_late(EventQueue *q, uint64_t *key)
{
    EventEntry *e = q->late.entry;
    *key = e[0].key;
    const uint32_t n = --q->late.n;
    const EventEntry x = e[n];
    uint32_t i = 0;
    for (uint32_t least = 1; least < n; least = 2 * i + 1) {
        least += least + 1 < n && e[least + 1].key < e[least].key;
        if (e[least].key >= x.key)
            break;
        e[i] = e[least];
        i = least;
    }
    e[i] = x;
    return true;
}

enum { DIGIT = 11, SHORT = 32 };

// Sorts bucket 0 by key. Most buckets are in order already; short ones are sorted by insertion, others by digits.
static void sort(EventQueue *q)
{
    EventBucket *b = &q->bucket[0];
    uint64_t all = 0;
    uint32_t in_order = 1;
    for (; in_order < b->n && b->entry[in_order - 1].key <= b->entry[in_order].key; in_order++)
        ;
    if (in_order >= b->n)
        return;
    if (b->n <= SHORT) {
        for (uint32_t i = 1; i < b->n; i++) {
            const EventEntry x = b->entry[i];
            uint32_t j = i;
            for (; j > 0 && b->entry[j - 1].key > x.key; j--)
                b->entry[j] = b->entry[j - 1];
            b->entry[j] = x;
        }
        return;
    }
    for (uint32_t i = 0; i < b->n; i++)
        all |= b->entry[i].key;
    while (q->spare.max < b->n)
        event_queue_grow(&q->spare);
    for (int digit = 0; digit < 64 && all >> digit; digit += DIGIT) {
        uint32_t count[1 << DIGIT] = {0}, sum = 0;
        for (uint32_t i = 0; i < b->n; i++)
            count[b->entry[i].key >> digit & ((1 << DIGIT) - 1)]++;
        for (uint32_t k = 0; k < 1 << DIGIT; k++) {
            const uint32_t n = count[k];
            count[k] = sum;
            sum += n;
        }
        for (uint32_t i = 0; i < b->n; i++)
            q->spare.entry[count[b->entry[i].key >> digit & ((1 << DIGIT) - 1)]++] = b->entry[i];
        const EventBucket t = *b;
        *b = (EventBucket){.entry = q->spare.entry, .n = t.n, .max = q->spare.max};
        q->spare = (EventBucket){.entry = t.entry, .max = t.max};
    }
}

bool event_queue_advance(EventQueue *q, double *now)
{
    g_assert(!event_queue_is_due(q));
    if (!q->filled)
        return false;
    const int k = 1 + __builtin_ctzll(q->filled);
    EventBucket *from = &q->bucket[k];
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < from->n; i++)
        least = MIN(least, from->entry[i].time);
    q->now = least;
    q->at = q->bucket[0].n = 0;
    q->filled &= ~((uint64_t)1 << (k - 1));
    for (uint32_t i = 0; i < from->n; i++) {
        const uint64_t differ = from->entry[i].time ^ least;
        const int b = differ ? 64 - __builtin_clzll(differ) : 0;
        if (b > 0)
            q->filled |= (uint64_t)1 << (b - 1);
        event_queue_append(&q->bucket[b], &from->entry[i]);
    }
    from->n = 0;
    if (q->by_key)
        sort(q);
    memcpy(now, &q->now, sizeof *now);
    return true;
}

void event_queue_clear(EventQueue *q)
{
    for (size_t i = 0; i < G_N_ELEMENTS(q->bucket); i++)
        g_free(q->bucket[i].entry);
    g_free(q->late.entry);
    g_free(q->spare.entry);
}
