// The machine on which the gears flow and event run: ranks that run their schedule until they must wait, and
// their requests in one pool. transfer.h adds what happens to a message. Private to the replay.
//
// A machine may mirror: if schedules repeat every n ranks and ranks do not differ otherwise, the ranks 0 .. n-1 stand
// for all, because what v sends to v + d looks like what v - d sends to v. A peer is then written as its distance d,
// and the state of rank (v + d) mod n is the peer's state. In a ring with n = 1, for example, rank 0 sends to distance
// 1, which is its own state, where the message arrives from distance p - 1.
#pragma once
#include "base/limits.h"
#include "engine/replay/gears.h"
#include "engine/replay/path.h"
#include <stddef.h>

typedef int32_t Index; // an index into the pool of requests; -1 for none

// A send or receive that was issued, or (eager) a message that arrived before its receive was posted.
typedef struct Req {
    Stamp at; // when it was issued; once it is done, when it completed
    int64_t bytes;
    Index older;         // the rank's next older request that is not waited for; in a free entry, the next free one
    Index newer;         // the one that is newer
    Index queue;         // the next request in its queue
    int32_t owner, peer; // the v of the rank and of its peer; the peer's distance if the machine mirrors
    uint32_t node;       // its entry in the trace; 0 for none
    uint32_t kind : 8;   // OP_SEND, OP_RECV, REQ_MAIL, or OP_END if the entry is free; under measured also REQ_OFFER,
                         // a rendezvous send, `match`, that waits in its receiver's mail
    uint32_t done : 1, awaited : 1; // it has completed; its rank waits for it
    // Set only under measured: it is half of a sendrecv, both of whose halves have the same peer; it is a send, and
    // its rank's text has ended a receive before.
    uint32_t paired : 1, swaps : 1, reacts : 1;
    union {
        int32_t name;  // a message that waits for its receive: the sender, as the receiver names it
        uint32_t turn; // a receive under rendezvous in the event gear: its place in the order of posting
    };
    union {
        Index match;  // in the event gear: the message that a rendezvous receive has met, or that is on offer
        int32_t late; // a send under measured: the number of the isend (late.h); -1 for other sends
    };
} Req;

enum { REQ_OFFER = 30, REQ_MAIL, THROTTLED = INT32_MIN };

typedef struct ReqQueue {
    Index head, tail;
} ReqQueue;

typedef struct Rank {
    Stamp now;
    uint32_t pc, round;
    Index newest; // the newest request that is not waited for
    // What the rank waits for: n > 0 for its n newest requests, n < 0 for the one -n-1 places older than the newest,
    // THROTTLED in a throttle, 0 for nothing.
    int32_t wait;
    ReqQueue sends;  // sends that are not yet transferred
    ReqQueue posted; // receives whose message has not come
    // The fields above fill a cache line: they are what most operations need.
    int32_t missing; // requests that must still complete before the rank goes on
    int32_t pending; // requests that are not done
    int32_t open;    // how many are not waited for
    // One of these near which the last wait for a single one found its own, and how many are older; -1 if there is none.
    Index near;
    int32_t before;
    Index settled; // for a throttle: this request and all older ones had ended by `now`; -1 if no such one is known
    ReqQueue mail; // messages that have come and whose receive is not posted
    bool received; // a wait has ended that was for a receive
} __attribute__((aligned(64))) Rank;
_Static_assert(offsetof(Rank, missing) == 64, "the first fields fill a cache line");

// An entry of the trace: an operation, and the entry before it on the chain that determined its time. Entry 0 means
// none.
typedef struct TraceStep {
    uint32_t prev : 28;
    uint32_t receives : 1; // a receive, or the receiving half of a sendrecv
    uint32_t moves : 1;  // not an operation: the chain so far ran at the rank that is `rank` away (the machine mirrors)
    uint32_t begins : 1; // not an operation: the chain begins with the start of `rank`, which here is a rank, not a v
    uint32_t occupies : 1; // not an operation, but the time for which its message occupies a NIC or a node's memory
    uint32_t rank : 27;    // v
    uint32_t enters : 1;   // occupies: the in-side of the receiver's NIC
    uint32_t price : 4;    // under measured: what the step of a message pays, a PriceKind
    uint32_t pc, round;
} TraceStep;
_Static_assert(sizeof(TraceStep) == 16, "a trace has millions of entries");
_Static_assert(MAX_TRACE < 1 << 28 && LIMIT_RANKS <= 1 << 27 && N_PRICE_KINDS <= 1 << 4,
               "they fit into the bits of a TraceStep");

