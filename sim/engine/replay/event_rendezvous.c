// Rendezvous in the event gear. A sender offers the message at the head of its queue to the receiver, where the message
// meets its receive or waits for it. When several receives have met their message, a free port takes the one that was
// posted first.
#include "engine/replay/event_share.h"
#include "engine/replay/fetch.h"
#include "engine/replay/graph.h"
#include "engine/replay/transfer.h"

// ---- Offers that have met their receive -----------------------------------------------------------------------------

// Notes that a transfer may start at receiver d.
static void touch(Machine *m, int d)
{
    EventGear *e = m->event;
    if (!e->ports[d].touched) {
        e->ports[d].touched = true;
        e->touched[e->n_touched++] = d;
    }
}

// Keeps a message to d and its receive, which have met, until d's port takes them.
static void meet(Machine *m, int d, Index send, Index recv)
{
    EventPort *port = &m->event->ports[d];
    m->pool[recv].match = send;
    m->pool[send].queue = -1;
    touch(m, d);
    const Req *s = &m->pool[send];
    const bool instant = m->event->may_cost_nothing &&
                         cost_at(&m->model, level_of(m, s->owner, s->peer), (uint64_t)s->bytes) == 0 &&
                         !sharing_first(m, s->owner, s->peer) && !links_delay(&m->model, s->owner) &&
                         noise_peek(&m->model, s->owner, d) == 0;
    m->event->instants += instant;
    met_add(m, instant ? &port->instant : &port->met, recv);
}

// ---- Requests -------------------------------------------------------------------------------------------------------

// Lets the message of a send meet its receive, or wait for it.
static void offer(Machine *m, Index i)
{
    const int v = m->pool[i].owner, peer = m->pool[i].peer, d = place_of(m, v, peer), name = name_of(m, v, peer);
    const Index recv = meet_receive(m, d, i, name);
    m->pool[i].name = name;
    if (recv >= 0)
        meet(m, d, i, recv);
    else
        keep_message(m, d, i, i);
}

// Offers v's next message to its receiver, unless v has one on offer or under way.
static void offer_next(Machine *m, int v)
{
    ReqQueue *q = &m->ranks[v].sends;
    const Index i = q->head;
    if (i < 0 || m->event->ports[v].sending >= 0)
        return;
    m->event->ports[v].sending = i;
    q->head = m->pool[i].queue;
    if (G_LIKELY(!m->graph) || !graph_keeps(m, i))
        offer(m, i);
}

static void rendezvous_send(Machine *m, Index i)
{
    const int v = m->pool[i].owner;
    append(m, &m->ranks[v].sends, i);
    offer_next(m, v);
}

static void rendezvous_recv(Machine *m, Index i)
{
    m->pool[i].turn = m->event->turn++;
    const Index send = meet_message(m, i);
    if (send >= 0)
        meet(m, m->pool[i].owner, send, i);
}

// Lets v go on at once after work that takes no time; otherwise v waits for an event.
static bool work_takes_time(Machine *m, int v, WorkKind kind, size_t bytes)
{
    transfer_work(m, v, kind, bytes);
    if (m->ranks[v].now.t == m->event->now)
        return true;
    push_event(m, m->ranks[v].now.t, v, WAKES);
    return false;
}

// ---- What is needed soon --------------------------------------------------------------------------------------------

static void fetch_port(const Machine *m, int v)
{
    __builtin_prefetch(&m->event->ports[v]);
    fetch_rank(m, v);
}

// Asks for what the ends of transfers need that are due soon, and the messages behind them.
static inline ALWAYS_INLINED void fetch_ends(const Machine *m)
{
    const EventQueue *q = &m->event->queue;
    const EventPort *ports = m->event->ports;
    int v = fetch_due(m, q, FETCH_FAR, LEAVES);
    if (v >= 0)
        fetch_port(m, v);
    if ((v = fetch_due(m, q, FETCH_NEARER, LEAVES)) >= 0) {
        fetch_request(m, ports[v].sending);
        fetch_request(m, m->ranks[v].sends.head);
    }
    if ((v = fetch_due(m, q, FETCH_NEAR, LEAVES)) >= 0) {
        const Index next = m->ranks[v].sends.head;
        fetch_port(m, place_of(m, v, m->pool[ports[v].sending].peer));
        if (next >= 0)
            fetch_port(m, place_of(m, v, m->pool[next].peer));
    }
    if ((v = fetch_due(m, q, FETCH_NEXT, LEAVES)) >= 0) {
        const Index next = m->ranks[v].sends.head;
        fetch_request(m, ports[place_of(m, v, m->pool[ports[v].sending].peer)].receiving);
        if (next >= 0)
            fetch_request(m, m->ranks[place_of(m, v, m->pool[next].peer)].posted.head);
    }
}

// Returns the receive that the port of touched rank k is going to take; -1 if that is not known.
static Index taken_at(const EventGear *e, int k)
{
    return k < e->n_touched ? e->ports[e->touched[k]].met.row.head : -1;
}

// Asks for what receivers need that take messages soon, after touched rank k.
static inline ALWAYS_INLINED void fetch_receivers(const Machine *m, int k)
{
    const EventGear *e = m->event;
    if (k + FETCH_FAR < e->n_touched)
        __builtin_prefetch(&e->ports[e->touched[k + FETCH_FAR]]);
    fetch_request(m, taken_at(e, k + FETCH_NEARER));
    Index recv = taken_at(e, k + FETCH_NEAR);
    if (recv >= 0) {
        fetch_request(m, m->pool[recv].match);
        __builtin_prefetch(&m->in_free[m->pool[recv].owner]);
    }
    if ((recv = taken_at(e, k + FETCH_NEXT)) >= 0)
        __builtin_prefetch(&m->out_free[m->pool[m->pool[recv].match].owner]);
}

