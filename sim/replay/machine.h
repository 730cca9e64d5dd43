// What the dataflow and the event gear share: ranks that run their schedule until they must wait, requests in one pool, and
// what becomes of a message that has met its receive. Private to the replay.
//
// Where schedules repeat every n ranks and nothing else tells ranks apart, ranks 0 .. n-1 stand for all: what v sends to
// v + d is the mirror image of what v - d sends to v. Then a peer is written as its distance, and the state of rank
// (v + distance) mod n is its state.
#pragma once
#include "replay/gears.h"

typedef int32_t Index; // into the pool of requests; -1: none

// A send or receive that was issued, or (eager) a message that arrived before its receive was posted.
typedef struct Req {
    Stamp at; // issued; once done: when it completed
    int64_t bytes;
    Index older;         // the rank's next older request not waited for; free list
    Index queue;         // the next one in its queue
    int32_t owner, peer; // the peer's v, or where n ranks stand for all its distance
    uint32_t node;       // its entry in the trace
    uint32_t kind : 8, done : 1, awaited : 1;
    // A message that its receiver has not asked for: what that calls the sender. In the event gear a receive's turn, and
    // the message that it has met.
    union {
        int32_t name;
        uint32_t turn;
    };
    Index match;
} Req;

enum { REQ_MAIL = 31, THROTTLED = INT32_MIN };

typedef struct ReqQueue {
    Index head, tail;
} ReqQueue;

typedef struct Rank {
    Stamp now;
    uint32_t pc, round;
    Index newest; // request not waited for
    int32_t wait; // > 0: for that many of the newest; < 0: for the one -wait-1 places older than the newest; THROTTLED
    int32_t missing; // of those it waits for
    int32_t pending; // requests that are not done
    ReqQueue sends;  // not yet transferred
    ReqQueue posted; // receives whose message has not come
    ReqQueue mail;   // messages that came and were not asked for
    Index settled;   // for a throttle: of the requests not waited for, this and all older ones had ended by `now`
} Rank;

typedef struct TraceStep {
    uint32_t prev, pc, round;
    int32_t rank;  // v
    bool receives; // of a sendrecv: its receiving half
    bool moves;    // no operation: what comes before it happened `rank` away
    bool begins;   // no operation: the start of `rank`, given as a rank
} TraceStep;

typedef struct Machine {
    const Schedule *s;
    Hockney model;
    int n;       // ranks that are simulated
    bool mirror; // they stand for all
    bool tie;    // they do not, for an order of ranks matters
    Rank *ranks;
    Stamp *out_free, *in_free; // ports, all zero before their first message; NULL where clocks say as much
    Req *pool;
    Index n_pool, max_pool, free_req;
    int *runnable;
    int n_runnable, max_runnable;
    GArray *trace; // TraceStep; NULL: no path is wanted
    struct Mailbox *mailbox;
    struct EventGear *event; // the event gear's own
} Machine;

void machine_init(Machine *m, const GearInput *in, bool ports);
// The result of a machine that came to rest; frees what the machine holds. NULL if it holds for fewer ranks than it stands
// for: they are stuck, or an order among all ranks matters.
Replay *machine_finish(Machine *m, const GearInput *in);

// Whose state is that of v's peer, and what that peer calls v.
static inline int place_of(const Machine *m, int v, int peer)
{
    if (G_LIKELY(!m->mirror))
        return peer;
    return m->n == 1 ? 0 : m->s->peers == PEERS_XOR ? (v ^ peer) & (m->n - 1) : (int)(((int64_t)v + peer) % m->n);
}

static inline int name_of(const Machine *m, int v, int peer)
{
    if (G_LIKELY(!m->mirror))
        return v;
    return m->s->peers == PEERS_XOR ? peer : m->s->p - peer;
}

// An entry for the operation at which v stands; its predecessor is filled in when that is known.
uint32_t machine_trace(Machine *m, int v, bool receives);
// The stamp as it is once the operation of this entry (0: no trace is kept) goes on from it.
static inline Stamp traced(Machine *m, Stamp x, uint32_t node)
{
    if (G_UNLIKELY(node)) {
        g_array_index(m->trace, TraceStep, node).prev = x.node;
        x.node = node;
    }
    return x;
}

// A stamp of a peer's chain, as part of one's own.
Stamp machine_move(Machine *m, Stamp x, int peer);
static inline Stamp moved(Machine *m, Stamp x, int peer)
{
    return G_UNLIKELY(m->trace && m->mirror && x.node) ? machine_move(m, x, peer) : x;
}

// stamp_latest(), where the second is of a peer's chain.
static inline Stamp latest_of(Machine *m, Stamp own, Stamp others, int peer)
{
    return others.t > own.t ? moved(m, others, peer) : own;
}

Index machine_grow(Machine *m);

static inline Index new_req(Machine *m)
{
    const Index i = m->free_req;
    if (G_UNLIKELY(i < 0))
        return machine_grow(m);
    m->free_req = m->pool[i].older;
    return i;
}

static inline void free_req(Machine *m, Index i)
{
    m->pool[i].kind = OP_END;
    m->pool[i].older = m->free_req;
    m->free_req = i;
}

static inline void make_runnable(Machine *m, int v)
{
    m->runnable[m->n_runnable++] = v;
}

