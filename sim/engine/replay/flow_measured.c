// The flow gear under measured (docs/MODEL.md, "The rules of measured"). A rank's messages leave in the order of issue:
// an eager message at once, a rendezvous message when its receive is at the head of the receiver's line. A receiver
// serves its receives in the order of posting, as if their messages began in that order. Its in-port notes when the
// last one began; if the next one began before that, the order was another one, and the run is given up.
//
// An eager message is mail until the receiver serves it: only then is known whether both of its ends are halves of a
// sendrecv, and so when it arrives.
#include "engine/replay/ledger_part.h"
#include "engine/replay/in_port.h"
#include "engine/replay/late.h"
#include "engine/replay/lengths.h"
#include "engine/replay/transfer.h"

typedef struct MeasuredFlow {
    InPort *in;      // by rank
    Prices *last;    // of the last message, because the next one mostly has the same; NULL before the first
    GArray *senders; // of int: ranks whose first message has not been tried yet, as a stack
    Late *late;      // NULL if no receive ends later
    bool unsure;     // see in_port_follows
    bool pairs;      // see transfer_may_pair
    bool none_eager; // all messages are rendezvous
} MeasuredFlow;

static inline Prices *prices_of(Machine *m, int v, const Req *q)
{
    MeasuredFlow *f = m->measured;
    const int level = level_of(m, v, q->peer);
    if (G_UNLIKELY(!f->last || f->last->bytes != (uint64_t)q->bytes || f->last->level != level))
        f->last = prices_at(m->model.site, level, (uint64_t)q->bytes);
    return f->last;
}

// Returns another entry of the trace for the operation of this one.
static inline uint32_t again(Machine *m, uint32_t node)
{
    return G_UNLIKELY(node) ? machine_trace_again(m, node) : 0;
}

// ---- The in-port ----------------------------------------------------------------------------------------------------

// Ends a receive whose eager message began at `start`. `message` is the send, or the mail.
static inline ALWAYS_INLINED void serve(Machine *m, Index recv, const Req *message, Stamp start)
{
    Req *r = &m->pool[recv];
    const int v = r->owner, name = r->peer;
    InPort *in = &m->measured->in[v];
    transfer_agree(m, v, name, message->bytes, r->bytes);
    m->tie |= !in_port_follows(in, m->s, start.t, name, m->measured->unsure);
    Prices *x = prices_of(m, v, r);
    const PriceKind way = transfer_price(x, message, r) + transfer_far(m, x, message, v, name), take = x->take;
    const bool port = in_port_delays(in, x->of[take].value, start.t + prices_value(m->model.site, x, way));
    Stamp arrival = port ? moved(m, in->free, name_of(m, v, name)) : start;
    arrival = transfer_step(m, arrival, again(m, message->node), x, port ? take : way);
    trace_met(m, r->node, arrival.node);
    arrival = moved(m, arrival, name);
    *in = (InPort){.free = arrival, .begun = start.t, .name = name, .used = true};
    if (r->at.t + x->of[take].value >= arrival.t)
        arrival = transfer_step(m, r->at, r->node, x, take);
    complete(m, recv, arrival);
}

// Makes the transfer of a rendezvous message and its receive, which have met.
static void meet(Machine *m, Index send, Index recv)
{
    Req *s = &m->pool[send], *r = &m->pool[recv];
    const int from = s->owner;
    InPort *in = &m->measured->in[r->owner];
    transfer_agree(m, r->owner, r->peer, s->bytes, r->bytes);
    Prices *x = prices_of(m, from, s);
    const PriceKind way = transfer_price(x, s, r);
    const Stamp ours = m->out_free ? stamp_latest(s->at, m->out_free[from]) : s->at;
    const Stamp theirs = stamp_latest(r->at, in->free);
    const Stamp ready = latest_of(m, theirs, ours, r->peer);
    const Stamp sent = transfer_step(m, latest_of(m, ours, theirs, s->peer), s->node, x, PRICE_GAP);
    if (m->out_free)
        m->out_free[from] = sent;
    *in = (InPort){.begun = ready.t, .name = r->peer, .used = true, .rendezvous = true};
    in->free = transfer_step(m, ready, again(m, r->node), x, PRICE_GAP);
    Stamp end = transfer_step(m, ready, r->node, x, way);
    if (m->measured->late && s->late >= 0)
        end = late_end(m, m->measured->late, from, s->late, end, r->node);
    trace_met(m, r->node, s->node);
    complete(m, send, sent);
    complete(m, recv, end);
}

