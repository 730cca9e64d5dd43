// The dataflow gear: where no two transfers can compete for a port, a rank runs until it waits for something that has not
// happened yet, in any order of ranks. No event queue.
#include "replay/gears.h"

// Both ends of a message to v say the same length, or the algorithm's text is wrong.
static void agree(const Machine *m, int v, int peer, int64_t sent, int64_t received)
{
    if (G_UNLIKELY(sent != received))
        g_error("rank %d sends %" G_GINT64_FORMAT " bytes to rank %d, which receives %" G_GINT64_FORMAT,
                rank_of(m->s, place_of(m, v, peer)), sent, rank_of(m->s, v), received);
}

// ---- Eager: a message leaves when it is issued ------------------------------------------------------------------------

void deliver(Machine *m, int v, int peer, int64_t bytes, Stamp arrival)
{
    Rank *d = &m->ranks[v];
    const Index posted = take_from(m, v, &d->posted, peer, true);
    arrival = moved(m, arrival, peer);
    if (posted >= 0) {
        agree(m, v, peer, bytes, m->pool[posted].bytes);
        complete(m, posted, latest(m->pool[posted].at, arrival));
        return;
    }
    const Index i = new_req(m);
    m->pool[i] = (Req){.at = arrival, .bytes = bytes, .owner = v, .peer = peer, .kind = REQ_MAIL, .name = peer};
    put(m, v, &d->mail, i, false);
}

void eager_recv(Machine *m, Index i)
{
    const int v = m->pool[i].owner;
    Rank *r = &m->ranks[v];
    const Index mail = take_from(m, v, &r->mail, m->pool[i].peer, false);
    if (mail < 0) {
        put(m, v, &r->posted, i, true);
        return;
    }
    agree(m, v, m->pool[i].peer, m->pool[mail].bytes, m->pool[i].bytes);
    complete(m, i, latest(m->pool[i].at, m->pool[mail].at));
    free_req(m, mail);
}

static void eager_send(Machine *m, Index i)
{
    Req *q = &m->pool[i];
    const int from = q->owner, to = place_of(m, from, q->peer), name = name_of(m, from, q->peer);
    const int64_t bytes = q->bytes;
    Stamp start = q->at;
    if (m->out_free)
        start = latest(start, m->out_free[from]);
    trace_prev(m, q->node, start.node);
    start.node = q->node;
    const Stamp end = after_message(m, start, bytes);
    if (m->out_free)
        m->out_free[from] = end;
    complete(m, i, end);
    deliver(m, to, name, bytes, end);
}

// ---- Rendezvous: the later of the two sides starts the transfer --------------------------------------------------------

void transfer(Machine *m, Index send, Index recv)
{
    Req *s = &m->pool[send], *r = &m->pool[recv];
    agree(m, r->owner, r->peer, s->bytes, r->bytes);
    Stamp ours = s->at, theirs = r->at;
    if (m->out_free) {
        ours = latest(ours, m->out_free[s->owner]);
        theirs = latest(theirs, m->in_free[r->owner]);
    }
    Stamp start_send = latest_of(m, ours, theirs, s->peer), start_recv = latest_of(m, theirs, ours, r->peer);
    trace_prev(m, s->node, start_send.node);
    trace_prev(m, r->node, start_recv.node);
    start_send.node = s->node;
    start_recv.node = r->node;
    s->at = after_message(m, start_send, s->bytes);
    r->at = after_message(m, start_recv, s->bytes);
    if (m->out_free) {
        m->out_free[s->owner] = s->at;
        m->in_free[r->owner] = r->at;
    }
}

