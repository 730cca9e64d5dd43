// The event gear: everything in order of time. It can do all schedules and all disciplines, and is what the faster gears
// are held against.
//
// Eager: one event for each message, when it leaves; a rank's clock may run ahead of it, for what a rank does next never
// leaves earlier. Rendezvous: events are the ends of transfers and of reductions; at one instant first everything that
// takes no time happens, then every receiver with a free port starts one transfer (THEORY section 0).
#include "gears.h"
#include <math.h>
#include <string.h>

typedef struct Entry {
    double t;
    uint64_t key; // of equal times the smallest first
} Entry;

// The last message that a receiver's port took.
typedef struct Served {
    double t; // its start
    int name;
} Served;

typedef struct Event {
    Entry *heap; // 4-ary
    int n, max;
    double now;
    // Eager: a rank's messages that have not left, the first one in the heap.
    Queue *outgoing;
    Served *served; // by receiver, where ranks stand for all
    // Rendezvous: the transfers that hold a port, and the receivers at which something may start.
    Index *sending, *receiving;
    int *touched;
    bool *is_touched;
    int n_touched;
} Event;

// ---- Queue -----------------------------------------------------------------------------------------------------------

static bool before(const Entry *a, const Entry *b)
{
    return a->t != b->t ? a->t < b->t : a->key < b->key;
}

static void schedule(Event *e, double t, uint64_t key)
{
    if (e->n == e->max) {
        e->max = MAX(1024, 2 * e->max);
        e->heap = g_renew(Entry, e->heap, e->max);
    }
    const Entry x = {t, key};
    int i = e->n++;
    for (int up; i > 0 && before(&x, &e->heap[up = (i - 1) / 4]); i = up)
        e->heap[i] = e->heap[up];
    e->heap[i] = x;
}

static Entry next_event(Event *e)
{
    const Entry top = e->heap[0], x = e->heap[--e->n];
    int i = 0;
    for (;;) {
        const int first = 4 * i + 1;
        if (first >= e->n)
            break;
        int least = first;
        for (int j = first + 1; j < first + 4 && j < e->n; j++)
            if (before(&e->heap[j], &e->heap[least]))
                least = j;
        if (!before(&e->heap[least], &x))
            break;
        e->heap[i] = e->heap[least];
        i = least;
    }
    e->heap[i] = x;
    return top;
}

// Keys: by rank; a rank's kinds of event are told apart by the last bit.
static uint64_t key_of(const Machine *m, int v, int kind)
{
    return 2 * (uint64_t)rank_of(m->s, v) + (uint64_t)kind;
}

static int v_of_key(const Machine *m, uint64_t key)
{
    return v_of_rank(m->s, (int)(key / 2));
}

enum { LEAVES = 0, WAKES = 1 };

// ---- Throttle ----------------------------------------------------------------------------------------------------------

// When fewer than n of the requests not waited for are pending, as far as is known; INFINITY: not known.
static Stamp throttle_end(const Machine *m, const Rank *r, int n)
{
    int total = 0, done = 0;
    for (Index i = r->newest; i >= 0; i = m->pool[i].older)
        total++, done += m->pool[i].done;
    const int must_end = total - n + 1;
    if (must_end <= 0)
        return r->now;
    if (done < must_end)
        return (Stamp){.t = INFINITY};
    // The must_end-th smallest of the known ends, the oldest of equals.
    Stamp best = r->now, bound = {.t = -1};
    for (int k = 0; k < must_end;) {
        Stamp least = {.t = INFINITY};
        int equal = 0;
        for (Index i = r->newest; i >= 0; i = m->pool[i].older) {
            const Req *q = &m->pool[i];
            if (!q->done || q->at.t <= bound.t)
                continue;
            equal = q->at.t < least.t ? 1 : equal + (q->at.t == least.t);
            least = q->at.t <= least.t ? q->at : least;
        }
        bound = least;
        k += equal;
    }
    return latest(best, bound);
}

static bool throttle(Machine *m, int v, int n)
{
    Rank *r = &m->ranks[v];
    // Which of the messages that end at one moment are known by then depends on the order of ranks.
    m->tie |= m->mirror && m->model.transfer != TRANSFER_RENDEZVOUS;
    const Stamp end = throttle_end(m, r, n);
    if (end.t <= MAX(m->event->now, r->now.t)) {
        r->wait = 0;
        r->now = end;
        for (Index i = r->newest; i >= 0; i = m->pool[i].older)
            m->pool[i].awaited = 0;
        return true;
    }
    // Looked at again whenever one more request is done, and when the known ones have ended.
    r->wait = THROTTLED;
    r->missing = 1;
    for (Index i = r->newest; i >= 0; i = m->pool[i].older)
        m->pool[i].awaited = !m->pool[i].done;
    if (end.t < INFINITY)
        schedule(m->event, end.t, key_of(m, v, WAKES));
    r->pc--; // it stands at the throttle until then
    return false;
}

