// The parts of the event gear. Private to it.
#pragma once
#include "replay/event_queue.h"
#include "replay/machine.h"

// The last message that a receiver's port took.
typedef struct Served {
    double t; // its start
    int name;
} Served;

// Receives that have met their message, in the order of the program: in a row as long as they come in that order, else in
// a pairing heap.
typedef struct Met {
    ReqQueue row;
    Index heap;
} Met;

// Rendezvous: a rank's two ports.
typedef struct EventPort {
    Index sending;    // the message that is offered to its receiver, or under way
    Index receiving;  // the receive under way
    Met met, instant; // those which take no time
    bool touched;
} EventPort;

typedef struct EventGear {
    EventQueue queue;
    double now;
    Served *served; // eager-port, where ranks stand for all: by receiver
    EventPort *ports;
    int *touched; // receivers at which something may start
    int n_touched;
    int64_t instants; // offered
    uint32_t turn;    // of the next receive
} EventGear;

// Keys: by rank; a rank's kinds of event are told apart by the last bit.
enum { LEAVES = 0, WAKES = 1 };

static inline uint64_t key_of(const Machine *m, int v, int kind)
{
    return 2 * (uint64_t)rank_of(m->s, v) + (uint64_t)kind;
}

static inline int v_of_key(const Machine *m, uint64_t key)
{
    return v_of_rank(m->s, (int)(key / 2));
}

static inline void push_event(Machine *m, double t, int v, int kind)
{
    event_queue_push(&m->event->queue, t, key_of(m, v, kind));
}

bool event_throttle(Machine *m, int v, int n);
void event_run_eager(Machine *m);
void event_run_rendezvous(Machine *m);
