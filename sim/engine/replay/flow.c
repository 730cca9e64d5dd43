// The flow gear: a rank runs until it waits for something that has not happened yet. Ranks may run in any order, so
// most run ahead of others.
//
// Eager: a message leaves when it is issued.
//
// Rendezvous: a receiver must know which message its port takes next. It knows that if
//
//   - the open receives of its rank never have several sources: its receives then go in the order of posting; or
//   - each source that it has open receives from has offered its next message, and the rank waits for one of these
//     receives, so that it posts no further one before that.
//
// When no rank can run and no receiver knows, the earliest transfer that is possible anywhere is the next one in time:
// all that is still unknown follows from it or a later one, and every transfer takes time. A queue of events finds it.
// Messages that use what the ranks of a node share go through that queue too, in order of time. If transfers compete in
// one of these ways, the run is given up, and the event gear repeats it, if a message takes no time.
#include "engine/replay/flow_choices.h"
#include "engine/replay/flow_lines.h"
#include "engine/replay/event_share.h"
#include "engine/replay/ledger_part.h"
#include "engine/replay/lengths.h"
#include "engine/replay/transfer.h"
#include <math.h>

// ---- Eager ----------------------------------------------------------------------------------------------------------

static void eager_send(Machine *m, Index i)
{
    const Req *q = &m->pool[i];
    const int from = q->owner, to = place_of(m, from, q->peer), name = name_of(m, from, q->peer);
    const int64_t bytes = q->bytes;
    Stamp start = q->at;
    if (m->out_free)
        start = stamp_latest(start, m->out_free[from]);
    const int level = level_of(m, from, q->peer);
    Stamp end = stamp_message(&m->model, traced(m, start, q->node), level, (uint64_t)bytes);
    if (G_UNLIKELY(m->model.site && m->model.site->noise))
        end = transfer_noise(m, end, q->node, noise_next(&m->model, from, to));
    if (m->out_free)
        m->out_free[from] = end;
    complete(m, i, end);
    transfer_deliver(m, to, i, name, bytes, end);
}

// ---- Offers ---------------------------------------------------------------------------------------------------------

static void touch(Machine *m, int d)
{
    struct Flow *a = m->flow;
    if (!a->port[d].touched) {
        a->port[d].touched = true;
        a->touched[a->n_touched++] = d;
    }
}

// Returns whether d has receives whose transfers have not ended.
static inline bool has_open(const Machine *m, int d)
{
    return m->flow->port[d].n_open > 0 || m->ranks[d].posted.head >= 0;
}

// Returns the first receive of d, in the order of posting, from the rank with this name; -1 if there is none.
static inline Index first_from(const Machine *m, int d, int name)
{
    if (G_LIKELY(class_of(m->s, d)->one_source)) {
        const Index i = m->ranks[d].posted.head;
        return i >= 0 && m->pool[i].peer == name ? i : -1;
    }
    const FlowReceive *open = open_at(m, d), *end = open + m->flow->port[d].n_open;
    while (open < end && open->name != name)
        open++;
    return open < end ? open->recv : -1;
}

// Returns the open receive of d that is this one.
static inline FlowReceive *receive_at(const Machine *m, int d, Index recv)
{
    FlowReceive *x = open_at(m, d);
    while (x->recv != recv)
        x++;
    return x;
}

// Returns when the message that a receive has met may begin if the receiver's port is free. The sender's port has no
// other message before it, so it is known when that port is free.
static inline double ready_at(const Machine *m, const Req *recv)
{
    const Req *send = &m->pool[recv->match];
    return MAX(MAX(send->at.t, m->out_free[send->owner].t), recv->at.t);
}

static inline void meet(Machine *m, Index send, Index recv)
{
    const int d = m->pool[recv].owner;
    m->pool[send].match = recv;
    m->pool[recv].match = send;
    if (G_UNLIKELY(!class_of(m->s, d)->one_source))
        receive_at(m, d, recv)->ready = ready_at(m, &m->pool[recv]);
    touch(m, d);
}

