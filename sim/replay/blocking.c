// The blocking gear, for schedules in which no operation leaves a request open and no two transfers compete for a port.
// A rank shows whom it waits for, and the later of two ranks that wait for each other computes the transfer. So there
// are no queues, and a rank's state is one cache line.
//
// Under measured, messages may be eager. These leave at once, and are mail until they are received. A rank then also has an
// in-port, which serves messages in the order of receives; if they began in another order, the run is given up.
#include "replay/gears.h"
#include "replay/in_port.h"
#include "replay/lengths.h"
#include "base/budget.h"
#include <stdlib.h>
#include <string.h>

typedef struct Blocked {
    double t;
    ClockTally n;
    int32_t to;      // the receiver of the message that it wants to send; -1 for none
    int64_t out, in; // the lengths of the messages to `to` and from `from`, in bytes
    int32_t from;    // the sender of the message that it wants to receive; -1 for none
    uint32_t pc, round;
    uint32_t list : 31, paired : 1; // paired: its messages are halves of a sendrecv
} __attribute__((aligned(64))) Blocked;
_Static_assert(sizeof(Blocked) == 64 || sizeof(ClockTally) > 20, "a rank is a cache line");

// The part of a rank's state that has no room in its cache line. Only sendrecvs and loops need it.
typedef struct Aside {
    double t;        // when one half of a sendrecv ended whose other half is not over yet; otherwise -1
    ClockTally n;    // what the chain of that half has paid
    uint32_t rounds; // the number of rounds of the loop that the rank is in
} Aside;

// The operations of a class. Classes that differ only in the numbers of their loops' rounds share one list, which then
// stays in the cache however many of these classes there are.
typedef struct OpList {
    const Op *ops;
    const Stride *strides;
    bool once; // it receives at most one message, so that its in-port delays none
} OpList;

// An eager message that has not been received.
typedef struct Mail {
    Stamp start;
    Prices *prices;
    int32_t from, next; // its sender; the next mail of its receiver, or the next free entry; -1 for none
    bool paired;        // the sender's operation is a sendrecv
} Mail;

// The in-port of a rank, and its mail in the order in which it came. All zero at the start, so that it need not be touched
// if it is not used.
typedef struct BlockedPort {
    InPort in;
    int32_t first, last, n_mail; // the first two are valid if n_mail is above 0
} BlockedPort;

// A rank that sends to one that has more mail than CROWD pauses until no other rank can go on, so that ranks take turns and
// mail stays in the cache. If searches for mail take more than FAR steps, another gear will be faster.
enum { CROWD = 16, FAR = 1 << 26 };

enum { AHEAD = 16 }; // how many ranks wait for their peers' state to reach the cache

typedef struct BlockingRun {
    const Schedule *s;
    Hockney model;
    OpList *lists;
    Blocked *ranks;
    Aside *aside; // NULL if the schedule has neither sendrecvs nor loops
    // The rank with whose start a chain begins: origin[v] for v's clock, origin[p + v] for the half in its Aside. NULL
    // if all ranks begin at 0.
    uint32_t *origin;
    int *runnable, n_runnable;
    // A ring of ranks that have come to a message but have not looked at their peers, whose state is on its way to the
    // cache.
    int coming[AHEAD];
    uint32_t first_coming, n_coming;
    // The rest is used only if messages may be eager, under measured.
    BlockedPort *ports; // by rank
    Mail *mail;
    int32_t n_mail, max_mail, free_mail; // entries that have been used, all entries, the first free one of those used
    int32_t waiting;                     // mail of all ranks
    int *paused;                         // a ring of p ranks
    int first_paused, n_paused;
    bool crowded;  // the rank that runs now shall pause
    bool unsure;   // see in_port_follows
    bool given_up; // messages began in another order than their receives, or searches for mail take too long
    int64_t searched;
} BlockingRun;

