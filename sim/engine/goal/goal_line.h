// First-in first-out lines of operations. All lines are linked through one array, because an operation (or the message
// of a send, which takes the place of its operation) is in at most one line. Private to the runs of graphs.
#pragma once
#include <stdint.h>

#define GOAL_NOTHING UINT32_MAX // no operation
#define NOTHING      GOAL_NOTHING

typedef struct Chain {
    uint32_t *next;  // per operation, the one behind it in its line
    uint32_t *seq;   // per operation, the seq of its event while it is in a line ordered by seq
    uint32_t *right; // see line_heap_join(); NULL before the first heap
} Chain;

typedef struct GoalLine {
    uint32_t head, tail; // in an empty line, head is NOTHING and tail means nothing
} GoalLine;

static inline void line_append(const Chain *chain, GoalLine *line, uint32_t op)
{
    chain->next[op] = NOTHING;
    if (line->head == NOTHING)
        line->head = op;
    else
        chain->next[line->tail] = op;
    line->tail = op;
}

// Removes an operation from a line; `previous` is the one before it, or NOTHING if it is the head.
static inline void line_remove(const Chain *chain, GoalLine *line, uint32_t previous, uint32_t op)
{
    if (previous == NOTHING)
        line->head = chain->next[op];
    else
        chain->next[previous] = chain->next[op];
    if (line->tail == op)
        line->tail = previous;
}

// Joins two skew heaps and returns the root, which has the smallest seq; NOTHING is an empty heap. chain->next links
// the left children and chain->right the right ones. Amortized O(log n) for n operations.
static inline uint32_t line_heap_join(const Chain *chain, uint32_t a, uint32_t b)
{
    uint32_t root, *link = &root;
    while (a != NOTHING && b != NOTHING) {
        const uint32_t least = chain->seq[a] < chain->seq[b] ? a : b;
        b = least == a ? b : a;
        a = chain->right[least];
        *link = least;
        link = &chain->next[least];
        chain->right[least] = *link;
    }
    *link = a != NOTHING ? a : b;
    return root;
}
