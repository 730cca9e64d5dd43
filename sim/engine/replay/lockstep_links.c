// Lockstep on a network between nodes, where each message of a step has a price of its own. All ranks go through the
// schedule together, as in lockstep.c, but a clock carries its certificate, because messages pay for different things.
// Under measured, eager messages may come to a port in another order than that of the steps; then this gear gives up.
#include "engine/replay/lockstep.h"
#include "engine/replay/lengths.h"
#include "engine/replay/links.h"
#include <math.h>

typedef struct LinksRun {
    const Schedule *s;
    Hockney model;
    int p, n, turn; // v = 0 .. n-1 stand for all p
    bool meets;     // messages wait for both of their ends
    Cursor *at;     // by class
    LockstepStep *step;
    Stamp *now, *sent, *received; // by v: its clock, and when the messages of an exchange end for it
    uint64_t round;               // how many exchanges have been
    // Under measured, by v: when the last message that it received began, and from how far away it came, 0 for none. NULL if
    // no message is eager: then each begins when its receive is posted, so ports take them in the order of the steps.
    double *began;
    int *source;
} LinksRun;

static inline int peer_at_step(const LinksRun *x, int v, int to)
{
    return x->s->peers == PEERS_XOR ? v ^ to : (int)(((int64_t)v + to) % x->p);
}

// Returns the rank that stands for v.
static inline int place_of_v(const LinksRun *x, int v)
{
    return x->n == x->p ? v : v % x->n;
}

static void end_exchange(LinksRun *x)
{
    for (int v = 0; v < x->n; v++) // of the two requests of a sendrecv, the receive is the older one
        x->now[v] = stamp_latest(stamp_latest(x->now[v], x->received[v]), x->sent[v]);
    x->round++;
}

static inline const LockstepStep *step_of(const LinksRun *x, int v)
{
    return &x->step[x->turn == 1 ? 0 : v % x->turn];
}

// What v sends in an exchange, and to whom.
typedef struct LinksMessage {
    const LockstepStep *step;
    int to, level; // the rank that stands for the peer
    uint64_t bytes;
    const LinkPrice *price;
} LinksMessage;

static inline LinksMessage message_of(const LinksRun *x, int v)
{
    const LockstepStep *step = step_of(x, v);
    const int peer = peer_at_step(x, v, step->to);
    return (LinksMessage){.step = step,
                          .to = place_of_v(x, peer),
                          .level = cost_level(&x->model, v, peer),
                          .bytes = out_bytes(x->s, step, v),
                          .price = links_at(x->model.site->links, x->round, v)};
}

static void exchange(LinksRun *x)
{
    const Hockney *h = &x->model;
    for (int v = 0; v < x->n; v++) {
        const LinksMessage m = message_of(x, v);
        const Stamp *own = &x->now[v], *other = &x->now[m.to];
        bool waits;
        const Stamp start = x->meets ? stamp_latest(*own, *other) : *own;
        x->sent[v] = links_end(h, start, start, m.level, m.bytes, m.price, &waits);
        if (!x->meets) {
            x->received[m.to] = stamp_latest(*other, x->sent[v]);
        } else if (own->t != other->t) { // both sides go on from the later one
            x->received[m.to] = x->sent[v];
        } else {
            x->received[m.to] = links_end(h, *other, *other, m.level, m.bytes, m.price, &waits);
        }
    }
    end_exchange(x);
}

// Notes that a message for v begins. An eager message may begin before its receive is posted; returns false if it may then
// take the port before the message of the step before, which another rank has sent.
static bool comes_in_order(LinksRun *x, int v, int from, double began, bool eager)
{
    if (!x->began)
        return true;
    const bool follows = !eager || x->source[v] == 0 || x->source[v] == from || began > x->began[v];
    x->began[v] = began;
    x->source[v] = from;
    return follows;
}

