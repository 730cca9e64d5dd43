// Few hosts that stand for all. If every host v does what v mod n does, n hosts are simulated: what one of them sends
// to the host d further on, the host d before it sends to one like it. This is right as long as every host of the whole
// run handles its events in the order in which the one that stands for it does. Events at different times need no such
// rule. Among events at one time, the one that was made first is handled first; two were made in the order of the
// events that made them. If these were at different times, or at the same host, it is the same at all hosts. Otherwise
// it would depend on the numbers of hosts: the run is then undecided. Private to loggops_events.h.
#pragma once
#include "engine/loggops/loggops_cost.h"

// When an event was made, and where: how far from the event's own host the host is whose event made it.
typedef struct Birth {
    LoggopsTime t;
    uint32_t from;
} Birth;

// What happened to a host last.
typedef struct FewLast {
    LoggopsTime t;
    Birth birth;
} FewLast;

typedef struct FewHosts {
    uint32_t p;         // hosts of the whole run; 0 if every host is simulated, and then the rest means nothing
    gboolean is_xor;    // how far a host is from another one: by XOR, or mod p
    gboolean undecided; // the order of some events depends on the numbers of hosts
    Birth *birth;       // per operation, of the event that it has in the queue or among the waiters
    FewLast *last;      // per host
    FewLast now;        // the event that is handled
    uint32_t other;     // how far its host is from the sender that it frees
} FewHosts;

static void few_init(FewHosts *few, const LoggopsFew *wish, uint32_t n_ops, uint32_t n_hosts)
{
    if (!wish)
        return;
    few->p = wish->p;
    few->is_xor = wish->is_xor;
    few->birth = g_new(Birth, n_ops);
    few->last = g_new(FewLast, n_hosts);
    few->now = (FewLast){0, {(LoggopsTime)-1, 0}}; // what is ready at the start is made before anything happens
    for (uint32_t host = 0; host < n_hosts; host++)
        few->last[host] = few->now;
}

static void few_clear(FewHosts *few)
{
    g_free(few->birth);
    g_free(few->last);
}

static inline uint32_t few_sum(const FewHosts *few, uint32_t a, uint32_t b)
{
    if (few->is_xor)
        return a ^ b;
    const uint32_t sum = a + b; // below 2^32, because a program has less than 2^31 ranks
    return sum >= few->p ? sum - few->p : sum;
}

static inline uint32_t few_opposite(const FewHosts *few, uint32_t a)
{
    return few->is_xor || a == 0 ? a : few->p - a;
}

// Two events of one host are about to be put in order by their age.
static inline void few_compare(FewHosts *few, Birth a, Birth b)
{
    few->undecided |= a.t == b.t && a.from != b.from;
}

// Something with this birth happens to a host at time t. Among all that happens to it at that time, events that were
// born at the same time come in a row, so it is enough to look at the last one.
static void few_meet(FewHosts *few, uint32_t host, LoggopsTime t, Birth birth)
{
    FewLast *last = &few->last[host];
    if (last->t == t)
        few_compare(few, last->birth, birth);
    *last = (FewLast){t, birth};
}

// The event of `op` is handled at its host at time t.
static void few_begin(FewHosts *few, uint32_t host, uint32_t op, LoggopsTime t)
{
    few->now = (FewLast){t, few->birth[op]};
    few_meet(few, host, t, few->now.birth);
}

// The event that is handled frees the sender of a message, which happens to the sender then. Returns TRUE if that is at
// another host.
static gboolean few_free(FewHosts *few, const GoalOp *send)
{
    few->other = send->tag;
    if (send->tag == 0)
        return FALSE;
    few_meet(few, send->host, few->now.t, (Birth){few->now.birth.t, few_sum(few, few->now.birth.from, send->tag)});
    return TRUE;
}

// The event that is handled makes one of `op`, whose host it is `from` away from.
static inline void few_bear(const FewHosts *few, uint32_t op, uint32_t from)
{
    few->birth[op] = (Birth){few->now.t, from};
}
