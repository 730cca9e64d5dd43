// The receives that are posted and the messages that have arrived, until they meet: two first-in first-out lines for
// each host. A message meets the oldest receive that matches it, and a receive the oldest message. That one is usually
// near the head of the line, so it is searched for there. When a search passes LONG_SEARCH entries, that line gets an
// index (goal_match.c), because long searches would make the run quadratic. Private to the runs of graphs.
#pragma once
#include "engine/goal/goal.h"
#include "engine/goal/goal_line.h"
#include "engine/goal/goal_numbers.h"

typedef enum { BY_BOTH, BY_SOURCE, BY_TAG, LISTS } GoalList; // see goal_match.c

typedef struct GoalMatch {
    const GoalOp *ops;
    uint32_t n_ops;
    size_t n_lines;
    GoalLine *line; // per host: match_receives(), then match_messages()
    Chain chain;    // links the lines; in a line with an index, chain.seq is an entry's age, or TAKEN
    // The index, which is 0 throughout until a line gets one.
    uint8_t *indexed;      // per line
    uint32_t n_kinds;      // of lists: LISTS, or 1 if there are no wildcards, because then all look into BY_BOTH
    uint32_t n_added;      // entries that got an age
    uint32_t *next[LISTS]; // per operation, the one behind it in its list
    GoalNumbers keys;      // numbers the lists by line, kind, source and tag
    GoalLine *list;        // there is room for keys.size / 2
} GoalMatch;

enum { LONG_SEARCH = 32 };
#define TAKEN UINT32_MAX

// Return a host's line of posted receives, and its line of arrived messages.
static inline size_t match_receives(uint32_t host)
{
    return 2 * (size_t)host;
}

static inline size_t match_messages(uint32_t host)
{
    return 2 * (size_t)host + 1;
}

static inline gboolean match_fits(const GoalOp *send, const GoalOp *recv)
{
    const gboolean same_tag = recv->tag == send->tag || recv->tag == GOAL_ANY || send->tag == GOAL_ANY;
    return same_tag && (recv->peer == send->host || recv->peer == GOAL_ANY);
}

// Takes the oldest entry that matches `op` out of a line without an index. Returns NOTHING if none matches. Sets
// *is_long and returns NOTHING if it has not found one among the first entries.
static inline uint32_t match_search(const GoalMatch *m, GoalLine *line, uint32_t op, gboolean *is_long)
{
    const GoalOp *ops = m->ops, *mine = &ops[op];
    const gboolean is_send = mine->kind == GOAL_SEND;
    uint32_t previous = NOTHING, i = line->head;
    for (int far = 0; i != NOTHING && !(is_send ? match_fits(mine, &ops[i]) : match_fits(&ops[i], mine)); far++) {
        if (far == LONG_SEARCH) {
            *is_long = TRUE;
            return NOTHING;
        }
        previous = i;
        i = m->chain.next[i];
    }
    if (i != NOTHING)
        line_remove(&m->chain, line, previous, i);
    return i;
}

// Makes the index of a line.
void goal_match_index(GoalMatch *match, size_t line);
// Takes the oldest entry that matches `op` out of a line with an index. Returns NOTHING if none matches.
uint32_t goal_match_take(GoalMatch *match, size_t line, uint32_t op);
// Appends to a line with an index.
void goal_match_append(GoalMatch *match, size_t line, uint32_t op);

static inline gboolean match_is_indexed(const GoalMatch *m, size_t line)
{
    return m->indexed && m->indexed[line];
}

// Returns the receive that the message of the send `op` meets, or the send whose message the receive `op` meets, and
// takes it out of its line. If there is none, appends `op` to the line of its kind and returns NOTHING.
static inline uint32_t match_meet(GoalMatch *m, uint32_t op)
{
    const GoalOp *mine = &m->ops[op];
    const gboolean is_send = mine->kind == GOAL_SEND;
    const size_t theirs = is_send ? match_receives(mine->peer) : match_messages(mine->host);
    const size_t own = is_send ? match_messages(mine->peer) : match_receives(mine->host);
    uint32_t found = NOTHING;
    gboolean is_long = FALSE;
    if (!match_is_indexed(m, theirs))
        found = match_search(m, &m->line[theirs], op, &is_long);
    if (is_long)
        goal_match_index(m, theirs);
    if (match_is_indexed(m, theirs))
        found = goal_match_take(m, theirs, op);
    if (found != NOTHING)
        return found;
    if (match_is_indexed(m, own))
        goal_match_append(m, own, op);
    else
        line_append(&m->chain, &m->line[own], op);
    return NOTHING;
}

// Return the first entry that is left in a line, and the next one after an entry, or NOTHING.
static inline uint32_t match_left(const GoalMatch *m, size_t line, uint32_t op)
{
    while (match_is_indexed(m, line) && op != NOTHING && m->chain.seq[op] == TAKEN)
        op = m->chain.next[op];
    return op;
}

static inline uint32_t match_first(const GoalMatch *m, size_t line)
{
    return match_left(m, line, m->line[line].head);
}

static inline uint32_t match_next(const GoalMatch *m, size_t line, uint32_t op)
{
    return match_left(m, line, m->chain.next[op]);
}

// Makes empty lines for a graph. The chain's arrays are borrowed. Clear with goal_match_clear.
void goal_match_init(GoalMatch *match, const Goal *goal, const Chain *chain);
void goal_match_clear(GoalMatch *match);