// What a ledger adds to an entry of the trace (ledger.h).
typedef struct LedgerTime {
    double issued; // the rank's clock when it came to the operation
    double begin;  // when the step begins that the entry is for; -1 until it does
    uint32_t of;   // the entry of the operation, if this one is for another step of it; otherwise 0
    uint32_t copy; // of an operation: the first further entry for its message; 0 for none
    uint32_t met;  // of a receive: the entry with which its message came; of a send: its receive; 0 for none
    uint32_t first,
        in; // of an operation: the entries for which its message occupies the sender's NIC, or a memory, and the
            // in-side of the receiver's NIC; 0 for none
} LedgerTime;

typedef struct Machine {
    const Schedule *s;
    Hockney model;
    int n;       // simulated ranks
    bool mirror; // the n ranks stand for all p
    bool tie;    // the run is given up: the n ranks turned out not to stand for all, because the result depends on an
        // order among all ranks, or (flow under measured) messages came in an order that the gear cannot follow
    double enough_s; // see GearInput; INFINITY once all ranks have ended
    bool beyond;     // the run is given up: some rank ends later than enough_s
    Rank *ranks;
    Stamp *out_free, *in_free; // when each port is free, all zero before its first message; NULL if clocks imply it
    Req *pool;
    Index n_pool, max_pool, free_req;
    int *runnable; // a stack of ranks whose wait is over
    int n_runnable;
    GArray *trace;  // of TraceStep; NULL if no path is wanted
    GArray *priced; // of const LinkPrice *, by entry of the trace: on a network, what its message pays; otherwise NULL
    GArray *noise;  // of uint64_t, by entry of the trace: by how many ns noise makes its message longer; NULL for none
    GArray *values; // of double, by entry of the trace: what the step takes, in s; see machine_trace_values
    GArray *times;  // of LedgerTime, by entry of the trace; NULL if no ledger is wanted
    struct LedgerFilter *filter; // set if only a part of the ledger is wanted (ledger_part.h)
    struct Mailbox *mailbox;
    struct Flags *flags;           // set if the schedule has operations in shared memory
    struct EventGear *event;       // set by the event gear only
    struct ReplayGraph *graph;     // set by the event gear if the schedule is a graph
    struct Flow *flow;             // set by the flow gear, unless under measured
    struct MeasuredFlow *measured; // set by the flow gear under measured
} Machine;

// Sets up a machine at the start of a run. It keeps track of ports only if `ports`; without it, out_free and in_free
// are NULL.
void machine_init(Machine *m, const GearInput *in, bool ports);
// Returns true if the run is to be given up, because it takes longer than enough_s: all that is still to come happens
// at t or later. Some rank must still be on its way, since a port may become free after the last rank has ended.
bool machine_passes(Machine *m);
static inline bool machine_beyond(Machine *m, double t)
{
    return G_UNLIKELY(t > m->enough_s) && machine_passes(m);
}
// Returns whether v came to the end of its operations.
bool machine_has_ended(const Machine *m, int v);
// Returns the ranks that did not, and the requests that met nothing, as Stuck in an order that no gear changes. Free with
// g_array_unref.
GArray *machine_stuck(const Machine *m);
// Returns the result of a machine that came to rest or was given up, and frees what the machine holds. Returns NULL if
// a mirroring machine does not hold for all ranks: if ranks are stuck, or the result depends on an order among all
// ranks.
Replay *machine_finish(Machine *m, const GearInput *in);

// Returns the index in m->ranks of v's peer. If the machine mirrors, that is the rank whose state is the peer's.
static inline int place_of(const Machine *m, int v, int peer)
{
    if (G_LIKELY(!m->mirror))
        return peer;
    return m->n == 1                  ? 0
           : m->s->peers == PEERS_XOR ? (v ^ peer) & (m->n - 1)
                                      : (int)(((uint32_t)v + (uint32_t)peer) % (uint32_t)m->n);
}

// Returns what v's peer calls v, as a peer of its own requests: v, or the distance back to v if the machine mirrors.
static inline int name_of(const Machine *m, int v, int peer)
{
    if (G_LIKELY(!m->mirror))
        return v;
    return m->s->peers == PEERS_XOR ? peer : m->s->p - peer;
}

