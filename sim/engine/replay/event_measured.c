// The model measured in the event gear, as docs/MODEL.md has its rules. A message has two events, the end of its send
// and of its receive, and one for each decision that depends on the order of ranks. Such decisions are when an eager
// message begins, in the order of its sender's key, and which rendezvous message a receiver takes, the one whose
// receive was posted first.
#include "engine/replay/event_share.h"
#include "engine/replay/graph.h"
#include "engine/replay/late.h"
#include "engine/replay/transfer.h"
#include <math.h>

// What the gear keeps for each rank.
struct Measuring {
    int ports;       // of a rank, in each direction
    Stamp *out, *in; // ports of v from v * ports on; of a port that no message has used, t is -1
    bool *held;      // by in-port: a message has taken it and waits for what its node shares
    Met *met;        // by v: messages that v may take
    double *takes;   // by v: when its next TAKES is due; INFINITY if none is
    Index *sending;  // by v: its message that is on offer, in a line, or about to begin; -1 for none
    Stamp *began;    // by v: when its last message began; NULL unless ranks have several ports
    int *port;       // by v: the in-port that has taken v's message
    Index *taken;    // by v: the receive that has met v's message and taken it; -1 for none
    bool pairs;      // see transfer_may_pair
    bool all_paired; // all receives are parts of sendrecvs
    Late *late;
};
typedef struct Measuring Measuring;

static Measuring *measuring(const Machine *m)
{
    return m->event->measuring;
}

// Returns the number of v's port that is free first; of several, the lowest. Held ports count unless `held` says which.
static inline int first_free(const Measuring *x, const Stamp *ports, int v, const bool *held)
{
    int best = -1;
    for (int i = v * x->ports; i < (v + 1) * x->ports; i++)
        if (!(held && held[i]) && (best < 0 || ports[i].t < ports[best].t))
            best = i;
    return best;
}

static void push_done(Machine *m, Index i)
{
    event_queue_push(&m->event->queue, m->pool[i].at.t, (uint64_t)DONE << MEASURED_SHIFT | (uint64_t)i);
}

// Lets the receiver d look, when a port is free, at the messages that it may take.
static void touch(Machine *m, int d)
{
    Measuring *x = measuring(m);
    const int port = first_free(x, x->in, d, x->held);
    if (port < 0 || met_is_empty(&x->met[d]))
        return;
    const double t = MAX(m->event->now, x->in[port].t);
    if (x->takes[d] <= t)
        return;
    x->takes[d] = t;
    push_measured(m, t, TAKES, d);
}

// Sets *paired to whether the receive that will meet the next message from `name` to d is half of a sendrecv, and
// *swaps to whether both halves of that have the same peer. If there is no such receive, both become true. d has not
// posted it yet.
static void look_ahead(Machine *m, int d, int name, bool *paired, bool *swaps)
{
    const Schedule *s = m->s;
    const Rank *r = &m->ranks[d];
    const Class *k = class_of(s, d);
    const int origin = m->mirror ? 0 : d;
    int before = mailbox_count(m, d, &r->mail, name); // messages that meet earlier receives
    uint32_t round = r->round;
    static const Stride none;
    for (uint32_t pc = r->pc; k->ops[pc].kind != OP_END; pc++) {
        const Op *op = &k->ops[pc];
        const Stride *stride = round ? &k->strides[pc] : &none;
        const bool receives = op->kind == OP_RECV || op->kind == OP_IRECV || op->kind == OP_SENDRECV;
        if (receives && op_peer(s, origin, op, op->from, stride->from, round) == name && before-- == 0) {
            *paired = op->kind == OP_SENDRECV;
            *swaps = *paired && transfer_swaps(s, origin, op, stride, round);
            return;
        }
        if (op->kind == OP_LOOP) {
            if (++round < op->out.bytes)
                pc -= (uint32_t)op->to + 1;
            else
                round = 0;
        }
    }
    *paired = *swaps = true;
}

