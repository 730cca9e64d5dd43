// The event gear runs everything in order of time. It handles all schedules and all disciplines, and tests compare the
// faster gears with it.
//
// Eager: each message has one event, when it leaves. The sender's clock may run ahead of that event, because nothing
// that the sender does next leaves earlier.
//
// Rendezvous: events are the starts of ranks and the ends of transfers and of reductions. At one instant, first
// everything happens that takes no time: completions, the issuing of operations, and transfers of no length, until
// nothing more is possible. Then every receiver with a free port starts, of the transfers that can start there, the one
// whose receive was posted first.
#include "engine/replay/event_share.h"
#include "engine/replay/graph.h"
#include "engine/replay/transfer.h"
#include <math.h>
#include <string.h>

// ---- Eager ----------------------------------------------------------------------------------------------------------

// Queues the event at which the first of v's sends leaves, once v's port is free.
static void leave_next(Machine *m, int v)
{
    const Index i = m->ranks[v].sends.head;
    if (i < 0)
        return;
    m->pool[i].at = stamp_latest(m->pool[i].at, m->out_free[v]);
    push_event(m, m->pool[i].at.t, v, LEAVES);
}

static void eager_send(Machine *m, Index i)
{
    const int v = m->pool[i].owner;
    ReqQueue *q = &m->ranks[v].sends;
    const bool first = q->head < 0;
    append(m, q, i);
    if (first)
        leave_next(m, v);
}

// Lets the first of v's messages leave, and arrive. Under E1 it first waits for the receiver's port; where ranks share
// something, it waits in line before it leaves, and for the in-side of the receiver's NIC before it arrives.
static inline ALWAYS_INLINED void leave(Machine *m, int v, bool shares, bool priced)
{
    ReqQueue *q = &m->ranks[v].sends;
    const Index i = q->head;
    const int peer = m->pool[i].peer, to = place_of(m, v, peer), name = name_of(m, v, peer);
    Resource *first = shares ? sharing_first(m, v, peer) : NULL, *in = NULL;
    if (first && !sharing_take(m, first, v, LEAVES))
        return;
    if (first)
        in = sharing_in_side(m, first, to);
    const int level = level_of(m, v, peer);
    const int64_t bytes = m->pool[i].bytes;
    const uint32_t node = m->pool[i].node;
    const TransferMessage x =
        priced ? transfer_begins(m, v, to, level, bytes) : (TransferMessage){.level = level, .bytes = (uint64_t)bytes};
    Stamp start = m->pool[i].at;
    const Stamp ready = start; // when it joined its line
    q->head = m->pool[i].queue;
    const Stamp port = m->in_free[to];
    if (first && first->free.t > start.t)
        start = sharing_chain(m, first, v);
    Stamp served = start;
    const bool queues = m->model.transfer == TRANSFER_EAGER_PORT;
    if (in)
        sharing_check_tie(m, in, v, name, start.t);
    m->tie |= shares && m->mirror && cost_at(&m->model, level, (uint64_t)bytes) == 0;
    if (queues) {
        if (port.t >= served.t) // it has had a message and was busy until now or later
            served = moved(m, port, peer);
        event_check_tie(m, v, to, name, start.t);
    }
    if (in && in->free.t >= served.t)
        served = moved(m, sharing_chain(m, in, to), peer);
    if (first)
        sharing_occupy(m, first, v, start, node, level, (uint64_t)bytes);
    if (in) {
        sharing_occupy(m, in, v, served, node, level, (uint64_t)bytes);
        in->free = moved(m, in->free, name); // it belongs to the receiver's node
        in->local = m->event->share->site->local[to];
    }
    // At a port that takes one message at a time, the load counts from there on.
    const Stamp reached = x.priced && queues ? stamp_latest(ready, port) : ready;
    const Stamp end = transfer_message(m, start, ready, node, &x);
    // If the message waits before it arrives, the chain of its arrival needs an entry of its own.
    const Stamp arrival = transfer_message(m, served, reached, queues || in ? machine_trace_again(m, node) : node, &x);
    m->out_free[v] = end;
    m->in_free[to] = moved(m, arrival, name);
    complete(m, i, end);
    transfer_deliver(m, to, i, name, bytes, arrival);
    leave_next(m, v);
    if (first && first->head >= 0)
        push_event(m, MAX(m->event->now, first->free.t), first->head, LEAVES);
}

// Does that where ranks share something, or messages share links or have noise.
static __attribute__((noinline)) void leave_shared(Machine *m, int v)
{
    leave(m, v, m->event->share != NULL, true);
}

void event_run_eager(Machine *m)
{
    static const Gearing gear = {eager_send, transfer_eager_recv, transfer_work_at_once, event_throttle};
    EventGear *e = m->event;
    const Site *site = m->model.site;
    const bool shared = e->share || (site && (site->links || site->noise));
    e->queue.by_key = true;
    for (int v = 0; m->model.transfer == TRANSFER_EAGER_PORT && v < m->n; v++)
        m->in_free[v].t = -1; // no message has used the port, so it delays none
    for (int v = 0; !m->graph && v < m->n; v++)
        run_rank(m, v, &gear);
    while (m->n_runnable > 0) // ranks whose flag was raised
        run_rank(m, m->runnable[--m->n_runnable], &gear);
    do {
        for (uint64_t key; !m->tie && event_queue_take(&e->queue, &key);) {
            const int v = v_of_key(m, key);
            if (key % 4 == LEAVES && shared)
                leave_shared(m, v);
            else if (key % 4 == LEAVES)
                leave(m, v, false, false);
            else if (m->graph || (m->ranks[v].wait == THROTTLED && m->ranks[v].missing > 0))
                event_wake(m, v);
            while (m->n_runnable > 0)
                run_rank(m, m->runnable[--m->n_runnable], &gear);
        }
    } while (!m->tie && event_queue_advance(&e->queue, &e->now) && !machine_beyond(m, e->now));
}

size_t event_rank_bytes(void)
{
    return sizeof(EventPort) + sizeof(int) + 3 * sizeof(EventEntry); // a bucket may have room for twice its events
}

Replay *event_replay(const GearInput *in)
{
    Machine m;
    const bool measured = cost_is_measured(&in->model), served = in->model.transfer != TRANSFER_RENDEZVOUS;
    machine_init(&m, in, !measured);
    EventGear e = {.served = served && m.mirror ? g_new(Served, m.n) : NULL};
    for (int v = 0; e.served && v < m.n; v++)
        e.served[v].t = -1;
    m.event = &e;
    sharing_begin(&m);
    if (in->model.site && in->model.site->links)
        links_begin(in->model.site->links);
    if (in->s->graph)
        graph_begin(&m);
    if (measured)
        event_run_measured(&m);
    else if (!served)
        event_run_rendezvous(&m);
    else
        event_run_eager(&m);
    if (m.graph)
        graph_end(&m);
    g_free(e.served);
    event_queue_clear(&e.queue);
    sharing_end(&e);
    return machine_finish(&m, in);
}
