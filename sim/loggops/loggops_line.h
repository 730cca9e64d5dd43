// First-in first-out lines of operations. All lines are linked through one array, because an operation (or the message
// of a send, which takes the place of its operation) is in at most one line. Private to the runs.
#pragma once
#include "loggops/loggops_cost.h"

#define NOTHING LOGGOPS_NOTHING

typedef struct Chain {
    uint32_t *next; // per operation, the one behind it in its line
    uint32_t *seq;  // per operation, the seq of its event while it is in a line ordered by seq
} Chain;

typedef struct LoggopsLine {
    uint32_t head, tail; // in an empty line, head is NOTHING and tail means nothing
} LoggopsLine;

static inline void line_append(const Chain *chain, LoggopsLine *line, uint32_t op)
{
    chain->next[op] = NOTHING;
    if (line->head == NOTHING)
        line->head = op;
    else
        chain->next[line->tail] = op;
    line->tail = op;
}

// Inserts an operation in the order of seq. That is nearly always the tail, because later events also begin to wait
// later.
static inline void line_insert(const Chain *chain, LoggopsLine *line, uint32_t op)
{
    if (line->head == NOTHING || chain->seq[line->tail] < chain->seq[op]) {
        line_append(chain, line, op);
        return;
    }
    uint32_t *link = &line->head;
    while (chain->seq[*link] < chain->seq[op])
        link = &chain->next[*link];
    chain->next[op] = *link;
    *link = op;
}

// Removes an operation from a line; `previous` is the one before it, or NOTHING if it is the head.
static inline void line_remove(const Chain *chain, LoggopsLine *line, uint32_t previous, uint32_t op)
{
    if (previous == NOTHING)
        line->head = chain->next[op];
    else
        chain->next[previous] = chain->next[op];
    if (line->tail == op)
        line->tail = previous;
}