// Adds a receive to those of d.
static inline void post(Machine *m, int d, Index recv)
{
    FlowPort *port = &m->flow->port[d];
    if (G_LIKELY(class_of(m->s, d)->one_source)) {
        append(m, &m->ranks[d].posted, recv);
        return;
    }
    g_assert(port->n_open < m->flow->most_open);
    open_at(m, d)[port->n_open++] = (FlowReceive){.ready = INFINITY, .recv = recv, .name = m->pool[recv].peer};
}

// Takes a receive out of those of d.
static inline void take_out(Machine *m, int d, Index recv)
{
    if (G_LIKELY(class_of(m->s, d)->one_source)) {
        ReqQueue *q = &m->ranks[d].posted;
        q->head = m->pool[recv].queue;
        if (q->head < 0)
            q->tail = -1;
        return;
    }
    FlowReceive *end = open_at(m, d) + --m->flow->port[d].n_open;
    for (FlowReceive *x = receive_at(m, d, recv); x < end; x++)
        x[0] = x[1];
}

// Offers v's next message to its receiver.
static inline void offer(Machine *m, int v)
{
    const Index send = m->ranks[v].sends.head;
    if (send < 0)
        return;
    const int peer = m->pool[send].peer;
    const Index recv = first_from(m, place_of(m, v, peer), name_of(m, v, peer));
    if (recv >= 0)
        meet(m, send, recv);
}

static void rendezvous_send(Machine *m, Index i)
{
    const int v = m->pool[i].owner;
    m->pool[i].match = -1;
    append(m, &m->ranks[v].sends, i);
    if (m->ranks[v].sends.head == i)
        offer(m, v);
}

static void rendezvous_recv(Machine *m, Index i)
{
    const int v = m->pool[i].owner, name = m->pool[i].peer, peer = place_of(m, v, name);
    const Index send = m->ranks[peer].sends.head, before = first_from(m, v, name);
    m->pool[i].match = -1;
    post(m, v, i);
    if (before < 0 && send >= 0 && place_of(m, peer, m->pool[send].peer) == v &&
        name_of(m, peer, m->pool[send].peer) == name)
        meet(m, send, i);
}

// ---- Choices --------------------------------------------------------------------------------------------------------

// Returns when the transfer of a receive that has met its message is possible.
static double possible_at(const Machine *m, const Req *recv)
{
    return MAX(ready_at(m, recv), m->in_free[recv->owner].t);
}

// Returns whether d, which may have several sources, knows which message its port takes next: its rank waits for one of
// its receives, and each source has offered its next message. Sets *any to whether some receive has met its message.
static bool knows(const Machine *m, int d, bool *any)
{
    const FlowReceive *open = open_at(m, d);
    const int n = m->flow->port[d].n_open;
    bool known = true, awaited = false;
    *any = false;
    for (int i = 0; i < n && (known || !*any); i++) {
        *any |= isfinite(open[i].ready);
        known = known && (isfinite(open[i].ready) || first_from(m, d, open[i].name) != open[i].recv);
    }
    for (int i = 0; i < n && known && !awaited; i++)
        awaited = m->pool[open[i].recv].awaited;
    return known && awaited;
}

// Takes a receive out of those of d, and ends its transfer.
static void end_transfer(Machine *m, int d, Index recv, double begun)
{
    const Index send = m->pool[recv].match;
    const int v = m->pool[send].owner;
    take_out(m, d, recv);
    m->ranks[v].sends.head = m->pool[send].queue;
    m->tie |= m->flow->competes && m->pool[send].at.t <= begun;
    complete(m, send, m->pool[send].at);
    complete(m, recv, m->pool[recv].at);
    offer(m, v);
    if (has_open(m, d))
        touch(m, d);
}

// Lets d's port take the message of a receive at time t.
static void take(Machine *m, int d, Index recv, double t)
{
    const Index send = m->pool[recv].match;
    const int v = m->pool[send].owner;
    if (m->event && sharing_first(m, v, d)) {
        m->flow->port[d].taken = recv;
        push_event(m, t, v, JOINS);
    } else {
        transfer_meet(m, send, recv);
        end_transfer(m, d, recv, t);
    }
}

