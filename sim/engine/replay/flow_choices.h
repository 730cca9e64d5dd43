// The in-ports of the flow gear, and which message each of them takes. Private to it.
#pragma once
#include "engine/replay/fetch.h"
#include <math.h>

// An open receive of a rank that may have several sources.
typedef struct FlowReceive {
    double ready; // when its message may begin if the receiver's port is free; INFINITY if it has met none
    Index recv;
    int name; // of its source
} FlowReceive;

// A rank's in-port.
typedef struct FlowPort {
    double choice;  // when an event will make the port choose; -1 for none
    Index taken;    // the receive whose message it has taken, while that waits for a resource; -1 for none
    int n_open;     // its FlowReceives, if the rank may have several sources; otherwise 0
    bool touched;   // the rank is in Flow.touched
    bool undecided; // the rank is in Flow.undecided
} FlowPort;

struct Flow {
    bool competes;  // transfers may compete for ports or for what ranks share
    FlowPort *port; // by v
    // By v, most_open for each, in the order of posting; only ranks that may have several sources use them. A port
    // looks at all of its rank's for each message, so they lie together, unlike the requests. NULL if no transfers
    // compete.
    FlowReceive *open;
    int most_open;
    int *touched, n_touched;     // receivers at which something has changed
    int *undecided, n_undecided; // those with a possible transfer who did not know
};

// The kinds of event at a rank v: its in-port chooses; its message joins the line of its first resource, or is the
// first there and the resource is free.
enum { CHOOSES = WAKES, JOINS = SERVES };

static inline FlowReceive *open_at(const Machine *m, int d)
{
    return &m->flow->open[(size_t)d * (size_t)m->flow->most_open];
}

// Returns the receive of d that has met its message and whose transfer is possible first; -1 if none has. Sets *t to the
// time. d may have several sources.
static inline Index next_receive(const Machine *m, int d, double *t)
{
    const FlowReceive *open = open_at(m, d);
    const double free_s = m->in_free[d].t;
    Index best = -1;
    *t = INFINITY;
    for (int i = 0; i < m->flow->port[d].n_open; i++) {
        const double possible = MAX(open[i].ready, free_s);
        if (possible < *t) { // of those that are possible at once, the one that was posted first remains
            *t = possible;
            best = open[i].recv;
        }
    }
    return best;
}

// Returns the receive whose message v's port would take now; -1 if v is -1, or has none.
static inline Index chosen(const Machine *m, int v)
{
    double t;
    return v >= 0 ? next_receive(m, v, &t) : -1;
}

// Asks for what the choices need that are due soon, and the messages behind them.
static inline ALWAYS_INLINED void fetch_choices(const Machine *m)
{
    const EventQueue *q = &m->event->queue;
    const int v = fetch_due(m, q, FETCH_FAR, CHOOSES);
    if (v >= 0) {
        __builtin_prefetch(&m->flow->port[v]);
        __builtin_prefetch(&m->in_free[v]);
        __builtin_prefetch(open_at(m, v));
        __builtin_prefetch(open_at(m, v) + 4); // there are four in a cache line
        fetch_rank(m, v);
    }
    fetch_request(m, chosen(m, fetch_due(m, q, FETCH_NEARER, CHOOSES)));
    Index recv = chosen(m, fetch_due(m, q, FETCH_NEAR, CHOOSES));
    if (recv >= 0) {
        const int from = place_of(m, m->pool[recv].owner, m->pool[recv].peer);
        fetch_request(m, m->pool[recv].match);
        fetch_rank(m, from);
        __builtin_prefetch(&m->out_free[from]);
    }
    if ((recv = chosen(m, fetch_due(m, q, FETCH_NEXT, CHOOSES))) >= 0)
        fetch_request(m, m->pool[m->pool[recv].match].queue);
}