// All functions from here to run_all() that are ALWAYS_INLINED are compiled several times: for ranks that all begin at 0
// and for skewed ranks, so that the first variant need not keep an origin for every message, and with and without eager
// messages.

// Returns v's clock. Its node is the rank with whose start the chain begins if ranks are skewed, and otherwise 0.
static inline ALWAYS_INLINED Stamp clock_of(const BlockingRun *x, int v, bool skewed)
{
    const Blocked *r = &x->ranks[v];
    return (Stamp){.t = r->t, .n = r->n, .node = skewed ? x->origin[v] : 0};
}

static inline ALWAYS_INLINED void set_clock(BlockingRun *x, int v, Stamp now, bool skewed)
{
    x->ranks[v].t = now.t;
    x->ranks[v].n = now.n;
    if (skewed)
        x->origin[v] = now.node;
}

// What a message costs its two ends.
typedef struct MessageCost {
    int level;
    uint64_t bytes;
    Prices *prices; // under measured; otherwise NULL
    PriceKind time; // of the prices: T
} MessageCost;

static __attribute__((noinline)) Prices *prices_of(const BlockingRun *x, const MessageCost *c)
{
    return prices_at(x->model.site, c->level, c->bytes);
}

// Returns the cost of the message that v sends to d.
static inline ALWAYS_INLINED MessageCost cost_of(const BlockingRun *x, int v, int d)
{
    const Blocked *from = &x->ranks[v], *to = &x->ranks[d];
    MessageCost c = {.level = cost_level(&x->model, v, d), .bytes = (uint64_t)from->out};
    if (G_UNLIKELY(cost_is_measured(&x->model))) {
        c.prices = prices_of(x, &c);
        c.time = from->paired && to->paired ? prices_of_step(x->model.site, c.level) : PRICE_ONE;
    }
    return c;
}

// Returns when a message is over for one end, which is ready at `ours`, while the other one is ready at `theirs`. Under
// measured, the sender is done when its port is free again.
static inline ALWAYS_INLINED Stamp end_of(const BlockingRun *x, const MessageCost *c, bool receives, Stamp ours,
                                          Stamp theirs)
{
    const Stamp begin = stamp_latest(ours, theirs);
    if (G_UNLIKELY(c->prices))
        return stamp_price(x->model.site, begin, c->prices, receives ? c->time : PRICE_GAP);
    return stamp_message(&x->model, begin, c->level, c->bytes);
}

// Aborts unless both ends of a message have the same length, because the algorithm's text is then wrong.
static inline void agree_on(const BlockingRun *x, int from, int64_t sent, int to)
{
    if (G_UNLIKELY(sent != x->ranks[to].in))
        g_error("rank %d sends %" G_GINT64_FORMAT " bytes to rank %d, which receives %" G_GINT64_FORMAT,
                rank_of(x->s, from), sent, rank_of(x->s, to), x->ranks[to].in);
}

static void agree(const BlockingRun *x, int from, int to)
{
    agree_on(x, from, x->ranks[from].out, to);
}

// Ends one half of v's operation, the receive or the send. If the other half is over too (or there is none), sets v's
// clock and returns true; otherwise keeps the end of this half in v's Aside. Of equal ends, the receive's counts.
static inline ALWAYS_INLINED bool finish_half(BlockingRun *x, int v, bool receives, Stamp end, bool skewed)
{
    Blocked *r = &x->ranks[v];
    *(receives ? &r->from : &r->to) = -1;
    if (!x->aside) { // then no operation has two halves
        set_clock(x, v, stamp_latest(clock_of(x, v, skewed), end), skewed);
        return true;
    }
    Aside *half = &x->aside[v];
    uint32_t *half_origin = skewed ? &x->origin[x->s->p + v] : NULL;
    if (r->from >= 0 || r->to >= 0) {
        half->t = end.t;
        half->n = end.n;
        if (half_origin)
            *half_origin = end.node;
        return false;
    }
    Stamp now = clock_of(x, v, skewed);
    if (half->t < 0) {
        now = stamp_latest(now, end);
    } else {
        const Stamp other = {.t = half->t, .n = half->n, .node = half_origin ? *half_origin : 0};
        now = stamp_latest(stamp_latest(now, receives ? end : other), receives ? other : end);
        half->t = -1;
    }
    set_clock(x, v, now, skewed);
    return true;
}