// The exchange of v with its peer under measured (docs/MODEL.md): the end of what v sends for both of them. An eager message
// waits for nobody, and its receiver goes on no earlier than `take` after it was ready. Returns false if messages may come
// to a port in another order than that of the steps.
static bool send_measured(LinksRun *x, int v)
{
    const Hockney *h = &x->model;
    Site *site = h->site;
    const LinksMessage m = message_of(x, v);
    Prices *prices = prices_at(site, m.level, m.bytes);
    const bool eager = prices_eager(site, m.level, m.bytes), waits = links_wait(site->links, m.price) > 0;
    const PriceKind time = prices_time(prices, true, lockstep_swaps(m.step)), take = prices->take;
    const Stamp own = x->now[v], other = x->now[m.to], start = eager ? own : stamp_latest(own, other),
                begin = eager ? own : stamp_latest(other, own);
    x->sent[v] = links_extra(h, stamp_price(site, start, prices, PRICE_GAP), m.price, false, waits);
    x->received[m.to] = links_extra(h, stamp_price(site, begin, prices, time), m.price, true, waits);
    if (eager && x->received[m.to].t <= other.t + prices->of[take].value)
        x->received[m.to] = stamp_price(site, other, prices, take);
    return comes_in_order(x, m.to, m.step->to, begin.t, eager);
}

// Returns false if messages may come to a port in another order than that of the steps.
static bool exchange_measured(LinksRun *x)
{
    for (int v = 0; v < x->n; v++)
        if (!send_measured(x, v))
            return false;
    end_exchange(x);
    return true;
}

static void do_own_work(LinksRun *x)
{
    for (int v = 0; v < x->n; v++) {
        const LockstepStep *step = step_of(x, v);
        x->now[v] = stamp_own(&x->model, x->now[v], step->kind - OP_REDUCE, in_bytes(x->s, step, v));
    }
}

// Returns whether some rank ends later than this.
static bool passes(const LinksRun *x, double enough_s)
{
    for (int v = 0; v < x->n && enough_s < INFINITY; v++)
        if (x->now[v].t > enough_s)
            return true;
    return false;
}

static void begin(LinksRun *x, const GearInput *in, int turn)
{
    const int p = in->s->p, n = in->ranks;
    *x = (LinksRun){.s = in->s, .model = in->model, .p = p, .n = n, .turn = turn};
    x->meets = in->model.transfer == TRANSFER_RENDEZVOUS;
    x->at = g_new0(Cursor, turn);
    x->step = g_new(LockstepStep, turn);
    x->now = g_new(Stamp, n);
    x->sent = g_new(Stamp, n);
    x->received = g_new(Stamp, n);
    if (cost_is_measured(&x->model) && !lengths_of(in->s, x->model.site).none_eager) {
        x->began = g_new0(double, n);
        x->source = g_new0(int, n);
    }
    for (int v = 0; v < n; v++) {
        const int rank = rank_of(in->s, v);
        x->now[v] = in->from ? in->from[rank] : (Stamp){.node = (uint32_t)rank};
    }
}

static Replay *finish(LinksRun *x, const GearInput *in)
{
    Replay *r = replay_new(x->n, in->clocks);
    for (int rank = 0; rank < x->n; rank++)
        replay_end_rank(r, rank, x->now[place_of_v(x, v_of_rank(x->s, rank))]);
    return r;
}

size_t lockstep_links_bytes(int p)
{
    return (size_t)p * (3 * sizeof(Stamp) + sizeof(double) + sizeof(int));
}

Replay *lockstep_links_replay(const GearInput *in, int turn)
{
    LinksRun x;
    begin(&x, in, turn);
    const bool measured = cost_is_measured(&x.model);
    bool beyond = false, holds = true;
    while (holds && !beyond && class_of(x.s, 0)->ops[x.at[0].pc].kind != OP_END) {
        for (int c = 0; c < turn; c++) {
            x.step[c] = lockstep_step_at(x.s, class_of(x.s, c), x.at[c]);
            x.at[c] = next_step(class_of(x.s, c), x.at[c]);
        }
        if (x.step->kind != OP_SENDRECV)
            do_own_work(&x);
        else if (measured)
            holds = exchange_measured(&x);
        else
            exchange(&x);
        beyond = passes(&x, in->enough_s);
    }
    Replay *r = !holds ? NULL : beyond ? replay_beyond(x.n) : finish(&x, in);
    g_free(x.at);
    g_free(x.step);
    g_free(x.now);
    g_free(x.sent);
    g_free(x.received);
    g_free(x.began);
    g_free(x.source);
    return r;
}