// ---- Queues ---------------------------------------------------------------------------------------------------------

// Returns true if the message `send` is the one that the receive `recv` of d is posted for.
static inline bool is_for(const Machine *m, Index send, int d, Index recv)
{
    const Req *s = &m->pool[send];
    return place_of(m, s->owner, s->peer) == d && name_of(m, s->owner, s->peer) == m->pool[recv].peer;
}

static inline bool is_eager(const Machine *m, Index send)
{
    const Req *q = &m->pool[send];
    return !m->measured->none_eager && prices_eager(m->model.site, level_of(m, q->owner, q->peer), (uint64_t)q->bytes);
}

// Serves receives of v, from the first posted one on, until one has to wait for its message.
static void serve_posted(Machine *m, int v)
{
    Rank *r = &m->ranks[v];
    for (Index recv; (recv = r->posted.head) >= 0;) {
        const int peer = m->pool[recv].peer;
        const Index mail = r->mail.head == -1 ? -1 : mailbox_take(m, v, &r->mail, peer, false);
        if (mail >= 0) {
            r->posted.head = m->pool[recv].queue;
            serve(m, recv, &m->pool[mail], m->pool[mail].at);
            free_req(m, mail);
            continue;
        }
        const int s = place_of(m, v, peer);
        Rank *from = &m->ranks[s];
        const Index send = from->sends.head;
        if (send < 0 || !is_for(m, send, v, recv) || is_eager(m, send))
            return;
        r->posted.head = m->pool[recv].queue;
        from->sends.head = m->pool[send].queue;
        meet(m, send, recv);
        if (from->sends.head >= 0)
            g_array_append_val(m->measured->senders, s);
    }
}

// Lets an eager message leave. It ends a receive that waits at the head of its line for it, or becomes mail.
static inline ALWAYS_INLINED void leave(Machine *m, Index i, Prices *x)
{
    const int v = m->pool[i].owner, peer = m->pool[i].peer, to = place_of(m, v, peer), name = name_of(m, v, peer);
    Stamp start = m->pool[i].at;
    if (m->out_free)
        start = stamp_latest(start, m->out_free[v]);
    const Stamp end = transfer_step(m, start, m->pool[i].node, x, PRICE_GAP);
    if (m->out_free)
        m->out_free[v] = end;
    Rank *d = &m->ranks[to];
    const Index recv = d->posted.head;
    if (recv >= 0 && m->pool[recv].peer == name) {
        d->posted.head = m->pool[recv].queue;
        serve(m, recv, &m->pool[i], start);
        complete(m, i, end);
        if (d->posted.head >= 0)
            serve_posted(m, to);
        return;
    }
    complete(m, i, end);
    const Index mail = new_req(m);
    const Req *q = &m->pool[i];
    m->pool[mail] = (Req){.at = start,
                          .bytes = q->bytes,
                          .owner = to,
                          .peer = name,
                          .node = q->node,
                          .kind = REQ_MAIL,
                          .paired = q->paired,
                          .swaps = q->swaps,
                          .reacts = q->reacts,
                          .name = name};
    mailbox_put(m, to, &d->mail, mail, false);
}