// Transfers v's message to d, for which both are ready. `self`, which is v or d, is the rank that runs now; the other
// one becomes runnable if its operation is over.
static inline ALWAYS_INLINED void transfer_one(BlockingRun *x, int v, int d, int self, bool skewed)
{
    const Stamp ours = clock_of(x, v, skewed), theirs = clock_of(x, d, skewed);
    const MessageCost cost = cost_of(x, v, d);
    agree(x, v, d);
    const Stamp left = end_of(x, &cost, false, ours, theirs), arrived = end_of(x, &cost, true, theirs, ours);
    const bool sent = finish_half(x, v, false, left, skewed);
    const bool received = finish_half(x, d, true, arrived, skewed);
    const int other = v == self ? d : v;
    if (v == self ? received : sent)
        x->runnable[x->n_runnable++] = other;
}

// Transfers the messages of v, which runs now, and d to each other; d becomes runnable.
static inline ALWAYS_INLINED void exchange(BlockingRun *x, int v, int d, bool skewed)
{
    Blocked *a = &x->ranks[v], *b = &x->ranks[d];
    agree(x, v, d);
    agree(x, d, v);
    const Stamp ours = clock_of(x, v, skewed), theirs = clock_of(x, d, skewed);
    const MessageCost out = cost_of(x, v, d), in = cost_of(x, d, v);
    const Stamp received = end_of(x, &in, true, ours, theirs), sent = end_of(x, &out, false, ours, theirs);
    set_clock(x, v, stamp_latest(stamp_latest(ours, received), sent), skewed);
    const Stamp received_d = end_of(x, &out, true, theirs, ours), sent_d = end_of(x, &in, false, theirs, ours);
    set_clock(x, d, stamp_latest(stamp_latest(theirs, received_d), sent_d), skewed);
    a->to = a->from = b->to = b->from = -1;
    x->runnable[x->n_runnable++] = d;
}

// Makes the transfers of v's operation whose other sides are ready. Returns true if the operation is over.
static inline ALWAYS_INLINED bool meet(BlockingRun *x, int v, bool skewed)
{
    const Blocked *r = &x->ranks[v];
    const int to = r->to, from = r->from;
    if (to >= 0 && to == from) {
        const Blocked *d = &x->ranks[to];
        if (d->to == v && d->from == v) {
            exchange(x, v, to, skewed);
            return true;
        }
    }
    if (from >= 0 && x->ranks[from].to == v)
        transfer_one(x, from, v, v, skewed);
    if (to >= 0 && x->ranks[to].from == v)
        transfer_one(x, v, to, v, skewed);
    return r->to < 0 && r->from < 0;
}

// ---- Eager messages -------------------------------------------------------------------------------------------------

// Returns true if the message that v wants to send is eager.
static bool is_eager(const BlockingRun *x, int v)
{
    const Blocked *r = &x->ranks[v];
    return prices_eager(x->model.site, cost_level(&x->model, v, r->to), (uint64_t)r->out);
}

static void mail_put(BlockingRun *x, int d, const Mail *mail)
{
    BlockedPort *port = &x->ports[d];
    int32_t i = x->free_mail;
    if (i >= 0) {
        x->free_mail = x->mail[i].next;
    } else {
        if (x->n_mail == x->max_mail) {
            const uint64_t more = (uint64_t)x->max_mail * sizeof *x->mail;
            if (x->max_mail > INT32_MAX / 2 || budget_left() < more)
                budget_exhausted(more);
            x->max_mail *= 2;
            x->mail = g_renew(Mail, x->mail, x->max_mail);
        }
        i = x->n_mail++;
    }
    x->mail[i] = *mail;
    *(port->n_mail == 0 ? &port->first : &x->mail[port->last].next) = i;
    port->last = i;
    x->crowded = ++port->n_mail > CROWD;
    x->waiting++;
}