// ---- Eager ------------------------------------------------------------------------------------------------------------------

static void leave_next(Machine *m, int v)
{
    const Index i = m->event->outgoing[v].head;
    if (i < 0)
        return;
    m->pool[i].at = latest(m->pool[i].at, m->out_free[v]);
    schedule(m->event, m->pool[i].at.t, key_of(m, v, LEAVES));
}

static void eager_send(Machine *m, Index i)
{
    const int v = m->pool[i].owner;
    Queue *q = &m->event->outgoing[v];
    const bool first = q->head < 0;
    put(m, v, q, i, false);
    if (first)
        leave_next(m, v);
}

// Of several messages that start at once to one receiver the lowest rank's is the first, and which one that is differs
// from rank to rank: here ranks cannot stand for others.
static void check_tie(Machine *m, int to, int name, double start)
{
    Served *last = m->mirror ? &m->event->served[to] : NULL;
    if (last && last->t == start && last->name != name)
        m->tie = true;
    if (last)
        *last = (Served){start, name};
}

// The first of v's messages leaves; under E1 it then queues for the receiver's port.
static void leave(Machine *m, int v)
{
    Queue *q = &m->event->outgoing[v];
    const Index i = q->head;
    const int peer = m->pool[i].peer, to = place_of(m, v, peer), name = name_of(m, v, peer);
    const int64_t bytes = m->pool[i].bytes;
    const uint32_t node = m->pool[i].node;
    Stamp start = m->pool[i].at;
    q->head = m->pool[i].queue;
    const Stamp port = m->in_free[to];
    Stamp served = start;
    if (m->model.transfer == TRANSFER_EAGER_PORT) {
        if (port.t >= start.t)
            served = moved(m, port, peer);
        check_tie(m, to, name, start.t);
    }
    trace_prev(m, node, start.node);
    start.node = node;
    if (node && m->model.transfer == TRANSFER_EAGER_PORT) { // at the port the message is a step of its own
        const Step step = g_array_index(m->trace, Step, node);
        g_array_append_val(m->trace, step);
        trace_prev(m, m->trace->len - 1, served.node);
        served.node = m->trace->len - 1;
    } else {
        served.node = node;
    }
    const Stamp end = after_message(m, start, bytes), arrival = after_message(m, served, bytes);
    m->out_free[v] = end;
    m->in_free[to] = moved(m, arrival, name);
    complete(m, i, end);
    deliver(m, to, name, bytes, arrival);
    leave_next(m, v);
}

static void run_eager(Machine *m)
{
    static const Gearing gear = {eager_send, eager_recv, reduce_at_once, throttle};
    Event *e = m->event;
    for (int v = 0; v < m->n; v++)
        make_runnable(m, v);
    while (!m->tie) {
        while (m->n_runnable > 0)
            run_rank(m, m->runnable[--m->n_runnable], &gear);
        if (e->n == 0)
            return;
        const Entry next = next_event(e);
        const int v = v_of_key(m, next.key);
        e->now = next.t;
        if (next.key % 2 == LEAVES)
            leave(m, v);
        else if (m->ranks[v].wait == THROTTLED && m->ranks[v].missing > 0)
            make_runnable(m, v);
    }
}

// ---- Rendezvous -----------------------------------------------------------------------------------------------------------

static void touch(Event *e, int receiver)
{
    if (!e->is_touched[receiver]) {
        e->is_touched[receiver] = true;
        e->touched[e->n_touched++] = receiver;
    }
}

static void touch_head(Machine *m, int sender)
{
    const Index head = m->ranks[sender].sends.head;
    if (head >= 0 && m->event->sending[sender] < 0)
        touch(m->event, place_of(m, sender, m->pool[head].peer));
}

static void rendezvous_send(Machine *m, Index i)
{
    const int v = m->pool[i].owner;
    put(m, v, &m->ranks[v].sends, i, false);
    touch_head(m, v);
}

static void rendezvous_recv(Machine *m, Index i)
{
    const int v = m->pool[i].owner;
    put(m, v, &m->ranks[v].posted, i, true);
    touch(m->event, v);
}

static bool reduce_takes_time(Machine *m, int v, size_t bytes)
{
    charge_reduction(m, v, bytes);
    if (m->ranks[v].now.t == m->event->now)
        return true;
    schedule(m->event, m->ranks[v].now.t, key_of(m, v, WAKES));
    return false;
}