// Returns T of an eager message from `name` to d, but for `far`; its receive is `recv` if that is posted.
static PriceKind eager_price(Machine *m, const Req *send, int d, int name, Index recv, const Prices *prices)
{
    const bool swaps = send->swaps && prices->swaps;
    bool other_paired = true, other_swaps = true;
    if (!send->paired || (!prices->steps && !swaps))
        return PRICE_ONE;
    if (recv >= 0) {
        other_paired = m->pool[recv].paired;
        other_swaps = m->pool[recv].swaps;
    } else if (swaps || !measuring(m)->all_paired) {
        look_ahead(m, d, name, &other_paired, &other_swaps);
    }
    return prices_time(prices, other_paired, swaps && other_swaps);
}

// Ends an eager receive: its message has arrived.
static void end_eager(Machine *m, Index recv, Stamp arrival, Prices *prices)
{
    Req *r = &m->pool[recv];
    const PriceKind take = prices->take;
    r->at = arrival.t > r->at.t + prices->of[take].value ? arrival : transfer_step(m, r->at, r->node, prices, take);
    push_done(m, recv);
}

static void head_next(Machine *m, int v);

// Notes that v's message begins at `start`, and that its send ends and its port is free at `end`.
static void leave(Machine *m, int v, Index i, int port, Stamp start, Stamp end)
{
    Measuring *x = measuring(m);
    m->tie |= m->mirror && end.t == start.t; // what begins next at this instant depends on the order of ranks
    m->pool[i].at = x->out[port] = end;
    x->sending[v] = -1;
    push_done(m, i);
    if (x->ports == 1) // its port is free when the send ends
        return;
    x->began[v] = start;
    if (start.t > m->event->now)
        push_measured(m, start.t, NEXT, v);
    else
        head_next(m, v);
}

// Returns when v's message can leave by this port: it was issued at `at`, and begins after the message before it.
static inline Stamp ready(const Measuring *x, int v, Stamp at, int port)
{
    return stamp_latest(x->began ? stamp_latest(at, x->began[v]) : at, x->out[port]);
}

// Returns when an eager message arrives if no other one keeps the receiver's port from it (transfer_linked).
static double comes_at(const Machine *m, Stamp served, Stamp joined, const Prices *prices, PriceKind way,
                       const LinkPrice *links)
{
    const Site *site = m->model.site;
    const double time_s = prices_value(site, prices, way);
    if (G_LIKELY(!links))
        return served.t + time_s;
    return MAX(served.t, joined.t + links_wait(site->links, links)) + time_s + links->hops * site->links->hop_s;
}

static void begin_eager(Machine *m, int v, Index i, Resource *first)
{
    Measuring *x = measuring(m);
    const int peer = m->pool[i].peer, to = place_of(m, v, peer), name = name_of(m, v, peer),
              level = level_of(m, v, peer);
    const uint64_t bytes = (uint64_t)m->pool[i].bytes;
    const uint32_t node = m->pool[i].node;
    Prices *prices = prices_at(m->model.site, level, bytes);
    const Index recv = meet_receive(m, to, i, name);
    const PriceKind price = eager_price(m, &m->pool[i], to, name, recv, prices),
                    way = price + transfer_far(m, prices, &m->pool[i], v, peer), take = prices->take;
    Resource *in = first ? sharing_in_side(m, first, to) : NULL;
    const LinkPrice *const links = links_next(&m->model, v);
    const int out = first_free(x, x->out, v, NULL), port = first_free(x, x->in, to, NULL);
    const Stamp joined = ready(x, v, m->pool[i].at, out); // the first line
    Stamp start = joined;
    if (first && first->free.t > start.t)
        start = sharing_chain(m, first, v);
    Stamp served = start;
    if (in) {
        sharing_check_tie(m, in, v, name, start.t);
        if (in->free.t >= served.t)
            served = moved(m, sharing_chain(m, in, to), peer);
    }
    event_check_tie(m, v, to, name, start.t);
    if (first)
        sharing_occupy_at(m, first, v, start, node, prices, price);
    if (in) {
        sharing_occupy_at(m, in, v, served, node, prices, price);
        in->free = moved(m, in->free, name); // it belongs to the receiver's node
        in->local = m->event->share->site->local[to];
    }
    const Stamp q = x->in[port];
    const uint64_t noise = noise_next(&m->model, v, to);
    const double came = comes_at(m, served, joined, prices, way, links) + noise_s(noise);
    const bool waits = q.t >= 0 && q.t + prices->of[take].value >= came;
    const uint32_t again = machine_trace_again(m, node);
    const Stamp step = waits ? transfer_step(m, moved(m, q, peer), again, prices, take)
                             : transfer_linked(m, served, joined, again, prices, way, links),
                arrival = moved(m, transfer_noise(m, step, again, waits ? 0 : noise), name);
    x->in[port] = arrival;
    if (recv >= 0) {
        transfer_agree(m, to, name, (int64_t)bytes, m->pool[recv].bytes);
        trace_met(m, m->pool[recv].node, arrival.node);
        end_eager(m, recv, arrival, prices);
    } else {
        const Index mail = new_req(m);
        m->pool[mail] =
            (Req){.at = arrival, .bytes = (int64_t)bytes, .owner = to, .peer = name, .kind = REQ_MAIL, .name = name};
        keep_message(m, to, i, mail);
    }
    // v's next message comes behind it
    leave(m, v, i, out, start, transfer_linked(m, start, joined, node, prices, PRICE_GAP, links));
}