// Returns v's oldest mail from this sender, or -1 if there is none; *before becomes the entry before it.
static int32_t mail_find(BlockingRun *x, int v, int from, int32_t *before)
{
    const BlockedPort *port = &x->ports[v];
    if (port->n_mail == 0)
        return -1;
    int32_t i = port->first;
    for (*before = -1; i >= 0 && x->mail[i].from != from; i = x->mail[i].next) {
        *before = i;
        x->searched++;
    }
    return i;
}

static bool has_mail(BlockingRun *x, int v, int from)
{
    int32_t before;
    return x->waiting > 0 && mail_find(x, v, from, &before) >= 0;
}

// Takes the oldest mail of v from this sender, and returns true; false if there is none.
static bool mail_take(BlockingRun *x, int v, int from, Mail *mail)
{
    int32_t before;
    const int32_t i = mail_find(x, v, from, &before);
    if (i < 0)
        return false;
    BlockedPort *port = &x->ports[v];
    *mail = x->mail[i];
    *(before < 0 ? &port->first : &x->mail[before].next) = mail->next;
    if (port->last == i)
        port->last = before;
    port->n_mail--;
    x->waiting--;
    x->mail[i].next = x->free_mail;
    x->free_mail = i;
    return true;
}

// Ends the receive of d, which waits for this message. d becomes runnable if its operation is over and it is not `self`,
// the rank that runs now.
static inline ALWAYS_INLINED void serve(BlockingRun *x, int d, const Mail *mail, int self, bool skewed)
{
    const Blocked *r = &x->ranks[d];
    const bool once = x->lists[r->list].once;
    InPort *in = &x->ports[d].in;
    Site *site = x->model.site;
    Prices *prices = mail->prices;
    agree_on(x, mail->from, (int64_t)prices->bytes, d);
    const PriceKind way = mail->paired && r->paired ? prices_of_step(site, prices->level) : PRICE_ONE;
    const double gap = prices->of[PRICE_GAP].value;
    bool port = false;
    if (!once) {
        x->given_up |= !in_port_follows(in, x->s, mail->start.t, mail->from, x->unsure);
        port = in_port_delays(in, gap, mail->start.t + prices->of[way].value);
    }
    const Stamp arrival = stamp_price(site, port ? in->free : mail->start, prices, port ? PRICE_GAP : way);
    if (!once)
        *in = (InPort){.free = arrival, .begun = mail->start.t, .name = mail->from, .used = true};
    const Stamp posted = clock_of(x, d, skewed);
    const Stamp end = posted.t + gap >= arrival.t ? stamp_price(site, posted, prices, PRICE_GAP) : arrival;
    if (finish_half(x, d, true, end, skewed) && d != self)
        x->runnable[x->n_runnable++] = d;
}

// Lets v's eager message leave.
static inline ALWAYS_INLINED void leave(BlockingRun *x, int v, bool skewed)
{
    const Blocked *r = &x->ranks[v];
    const int d = r->to;
    Prices *prices = prices_at(x->model.site, cost_level(&x->model, v, d), (uint64_t)r->out);
    const Mail mail = {clock_of(x, v, skewed), prices, v, -1, r->paired};
    finish_half(x, v, false, stamp_price(x->model.site, mail.start, prices, PRICE_GAP), skewed);
    Mail older;
    if (x->ranks[d].from != v) {
        mail_put(x, d, &mail);
    } else if (x->waiting == 0 || !mail_take(x, d, v, &older)) {
        serve(x, d, &mail, v, skewed);
    } else { // d has come to its receive, but has not looked at its mail
        mail_put(x, d, &mail);
        serve(x, d, &older, v, skewed);
    }
}