// The request is over at `end`; its rank goes on if that was all it waited for.
static inline void complete(Machine *m, Index i, Stamp end)
{
    Req *r = &m->pool[i];
    r->at = end;
    r->done = 1;
    Rank *k = &m->ranks[r->owner];
    k->pending--;
    if (r->awaited ? --k->missing == 0 : k->wait == THROTTLED && k->missing > 0 && --k->missing == 0)
        make_runnable(m, r->owner);
}

// Takes the requests that v waited for off its list: its clock is the latest of them, in the order of issue.
static inline void collect(Machine *m, Rank *r)
{
    Index *at = &r->newest;
    int n = r->wait;
    r->settled = -1;
    if (n < 0) {
        for (int k = -n - 1; k > 0; k--)
            at = &m->pool[*at].older;
        n = 1;
    }
    r->wait = 0;
    Stamp best = m->pool[*at].at;
    for (int k = 0; k < n; k++) { // from the newest, so that of equals the oldest stays
        const Index i = *at;
        *at = m->pool[i].older;
        if (m->pool[i].at.t >= best.t)
            best = m->pool[i].at;
        free_req(m, i);
    }
    r->now = stamp_latest(r->now, best);
}

// Waits for the n newest requests (n > 0) or for the one -n-1 places older than the newest: false if it has to.
static inline bool wait_for(Machine *m, Rank *r, int n)
{
    Index i = r->newest;
    int missing = 0, count = n;
    if (n < 0) {
        for (int k = -n - 1; k > 0; k--)
            i = m->pool[i].older;
        count = 1;
    }
    for (int k = 0; k < count; k++, i = m->pool[i].older)
        if (!m->pool[i].done) {
            m->pool[i].awaited = 1;
            missing++;
        }
    r->wait = n;
    r->missing = missing;
    if (missing == 0)
        collect(m, r);
    return missing == 0;
}

// A new request of v at its clock, on its list.
static inline Index issue(Machine *m, int v, OpKind kind, int peer, size_t bytes)
{
    const Index i = new_req(m);
    Rank *r = &m->ranks[v];
    m->pool[i] = (Req){.at = r->now,
                       .bytes = (int64_t)bytes,
                       .older = r->newest,
                       .queue = -1,
                       .owner = v,
                       .peer = peer,
                       .kind = (uint8_t)kind};
    if (G_UNLIKELY(m->trace))
        m->pool[i].node = machine_trace(m, v, kind == OP_RECV);
    r->newest = i;
    r->pending++;
    return i;
}

static inline void append(Machine *m, ReqQueue *q, Index i)
{
    m->pool[i].queue = -1;
    if (q->head < 0)
        q->head = i;
    else
        m->pool[q->tail].queue = i;
    q->tail = i;
}

// Messages of one pair meet in order: mailbox_put adds to q, mailbox_take takes out the first that has this peer (of
// messages: this name); -1: none. A queue that searches go far into is hashed.
void mailbox_put(Machine *m, int owner, ReqQueue *q, Index i, bool posted);
Index mailbox_take(Machine *m, int owner, ReqQueue *q, int peer, bool posted);
void mailbox_free(struct Mailbox *mailbox); // NULL is allowed

// What a gear does when a request is issued.
typedef struct Gearing {
    void (*send)(Machine *m, Index i);
    void (*recv)(Machine *m, Index i);
    bool (*reduce)(Machine *m, int v, size_t bytes); // false: v must wait for the CPU
    bool (*throttle)(Machine *m, int v, int n);      // false: v must wait
} Gearing;

// Runs v until it waits or ends.
static inline __attribute__((always_inline)) void run_rank(Machine *m, int v, const Gearing *gear)
{
    const Schedule *s = m->s;
    const Class *k = class_of(s, v);
    Rank *r = &m->ranks[v];
    const int origin = m->mirror ? 0 : v; // peers count from there
    static const Stride none;
    if (r->wait && r->wait != THROTTLED)
        collect(m, r);
    for (;;) {
        const Op *op = &k->ops[r->pc];
        const Stride *d = G_UNLIKELY(r->round) ? &k->strides[r->pc] : &none;
        const uint32_t round = r->round;
        switch ((OpKind)op->kind) {
        case OP_SENDRECV:
        case OP_RECV:
        case OP_IRECV:
            gear->recv(m, issue(m, v, OP_RECV, op_peer(s, origin, op, op->from, d->from, round),
                                length_of(s, v, op->in_cut, op->in, d->in, round)));
            if (op->kind != OP_SENDRECV)
                break;
            // fall through
        case OP_SEND:
        case OP_ISEND:
            gear->send(m, issue(m, v, OP_SEND, op_peer(s, origin, op, op->to, d->to, round),
                                length_of(s, v, op->out_cut, op->out, d->out, round)));
            break;
        case OP_REDUCE:
            r->pc++;
            if (!gear->reduce(m, v, length_of(s, v, op->in_cut, op->in, d->in, round)))
                return;
            continue;
        case OP_WAIT:
        case OP_WAITALL:
            r->pc++;
            if (!wait_for(m, r, op->kind == OP_WAIT ? -op->to - 1 : op->to))
                return;
            continue;
        case OP_LOOP:
            if (++r->round < op->out.bytes) {
                r->pc -= (uint32_t)op->to;
            } else {
                r->round = 0;
                r->pc++;
            }
            continue;
        case OP_THROTTLE:
            r->pc++;
            if (!gear->throttle(m, v, op->to))
                return;
            continue;
        case OP_END:
            return;
        }
        r->pc++;
        if (op->kind <= OP_SENDRECV && !wait_for(m, r, op->kind == OP_SENDRECV ? 2 : 1))
            return;
    }
}