// Lets messages of v leave, from the first one on, until one has to wait for its receive.
static void send_queued(Machine *m, int v)
{
    Rank *r = &m->ranks[v];
    for (Index i; (i = r->sends.head) >= 0;) {
        if (is_eager(m, i)) {
            r->sends.head = m->pool[i].queue;
            leave(m, i, prices_of(m, v, &m->pool[i]));
            continue;
        }
        const int to = place_of(m, v, m->pool[i].peer);
        Rank *d = &m->ranks[to];
        const Index recv = d->posted.head;
        if (recv < 0 || !is_for(m, i, to, recv))
            return;
        r->sends.head = m->pool[i].queue;
        d->posted.head = m->pool[recv].queue;
        meet(m, i, recv);
        serve_posted(m, to);
    }
}

// Tries the messages of all senders that noted that they might go on.
static inline void send_all(Machine *m)
{
    GArray *senders = m->measured->senders;
    while (senders->len > 0) {
        const int v = g_array_index(senders, int, senders->len - 1);
        g_array_set_size(senders, senders->len - 1);
        send_queued(m, v);
    }
}

// ---- The gear -------------------------------------------------------------------------------------------------------

static const Op *op_of(const Machine *m, int v)
{
    return &class_of(m->s, v)->ops[m->ranks[v].pc];
}

static inline ALWAYS_INLINED void measured_send(Machine *m, Index i)
{
    Req *q = &m->pool[i];
    const int v = q->owner;
    transfer_note(m, q, m->measured->pairs);
    q->late = m->measured->late && op_of(m, v)->kind == OP_ISEND ? late_number(m->measured->late, v) : -1;
    Rank *r = &m->ranks[v];
    if (r->sends.head < 0 && is_eager(m, i)) {
        leave(m, i, prices_of(m, v, q));
        send_all(m);
        return;
    }
    append(m, &r->sends, i);
    if (r->sends.head == i) {
        send_queued(m, v);
        send_all(m);
    }
}

static inline ALWAYS_INLINED void measured_recv(Machine *m, Index i)
{
    const int v = m->pool[i].owner;
    Rank *r = &m->ranks[v];
    transfer_note(m, &m->pool[i], m->measured->pairs);
    append(m, &r->posted, i);
    if (r->posted.head == i) {
        serve_posted(m, v);
        send_all(m);
    }
}

static inline ALWAYS_INLINED void run_all(Machine *m, const Gearing *gear)
{
    for (int v = 0; v < m->n && !m->tie; v++) {
        run_rank(m, v, gear);
        while (m->n_runnable > 0 && !m->tie)
            run_rank(m, m->runnable[--m->n_runnable], gear);
    }
}

// Runs those ranks that a ledger of a part needs; they wait for each other from time to time.
static void run_part(Machine *m)
{
    static const Gearing gear = {measured_send, measured_recv, transfer_work_at_once, NULL, true};
    while (filter_advance(m))
        while (m->n_runnable > 0 && !m->tie)
            run_rank(m, m->runnable[--m->n_runnable], &gear);
}

Replay *flow_measured_replay(const GearInput *in)
{
    static const Gearing gear = {measured_send, measured_recv, transfer_work_at_once, NULL, false};
    Machine m;
    machine_init(&m, in, in->s->kinds & 1u << OP_ISEND);
    MeasuredFlow f = {.in = g_new0(InPort, m.n),
                      .senders = g_array_new(FALSE, FALSE, sizeof(int)),
                      .late = late_new(&m),
                      .pairs = transfer_may_pair(in->model.site->measured),
                      .unsure = m.mirror || site_shares(in->model.site) ||
                                in_port_may_be_free_at_once(in->model.site->measured),
                      .none_eager = lengths_of(in->s, in->model.site).none_eager};
    m.measured = &f;
    if (m.filter)
        run_part(&m);
    else
        run_all(&m, &gear);
    g_free(f.in);
    g_array_free(f.senders, TRUE);
    late_free(f.late);
    Replay *r = machine_finish(&m, in);
    if (r && r->stuck->len > 0) // only the event gear knows who is
        g_clear_pointer(&r, replay_free);
    return r;
}

size_t flow_measured_rank_bytes(void)
{
    return sizeof(InPort);
}
