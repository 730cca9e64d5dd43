// A dependency graph of communication ("goal"): what each host does, in program order, and what waits for what within a
// host. It says nothing of time; loggops/loggops.h runs it.
#pragma once
#include <glib.h>
#include <stdint.h>

typedef enum { GOAL_SEND, GOAL_RECV, GOAL_CALC } GoalKind; // in the order in which a host takes what is ready at once

#define GOAL_ANY     UINT32_MAX // as a receive's peer or any tag: matches every one
#define GOAL_MAX_OPS (1u << 29)

typedef struct GoalOp {
    uint8_t kind;     // GoalKind
    uint8_t cpu, nic; // of its host; a message is taken by the receiver's CPU and NIC with the numbers of its send
    uint32_t host;
    uint32_t peer;
    uint32_t tag;
    uint64_t size; // bytes; of a calc: bytes reduced, or its duration if gamma is 1
} GoalOp;

typedef struct Goal Goal;

// An empty graph of n_hosts (>= 1) hosts; free it with goal_free.
Goal *goal_new(uint32_t n_hosts);
void goal_free(Goal *goal);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Goal, goal_free)

// Appends an operation on CPU 0 and NIC 0 and returns its index, counted over the whole graph. Hosts come in ascending
// order, a host's operations in its program order. `peer` is a host (0 for a calc; GOAL_ANY is allowed for a receive).
// The two ends of a message should agree in size: a shorter receive may leave a rendezvous sender waiting.
uint32_t goal_add(Goal *goal, uint32_t host, GoalKind kind, uint64_t size, uint32_t peer, uint32_t tag);

// Puts operation `op` on another CPU and NIC (0..255) of its host. Every host has as many as the highest numbers used.
void goal_place(Goal *goal, uint32_t op, unsigned cpu, unsigned nic);

// Gives operation `op` another size.
void goal_resize(Goal *goal, uint32_t op, uint64_t size);

// `after` waits until `before`, of the same host, is done (goal_require) or only started (goal_irequire).
void goal_require(Goal *goal, uint32_t after, uint32_t before);
void goal_irequire(Goal *goal, uint32_t after, uint32_t before);

uint32_t goal_n_ops(const Goal *goal);
uint32_t goal_n_messages(const Goal *goal); // its sends
const GoalOp *goal_op(const Goal *goal, uint32_t op);
uint32_t goal_n_hosts(const Goal *goal);
uint32_t goal_n_cpus(const Goal *goal); // per host
uint32_t goal_n_nics(const Goal *goal);

// Who waits for whom, turned round: those that wait for operation i stand at op[first[i]] .. op[first[i + 1] - 1], in
// the order in which they were added. Without any, both pointers are NULL.
typedef struct GoalDependents {
    uint32_t *first, *op;
} GoalDependents;

// Collects the edges of goal_require or of goal_irequire, and adds to open[op] (one per operation) the number of those
// it waits for. Free both arrays with g_free. O(n + e).
GoalDependents goal_required(const Goal *goal, uint32_t *open);
GoalDependents goal_irequired(const Goal *goal, uint32_t *open);