// ---- One instant --------------------------------------------------------------------------------------------------

static void end_transfer(Machine *m, int s, Index recv)
{
    EventPort *port = &m->event->ports[s];
    const Index send = port->sending;
    port->sending = -1;
    complete(m, send, m->pool[send].at);
    complete(m, recv, m->pool[recv].at);
    offer_next(m, s);
}

// Makes all transfers of no length at d that can start, unless d's port is in use. Returns true if there was one.
static bool transfer_instants(Machine *m, int d)
{
    EventPort *port = &m->event->ports[d];
    bool any = false;
    for (Index recv; port->receiving < 0 && (recv = met_take(m, &port->instant)) >= 0;) {
        const Index send = m->pool[recv].match;
        m->event->instants--;
        m->tie |= m->mirror; // which of several chains of equal length a clock gets depends on the order of ranks
        transfer_meet(m, send, recv);
        end_transfer(m, m->pool[send].owner, recv);
        any = true;
    }
    return any;
}

// Does everything that takes no time, until nothing more is possible: ranks go on, and transfers of no length are made.
static void settle_instant(Machine *m, const Gearing *gear)
{
    EventGear *e = m->event;
    bool changed;
    do {
        changed = false;
        while (m->n_runnable > 0) {
            fetch_runnable(m);
            run_rank(m, m->runnable[--m->n_runnable], gear);
        }
        for (int k = 0; e->instants && k < e->n_touched; k++)
            changed |= transfer_instants(m, e->touched[k]);
        if (G_UNLIKELY(m->graph) && !changed)
            changed = graph_meet_kept(m, offer);
    } while (changed);
}

// Begins the transfer of a receive and the message that it has met.
static void begin(Machine *m, Index recv)
{
    const Index send = m->pool[recv].match;
    transfer_meet(m, send, recv);
    push_event(m, m->pool[send].at.t, m->pool[send].owner, LEAVES);
}

// Does the same for a message that uses what ranks share.
static void begin_shared(Machine *m, Index recv, Resource *first, Resource *in)
{
    const Req *send = &m->pool[m->pool[recv].match];
    sharing_transfer(m, recv, first, in);
    push_event(m, send->at.t, send->owner, LEAVES);
}

// Lets every receiver with a free port take one message, and begin its transfer or stand in line for it.
static void start_transfers(Machine *m)
{
    EventGear *e = m->event;
    for (int k = 0; k < e->n_touched; k++) {
        EventPort *port = &e->ports[e->touched[k]];
        fetch_receivers(m, k);
        port->touched = false;
        if (port->receiving >= 0)
            continue;
        const Index recv = met_take(m, &port->met);
        if (recv < 0)
            continue;
        const Req *send = &m->pool[m->pool[recv].match];
        port->receiving = recv;
        if (sharing_first(m, send->owner, send->peer))
            sharing_ready(e, send->owner);
        else
            begin(m, recv);
    }
    e->n_touched = 0;
}

// Lets those begin that are first in line for a free resource, in the order of their keys.
static void serve_lines(Machine *m)
{
    EventGear *e = m->event;
    for (int v; !m->tie && sharing_take_ready(e, &v);) {
        const Req *send = &m->pool[e->ports[v].sending];
        const int d = place_of(m, v, send->peer);
        const Index recv = e->ports[d].receiving;
        Resource *first = sharing_first(m, v, send->peer);
        if (!sharing_take(m, first, v, SERVES))
            continue;
        begin_shared(m, recv, first, sharing_in_side(m, first, d));
        const int next = first->head;
        if (next >= 0 && first->free.t <= e->now)
            sharing_ready(e, next);
        else if (next >= 0)
            push_event(m, first->free.t, next, SERVES);
    }
}

// Ends the transfer that is under way at s's sending port.
static void transfer_is_over(Machine *m, int s)
{
    const int d = place_of(m, s, m->pool[m->event->ports[s].sending].peer);
    EventPort *port = &m->event->ports[d];
    const Index recv = port->receiving;
    port->receiving = -1;
    if (!met_is_empty(&port->met) || !met_is_empty(&port->instant))
        touch(m, d);
    end_transfer(m, s, recv);
}

void event_run_rendezvous(Machine *m)
{
    static const Gearing gear = {rendezvous_send, rendezvous_recv, work_takes_time, event_throttle};
    EventGear *e = m->event;
    e->ports = g_new(EventPort, m->n);
    e->may_cost_nothing = cost_may_be_nothing(&m->model);
    e->touched = g_new(int, m->n);
    for (int v = 0; v < m->n; v++) {
        e->ports[v] = (EventPort){-1, -1, {{-1, -1}, -1}, {{-1, -1}, -1}, false};
        push_event(m, m->ranks[v].now.t, v, WAKES);
    }
    do {
        for (uint64_t key; event_queue_take(&e->queue, &key);) {
            fetch_ends(m);
            if (key % 4 == LEAVES)
                transfer_is_over(m, v_of_key(m, key));
            else if (key % 4 == WAKES)
                event_wake(m, v_of_key(m, key));
            else
                sharing_ready(e, v_of_key(m, key));
        }
        settle_instant(m, &gear);
        start_transfers(m);
        if (e->share)
            serve_lines(m);
    } while (!m->tie && (event_queue_is_due(&e->queue) || event_queue_advance(&e->queue, &e->now)) &&
             !machine_beyond(m, e->now));
    g_free(e->ports);
    g_free(e->touched);
}
