// Transfers and a rank's own work, in the gears that run on a machine. The functions are inline because every message
// needs them.
#pragma once
#include "engine/replay/links.h"
#include "engine/replay/machine.h"
#include "engine/replay/noise.h"

// Aborts unless both ends of a message from v's peer to v have the same length, because the algorithm's text is then
// wrong.
static inline void transfer_agree(const Machine *m, int v, int peer, int64_t sent, int64_t received)
{
    if (G_UNLIKELY(sent != received))
        g_error("rank %d sends %" G_GINT64_FORMAT " bytes to rank %d, which receives %" G_GINT64_FORMAT,
                rank_of(m->s, place_of(m, v, peer)), sent, rank_of(m->s, v), received);
}

// Eager: lets the message of `send`, from v's peer, arrive at v. It completes a receive that is posted, or waits for
// one as mail.
static inline ALWAYS_INLINED void transfer_deliver(Machine *m, int v, Index send, int peer, int64_t bytes,
                                                   Stamp arrival)
{
    const Index posted = meet_receive(m, v, send, peer);
    arrival = moved(m, arrival, peer);
    if (posted >= 0) {
        transfer_agree(m, v, peer, bytes, m->pool[posted].bytes);
        trace_met(m, m->pool[posted].node, arrival.node);
        complete(m, posted, stamp_latest(m->pool[posted].at, arrival));
        return;
    }
    const Index i = new_req(m);
    m->pool[i] = (Req){.at = arrival, .bytes = bytes, .owner = v, .peer = peer, .kind = REQ_MAIL, .name = peer};
    keep_message(m, v, send, i);
}

// Eager: posts a receive. A message that has come completes it; otherwise it waits for one.
static inline void transfer_eager_recv(Machine *m, Index i)
{
    const Index mail = meet_message(m, i);
    if (mail < 0)
        return;
    transfer_agree(m, m->pool[i].owner, m->pool[i].peer, m->pool[mail].bytes, m->pool[i].bytes);
    trace_met(m, m->pool[i].node, m->pool[mail].at.node);
    complete(m, i, stamp_latest(m->pool[i].at, m->pool[mail].at));
    free_req(m, mail);
}

// A message that begins: what it costs.
typedef struct TransferMessage {
    int level;
    uint64_t bytes;
    bool priced;            // it has a price of its own: the next two count
    const LinkPrice *price; // on a network; NULL without one
    uint64_t noise;         // by how many ns it takes longer
} TransferMessage;

// Returns whether each message has a price of its own.
static inline bool transfer_is_priced(const Machine *m)
{
    return m->model.site && (m->model.site->links || m->model.site->noise);
}

// Returns what v's next message to the rank whose state is at d, which begins, costs.
static inline ALWAYS_INLINED TransferMessage transfer_begins(const Machine *m, int v, int d, int level, int64_t bytes)
{
    TransferMessage x = {.level = level, .bytes = (uint64_t)bytes, .priced = transfer_is_priced(m)};
    if (G_UNLIKELY(x.priced)) {
        x.price = links_next(&m->model, v);
        x.noise = noise_next(&m->model, v, d);
    }
    return x;
}

// The general case of transfer_message().
Stamp transfer_priced(Machine *m, Stamp begin, Stamp ready, uint32_t node, const TransferMessage *x);

// Returns the end of a message that begins at `begin`; `node` is its entry in the trace. On a network it was `ready` when
// it joined the first line of a NIC, or else at `begin`: the load of its links counts from then on.
static inline ALWAYS_INLINED Stamp transfer_message(Machine *m, Stamp begin, Stamp ready, uint32_t node,
                                                    const TransferMessage *x)
{
    if (G_UNLIKELY(x->priced))
        return transfer_priced(m, begin, ready, node, x);
    return stamp_message(&m->model, traced(m, begin, node), x->level, x->bytes);
}

// Rendezvous: makes the transfer of a send and a receive that have met, as soon as both sides and their ports are
// ready, and sets the `at` of both to its end. The caller completes the requests.
static inline void transfer_meet(Machine *m, Index send, Index recv)
{
    Req *s = &m->pool[send], *r = &m->pool[recv];
    transfer_agree(m, r->owner, r->peer, s->bytes, r->bytes);
    Stamp ours = s->at, theirs = r->at;
    if (m->out_free) {
        ours = stamp_latest(ours, m->out_free[s->owner]);
        theirs = stamp_latest(theirs, m->in_free[r->owner]);
    }
    const int level = level_of(m, s->owner, s->peer);
    const Stamp send_from = latest_of(m, ours, theirs, s->peer), recv_from = latest_of(m, theirs, ours, r->peer);
    if (G_UNLIKELY(transfer_is_priced(m))) {
        const TransferMessage x = transfer_begins(m, s->owner, r->owner, level, s->bytes);
        s->at = transfer_priced(m, send_from, send_from, s->node, &x);
        r->at = transfer_priced(m, recv_from, recv_from, r->node, &x);
    } else { // without the general case in between, it is a percent or two faster
        s->at = stamp_message(&m->model, traced(m, send_from, s->node), level, (uint64_t)s->bytes);
        r->at = stamp_message(&m->model, traced(m, recv_from, r->node), level, (uint64_t)s->bytes);
    }
    trace_met(m, r->node, s->node);
    if (m->out_free) {
        m->out_free[s->owner] = s->at;
        m->in_free[r->owner] = r->at;
    }
}