// Begins the transfer of v's message, which its receive has taken, as soon as both ports and the in-side are free.
static void begin_rendezvous(Machine *m, int v, Index recv, Resource *first)
{
    Measuring *x = measuring(m);
    const Index send = m->pool[recv].match;
    Req *s = &m->pool[send], *r = &m->pool[recv];
    const int d = r->owner, port = x->port[v], out = first_free(x, x->out, v, NULL);
    const uint64_t bytes = (uint64_t)s->bytes;
    transfer_agree(m, d, r->peer, s->bytes, r->bytes);
    const int level = level_of(m, v, s->peer);
    Prices *prices = prices_at(m->model.site, level, bytes);
    const PriceKind price = transfer_price(prices, s, r);
    const Stamp ours = ready(x, v, s->at, out), theirs = stamp_latest(r->at, x->in[port]),
                send_ready = latest_of(m, ours, theirs, s->peer), recv_ready = latest_of(m, theirs, ours, r->peer);
    Stamp send_from, recv_from;
    if (first) {
        Resource *in = sharing_in_side(m, first, d);
        if (in)
            sharing_check_tie(m, in, v, r->peer, m->event->now);
        const SharingPair pair = {v, d, s->peer, r->peer, ours, theirs};
        sharing_meet(m, first, in, &pair, &send_from, &recv_from);
        sharing_occupy_at(m, first, v, send_from, s->node, prices, price);
        if (in)
            sharing_occupy_at(m, in, d, recv_from, r->node, prices, price);
    } else {
        send_from = send_ready;
        recv_from = recv_ready;
    }
    const uint32_t node = r->node, again = machine_trace_again(m, node);
    x->held[port] = false;
    x->taken[v] = -1;
    Stamp left;
    if (G_UNLIKELY(transfer_is_priced(m))) {
        const LinkPrice *const links = links_next(&m->model, v);
        x->in[port] = transfer_linked(m, recv_from, recv_ready, again, prices, PRICE_GAP, links);
        const Stamp end = transfer_linked(m, recv_from, recv_ready, node, prices, price, links);
        r->at = transfer_noise(m, end, node, noise_next(&m->model, v, d));
        left = transfer_linked(m, send_from, send_ready, s->node, prices, PRICE_GAP, links);
    } else { // without the general case in between, it is three percent faster
        x->in[port] = transfer_step(m, recv_from, again, prices, PRICE_GAP);
        r->at = transfer_step(m, recv_from, node, prices, price);
        left = transfer_step(m, send_from, s->node, prices, PRICE_GAP);
    }
    if (x->late && s->late >= 0)
        r->at = late_end(m, x->late, v, s->late, r->at, node);
    trace_met(m, node, s->node);
    push_done(m, recv);
    leave(m, v, send, out, send_from, left);
    touch(m, d);
}

// Begins v's first message, or lets it join the line of its first resource.
static void start(Machine *m, int v)
{
    const Measuring *x = measuring(m);
    const Index i = x->sending[v];
    Resource *first = sharing_first(m, v, m->pool[i].peer);
    if (first && !sharing_take(m, first, v, STARTS))
        return;
    if (x->taken[v] >= 0)
        begin_rendezvous(m, v, x->taken[v], first);
    else
        begin_eager(m, v, i, first);
    if (first && first->head >= 0)
        push_measured(m, MAX(m->event->now, first->free.t), STARTS, first->head);
}

