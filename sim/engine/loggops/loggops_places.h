// The CPUs and NICs that a graph uses. A host has only those that its operations name, or that the messages name which
// it receives, so memory follows the number of operations and not the product of hosts, CPUs and NICs. A *place* is a
// CPU and a NIC of a host that one operation names together. Private to the runs.
#pragma once
#include "engine/goal/goal.h"
#include "engine/goal/goal_numbers.h"

// The pointers are NULL if every operation is on CPU 0 and NIC 0. Then host h has one place, one CPU and one NIC, which
// all have the number h.
typedef struct LoggopsPlaces {
    uint32_t n, n_cpus, n_nics; // of all hosts together
    uint32_t *of_op;            // the place of each operation at its host
    uint32_t *of_message;       // the place of each send's message at its peer; means nothing for other operations
    uint32_t *cpu, *nic;        // of each place
    uint32_t *host;             // of each CPU
    GoalNumbers cpus, nics;     // (host, number in the graph) -> CPU or NIC
} LoggopsPlaces;

// Finds the places of a graph. Clear with loggops_places_clear. O(n) for n operations.
void loggops_places_init(LoggopsPlaces *places, const Goal *goal);
void loggops_places_clear(LoggopsPlaces *places);

static inline uint32_t places_of_op(const LoggopsPlaces *x, uint32_t op, const GoalOp *o)
{
    return x->of_op ? x->of_op[op] : o->host;
}

static inline uint32_t places_of_message(const LoggopsPlaces *x, uint32_t op, const GoalOp *send)
{
    return x->of_message ? x->of_message[op] : send->peer;
}

static inline uint32_t places_cpu(const LoggopsPlaces *x, uint32_t place)
{
    return x->cpu ? x->cpu[place] : place;
}

static inline uint32_t places_nic(const LoggopsPlaces *x, uint32_t place)
{
    return x->nic ? x->nic[place] : place;
}

static inline uint32_t places_host(const LoggopsPlaces *x, uint32_t cpu)
{
    return x->host ? x->host[cpu] : cpu;
}

// Return the CPU (NIC) of a host with this number in the graph, or GOAL_NO_NUMBER if the host does not have it.
static inline uint32_t places_find_cpu(const LoggopsPlaces *x, uint32_t host, uint8_t cpu)
{
    return x->host ? numbers_find(&x->cpus, (GoalKey){host, cpu}) : host;
}

static inline uint32_t places_find_nic(const LoggopsPlaces *x, uint32_t host, uint8_t nic)
{
    return x->host ? numbers_find(&x->nics, (GoalKey){host, nic}) : host;
}