// Measured: returns x after a step of the operation with this entry in the trace, which pays a price.
static inline Stamp transfer_step(Machine *m, Stamp x, uint32_t node, Prices *prices, PriceKind kind)
{
    trace_price(m, node, kind, G_UNLIKELY(node) ? prices_value(m->model.site, prices, kind) : 0);
    return stamp_price(m->model.site, traced(m, x, node), prices, kind);
}

// The general case of transfer_linked().
Stamp transfer_on_links_measured(Machine *m, Stamp begin, Stamp ready, uint32_t node, Prices *prices, PriceKind kind,
                                 const LinkPrice *price);

// Measured: does the same for a step that a message takes at `begin`, and that its links make longer: T, or a gap, for
// which hops do not count. The load of its links counts from `ready` on, when it joined the first line of a NIC. Without a
// network, the price is NULL.
static inline Stamp transfer_linked(Machine *m, Stamp begin, Stamp ready, uint32_t node, Prices *prices, PriceKind kind,
                                    const LinkPrice *price)
{
    if (G_UNLIKELY(price))
        return transfer_on_links_measured(m, begin, ready, node, prices, kind, price);
    return transfer_step(m, begin, node, prices, kind);
}

// Measured: adds noise to the end of a message's step, whose entry this is.
static inline Stamp transfer_noise(Machine *m, Stamp end, uint32_t node, uint64_t ns)
{
    if (G_LIKELY(ns == 0))
        return end;
    trace_noise(m, node, ns);
    if (node && m->values)
        g_array_index(m->values, double, node) += noise_s(ns);
    return stamp_noise(m->model.site, end, ns);
}

// Under measured, returns T of a message whose send and receive have met, but for `far`.
static inline PriceKind transfer_price(const Prices *prices, const Req *send, const Req *recv)
{
    return prices_time(prices, send->paired && recv->paired, send->swaps && recv->swaps);
}

// Returns PRICE_FAR if an eager message from v's peer to v takes longer, otherwise 0; `send` is its send or its mail.
static inline PriceKind transfer_far(const Machine *m, const Prices *prices, const Req *send, int v, int peer)
{
    if (G_LIKELY(!prices->far || !send->reacts))
        return 0;
    return prices_far(m->model.site, prices, true, v, G_LIKELY(!m->mirror) ? peer : peer_of(m->s, v, peer, 0, 0));
}

// Returns true if T may depend on the operations that messages belong to.
static inline bool transfer_may_pair(const Measured *figures)
{
    bool may = figures->swap > 1;
    for (int k = 0; k < figures->n_levels; k++)
        may |= figures->level[k].step != NULL;
    return may;
}

// Returns true if the two peers of a sendrecv are one rank.
static inline bool transfer_swaps(const Schedule *s, int v, const Op *op, const Stride *d, uint32_t round)
{
    return op_peer(s, v, op, op->to, d->to, round) == op_peer(s, v, op, op->from, d->from, round);
}

// Notes of a request, which its rank has just issued, to what operation it belongs. `pairs` is transfer_may_pair().
static inline ALWAYS_INLINED void transfer_note(const Machine *m, Req *q, bool pairs)
{
    const Rank *r = &m->ranks[q->owner];
    if (G_UNLIKELY(m->graph))
        return;
    q->reacts = r->received;
    if (!pairs)
        return;
    const Class *k = class_of(m->s, q->owner);
    const Op *op = &k->ops[r->pc];
    q->paired = op->kind == OP_SENDRECV;
    if (G_UNLIKELY(q->paired && m->model.site->measured->swap > 1)) {
        static const Stride none;
        q->swaps = transfer_swaps(m->s, m->mirror ? 0 : q->owner, op, r->round ? &k->strides[r->pc] : &none, r->round);
    }
}

// Adds the time of v's own work to its clock. v's pc is already behind it.
static inline void transfer_work(Machine *m, int v, WorkKind kind, size_t bytes)
{
    Rank *r = &m->ranks[v];
    uint32_t node = 0;
    if (G_UNLIKELY(m->trace)) {
        r->pc--; // the entry is for the work, not for the operation behind it
        node = machine_trace(m, v, false);
        r->pc++;
    }
    trace_price(m, node, 0, G_UNLIKELY(node) ? cost_own(&m->model, kind, bytes) : 0);
    r->now = stamp_own(&m->model, traced(m, r->now, node), kind, bytes);
}

// Does the same in gears in which v goes on at once with its clock ahead of the other ranks'. Returns true.
static inline bool transfer_work_at_once(Machine *m, int v, WorkKind kind, size_t bytes)
{
    transfer_work(m, v, kind, bytes);
    return true;
}