// Returns the level of v and its peer.
static inline int level_of(const Machine *m, int v, int peer)
{
    if (G_LIKELY(!m->model.site))
        return 0;
    return site_level(m->model.site, v, G_LIKELY(!m->mirror) ? peer : peer_of(m->s, v, peer, 0, 0));
}

// Adds an entry to the trace for the operation at v's pc, and returns its number, or 0 if the trace is full. traced()
// sets the entry's predecessor once that is known.
uint32_t machine_trace(Machine *m, int v, bool receives);
// For the ledger: notes when the step of an entry begins, and with which entry the message of a receive came.
void machine_began(Machine *m, uint32_t node, double t);
void machine_met(Machine *m, uint32_t recv, uint32_t message);
static inline void trace_met(Machine *m, uint32_t recv, uint32_t message)
{
    if (G_UNLIKELY(recv))
        machine_met(m, recv, message);
}
// Returns the operation of an entry, as v does it, without what it pays.
PathStep machine_operation(const Schedule *s, const TraceStep *step, int v);

// Makes the operation of this entry follow x on its chain, and returns x with the entry as the chain's last one. Node 0
// (no trace) changes nothing.
static inline Stamp traced(Machine *m, Stamp x, uint32_t node)
{
    if (G_UNLIKELY(node)) {
        g_array_index(m->trace, TraceStep, node).prev = x.node;
        x.node = node;
        machine_began(m, node, x.t);
    }
    return x;
}

// Notes what the step of this entry pays and takes. Node 0 changes nothing.
static inline void trace_price(Machine *m, uint32_t node, PriceKind price, double value)
{
    if (G_UNLIKELY(node)) {
        g_array_index(m->trace, TraceStep, node).price = price;
        if (m->values)
            g_array_index(m->values, double, node) = value;
    }
}

// Notes by how many ns noise makes the message of this entry longer. Node 0 changes nothing.
static inline void trace_noise(Machine *m, uint32_t node, uint64_t ns)
{
    if (G_UNLIKELY(node && m->noise))
        g_array_index(m->noise, uint64_t, node) = ns;
}

// Adds a copy of an entry, for another step of the same operation, and returns its number; 0 if the trace is full or
// node is 0.
uint32_t machine_trace_again(Machine *m, uint32_t node);
// Adds an entry, after `begin`, for the time for which the message with the entry `node` occupies a resource: the
// in-side of the receiver's NIC if it `enters`. Returns its number.
uint32_t machine_trace_occupies(Machine *m, Stamp begin, uint32_t node, bool enters);
// Returns an entry as a step of a path; v is the rank that does it.
PathStep machine_path_step(const Machine *m, const TraceStep *step, int v);
// The general case of moved(): adds an entry that moves the chain of x to `peer`.
Stamp machine_move(Machine *m, Stamp x, int peer);
// Returns a stamp from a peer's chain as a stamp of the own one. Only the trace of a mirroring machine differs, because
// entries before that point belong to the peer.
static inline Stamp moved(Machine *m, Stamp x, int peer)
{
    return G_UNLIKELY(m->trace && m->mirror && x.node) ? machine_move(m, x, peer) : x;
}

// Returns stamp_latest(own, others), where `others` is from a peer's chain.
static inline Stamp latest_of(Machine *m, Stamp own, Stamp others, int peer)
{
    return others.t > own.t ? moved(m, others, peer) : own;
}

// Returns a new entry at the end of the pool, which it enlarges if needed.
Index machine_grow(Machine *m);

// Returns an entry of the pool, not initialised.
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

// Where the schedule is a graph (graph.h): makes v runnable; notes that request i has ended; lets v begin what it may;
// does what meet_receive() or meet_message() does; and appends to `stuck` who waits for whom, and the messages that
// were never received.
struct Gearing;
void graph_wake(Machine *m, int v);
void graph_ended(Machine *m, Index i);
void graph_go_on(Machine *m, int v, const struct Gearing *gear);
Index graph_meet(Machine *m, Index i);
void graph_stuck(const Machine *m, GArray *stuck);
void graph_free(struct ReplayGraph *graph); // NULL is allowed

