// The parts of the event gear. Private to it.
#pragma once
#include "engine/replay/event_queue.h"
#include "engine/replay/machine.h"

// The last message that a receiver's port took.
typedef struct Served {
    double t;  // when the message started; -1 if the port has not taken any
    int name;  // the sender, as the receiver calls it (name_of)
    int local; // the sender's number within its node, where ranks share something
} Served;

// The receives of a rank that have met their message, in the order of their turns. A receive with a later turn than the
// last one of `row` is appended to the row; any other goes into a pairing heap.
typedef struct Met {
    ReqQueue row;
    Index heap;
} Met;

// Adds a receive that has met its message; Req.match and Req.turn are set.
void met_add(Machine *m, Met *met, Index recv);
// Takes out the receive that was posted first, and returns it, or -1 if there is none.
Index met_take(Machine *m, Met *met);
static inline bool met_is_empty(const Met *met)
{
    return met->row.head < 0 && met->heap < 0;
}

// A rank's two ports under rendezvous.
typedef struct EventPort {
    Index sending;   // the message that is offered to its receiver or under way; -1 for none
    Index receiving; // the receive that is under way; -1 for none
    Met met;         // transfers that can start once the port is free
    Met instant;     // as met, for messages that take no time
    bool touched;    // the rank is in EventGear.touched
} EventPort;

typedef struct EventGear {
    EventQueue queue;
    double now;
    Served *served;   // by receiver, unless all messages use rendezvous; used only if the machine mirrors
    EventPort *ports; // by rank, for rendezvous
    int *touched;     // receivers at which a transfer may start
    int n_touched;
    bool may_cost_nothing; // see cost_may_be_nothing
    int64_t instants;      // transfers that take no time, have met their receive and are not yet done, at all ranks
    uint32_t turn;         // the turn of the next receive
    struct Sharing *share; // what a node's ranks share; NULL if nothing
    struct Measuring *measuring; // under measured
    int *place, *v_at; // where they share something: the place of each v in the order of keys, and the v at a place
} EventGear;

// The kinds of event at a rank v.
//   LEAVES   under the eager disciplines, v's oldest message leaves; under rendezvous, the transfer that v sends ends
//   WAKES    v goes on, or checks its throttle again
//   SERVES   under rendezvous, v's message is first in line, and its resource is free
// The last two bits of an event's key are its kind; the others order the ranks: by number, or, where the ranks of a
// node share something, by number within the node and then by node.
enum { LEAVES, WAKES, SERVES };

static inline uint64_t key_of(const Machine *m, int v, int kind)
{
    const int place = G_LIKELY(!m->event->place) ? rank_of(m->s, v) : m->event->place[v];
    return 4 * (uint64_t)place + (uint64_t)kind;
}

static inline int v_of_key(const Machine *m, uint64_t key)
{
    return G_LIKELY(!m->event->v_at) ? v_of_rank(m->s, (int)(key / 4)) : m->event->v_at[key / 4];
}

static inline void push_event(Machine *m, double t, int v, int kind)
{
    event_queue_push(&m->event->queue, t, key_of(m, v, kind));
}

// Lets v go on when everything has happened that now does.
static inline void event_wake(Machine *m, int v)
{
    if (G_UNLIKELY(m->graph))
        graph_wake(m, v);
    else
        make_runnable(m, v);
}

// The kinds of event under measured, in the order in which they happen at one instant. An event's key has its kind in
// its highest bits, and then a request or, in the order of ranks or of their keys, a rank.
//   DONE     a send or receive ends
//   NEXT     rank v, which has several ports, may send its next message
//   GOES     rank v begins, or its own work ends
//   TAKES    receiver v takes a rendezvous message, if a port is free
//   STARTS   v's message begins or joins a line
enum { DONE, NEXT, GOES, TAKES, STARTS, MEASURED_SHIFT = 32 };

static inline void push_measured(Machine *m, double t, int kind, int v)
{
    const int place = G_LIKELY(!m->event->place) ? rank_of(m->s, v) : m->event->place[v];
    event_queue_push(&m->event->queue, t, (uint64_t)kind << MEASURED_SHIFT | (uint64_t)place);
}

// Returns true if fewer than n of v's requests are pending now, so that v passes the throttle. Otherwise returns false,
// and v will check again later.
bool event_throttle(Machine *m, int v, int n);
// Sets m->tie if two messages to one receiver start at the same time in a mirroring machine. Among these, the lowest
// rank's is served first. The lowest rank differs between receivers, so a few ranks cannot stand for all.
void event_check_tie(Machine *m, int from, int to, int name, double start);
// Run all ranks to their ends, or until m->tie or m->beyond is set.
void event_run_eager(Machine *m);
void event_run_rendezvous(Machine *m);
void event_run_measured(Machine *m);
