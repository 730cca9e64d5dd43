// The gear chain with noise. It is blocking.c without what makes that fast, and a file of its own, because a noise of 0 in
// blocking.c costs runs without noise 5 % of their time.
#include "engine/replay/blocked.h"
#include "engine/replay/noise.h"

// The ends of a message for its sender and its receiver.
typedef struct NoisyEnds {
    Stamp left, arrived;
} NoisyEnds;

// Begins v's message to d, for which both are ready.
static NoisyEnds begin(BlockingRun *x, int v, int d, Stamp ours, Stamp theirs)
{
    const MessageCost cost = cost_of(x, v, d);
    const uint64_t ns = noise_next(&x->model, v, d);
    agree(x, v, d);
    return (NoisyEnds){.left = stamp_noise(x->model.site, end_of(x, &cost, false, ours, theirs), ns),
                       .arrived = stamp_noise(x->model.site, end_of(x, &cost, true, theirs, ours), ns)};
}

// Transfers v's message to d. `self`, which is v or d, is the rank that runs now; the other one becomes runnable if its
// operation is over.
static void transfer_one(BlockingRun *x, int v, int d, int self, bool skewed)
{
    const NoisyEnds ends = begin(x, v, d, clock_of(x, v, skewed), clock_of(x, d, skewed));
    const bool sent = finish_half(x, v, false, ends.left, skewed);
    const bool received = finish_half(x, d, true, ends.arrived, skewed);
    if (v == self ? received : sent)
        x->runnable[x->n_runnable++] = v == self ? d : v;
}

static void set_latest(BlockingRun *x, int v, Stamp own, Stamp received, Stamp sent, bool skewed)
{
    set_clock(x, v, stamp_latest(stamp_latest(own, received), sent), skewed);
}

// Transfers the messages of v, which runs now, and d to each other; d becomes runnable.
static void exchange(BlockingRun *x, int v, int d, bool skewed)
{
    Blocked *a = &x->ranks[v], *b = &x->ranks[d];
    const Stamp ours = clock_of(x, v, skewed), theirs = clock_of(x, d, skewed);
    const NoisyEnds out = begin(x, v, d, ours, theirs), in = begin(x, d, v, theirs, ours);
    set_latest(x, v, ours, in.arrived, out.left, skewed);
    set_latest(x, d, theirs, out.arrived, in.left, skewed);
    a->to = a->from = b->to = b->from = -1;
    x->runnable[x->n_runnable++] = d;
}

// Makes the transfers of v's operation whose other sides are ready. Returns true if the operation is over.
static bool meet(BlockingRun *x, int v, bool skewed)
{
    const Blocked *r = &x->ranks[v];
    const int to = r->to, from = r->from;
    if (to >= 0 && to == from && x->ranks[to].to == v && x->ranks[to].from == v) {
        exchange(x, v, to, skewed);
        return true;
    }
    if (from >= 0 && x->ranks[from].to == v)
        transfer_one(x, from, v, v, skewed);
    if (to >= 0 && x->ranks[to].from == v)
        transfer_one(x, v, to, v, skewed);
    return r->to < 0 && r->from < 0;
}

Replay *blocking_noisy_replay(const GearInput *in)
{
    BlockingRun x;
    blocked_begin(&x, in, in->s->p, false);
    const bool skewed = x.origin != NULL;
    for (int next = 0; next < in->s->p; next++) {
        x.runnable[x.n_runnable++] = next;
        while (x.n_runnable > 0) {
            const int v = x.runnable[--x.n_runnable];
            while (advance(&x, v, false) && meet(&x, v, skewed))
                continue;
        }
    }
    Replay *r = blocked_result(&x, in);
    blocked_end(&x);
    return r;
}