// Completes a request at `end`, and makes its rank runnable if the rank waited for nothing else.
static inline ALWAYS_INLINED void complete(Machine *m, Index i, Stamp end)
{
    Req *r = &m->pool[i];
    r->at = end;
    r->done = 1;
    Rank *k = &m->ranks[r->owner];
    k->pending--;
    if (r->awaited ? --k->missing == 0 : k->wait == THROTTLED && k->missing > 0 && --k->missing == 0)
        make_runnable(m, r->owner);
    if (G_UNLIKELY(m->graph))
        graph_ended(m, i);
}

// Returns the request that is `back` places older than the newest. A text that waits for one of its requests after the
// other finds each of them near the last one.
static inline Index find_open(const Machine *m, Rank *r, int back)
{
    const int32_t before = r->open - 1 - back, ahead = before - r->before;
    Index i = r->newest;
    if (r->near >= 0 && MAX(ahead, -ahead) < back) {
        i = r->near;
        for (int32_t k = ahead; k > 0; k--)
            i = m->pool[i].newer;
        back = -ahead;
    }
    for (; back > 0; back--)
        i = m->pool[i].older;
    r->near = i;
    r->before = before;
    return i;
}

// Takes the request that find_open() has found off its rank's list.
static inline void take_off(Machine *m, Rank *r)
{
    const Req *q = &m->pool[r->near];
    const Index newer = q->newer, older = q->older;
    *(newer >= 0 ? &m->pool[newer].older : &r->newest) = older;
    if (older >= 0)
        m->pool[older].newer = newer;
    r->before -= newer < 0;
    r->near = newer >= 0 ? newer : older;
    r->open--;
}

// Ends a wait: takes the requests that the rank waited for off its list, and sets its clock to the latest completion.
// If times are equal, the clock's own chain counts first, then the oldest request.
static inline void collect(Machine *m, Rank *r)
{
    const int n = r->wait;
    r->settled = -1;
    r->wait = 0;
    if (n < 0) {
        const Index i = find_open(m, r, -n - 1);
        r->received |= m->pool[i].kind == OP_RECV;
        r->now = stamp_latest(r->now, m->pool[i].at);
        take_off(m, r);
        free_req(m, i);
        return;
    }
    Index i = r->newest;
    Stamp best = m->pool[i].at;
    for (int k = 0; k < n; k++) { // from the newest, with >=, so that the oldest of equals remains
        const Index older = m->pool[i].older;
        r->received |= m->pool[i].kind == OP_RECV;
        if (m->pool[i].at.t >= best.t)
            best = m->pool[i].at;
        free_req(m, i);
        i = older;
    }
    r->newest = i;
    if (i >= 0)
        m->pool[i].newer = -1;
    r->open -= n;
    r->near = r->before < r->open ? r->near : -1;
    r->now = stamp_latest(r->now, best);
}