// As transfer_one, for v's rendezvous message to d, which has an in-port.
static void transfer_to_port(BlockingRun *x, int v, int d, int self, bool skewed)
{
    InPort *in = &x->ports[d].in;
    const Stamp ours = clock_of(x, v, skewed), theirs = stamp_latest(clock_of(x, d, skewed), in->free);
    agree(x, v, d);
    const MessageCost cost = cost_of(x, v, d);
    const Stamp left = end_of(x, &cost, false, ours, theirs), arrived = end_of(x, &cost, true, theirs, ours);
    *in = (InPort){.free = end_of(x, &cost, false, theirs, ours),
                   .begun = MAX(ours.t, theirs.t),
                   .name = v,
                   .used = true,
                   .rendezvous = true};
    const bool sent = finish_half(x, v, false, left, skewed);
    const bool received = finish_half(x, d, true, arrived, skewed);
    if (v == self ? received : sent)
        x->runnable[x->n_runnable++] = v == self ? d : v;
}

// As meet, if messages may be eager.
static inline ALWAYS_INLINED bool meet_or_leave(BlockingRun *x, int v, bool skewed)
{
    const Blocked *r = &x->ranks[v];
    const int to = r->to, from = r->from;
    Mail mail;
    x->crowded = false;
    if (from >= 0) {
        if (x->waiting > 0 && mail_take(x, v, from, &mail))
            serve(x, v, &mail, v, skewed);
        else if (x->ranks[from].to == v && !is_eager(x, from))
            transfer_to_port(x, from, v, v, skewed);
    }
    if (to >= 0) {
        if (is_eager(x, v))
            leave(x, v, skewed);
        else if (x->ranks[to].from == v && !has_mail(x, to, v))
            transfer_to_port(x, v, to, v, skewed);
    }
    x->given_up |= x->searched > FAR;
    return r->to < 0 && r->from < 0;
}

// ---- Running --------------------------------------------------------------------------------------------------------

// Runs v up to its next message, and puts v into `coming`.
static void advance(BlockingRun *x, int v)
{
    const Schedule *s = x->s;
    Blocked *r = &x->ranks[v];
    const OpList *k = &x->lists[r->list];
    static const Stride none;
    for (;;) {
        const Op *op = &k->ops[r->pc];
        const uint32_t round = r->round;
        const Stride *d = G_UNLIKELY(round) ? &k->strides[r->pc] : &none;
        switch ((OpKind)op->kind) {
        case OP_REDUCE:
        case OP_COPY:
        case OP_FRESH: {
            const size_t bytes = length_of(s, v, op->in_cut, op->in, d->in, round);
            r->t += cost_own(&x->model, op->kind - OP_REDUCE, bytes);
            tally_own(&x->model, &r->n, op->kind - OP_REDUCE, bytes);
            r->pc++;
            continue;
        }
        case OP_LOOP:
            if (round == 0)
                x->aside[v].rounds = (uint32_t)class_of(s, v)->ops[r->pc].out.bytes;
            if (++r->round < x->aside[v].rounds) {
                r->pc -= (uint32_t)op->to;
            } else {
                r->round = 0;
                r->pc++;
            }
            continue;
        case OP_END:
            return;
        default:
            break;
        }
        r->paired = op->kind == OP_SENDRECV;
        if (op->kind != OP_SEND) {
            r->from = op_peer(s, v, op, op->from, d->from, round);
            __builtin_prefetch(&x->ranks[r->from], 1);
            r->in = (int64_t)length_of(s, v, op->in_cut, op->in, d->in, round);
        }
        if (op->kind != OP_RECV) {
            r->to = op_peer(s, v, op, op->to, d->to, round);
            __builtin_prefetch(&x->ranks[r->to], 1);
            r->out = (int64_t)length_of(s, v, op->out_cut, op->out, d->out, round);
        }
        r->pc++;
        x->coming[(x->first_coming + x->n_coming++) % AHEAD] = v;
        return;
    }
}