// Lets d's port take a message if d knows which.
static void choose(Machine *m, int d)
{
    struct Flow *a = m->flow;
    const Index head = m->ranks[d].posted.head;
    if (a->port[d].taken >= 0)
        return;
    if (G_LIKELY(class_of(m->s, d)->one_source)) {
        if (head >= 0 && m->pool[head].match >= 0)
            take(m, d, head, a->competes ? possible_at(m, &m->pool[head]) : 0);
        return;
    }
    bool any;
    if (knows(m, d, &any)) {
        double t;
        const Index recv = next_receive(m, d, &t);
        take(m, d, recv, t);
    } else if (any && !a->port[d].undecided) {
        a->port[d].undecided = true;
        a->undecided[a->n_undecided++] = d;
    }
}

// Queues an event for each receiver that still does not know.
static void queue_choices(Machine *m)
{
    struct Flow *a = m->flow;
    while (a->n_undecided > 0) {
        const int d = a->undecided[--a->n_undecided];
        FlowPort *port = &a->port[d];
        double t;
        port->undecided = false;
        if (port->taken < 0 && next_receive(m, d, &t) >= 0 && t != port->choice) {
            port->choice = t;
            push_event(m, t, d, CHOOSES);
        }
    }
}

// Lets d's port take a message now, unless what is possible has changed since the event was queued.
static void choose_now(Machine *m, int d)
{
    FlowPort *port = &m->flow->port[d];
    double t;
    const Index recv = port->taken < 0 ? next_receive(m, d, &t) : -1;
    port->choice = -1;
    if (recv >= 0 && t <= m->event->now)
        take(m, d, recv, t);
    else if (recv >= 0)
        touch(m, d);
}

// ---- The gear -------------------------------------------------------------------------------------------------------

// Runs ranks, and lets ports choose that know what, until nothing more is possible.
static inline ALWAYS_INLINED void run_ahead(Machine *m, const Gearing *gear)
{
    struct Flow *a = m->flow;
    while (!m->beyond && !m->tie && (m->n_runnable > 0 || a->n_touched > 0))
        if (m->n_runnable > 0) {
            const int v = m->runnable[--m->n_runnable];
            run_rank(m, v, gear);
            m->beyond = m->ranks[v].now.t > m->enough_s;
            if (a->competes && has_open(m, v))
                touch(m, v); // it may wait for these now
        } else {
            const int d = a->touched[--a->n_touched];
            a->port[d].touched = false;
            choose(m, d);
        }
}

// Runs every rank until it waits, or those that a ledger of a part needs; they wait for each other from time to time.
static inline ALWAYS_INLINED void run_all(Machine *m, const Gearing *gear)
{
    if (gear->part) {
        while (filter_advance(m))
            run_ahead(m, gear);
        return;
    }
    for (int v = 0; v < m->n && !m->beyond && !m->tie; v++) {
        make_runnable(m, v);
        run_ahead(m, gear);
    }
}

static void run_eager(Machine *m)
{
    static const Gearing gear = {eager_send, transfer_eager_recv, transfer_work_at_once, NULL, false},
                         part = {eager_send, transfer_eager_recv, transfer_work_at_once, NULL, true};
    run_all(m, m->filter ? &part : &gear);
}

static const Gearing rendezvous = {rendezvous_send, rendezvous_recv, transfer_work_at_once, NULL, false},
                     rendezvous_part = {rendezvous_send, rendezvous_recv, transfer_work_at_once, NULL, true};

// Lets those begin that are first in line for a free resource, in the order of their keys.
static void serve_lines(Machine *m)
{
    EventGear *e = m->event;
    for (int v; sharing_take_ready(e, &v);) {
        const int d = m->pool[m->ranks[v].sends.head].peer;
        Resource *first = sharing_first(m, v, d);
        if (!sharing_take(m, first, v, JOINS))
            continue;
        const Index recv = m->flow->port[d].taken;
        m->flow->port[d].taken = -1;
        sharing_transfer(m, recv, first, sharing_in_side(m, first, d));
        end_transfer(m, d, recv, e->now);
        const int next = first->head;
        if (next >= 0 && first->free.t <= e->now)
            sharing_ready(e, next);
        else if (next >= 0)
            push_event(m, first->free.t, next, JOINS);
    }
}