// Does what the heads of s's sends and d's receives allow, and what that allows in turn.
static void try_pair(Machine *m, int s, int d)
{
    struct {
        int s, d;
    } todo[64];
    int n = 0;
    for (;;) {
        Rank *from = &m->ranks[s], *to = &m->ranks[d];
        const Index send = from->sends.head, recv = to->posted.head;
        if (send >= 0 && recv >= 0 && place_of(m, s, m->pool[send].peer) == d &&
            m->pool[recv].peer == name_of(m, s, m->pool[send].peer)) {
            transfer(m, send, recv);
            from->sends.head = m->pool[send].queue;
            to->posted.head = m->pool[recv].queue;
            complete(m, send, m->pool[send].at);
            complete(m, recv, m->pool[recv].at);
            const Index next_send = from->sends.head, next_recv = to->posted.head;
            const int other_s = next_recv >= 0 ? place_of(m, d, m->pool[next_recv].peer) : -1;
            const int other_d = next_send >= 0 ? place_of(m, s, m->pool[next_send].peer) : -1;
            if (other_s >= 0 && other_d >= 0 && (other_s != s || other_d != d)) {
                if (n == (int)G_N_ELEMENTS(todo)) // rare: a cascade that both widens and deepens
                    try_pair(m, other_s, d);
                else
                    todo[n].s = other_s, todo[n++].d = d;
            }
            if (other_d >= 0) {
                d = other_d;
                continue;
            }
            if (other_s >= 0) {
                s = other_s;
                continue;
            }
        }
        if (n == 0)
            return;
        s = todo[--n].s;
        d = todo[n].d;
    }
}

static void rendezvous_send(Machine *m, Index i)
{
    const int v = m->pool[i].owner;
    Rank *r = &m->ranks[v];
    append(m, &r->sends, i);
    if (r->sends.head == i)
        try_pair(m, v, place_of(m, v, m->pool[i].peer));
}

static void rendezvous_recv(Machine *m, Index i)
{
    const int v = m->pool[i].owner;
    Rank *r = &m->ranks[v];
    append(m, &r->posted, i);
    if (r->posted.head == i)
        try_pair(m, place_of(m, v, m->pool[i].peer), v);
}

// ---- The gear ---------------------------------------------------------------------------------------------------------------

void charge_reduction(Machine *m, int v, size_t bytes)
{
    Rank *r = &m->ranks[v];
    if (G_UNLIKELY(m->trace)) {
        r->pc--; // it stands at the next one already
        const uint32_t node = trace_op(m, v, false);
        r->pc++;
        trace_prev(m, node, r->now.node);
        r->now.node = node;
    }
    r->now.t += (double)bytes * m->model.gamma;
    r->now.gamma += (int64_t)bytes;
}

bool reduce_at_once(Machine *m, int v, size_t bytes)
{
    charge_reduction(m, v, bytes);
    return true;
}

// Runs all ranks to their ends; a woken rank goes before the next new one.
static inline __attribute__((always_inline)) void run_all(Machine *m, const Gearing *gear)
{
    for (int v = 0; v < m->n; v++) {
        run_rank(m, v, gear);
        while (m->n_runnable > 0)
            run_rank(m, m->runnable[--m->n_runnable], gear);
    }
}

static void run_eager(Machine *m)
{
    static const Gearing gear = {eager_send, eager_recv, reduce_at_once, NULL};
    run_all(m, &gear);
}

static void run_rendezvous(Machine *m)
{
    static const Gearing gear = {rendezvous_send, rendezvous_recv, reduce_at_once, NULL};
    run_all(m, &gear);
}

bool dataflow_applies(const Schedule *s, const Hockney *model)
{
    if (s->kinds & 1u << OP_THROTTLE)
        return false;
    return model->transfer == TRANSFER_EAGER || (model->transfer == TRANSFER_RENDEZVOUS && s->one_source);
}

Replay *dataflow_replay(const Schedule *s, const Hockney *model, const ReplayOptions *o)
{
    if (blocking_applies(s, model, o) && (o->full || o->start || schedule_period(s) == s->p)) {
        Replay *r = blocking_replay(s, model, o);
        if (r)
            return r;
    }
    Machine m;
    machine_init(&m, s, model, o, s->kinds & (1u << OP_ISEND | 1u << OP_IRECV));
    if (model->transfer == TRANSFER_EAGER)
        run_eager(&m);
    else
        run_rendezvous(&m);
    if (machine_holds(&m))
        return machine_finish(&m, GEAR_DATAFLOW, o);
    machine_clear(&m);
    ReplayOptions all = *o;
    all.full = true;
    return dataflow_replay(s, model, &all);
}