// Returns true if the root begins with a send. It then runs last, so that the others wait for its messages and these do not
// become mail.
static bool sends_first(const Schedule *s)
{
    const Op *op = class_of(s, 0)->ops;
    while (op_works(op->kind))
        op++;
    return op->kind == OP_SEND;
}

// Goes on with v, whose operation is over, or lets it pause.
static inline ALWAYS_INLINED void go_on(BlockingRun *x, int v, bool eager)
{
    if (eager && x->crowded)
        x->paused[(x->first_paused + x->n_paused++) % x->s->p] = v;
    else
        advance(x, v);
}

static inline ALWAYS_INLINED void run_all(BlockingRun *x, bool skewed, bool eager)
{
    int next = 0;
    const int last = eager && sends_first(x->s) ? x->s->p - 1 : 0;
    do {
        if (x->n_runnable > 0) {
            advance(x, x->runnable[--x->n_runnable]);
        } else if (next < x->s->p) {
            advance(x, last > 0 ? last - next++ : next++);
        } else if (eager && x->n_paused > 0) {
            const int v = x->paused[x->first_paused];
            x->first_paused = (x->first_paused + 1) % x->s->p;
            x->n_paused--;
            advance(x, v);
        }
        while (x->n_coming == AHEAD || (x->n_coming > 0 && x->n_runnable == 0 && next == x->s->p)) {
            const int v = x->coming[x->first_coming++ % AHEAD];
            const Blocked *r = &x->ranks[v];
            x->n_coming--;
            // If v's peers have completed its operation in the meantime, they have also made v runnable.
            if ((r->to >= 0 || r->from >= 0) && (eager ? meet_or_leave(x, v, skewed) : meet(x, v, skewed)))
                go_on(x, v, eager);
        }
    } while ((x->n_runnable > 0 || next < x->s->p || x->n_paused > 0) && !x->given_up);
}

// Returns true if two classes differ at most in the numbers of their loops' rounds.
static bool same_list(const Class *a, const Class *b)
{
    if (a->n_ops != b->n_ops || a->loops != b->loops)
        return false;
    for (uint32_t i = 0; i < a->n_ops; i++) {
        const bool loops = a->ops[i].kind == OP_LOOP && b->ops[i].kind == OP_LOOP && a->ops[i].to == b->ops[i].to;
        if (!loops && memcmp(&a->ops[i], &b->ops[i], sizeof(Op)) != 0)
            return false;
    }
    return !a->loops || memcmp(a->strides, b->strides, a->n_ops * sizeof(Stride)) == 0;
}

static bool receives_once(const Class *k)
{
    int n = 0;
    for (const Op *op = k->ops; op->kind != OP_END; op++)
        n += op->kind == OP_RECV || op->kind == OP_SENDRECV;
    return n <= 1 && !k->loops;
}

// Makes the lists, and returns the number of each class's list; free it with g_free. It compares a class only with the
// one before it, because classes that are alike mostly follow each other. `notes` says that every rank's in-port is to
// note its last message.
static uint32_t *share_lists(BlockingRun *x, bool notes)
{
    const Schedule *s = x->s;
    uint32_t *list = g_new(uint32_t, s->n_classes), n = 0;
    x->lists = g_new(OpList, s->n_classes);
    for (uint32_t i = 0; i < s->n_classes; i++) {
        const Class *k = &s->classes[i];
        if (i == 0 || !same_list(k - 1, k))
            x->lists[n++] = (OpList){k->ops, k->strides, !notes && receives_once(k)};
        list[i] = n - 1;
    }
    return list;
}

