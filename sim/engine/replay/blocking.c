// The gear chain without convoys, for schedules in which no operation leaves a request open and no two transfers
// compete for a port. A rank shows whom it waits for, and the later of two ranks that wait for each other computes the
// transfer. So there are no queues, and a rank's state is one cache line.
//
// Under measured, messages may be eager. These leave at once, and are mail until they are received. A rank then also
// has an in-port, which serves messages in the order of receives; if they began in another order, the run is given up.
#include "engine/replay/blocked.h"
#include "engine/replay/in_port.h"
#include "engine/replay/lengths.h"
#include "base/budget.h"
#include <stdlib.h>
#include <string.h>

// An eager message that has not been received.
typedef struct Mail {
    Stamp start;
    Prices *prices;
    int32_t from, next; // its sender; the next mail of its receiver, or the next free entry; -1 for none
    bool paired, swaps; // of the sender's operation, see Blocked
    bool far;           // it takes longer (prices_far)
} Mail;

// The in-port of a rank, and its mail. Mail from one sender is in the order in which it came. Otherwise what came last
// is first, because a rank that is late has mail from ranks that ran ahead, and mostly needs it in this order: in an
// exchange by halves, the nearest of them was the last to get so far. All zero at the start, so that it need not be
// touched if it is not used.
typedef struct BlockedPort {
    InPort in;
    int32_t first, last, n_mail; // the first two are valid if n_mail is above 0
    int32_t sent;                // of the rank's own messages, those that are mail somewhere
} BlockedPort;
_Static_assert(sizeof(BlockedPort) == 64, "a port is a cache line");

// A rank that sends to one that has more mail than CROWD pauses until no other rank can go on, so that ranks take turns
// and mail stays in the cache. If searches for mail take more than FAR steps, another gear will be faster.
enum { CROWD = 16, FAR = 1 << 26 };

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
    if (port->n_mail == 0) {
        port->first = port->last = i;
    } else if (x->ports[mail->from].sent == 0) { // then this mail is the sender's only one
        x->mail[i].next = port->first;
        port->first = i;
    } else {
        x->mail[port->last].next = i;
        port->last = i;
    }
    x->ports[mail->from].sent++;
    x->crowded = ++port->n_mail > CROWD;
    x->waiting++;
}

// Returns v's oldest mail from this sender, or -1 if there is none; *before becomes the entry before it.
static int32_t mail_find(BlockingRun *x, int v, int from, int32_t *before)
{
    const BlockedPort *port = &x->ports[v];
    if (port->n_mail == 0 || x->ports[from].sent == 0)
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
    x->ports[from].sent--;
    x->waiting--;
    x->mail[i].next = x->free_mail;
    x->free_mail = i;
    return true;
}

// Ends the receive of d, which waits for this message. d becomes runnable if its operation is over and it is not
// `self`, the rank that runs now.
static inline ALWAYS_INLINED void serve(BlockingRun *x, int d, const Mail *mail, int self, bool skewed)
{
    const Blocked *r = &x->ranks[d];
    const bool once = x->lists[r->list].once;
    InPort *in = &x->ports[d].in;
    Site *site = x->model.site;
    Prices *prices = mail->prices;
    agree_on(x, mail->from, (int64_t)prices->bytes, d);
    const PriceKind way = prices_time(prices, mail->paired && r->paired, mail->swaps && r->swaps) +
                          (G_UNLIKELY(mail->far) ? PRICE_FAR : 0),
                    take = prices->take;
    const double take_s = prices->of[take].value;
    bool port = false;
    if (!once) {
        x->given_up |= !in_port_follows(in, x->s, mail->start.t, mail->from, x->unsure);
        port = in_port_delays(in, take_s, mail->start.t + prices_value(site, prices, way));
    }
    const Stamp arrival = stamp_price(site, port ? in->free : mail->start, prices, port ? take : way);
    if (!once)
        *in = (InPort){.free = arrival, .begun = mail->start.t, .name = mail->from, .used = true};
    const Stamp posted = clock_of(x, d, skewed);
    const Stamp end = posted.t + take_s >= arrival.t ? stamp_price(site, posted, prices, take) : arrival;
    if (finish_half(x, d, true, end, skewed) && d != self)
        x->runnable[x->n_runnable++] = d;
}

// Lets v's eager message leave.
static inline ALWAYS_INLINED void leave(BlockingRun *x, int v, bool skewed)
{
    const Blocked *r = &x->ranks[v];
    const int d = r->to;
    Prices *prices = prices_at(x->model.site, cost_level(&x->model, v, d), (uint64_t)r->out);
    const bool far = prices_far(x->model.site, prices, r->reacts, v, d);
    const Mail mail = {clock_of(x, v, skewed), prices, v, -1, r->paired, r->swaps, far};
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

// Does the same as transfer_one for v's rendezvous message to d, which has an in-port.
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

// Does the same as meet if messages may be eager.
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
static void come(BlockingRun *x, int v)
{
    if (!advance(x, v, false))
        return;
    if (G_UNLIKELY(x->ports)) { // of a rank without such a message it is its own
        const Blocked *r = &x->ranks[v];
        __builtin_prefetch(&x->ports[r->from >= 0 ? r->from : v], 1);
        __builtin_prefetch(&x->ports[r->to >= 0 ? r->to : v], 1);
        __builtin_prefetch(&x->mail[x->ports[v].first]);
    }
    x->coming[(x->first_coming + x->n_coming++) % AHEAD] = v;
}

// Returns true if the root begins with a send. It then runs last, so that the others wait for its messages and these do
// not become mail.
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
        come(x, v);
}

static inline ALWAYS_INLINED void run_all(BlockingRun *x, bool skewed, bool eager)
{
    int next = 0;
    const int last = eager && sends_first(x->s) ? x->s->p - 1 : 0;
    do {
        if (x->n_runnable > 0) {
            come(x, x->runnable[--x->n_runnable]);
        } else if (next < x->s->p) {
            come(x, last > 0 ? last - next++ : next++);
        } else if (eager && x->n_paused > 0) {
            const int v = x->paused[x->first_paused];
            x->first_paused = (x->first_paused + 1) % x->s->p;
            x->n_paused--;
            come(x, v);
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

// Returns true if a run needs in-ports: without them, messages are rendezvous, and a rank's clock implies when its port
// is free.
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
    return blocked_rank_bytes(s, skewed) + port;
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

// Notes when the last message began that each rank received.
static void note_begun(const BlockingRun *x, double *begun)
{
    for (int rank = 0; rank < x->s->p; rank++) {
        const InPort *port = &x->ports[v_of_rank(x->s, rank)].in;
        begun[rank] = port->used ? port->begun : -1;
    }
}

Replay *blocking_replay(const GearInput *in)
{
    BlockingRun x;
    blocked_begin(&x, in, in->s->p, in->begun != NULL);
    if (in->begun || needs_ports(in->s, &in->model))
        add_ports(&x);
    run(&x);
    Replay *r = x.given_up || x.waiting > 0 ? NULL : blocked_result(&x, in);
    if (r && in->begun)
        note_begun(&x, in->begun);
    blocked_end(&x);
    g_free(x.ports);
    g_free(x.mail);
    g_free(x.paused);
    return r;
}
