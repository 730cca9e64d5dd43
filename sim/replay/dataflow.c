// The dataflow gear, for schedules in which no two transfers can compete for a port. A rank runs until it waits for
// something that has not happened yet. Ranks may run in any order, so there is no event queue.
#include "replay/ledger_part.h"
#include "replay/transfer.h"

// ---- Eager: a message leaves when it is issued ----------------------------------------------------------------------

static void eager_send(Machine *m, Index i)
{
    const Req *q = &m->pool[i];
    const int from = q->owner, to = place_of(m, from, q->peer), name = name_of(m, from, q->peer);
    const int64_t bytes = q->bytes;
    Stamp start = q->at;
    if (m->out_free)
        start = stamp_latest(start, m->out_free[from]);
    const int level = level_of(m, from, q->peer);
    const Stamp end = stamp_message(&m->model, traced(m, start, q->node), level, (uint64_t)bytes);
    if (m->out_free)
        m->out_free[from] = end;
    complete(m, i, end);
    transfer_deliver(m, to, i, name, bytes, end);
}

// ---- Rendezvous: the later of the two sides starts the transfer -----------------------------------------------------

// Makes the transfer at the head of s's sends and of d's receives, if these meet, and then all transfers that this
// makes possible. One transfer can make two others possible, s's next send and d's next receive; `todo` keeps one of
// these, or `rest` where there are very many.
static void try_pair(Machine *m, int s, int d)
{
    typedef struct Pair {
        int s, d;
    } Pair;
    Pair todo[64];
    g_autoptr(GArray) rest = NULL;
    int n = 0;
    for (;;) {
        Rank *from = &m->ranks[s], *to = &m->ranks[d];
        const Index send = from->sends.head, recv = to->posted.head;
        if (send >= 0 && recv >= 0 && place_of(m, s, m->pool[send].peer) == d &&
            m->pool[recv].peer == name_of(m, s, m->pool[send].peer)) {
            transfer_meet(m, send, recv);
            from->sends.head = m->pool[send].queue;
            to->posted.head = m->pool[recv].queue;
            complete(m, send, m->pool[send].at);
            complete(m, recv, m->pool[recv].at);
            const Index next_send = from->sends.head, next_recv = to->posted.head;
            const int other_s = next_recv >= 0 ? place_of(m, d, m->pool[next_recv].peer) : -1;
            const int other_d = next_send >= 0 ? place_of(m, s, m->pool[next_send].peer) : -1;
            if (other_s >= 0 && other_d >= 0 && (other_s != s || other_d != d)) {
                const Pair other = {other_s, d};
                if (G_LIKELY(n < (int)G_N_ELEMENTS(todo))) {
                    todo[n++] = other;
                } else {
                    rest = rest ? rest : g_array_new(FALSE, FALSE, sizeof(Pair));
                    g_array_append_val(rest, other);
                }
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
        Pair *next = &todo[n - 1];
        if (G_UNLIKELY(rest && rest->len > 0)) {
            next = &g_array_index(rest, Pair, rest->len - 1);
            rest->len--;
        } else {
            n--;
        }
        s = next->s;
        d = next->d;
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

// ---- The gear -------------------------------------------------------------------------------------------------------

// Runs all ranks to their ends. A rank whose wait is over goes on before the next one starts, because its state is
// still in the cache.
static inline ALWAYS_INLINED void run_all(Machine *m, const Gearing *gear)
{
    for (int v = 0; v < m->n && !m->tie; v++) {
        run_rank(m, v, gear);
        while (m->n_runnable > 0 && !m->tie)
            run_rank(m, m->runnable[--m->n_runnable], gear);
    }
}

// Runs those ranks that a ledger of a part needs; they wait for each other from time to time.
static inline ALWAYS_INLINED void run_part(Machine *m, const Gearing *gear)
{
    while (filter_advance(m))
        while (m->n_runnable > 0 && !m->tie)
            run_rank(m, m->runnable[--m->n_runnable], gear);
}

static void run_eager(Machine *m)
{
    static const Gearing gear = {eager_send, transfer_eager_recv, transfer_work_at_once, NULL, false},
                         part = {eager_send, transfer_eager_recv, transfer_work_at_once, NULL, true};
    if (m->filter)
        run_part(m, &part);
    else
        run_all(m, &gear);
}

static void run_rendezvous(Machine *m)
{
    static const Gearing gear = {rendezvous_send, rendezvous_recv, transfer_work_at_once, NULL, false},
                         part = {rendezvous_send, rendezvous_recv, transfer_work_at_once, NULL, true};
    if (m->filter)
        run_part(m, &part);
    else
        run_all(m, &gear);
}

Replay *dataflow_replay(const GearInput *in)
{
    if (cost_is_measured(&in->model))
        return dataflow_measured_replay(in);
    Machine m;
    machine_init(&m, in, in->s->kinds & (1u << OP_ISEND | 1u << OP_IRECV));
    if (in->model.transfer == TRANSFER_EAGER)
        run_eager(&m);
    else
        run_rendezvous(&m);
    return machine_finish(&m, in);
}
