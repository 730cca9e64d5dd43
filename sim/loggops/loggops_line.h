// First-in first-out lines of operations. All lines are linked through one array, because an operation (or the message
// of a send, which takes the place of its operation) is in at most one line. Private to loggops_events.h.
#pragma once
#include "loggops/loggops_cost.h"

#define NOTHING LOGGOPS_NOTHING

typedef struct Chain {
    const GoalOp *ops;
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

static inline gboolean message_matches(const GoalOp *send, const GoalOp *recv)
{
    const gboolean same_tag = recv->tag == send->tag || recv->tag == GOAL_ANY || send->tag == GOAL_ANY;
    return same_tag && (recv->peer == send->host || recv->peer == GOAL_ANY);
}

// Takes the first operation that matches `op` out of the line and returns it, or NOTHING if none matches.
static inline uint32_t line_take_match(const Chain *chain, LoggopsLine *line, uint32_t op)
{
    const GoalOp *mine = &chain->ops[op];
    uint32_t previous = NOTHING, i = line->head;
    while (i != NOTHING &&
           !(mine->kind == GOAL_SEND ? message_matches(mine, &chain->ops[i]) : message_matches(&chain->ops[i], mine))) {
        previous = i;
        i = chain->next[i];
    }
    if (i == NOTHING)
        return i;
    if (previous == NOTHING)
        line->head = chain->next[i];
    else
        chain->next[previous] = chain->next[i];
    if (line->tail == i)
        line->tail = previous;
    return i;
}