// Begins a wait for the n newest requests (n > 0), or for the one -n-1 places older than the newest (n < 0). Returns
// true if all are done, and ends the wait at once; otherwise the rank must stop here.
static inline bool wait_for(Machine *m, Rank *r, int n)
{
    Index i = n < 0 ? find_open(m, r, -n - 1) : r->newest;
    int missing = 0;
    for (int k = 0; k < (n < 0 ? 1 : n); k++, i = m->pool[i].older)
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

// Makes a new request of v, issued at its clock, and puts it on its list.
static inline Index issue(Machine *m, int v, OpKind kind, int peer, size_t bytes)
{
    const Index i = new_req(m);
    Rank *r = &m->ranks[v];
    m->pool[i] = (Req){.at = r->now,
                       .bytes = (int64_t)bytes,
                       .older = r->newest,
                       .newer = -1,
                       .queue = -1,
                       .owner = v,
                       .peer = peer,
                       .kind = (uint8_t)kind};
    if (G_UNLIKELY(m->trace))
        m->pool[i].node = machine_trace(m, v, kind == OP_RECV);
    if (r->newest >= 0)
        m->pool[r->newest].newer = i;
    r->newest = i;
    r->open++;
    r->pending++;
    return i;
}

// Puts a request at the end of a queue.
static inline void append(Machine *m, ReqQueue *q, Index i)
{
    m->pool[i].queue = -1;
    if (q->head < 0)
        q->head = i;
    else
        m->pool[q->tail].queue = i;
    q->tail = i;
}

// Adds a request to q, a queue of owner's: `posted` if it is the queue of posted receives, otherwise of mail.
void mailbox_put(Machine *m, int owner, ReqQueue *q, Index i, bool posted);
// Takes the oldest request with this peer (of mail: with this name) out of q and returns it, or -1 if there is none. So
// messages between two ranks meet their receives in order.
Index mailbox_take(Machine *m, int owner, ReqQueue *q, int peer, bool posted);
// Returns how many requests with this name are in a queue of owner's mail.
int mailbox_count(Machine *m, int owner, const ReqQueue *q, int name);
void mailbox_free(struct Mailbox *mailbox); // NULL is allowed

// Returns the receive, posted by v, that the message of `send` meets; v calls its sender `name`. Returns -1 if there is
// none: keep_message() then keeps the message, or the request that stands for it.
static inline Index meet_receive(Machine *m, int v, Index send, int name)
{
    return G_UNLIKELY(m->graph) ? graph_meet(m, send) : mailbox_take(m, v, &m->ranks[v].posted, name, true);
}

static inline void keep_message(Machine *m, int v, Index send, Index message)
{
    if (G_UNLIKELY(m->graph))
        m->pool[send].queue = message;
    else
        mailbox_put(m, v, &m->ranks[v].mail, message, false);
}

// Returns the message that a receive meets. If there is none, keeps the receive as posted and returns -1.
static inline Index meet_message(Machine *m, Index recv)
{
    if (G_UNLIKELY(m->graph))
        return graph_meet(m, recv);
    const int v = m->pool[recv].owner;
    const Index message = mailbox_take(m, v, &m->ranks[v].mail, m->pool[recv].peer, false);
    if (message < 0)
        mailbox_put(m, v, &m->ranks[v].posted, recv, true);
    return message;
}

// Does v's current operation in shared memory, which is not a loop; n is the value of its flag. Returns false if v must
// wait. Otherwise v's pc is behind the operation.
bool machine_shared(Machine *m, int v, const Op *op, uint64_t n);
// If only a part of the ledger is wanted, returns whether v may go on; otherwise v waits for others.
bool machine_goes_on(Machine *m, int v);
// If only a part of the ledger is wanted, notes that v has come to its end.
void machine_ended(Machine *m, int v);

// What a gear does when a rank issues an operation.
typedef struct Gearing {
    void (*send)(Machine *m, Index i);
    void (*recv)(Machine *m, Index i);
    bool (*work)(Machine *m, int v, WorkKind kind, size_t bytes); // returns false if v must wait for its CPU
    bool (*throttle)(Machine *m, int v, int n);                   // returns false if v must wait
    bool part;                                                    // stops ranks as machine_goes_on() says
} Gearing;

// Runs v until it must wait or its operations end.
static inline ALWAYS_INLINED void run_rank(Machine *m, int v, const Gearing *gear)
{
    const Schedule *s = m->s;
    const Class *k = class_of(s, v);
    Rank *r = &m->ranks[v];
    if (G_UNLIKELY(m->graph)) {
        graph_go_on(m, v, gear);
        return;
    }
    const int origin = m->mirror ? 0 : v; // seen from 0, a peer's number is its distance
    static const Stride none;
    if (r->wait && r->wait != THROTTLED)
        collect(m, r);
    for (;;) {
        if (gear->part && !machine_goes_on(m, v))
            return;
        const Op *op = &k->ops[r->pc];
        const Stride *d = G_UNLIKELY(r->round) ? &k->strides[r->pc] : &none;
        const uint32_t round = r->round;
        switch ((int)op->kind) {
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
        case OP_COPY:
        case OP_FRESH:
        case OP_CONNECT:
        case OP_MATCH:
        case OP_BOUNCE:
            r->pc++;
            if (!gear->work(m, v, op->kind - OP_REDUCE, length_of(s, v, op->in_cut, op->in, d->in, round)))
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
        case OP_WRITE:
        case OP_READ:
        case OP_RAISE:
        case OP_AWAIT:
        case OP_LOCAL:
        case OP_CALL:
            if (!machine_shared(m, v, op, op->out.bytes + (uint64_t)((int64_t)d->out * round)))
                return;
            continue;
        case OP_END:
            if (G_UNLIKELY(m->filter))
                machine_ended(m, v);
            return;
        default:
            g_assert_not_reached();
        }
        r->pc++;
        if (op->kind <= OP_SENDRECV && !wait_for(m, r, op->kind == OP_SENDRECV ? 2 : 1))
            return;
    }
}