static void meet(Machine *m, Index send, Index recv)
{
    const int d = m->pool[recv].owner;
    m->pool[recv].match = send;
    m->pool[send].queue = -1;
    met_add(m, &measuring(m)->met[d], recv);
    touch(m, d);
}

// Lets the rendezvous message of a send meet its receive, or wait for it.
static void offer(Machine *m, Index i)
{
    const int v = m->pool[i].owner, peer = m->pool[i].peer, d = place_of(m, v, peer), name = name_of(m, v, peer);
    const Index recv = meet_receive(m, d, i, name);
    if (recv >= 0) {
        meet(m, i, recv);
    } else {
        const Index waits = new_req(m);
        m->pool[waits] = (Req){.owner = d, .peer = name, .kind = REQ_OFFER, .name = name, .match = i};
        keep_message(m, d, i, waits);
    }
}

// Lets receiver d take a message if a port is free, and look again if it may take another one.
static void take(Machine *m, int d)
{
    Measuring *x = measuring(m);
    x->takes[d] = INFINITY;
    if (G_UNLIKELY(m->graph))
        graph_meet_kept(m, offer);
    const int port = first_free(x, x->in, d, x->held);
    if (port >= 0 && x->in[port].t <= m->event->now && !met_is_empty(&x->met[d])) {
        const Index recv = met_take(m, &x->met[d]);
        const Req *send = &m->pool[m->pool[recv].match];
        const int v = send->owner;
        x->port[v] = port;
        x->taken[v] = recv;
        m->tie |= m->mirror && x->ports > 1; // which receiver takes first may change what another one is offered
        if (sharing_first(m, v, send->peer)) {
            x->held[port] = true;
            push_measured(m, m->event->now, STARTS, v);
        } else {
            begin_rendezvous(m, v, recv, NULL);
        }
    }
    touch(m, d);
}

// Makes d look at the messages that it may take, when all others that are offered at this instant are known.
static void take_later(Machine *m, int d)
{
    Measuring *x = measuring(m);
    if (x->takes[d] <= m->event->now)
        return;
    x->takes[d] = m->event->now;
    push_measured(m, m->event->now, TAKES, d);
}

// Lets the first of v's sends begin, or be offered to its receiver, if a port is free.
static void head_next(Machine *m, int v)
{
    Measuring *x = measuring(m);
    const Index i = m->ranks[v].sends.head;
    if (i < 0 || x->sending[v] >= 0 || (x->began && x->began[v].t > m->event->now) ||
        x->out[first_free(x, x->out, v, NULL)].t > m->event->now)
        return;
    x->sending[v] = i;
    m->ranks[v].sends.head = m->pool[i].queue;
    const int peer = m->pool[i].peer;
    if (prices_eager(m->model.site, level_of(m, v, peer), (uint64_t)m->pool[i].bytes))
        push_measured(m, m->event->now, STARTS, v);
    else if (G_UNLIKELY(m->graph) && graph_keeps(m, i))
        take_later(m, place_of(m, v, peer));
    else
        offer(m, i);
}

static void measured_send(Machine *m, Index i)
{
    Measuring *x = measuring(m);
    const int v = m->pool[i].owner;
    transfer_note(m, &m->pool[i], x->pairs);
    m->pool[i].late = x->late && class_of(m->s, v)->ops[m->ranks[v].pc].kind == OP_ISEND ? late_number(x->late, v) : -1;
    append(m, &m->ranks[v].sends, i);
    head_next(m, v);
}

static void measured_recv(Machine *m, Index i)
{
    Measuring *x = measuring(m);
    const int v = m->pool[i].owner;
    transfer_note(m, &m->pool[i], x->pairs);
    m->pool[i].turn = m->event->turn++;
    const Index mail = meet_message(m, i);
    if (mail < 0)
        return;
    const int peer = m->pool[i].peer;
    if (m->pool[mail].kind == REQ_OFFER) {
        meet(m, m->pool[mail].match, i);
    } else {
        const uint64_t bytes = (uint64_t)m->pool[mail].bytes;
        transfer_agree(m, v, peer, (int64_t)bytes, m->pool[i].bytes);
        trace_met(m, m->pool[i].node, m->pool[mail].at.node);
        end_eager(m, i, m->pool[mail].at, prices_at(m->model.site, level_of(m, v, peer), bytes));
    }
    free_req(m, mail);
}

