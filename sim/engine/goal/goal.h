// A goal: a dependency graph of communication. It holds the operations of each host in program order, and which of them
// wait for which others of the same host. It has no costs; engine/loggops/loggops.h runs it under a model.
#pragma once
#include <glib.h>
#include <stdint.h>

typedef enum { GOAL_SEND, GOAL_RECV, GOAL_CALC } GoalKind; // operations ready at once are taken in this order

#define GOAL_ANY      UINT32_MAX            // the peer of a receive, or a tag, that matches any
#define GOAL_MAX_OPS  ((1u << 29) - 1)      // so that 8 * op + 7 is below UINT32_MAX
#define GOAL_MAX_SIZE ((uint64_t)INT64_MAX) // of a message or calc in a file, because answers have signed numbers

typedef struct GoalOp {
    uint8_t kind;     // GoalKind
    uint8_t cpu, nic; // of its host; the receiver takes a message with its CPU and NIC of the send's numbers
    uint8_t level;    // of a message: the index of its L and G in LoggopsParams.level; 0 unless goal_set_level sets it
    uint32_t host;
    uint32_t peer;
    uint32_t tag;
    uint64_t size; // in bytes; for a calc, the bytes it reduces, or its duration if gamma is 1
} GoalOp;

typedef struct Goal Goal;

// Returns an empty graph of n_hosts hosts (>= 1, < GOAL_ANY). Free with goal_free.
Goal *goal_new(uint32_t n_hosts);
void goal_free(Goal *goal);
// Returns a copy of the graph.
Goal *goal_copy(const Goal *goal);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Goal, goal_free)

// Appends an operation on CPU 0 and NIC 0, and returns its index in the whole graph. Add hosts in ascending order, and
// each host's operations in program order. There may be at most GOAL_MAX_OPS operations. `peer` is a host, GOAL_ANY for
// a receive from any host, or 0 for a calc. Both ends of a message should have the same size; engine/loggops/loggops.h
// says what happens if they have not.
uint32_t goal_add(Goal *goal, uint32_t host, GoalKind kind, uint64_t size, uint32_t peer, uint32_t tag);

// Puts operation `op` on another CPU and NIC (0 .. 255) of its host.
void goal_place(Goal *goal, uint32_t op, unsigned cpu, unsigned nic);

// Sets the level of a send or receive, 0 .. 255. A message has the level of its send.
void goal_set_level(Goal *goal, uint32_t op, int level);

// Gives operation `op` another size.
void goal_resize(Goal *goal, uint32_t op, uint64_t size);

// Makes `after` wait until `before`, an operation of the same host, is done; with goal_irequire, only until it has
// started.
void goal_require(Goal *goal, uint32_t after, uint32_t before);
void goal_irequire(Goal *goal, uint32_t after, uint32_t before);

uint32_t goal_n_ops(const Goal *goal);
uint32_t goal_n_messages(const Goal *goal); // the number of sends
const GoalOp *goal_op(const Goal *goal, uint32_t op);
uint32_t goal_n_hosts(const Goal *goal);
int goal_n_levels(const Goal *goal);       // 1 more than the largest level of a message
gboolean goal_is_placed(const Goal *goal); // some operation is on another CPU or NIC than 0

// The operations that wait for each operation. The operations that wait for operation i are op[first[i]] .. op[first[i
// + 1] - 1], in the order in which they were added. Both pointers are NULL if no operation waits.
typedef struct GoalDependents {
    uint32_t *first, *op;
} GoalDependents;
void goal_dependents_clear(const GoalDependents *x);

// Returns the dependents by goal_require, or by goal_irequire. To open[i], for every operation i, it adds the number of
// operations for which i waits. Free the result with goal_dependents_clear. O(n + e) for n operations and e
// dependencies.
GoalDependents goal_required(const Goal *goal, uint32_t *open);
GoalDependents goal_irequired(const Goal *goal, uint32_t *open);