// Does what happens at the current instant.
static void run_instant(Machine *m)
{
    EventGear *e = m->event;
    do {
        for (uint64_t key; event_queue_take(&e->queue, &key);) {
            fetch_choices(m);
            if (key % 4 == CHOOSES)
                choose_now(m, v_of_key(m, key));
            else
                sharing_ready(e, v_of_key(m, key));
        }
        run_ahead(m, &rendezvous);
        queue_choices(m);
    } while (event_queue_is_due(&e->queue));
    if (e->share) {
        serve_lines(m);
        run_ahead(m, &rendezvous);
        queue_choices(m);
    }
}

// Runs all ranks where transfers compete.
static void run_competing(Machine *m, const Hockney *h)
{
    EventGear e = {.now = 0};
    m->event = &e;
    if (h->site && site_contends(h->site))
        sharing_begin(m);
    if (cost_may_be_nothing(h)) // then clocks that ran ahead may be wrong
        m->enough_s = INFINITY;
    run_all(m, &rendezvous);
    queue_choices(m);
    do
        run_instant(m);
    while (!m->tie && !m->beyond && (event_queue_is_due(&e.queue) || event_queue_advance(&e.queue, &e.now)) &&
           !machine_beyond(m, e.now));
    event_queue_clear(&e.queue);
    sharing_end(&e);
    m->event = NULL;
}

bool flow_is_free(const Schedule *s, const Hockney *h)
{
    if (s->kinds & 1u << OP_THROTTLE || (h->site && site_contends(h->site)))
        return false;
    switch (h->transfer) {
    case TRANSFER_RENDEZVOUS:
        return s->one_source;
    case TRANSFER_EAGER:
        return true;
    case TRANSFER_EAGER_PORT:
        return false;
    case TRANSFER_MEASURED:
        break;
    }
    return has_one_port(h) && (s->one_source || lengths_of(s, h->site).all_eager);
}

bool flow_applies(const Schedule *s, const Hockney *h)
{
    enum {
        MOST_OPEN = 16
    }; // a port looks at all receives that its rank with several sources has open, for each message
    return flow_is_free(s, h) || (h->transfer == TRANSFER_RENDEZVOUS && !(s->kinds & 1u << OP_THROTTLE) && !s->mixed &&
                                  s->most_open <= MOST_OPEN);
}

size_t flow_rank_bytes(const Schedule *s, const Hockney *h)
{
    if (cost_is_measured(h))
        return flow_measured_rank_bytes();
    const size_t open = flow_is_free(s, h) ? 0 : (size_t)s->most_open * sizeof(FlowReceive);
    return sizeof(FlowPort) + open + 2 * sizeof(int) +
           3 * sizeof(EventEntry); // a bucket may have room for twice its events
}

Replay *flow_replay(const GearInput *in)
{
    const Hockney *h = &in->model;
    if (cost_is_measured(h))
        return flow_measured_replay(in);
    const bool free = flow_is_free(in->s, h);
    if (!free && flow_lines_apply(in->s, h) && !in->path && !in->traced)
        return flow_lines_replay(in);
    Machine m;
    machine_init(&m, in, !free || in->s->kinds & (1u << OP_ISEND | 1u << OP_IRECV));
    struct Flow a = {
        .competes = !free, .port = g_new(FlowPort, m.n), .touched = g_new(int, m.n), .undecided = g_new(int, m.n)};
    m.flow = &a;
    if (!free) {
        a.most_open = in->s->most_open;
        a.open = g_new(FlowReceive, (size_t)m.n * (size_t)a.most_open);
    }
    for (int v = 0; v < m.n; v++)
        a.port[v] = (FlowPort){.choice = -1, .taken = -1};
    if (h->transfer == TRANSFER_EAGER)
        run_eager(&m);
    else if (free)
        run_all(&m, m.filter ? &rendezvous_part : &rendezvous);
    else
        run_competing(&m, h);
    g_free(a.port);
    g_free(a.open);
    g_free(a.touched);
    g_free(a.undecided);
    return machine_finish(&m, in);
}