// Lets v go on at once after work that takes no time; otherwise v waits for an event.
static bool measured_work(Machine *m, int v, WorkKind kind, size_t bytes)
{
    transfer_work(m, v, kind, bytes);
    if (m->ranks[v].now.t == m->event->now)
        return true;
    push_measured(m, m->ranks[v].now.t, GOES, v);
    return false;
}

static void happen(Machine *m, uint64_t key)
{
    const uint64_t low = key & (((uint64_t)1 << MEASURED_SHIFT) - 1);
    const int kind = (int)(key >> MEASURED_SHIFT);
    if (kind == DONE) {
        const Index i = (Index)low;
        const int v = m->pool[i].owner;
        const bool sent = m->pool[i].kind == OP_SEND;
        complete(m, i, m->pool[i].at);
        if (sent)
            head_next(m, v);
        return;
    }
    const int v = G_LIKELY(!m->event->v_at) ? v_of_rank(m->s, (int)low) : m->event->v_at[low];
    if (kind == GOES)
        event_wake(m, v);
    else if (kind == NEXT)
        head_next(m, v);
    else if (kind == TAKES)
        take(m, v);
    else
        start(m, v);
}

static Measuring *measuring_new(const Machine *m)
{
    const Measured *figures = m->model.site->measured;
    Measuring *x = g_new0(Measuring, 1);
    const size_t n = (size_t)m->n, ports = n * (size_t)figures->ports;
    x->ports = figures->ports;
    x->out = g_new0(Stamp, ports);
    x->in = g_new0(Stamp, ports);
    x->held = g_new0(bool, ports);
    x->met = g_new(Met, n);
    x->takes = g_new(double, n);
    x->sending = g_new(Index, n);
    x->began = x->ports > 1 ? g_new0(Stamp, n) : NULL;
    x->port = g_new0(int, n);
    x->taken = g_new(Index, n);
    for (size_t i = 0; i < ports; i++)
        x->in[i].t = x->out[i].t = -1;
    for (size_t v = 0; v < n; v++) {
        x->met[v] = (Met){{-1, -1}, -1};
        x->takes[v] = INFINITY;
        x->taken[v] = x->sending[v] = -1;
    }
    x->pairs = transfer_may_pair(figures);
    x->all_paired = !(m->s->kinds & (1u << OP_RECV | 1u << OP_IRECV));
    x->late = late_new(m);
    return x;
}

static void measuring_free(Measuring *x)
{
    g_free(x->out);
    g_free(x->in);
    g_free(x->held);
    g_free(x->met);
    g_free(x->takes);
    g_free(x->sending);
    g_free(x->began);
    g_free(x->port);
    g_free(x->taken);
    late_free(x->late);
    g_free(x);
}

// Returns true if a send or receive ends at this instant.
static inline bool ends_now(const EventQueue *q)
{
    uint64_t key;
    return event_queue_peek(q, &key) && key >> MEASURED_SHIFT == DONE;
}

void event_run_measured(Machine *m)
{
    static const Gearing gear = {measured_send, measured_recv, measured_work, event_throttle};
    EventGear *e = m->event;
    e->queue.by_key = true;
    e->measuring = measuring_new(m);
    for (int v = 0; v < m->n; v++)
        push_measured(m, m->ranks[v].now.t, GOES, v);
    do {
        while (!m->tie) {
            uint64_t key;
            if (m->n_runnable > 0 && !ends_now(&e->queue)) // ranks go on when all has ended that ends now
                run_rank(m, m->runnable[--m->n_runnable], &gear);
            else if (event_queue_take(&e->queue, &key))
                happen(m, key);
            else
                break;
        }
    } while (!m->tie && event_queue_advance(&e->queue, &e->now) && !machine_beyond(m, e->now));
    measuring_free(e->measuring);
}
