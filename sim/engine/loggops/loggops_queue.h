// The queue of events in the order of time, and of seq among equal times. An event that is pushed in order joins a
// plain list beside the heap, so that operations ready at time 0 and most messages never enter the heap. Private to
// loggops_events.h.
#pragma once
#include "engine/loggops/loggops_cost.h"
#include <string.h>

typedef struct LoggopsEvent {
    LoggopsTime t;
    uint32_t seq;  // distinct; of equal times the smallest comes first
    uint32_t what; // see loggops_events.h
} LoggopsEvent;

_Static_assert(sizeof(LoggopsEvent) == 16, "the four children of a heap node are 64 bytes");

typedef struct LoggopsEvents {
    LoggopsEvent *at;
    size_t first, end, room;
} LoggopsEvents;

typedef struct LoggopsQueue {
    LoggopsEvents heap; // a heap with four children per node, from index 0 on
    LoggopsEvents run;  // the events that came in order, ascending, at first .. end - 1
} LoggopsQueue;

static inline gboolean event_before(const LoggopsEvent *a, const LoggopsEvent *b)
{
    return a->t < b->t || (a->t == b->t && a->seq < b->seq);
}

// Makes room for one more event at the end: moves the events to the beginning, and doubles the room if more than half
// of it is in use.
static inline void make_room(LoggopsEvents *events)
{
    const size_t n = events->end - events->first;
    if (n > events->room / 2 || !events->at) {
        events->room = MAX(2 * events->room, 1024);
        events->at = g_renew(LoggopsEvent, events->at, events->room);
    }
    if (events->first > 0)
        memmove(events->at, events->at + events->first, n * sizeof(LoggopsEvent));
    events->first = 0;
    events->end = n;
}

static inline void queue_push(LoggopsQueue *queue, LoggopsEvent e)
{
    LoggopsEvents *run = &queue->run, *heap = &queue->heap;
    if (run->first == run->end || event_before(&run->at[run->end - 1], &e)) {
        if (run->end == run->room)
            make_room(run);
        run->at[run->end++] = e;
        return;
    }
    if (heap->end == heap->room)
        make_room(heap);
    size_t i = heap->end++;
    for (; i > 0 && event_before(&e, &heap->at[(i - 1) / 4]); i = (i - 1) / 4)
        heap->at[i] = heap->at[(i - 1) / 4];
    heap->at[i] = e;
}

static inline LoggopsEvent heap_pop(LoggopsEvents *heap)
{
    LoggopsEvent *at = heap->at;
    const LoggopsEvent top = at[0], last = at[--heap->end];
    const size_t n = heap->end;
    size_t i = 0;
    for (size_t child = 1; child < n; child = 4 * i + 1) {
        size_t least = child;
        for (size_t c = child + 1; c < MIN(child + 4, n); c++)
            least = event_before(&at[c], &at[least]) ? c : least;
        if (!event_before(&at[least], &last))
            break;
        at[i] = at[least];
        i = least;
    }
    at[i] = last;
    return top;
}

// Takes the next event. Returns FALSE if there is none.
static inline gboolean queue_pop(LoggopsQueue *queue, LoggopsEvent *e)
{
    LoggopsEvents *run = &queue->run, *heap = &queue->heap;
    if (run->first < run->end && (heap->end == 0 || event_before(&run->at[run->first], &heap->at[0])))
        *e = run->at[run->first++];
    else if (heap->end > 0)
        *e = heap_pop(heap);
    else
        return FALSE;
    return TRUE;
}

static inline void queue_clear(LoggopsQueue *queue)
{
    g_free(queue->heap.at);
    g_free(queue->run.at);
}