// The first posted receive of d, in its program's order, whose message is at the head of a free sender's queue and for which
// `wanted` says yes to the transfer's length; taken out, as is the message. False: none.
static bool take_eligible(Machine *m, int d, bool only_instant, Index *send, Index *recv)
{
    Queue *q = &m->ranks[d].posted;
    if (m->event->receiving[d] >= 0)
        return false;
    Index last = -1;
    for (Index i = q->head; i >= 0; last = i, i = m->pool[i].queue) {
        const int s = place_of(m, d, m->pool[i].peer);
        Rank *from = &m->ranks[s];
        const Index head = from->sends.head;
        if (head < 0 || m->event->sending[s] >= 0 || place_of(m, s, m->pool[head].peer) != d ||
            name_of(m, s, m->pool[head].peer) != m->pool[i].peer)
            continue;
        const double now = m->event->now;
        if (only_instant && now + message_cost(m, m->pool[head].bytes) > now)
            continue;
        if (last < 0)
            q->head = m->pool[i].queue;
        else
            m->pool[last].queue = m->pool[i].queue;
        if (q->tail == i)
            q->tail = last;
        from->sends.head = m->pool[head].queue;
        *send = head;
        *recv = i;
        return true;
    }
    return false;
}

// All that takes no time: ranks that go on, and transfers of no length.
static void settle_instant(Machine *m, const Gearing *gear)
{
    Event *e = m->event;
    bool changed;
    do {
        changed = false;
        while (m->n_runnable > 0)
            run_rank(m, m->runnable[--m->n_runnable], gear);
        for (int k = 0; k < e->n_touched; k++) {
            Index send, recv;
            while (take_eligible(m, e->touched[k], true, &send, &recv)) {
                transfer(m, send, recv);
                complete(m, send, m->pool[send].at);
                complete(m, recv, m->pool[recv].at);
                touch_head(m, m->pool[send].owner);
                changed = true;
            }
        }
    } while (changed);
}

static void start_transfers(Machine *m)
{
    Event *e = m->event;
    for (int k = 0; k < e->n_touched; k++) {
        const int d = e->touched[k];
        Index send, recv;
        e->is_touched[d] = false;
        if (!take_eligible(m, d, false, &send, &recv))
            continue;
        const int s = m->pool[send].owner;
        transfer(m, send, recv);
        e->sending[s] = send;
        e->receiving[d] = recv;
        schedule(e, m->pool[send].at.t, key_of(m, s, LEAVES));
    }
    e->n_touched = 0;
}

static void end_transfer(Machine *m, int s)
{
    Event *e = m->event;
    const Index send = e->sending[s];
    const int d = place_of(m, s, m->pool[send].peer);
    const Index recv = e->receiving[d];
    e->sending[s] = e->receiving[d] = -1;
    complete(m, send, m->pool[send].at);
    complete(m, recv, m->pool[recv].at);
    touch(e, d);
    touch_head(m, s);
}

static void run_rendezvous(Machine *m)
{
    static const Gearing gear = {rendezvous_send, rendezvous_recv, reduce_takes_time, throttle};
    Event *e = m->event;
    for (int v = 0; v < m->n; v++)
        schedule(e, m->ranks[v].now.t, key_of(m, v, WAKES));
    while (e->n > 0) {
        e->now = e->heap[0].t;
        while (e->n > 0 && e->heap[0].t == e->now) {
            const Entry next = next_event(e);
            const int v = v_of_key(m, next.key);
            if (next.key % 2 == LEAVES)
                end_transfer(m, v);
            else
                make_runnable(m, v);
        }
        settle_instant(m, &gear);
        start_transfers(m);
    }
}

Replay *event_replay(const Schedule *s, const Hockney *model, const ReplayOptions *o)
{
    Machine m;
    machine_init(&m, s, model, o, true);
    const int n = m.n;
    Event e = {0};
    m.event = &e;
    if (model->transfer == TRANSFER_RENDEZVOUS) {
        e.sending = g_new(Index, n);
        e.receiving = g_new(Index, n);
        memset(e.sending, 0xff, (size_t)n * sizeof(Index));
        memset(e.receiving, 0xff, (size_t)n * sizeof(Index));
        e.touched = g_new(int, n);
        e.is_touched = g_new0(bool, n);
        run_rendezvous(&m);
    } else {
        e.outgoing = g_new(Queue, n);
        memset(e.outgoing, 0xff, (size_t)n * sizeof(Queue));
        e.served = g_new(Served, n);
        for (int v = 0; v < n; v++)
            e.served[v].t = -1;
        run_eager(&m);
    }
    g_free(e.heap);
    g_free(e.outgoing);
    g_free(e.served);
    g_free(e.sending);
    g_free(e.receiving);
    g_free(e.touched);
    g_free(e.is_touched);
    if (machine_holds(&m))
        return machine_finish(&m, GEAR_EVENT, o);
    machine_clear(&m);
    ReplayOptions all = *o;
    all.full = true;
    return event_replay(s, model, &all);
}
