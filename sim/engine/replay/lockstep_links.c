// Lockstep on a network between nodes, where each message of a step has a price of its own. All ranks go through the
// schedule together, as in lockstep.c, but a clock carries its certificate, because messages pay for different things.
#include "engine/replay/lockstep.h"
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

static void exchange(LinksRun *x)
{
    const Hockney *h = &x->model;
    for (int v = 0; v < x->n; v++) {
        const LockstepStep *step = &x->step[x->turn == 1 ? 0 : v % x->turn];
        const int peer = peer_at_step(x, v, step->to), to = place_of_v(x, peer), level = cost_level(h, v, peer);
        const uint64_t bytes = out_bytes(x->s, step, v);
        const LinkPrice *price = links_at(h->site->links, x->round, v);
        const Stamp *own = &x->now[v], *other = &x->now[to];
        bool waits;
        const Stamp start = x->meets ? stamp_latest(*own, *other) : *own;
        x->sent[v] = links_end(h, start, start, level, bytes, price, &waits);
        if (!x->meets) {
            x->received[to] = stamp_latest(*other, x->sent[v]);
        } else if (own->t != other->t) { // both sides go on from the later one
            x->received[to] = x->sent[v];
        } else {
            x->received[to] = links_end(h, *other, *other, level, bytes, price, &waits);
        }
    }
    for (int v = 0; v < x->n; v++) // of the two requests of a sendrecv, the receive is the older one
        x->now[v] = stamp_latest(stamp_latest(x->now[v], x->received[v]), x->sent[v]);
    x->round++;
}

static void do_own_work(LinksRun *x)
{
    for (int v = 0; v < x->n; v++) {
        const LockstepStep *step = &x->step[x->turn == 1 ? 0 : v % x->turn];
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
    return 3 * (size_t)p * sizeof(Stamp);
}

Replay *lockstep_links_replay(const GearInput *in, int turn)
{
    LinksRun x;
    begin(&x, in, turn);
    bool beyond = false;
    while (!beyond && class_of(x.s, 0)->ops[x.at[0].pc].kind != OP_END) {
        for (int c = 0; c < turn; c++) {
            x.step[c] = lockstep_step_at(x.s, class_of(x.s, c), x.at[c]);
            x.at[c] = next_step(class_of(x.s, c), x.at[c]);
        }
        if (x.step->kind == OP_SENDRECV)
            exchange(&x);
        else
            do_own_work(&x);
        beyond = passes(&x, in->enough_s);
    }
    Replay *r = beyond ? replay_beyond(x.n) : finish(&x, in);
    g_free(x.at);
    g_free(x.step);
    g_free(x.now);
    g_free(x.sent);
    g_free(x.received);
    return r;
}