static Replay *finish(const BlockingRun *x, const GearInput *in)
{
    Replay *r = replay_new(x->s->p, in->clocks);
    for (int rank = 0; rank < x->s->p; rank++)
        replay_end_rank(r, rank, clock_of(x, v_of_rank(x->s, rank), x->origin != NULL));
    for (int rank = 0; in->begun && rank < x->s->p; rank++) {
        const InPort *port = &x->ports[v_of_rank(x->s, rank)].in;
        in->begun[rank] = port->used ? port->begun : -1;
    }
    return r;
}

static void begin(BlockingRun *x, const GearInput *in, const uint32_t *list)
{
    const Schedule *s = x->s;
    for (int v = 0; v < s->p; v++) {
        const Stamp from = in->from ? in->from[rank_of(s, v)] : (Stamp){0};
        x->ranks[v] = (Blocked){.to = -1, .from = -1, .list = list[s->class_of ? s->class_of[v] : 0]};
        if (x->aside)
            x->aside[v].t = -1;
        set_clock(x, v, from, in->from != NULL);
    }
}

static bool needs_aside(const Schedule *s)
{
    return s->kinds & (1u << OP_SENDRECV | 1u << OP_LOOP);
}

// Returns true if a run needs in-ports: without them, messages are rendezvous, and a rank's clock implies when its port is
// free.
static bool needs_ports(const Schedule *s, const Hockney *model)
{
    if (!cost_is_measured(model))
        return false;
    const Lengths lengths = lengths_of(s, model->site);
    return !lengths.none_eager || !lengths.gaps_within;
}

size_t blocking_rank_bytes(const Schedule *s, const Hockney *model, bool skewed)
{
    const size_t port = needs_ports(s, model) ? sizeof(BlockedPort) + sizeof(Mail) + sizeof(int) : 0;
    return sizeof(Blocked) + sizeof(int) + (needs_aside(s) ? sizeof(Aside) : 0) + (skewed ? 2 * sizeof(uint32_t) : 0) +
           port;
}

static void add_ports(BlockingRun *x)
{
    const int p = x->s->p;
    x->ports = g_new0(BlockedPort, p);
    x->max_mail = p;
    x->mail = g_new(Mail, p);
    x->free_mail = -1;
    x->paused = g_new(int, p);
    x->unsure = in_port_may_be_free_at_once(x->model.site->measured) || site_shares(x->model.site);
}

static void run(BlockingRun *x)
{
    const bool skewed = x->origin != NULL;
    if (x->ports && skewed)
        run_all(x, true, true);
    else if (x->ports)
        run_all(x, false, true);
    else if (skewed)
        run_all(x, true, false);
    else
        run_all(x, false, false);
}

Replay *blocking_replay(const GearInput *in)
{
    const int p = in->s->p;
    const size_t bytes = (size_t)p * sizeof(Blocked);
    BlockingRun x = {.s = in->s,
                     .model = in->model,
                     .ranks = aligned_alloc(64, bytes),
                     .aside = needs_aside(in->s) ? g_new(Aside, p) : NULL,
                     .origin = in->from ? g_new(uint32_t, 2 * (size_t)p) : NULL,
                     .runnable = g_new(int, p)};
    if (!x.ranks)
        budget_exhausted(bytes);
    g_autofree uint32_t *list = share_lists(&x, in->begun != NULL);
    begin(&x, in, list);
    if (in->begun || needs_ports(in->s, &in->model))
        add_ports(&x);
    run(&x);
    bool done = !x.given_up && x.waiting == 0;
    for (int v = 0; v < p && done; v++)
        done = x.ranks[v].to < 0 && x.ranks[v].from < 0;
    Replay *r = done ? finish(&x, in) : NULL;
    free(x.ranks);
    g_free(x.ports);
    g_free(x.mail);
    g_free(x.paused);
    g_free(x.aside);
    g_free(x.lists);
    g_free(x.origin);
    g_free(x.runnable);
    return r;
}
