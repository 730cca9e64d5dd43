// A rank is in one of three states. Alone, it shows whom it waits for, as in blocking.c, and the later of two
// lone ranks that wait for each other computes the transfer. In a convoy, only the convoy's steps move it. Fresh, it
// has come to an operation that a convoy could run, and nobody may touch it until its turn comes; until then, its
// neighbours may come to the same operation with the same clock.
#include "engine/replay/convoy.h"
#include "engine/replay/blocked.h"
#include "engine/replay/vectorised.h"
#include <stdlib.h>
#include <string.h>

// A convoy becomes loose when this many ranks have left it one by one. Neighbours form a loose convoy when their clocks
// have kept them from forming a plain one this often.
enum { PATIENCE = 4 };
// Beyond these it gives up.
#define MOST_LOOSE ((uint64_t)1 << 36) // messages of loose convoys; more take more than a minute
enum {
    MOST_WORK = 1 << 25,   // steps, and operations of ranks alone
    MOST_CHAINS = 1 << 22, // about 200 MB
};

// What a rank has in addition to its Blocked. While it is in a convoy, its clock is the convoy's.
typedef struct ConvoyRank {
    int32_t convoy; // its convoy; -1 for none
    int8_t ahead;   // 1 or -1 if its operation is one that a convoy ahead in this direction could run; otherwise 0
    bool fresh;
} ConvoyRank;

typedef struct Convoy {
    int first, last;       // its ranks; last < first if the entry is not in use
    int ahead;             // 1 or -1: each sends to v + ahead and receives from v - ahead
    int64_t bytes;         // the length of every message
    Stamp now;             // the clock of every rank, unless it is loose; then its time is not before any of theirs
    uint64_t steps;        // rounds that it has run
    ClockTally paid;       // what a chain pays in these rounds
    uint64_t first_to_end; // the lowest `ends` of its ranks
    int late;              // ranks that left because the neighbour outside was later
    // Its ranks have clocks of their own, in ConvoyRun.times[side] and chains[side]. Not under measured, where chains
    // pay T or a gap.
    bool loose;
    int side;
    bool queued;
} Convoy;

// A chain that ranks of a loose convoy belong to. All chains pay the same in each round.
typedef struct ConvoyChain {
    ClockTally before; // what the chain had paid when the convoy began, or would have if it had been in the convoy
    uint32_t node;
} ConvoyChain;

typedef struct ConvoyRun {
    BlockingRun run;
    bool skewed;
    ConvoyRank *ranks;
    GArray *convoys; // of Convoy
    GArray *unused;  // a stack of numbers of convoys that do not exist any more
    // What is to be looked at when no rank is runnable, in this order: v for a rank that is fresh, and -1-n for convoy
    // n, which may be able to make a step.
    GQueue *queue;
    // A tree of minima over ends: ends[width + v] is the number of its convoy's steps after which the loop of v is
    // over; UINT64_MAX if v is in no convoy. ends[i] is the lower of ends[2i] and ends[2i + 1].
    uint64_t *ends;
    int width;
    double *times[2], *numbers[2]; // of each v in a loose convoy: its clock, and the number of its chain, an integer
    GArray *chains;                // of ConvoyChain
    int apart;                     // how often neighbours formed no convoy because their clocks differed
    uint64_t loose_work;           // messages of loose convoys
    uint64_t work, most_work;      // steps and operations that were replayed; it gives up when there are more
} ConvoyRun;

static Convoy *convoy(const ConvoyRun *x, int number)
{
    return &g_array_index(x->convoys, Convoy, number);
}

// ---- What messages cost ---------------------------------------------------------------------------------------------

// Returns the clock of v, which is in no convoy.
static Stamp own_clock(const ConvoyRun *x, int v)
{
    return clock_of(&x->run, v, x->skewed);
}

// Returns whether a message takes another time if both of its ends are in sendrecvs.
static bool pairs_matter(const ConvoyRun *x)
{
    const Hockney *h = &x->run.model;
    return cost_is_measured(h) && h->site->measured->level[h->site->n_levels - 1].step;
}

// ---- When loops end -------------------------------------------------------------------------------------------------

static void set_end(ConvoyRun *x, int v, uint64_t end)
{
    int i = x->width + v;
    x->ends[i] = end;
    for (i /= 2; i > 0; i /= 2)
        x->ends[i] = MIN(x->ends[2 * i], x->ends[2 * i + 1]);
}

// Returns the lowest end among these ranks.
static uint64_t lowest_end(const ConvoyRun *x, int first, int last)
{
    uint64_t lowest = UINT64_MAX;
    for (int a = x->width + first, b = x->width + last + 1; a < b; a /= 2, b /= 2) {
        if (a & 1) {
            lowest = MIN(lowest, x->ends[a]);
            a++;
        }
        if (b & 1) {
            b--;
            lowest = MIN(lowest, x->ends[b]);
        }
    }
    return lowest;
}

// Returns the first of these ranks that has this end, which is the lowest one among them and which one of them has.
static int rank_with_end(const ConvoyRun *x, int first, int last, uint64_t end)
{
    int low = first, high = last;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (lowest_end(x, low, middle) == end)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

// ---- Convoys --------------------------------------------------------------------------------------------------------

static void enqueue(ConvoyRun *x, int number)
{
    Convoy *c = convoy(x, number);
    if (!c->queued)
        g_queue_push_tail(x->queue, GINT_TO_POINTER(-1 - number));
    c->queued = true;
}

static int new_convoy(ConvoyRun *x, Convoy c)
{
    c.queued = false;
    if (x->unused->len > 0) {
        const int number = g_array_index(x->unused, int, x->unused->len - 1);
        g_array_set_size(x->unused, x->unused->len - 1);
        *convoy(x, number) = c;
        return number;
    }
    g_array_append_val(x->convoys, c);
    return (int)x->convoys->len - 1;
}

// Returns how many rounds the loop has that v is in; v has come to its only operation.
static uint32_t rounds_of(const ConvoyRun *x, int v)
{
    return (uint32_t)class_of(x->run.s, v)->ops[x->run.ranks[v].pc].out.bytes;
}

// Returns the clock of v, which is in this convoy.
static Stamp stamp_in(const ConvoyRun *x, const Convoy *c, int v)
{
    if (!c->loose)
        return c->now;
    const ConvoyChain *chain = &g_array_index(x->chains, ConvoyChain, (guint)x->numbers[c->side][v]);
    return (Stamp){.t = x->times[c->side][v], .n = tally_sum(chain->before, c->paid), .node = chain->node};
}

// Gives v a place next to or in a loose convoy, with this clock.
static void set_stamp(ConvoyRun *x, const Convoy *c, int v, const Stamp *now)
{
    const ConvoyChain chain = {.before = tally_since(now->n, c->paid), .node = now->node};
    x->times[c->side][v] = now->t;
    x->numbers[c->side][v] = (double)x->chains->len;
    g_array_append_val(x->chains, chain);
}

// Gives each rank of a convoy a clock of its own.
static void loosen(ConvoyRun *x, Convoy *c)
{
    c->loose = true;
    set_stamp(x, c, c->first, &c->now);
    for (int v = c->first + 1; v <= c->last; v++) {
        x->times[c->side][v] = x->times[c->side][c->first];
        x->numbers[c->side][v] = x->numbers[c->side][c->first];
    }
}

// Puts v at an end of the convoy.
static void put_in(ConvoyRun *x, int number, int v)
{
    Convoy *c = convoy(x, number);
    ConvoyRank *r = &x->ranks[v];
    if (c->loose) {
        const Stamp now = own_clock(x, v);
        set_stamp(x, c, v, &now);
        c->now.t = MAX(c->now.t, now.t);
    }
    const uint64_t end = c->steps + rounds_of(x, v) - x->run.ranks[v].round;
    c->first = MIN(c->first, v);
    c->last = MAX(c->last, v);
    c->first_to_end = MIN(c->first_to_end, end);
    r->convoy = number;
    r->fresh = false;
    set_end(x, v, end);
    enqueue(x, number);
    for (int u = v - 1; u <= v + 1; u += 2) // a convoy on the other side may have waited for v
        if (x->ranks[u].convoy >= 0)
            enqueue(x, x->ranks[u].convoy);
}

// Takes v out of its convoy, which it may cut in two. v has then done as many rounds as the convoy.
static void take_out(ConvoyRun *x, int v)
{
    ConvoyRank *r = &x->ranks[v];
    const int number = r->convoy;
    Convoy *c = convoy(x, number);
    x->run.aside[v].rounds = rounds_of(x, v);
    x->run.ranks[v].round = (uint32_t)(rounds_of(x, v) - (x->ends[x->width + v] - c->steps));
    set_clock(&x->run, v, stamp_in(x, c, v), x->skewed);
    r->convoy = -1;
    set_end(x, v, UINT64_MAX);
    x->work++;
    if (c->first < v && v < c->last) {
        Convoy part = *c;
        if (v - c->first < c->last - v) { // the shorter part becomes the new convoy
            part.last = v - 1;
            c->first = v + 1;
        } else {
            part.first = v + 1;
            c->last = v - 1;
        }
        part.first_to_end = lowest_end(x, part.first, part.last);
        const int other = new_convoy(x, part);
        for (int i = part.first; i <= part.last; i++)
            x->ranks[i].convoy = other;
        enqueue(x, other);
    } else if (c->first == v) {
        c->first++;
    } else {
        c->last--;
    }
    c = convoy(x, number);
    if (c->first <= c->last) {
        c->first_to_end = lowest_end(x, c->first, c->last);
        enqueue(x, number);
    } else if (!c->queued) { // otherwise its number is free when it comes out of the queue
        g_array_append_val(x->unused, number);
    }
}

static bool same_stamp(const Stamp *a, const Stamp *b)
{
    return a->t == b->t && memcmp(&a->n, &b->n, sizeof a->n) == 0 && a->node == b->node;
}

static bool same_way(const Convoy *a, const Convoy *b)
{
    return a->ahead == b->ahead && a->bytes == b->bytes;
}

// Returns true if two convoys that are next to each other could be one.
static bool are_one(const Convoy *a, const Convoy *b)
{
    return same_way(a, b) && !a->loose && !b->loose && same_stamp(&a->now, &b->now);
}

// Moves all ranks of the shorter of two convoys that are next to each other into the longer one.
static void merge(ConvoyRun *x, int a, int b)
{
    if (convoy(x, a)->last - convoy(x, a)->first < convoy(x, b)->last - convoy(x, b)->first) {
        const int t = a;
        a = b;
        b = t;
    }
    Convoy *into = convoy(x, a), *from = convoy(x, b);
    for (int v = from->first; v <= from->last; v++) {
        set_end(x, v, x->ends[x->width + v] - from->steps + into->steps);
        x->ranks[v].convoy = a;
        x->work++;
    }
    into->first = MIN(into->first, from->first);
    into->last = MAX(into->last, from->last);
    into->first_to_end = lowest_end(x, into->first, into->last);
    from->last = from->first - 1;
    if (!from->queued)
        g_array_append_val(x->unused, b);
    enqueue(x, a);
}

// ---- One rank -------------------------------------------------------------------------------------------------------

static void make_runnable(ConvoyRun *x, int v)
{
    x->run.runnable[x->run.n_runnable++] = v;
}

// Ends one half of the operation of a lone rank, which becomes runnable if the other one is over too.
static void end_half(ConvoyRun *x, int v, bool receives, Stamp end)
{
    x->work++;
    if (finish_half(&x->run, v, receives, end, x->skewed))
        make_runnable(x, v);
}

// Transfers the message of v, which is alone, to d, which is alone; both wait for it.
static void transfer(ConvoyRun *x, int v, int d)
{
    const Stamp ours = own_clock(x, v), theirs = own_clock(x, d);
    const MessageCost cost = cost_of(&x->run, v, d);
    agree(&x->run, v, d);
    end_half(x, v, false, end_of(&x->run, &cost, false, ours, theirs));
    end_half(x, d, true, end_of(&x->run, &cost, true, theirs, ours));
}

// Returns true if v is alone. If it is in a convoy, that may now be able to make a step.
static bool is_alone(ConvoyRun *x, int v)
{
    if (x->ranks[v].convoy >= 0)
        enqueue(x, x->ranks[v].convoy);
    return x->ranks[v].convoy < 0 && !x->ranks[v].fresh;
}

// Makes the transfers of v, which is alone, whose other sides wait for them and are alone.
static void meet(ConvoyRun *x, int v)
{
    const int to = x->run.ranks[v].to, from = x->run.ranks[v].from;
    if (from >= 0 && is_alone(x, from) && x->run.ranks[from].to == v)
        transfer(x, from, v);
    if (to >= 0 && is_alone(x, to) && x->run.ranks[to].from == v)
        transfer(x, v, to);
}

// Returns 1 or -1 if the operation of v, which has just come to it, is the only one of a loop all of whose rounds are
// alike, and passes messages on to the next or to the last rank. Otherwise returns 0.
static int passes_on(const ConvoyRun *x, int v)
{
    const Blocked *r = &x->run.ranks[v];
    const Class *k = class_of(x->run.s, v);
    const Op *op = &k->ops[r->pc - 1];
    if (op->kind != OP_SENDRECV || op[1].kind != OP_LOOP || op[1].to != 1 || op->out_cut || op->in_cut ||
        r->in != r->out || r->to - v != v - r->from || abs(r->to - v) != 1)
        return 0;
    const Stride *d = &k->strides[r->pc - 1];
    return d->to | d->from ? 0 : r->to - v;
}

// Runs v up to its next message. v is then fresh if a convoy could run it; otherwise it is alone.
static void go_on(ConvoyRun *x, int v)
{
    if (!advance(&x->run, v, false))
        return;
    x->ranks[v].ahead = (int8_t)passes_on(x, v);
    if (x->ranks[v].ahead) {
        x->ranks[v].fresh = true;
        g_queue_push_tail(x->queue, GINT_TO_POINTER(v));
    } else {
        meet(x, v);
    }
}

// Returns true if v is in no convoy, but could be in one that moves as c does: it has come to such an operation, and no
// half of that has ended.
static bool may_join(const ConvoyRun *x, int v, const Convoy *c)
{
    const Blocked *r = &x->run.ranks[v];
    return x->ranks[v].convoy < 0 && x->ranks[v].ahead == c->ahead && r->out == c->bytes && r->to >= 0 && r->from >= 0;
}

// Puts v, which is fresh, into a convoy with a neighbour that moves in the same way. If there is none, v is alone from
// now on, up to its next operation.
static void settle(ConvoyRun *x, int v)
{
    ConvoyRank *r = &x->ranks[v];
    if (!r->fresh)
        return;
    Convoy own = {.first = v,
                  .last = v,
                  .ahead = r->ahead,
                  .bytes = x->run.ranks[v].out,
                  .now = own_clock(x, v),
                  .first_to_end = UINT64_MAX};
    for (int u = v - 1; u <= v + 1; u += 2) {
        const int number = x->ranks[u].convoy;
        if (number < 0)
            continue;
        const Convoy *c = convoy(x, number);
        if (r->convoy < 0 && (c->loose ? same_way(&own, c) : are_one(&own, c)))
            put_in(x, number, v);
        else if (r->convoy >= 0 && are_one(convoy(x, r->convoy), c))
            merge(x, r->convoy, number);
    }
    for (int u = v - 1; u <= v + 1 && r->convoy < 0; u += 2) {
        if (may_join(x, u, &own)) {
            const Stamp other = own_clock(x, u);
            own.loose = !same_stamp(&other, &own.now);
            if (own.loose && (x->apart++ < PATIENCE || cost_is_measured(&x->run.model)))
                continue;
            const int number = new_convoy(x, own);
            put_in(x, number, v);
            put_in(x, number, u);
        }
    }
    if (r->convoy >= 0)
        return;
    r->fresh = false;
    meet(x, v);
}

// ---- One step of a convoy -------------------------------------------------------------------------------------------

// Ends the loops of the ranks of a convoy that have done all their rounds.
static void let_go(ConvoyRun *x, int number)
{
    const Convoy c = *convoy(x, number);
    if (c.first_to_end != c.steps)
        return;
    for (int v = c.first; v <= c.last && lowest_end(x, v, c.last) == c.steps; v++) {
        v = rank_with_end(x, v, c.last, c.steps);
        take_out(x, v);
        Blocked *r = &x->run.ranks[v];
        r->to = r->from = -1;
        r->round = 0;
        r->pc++;
        make_runnable(x, v);
    }
}

// Finds out whether the rank next to this end of a convoy is ready for a step: it waits for its part of the message, is
// alone, and is not later than the convoy, unless that is loose. `sends` says that this end sends. If it is ready but
// later, takes the end out of the convoy, because it will be later than the others; if that has happened often, loosens
// the convoy instead. If it is in another convoy, takes it out of that one, or merges the two. Returns true if the
// convoy can make a step as far as this end is concerned.
static bool end_is_ready(ConvoyRun *x, int number, bool sends)
{
    Convoy *c = convoy(x, number);
    const int end = (c->ahead > 0) == sends ? c->last : c->first, peer = sends ? end + c->ahead : end - c->ahead;
    const ConvoyRank *r = &x->ranks[peer];
    const Blocked *theirs = &x->run.ranks[peer];
    if (r->fresh || (sends ? theirs->from : theirs->to) != end)
        return false;
    if (c->loose && may_join(x, peer, c)) {
        put_in(x, number, peer);
        return false;
    }
    if (r->convoy >= 0 && are_one(c, convoy(x, r->convoy))) {
        merge(x, number, r->convoy);
        return false;
    }
    if (!sends && pairs_matter(x) && !theirs->paired) { // its message takes another time than those of the others
        take_out(x, end);
        meet(x, end);
        return false;
    }
    const double theirs_t = r->convoy >= 0 ? stamp_in(x, convoy(x, r->convoy), peer).t : theirs->t;
    if (!c->loose && theirs_t > c->now.t && c->late == PATIENCE && !cost_is_measured(&x->run.model))
        loosen(x, c);
    if (!c->loose && theirs_t > c->now.t) {
        const int other = r->convoy;
        c->late++;
        take_out(x, end);
        meet(x, end);
        if (other >= 0)
            enqueue(x, other);
        return false;
    }
    if (r->convoy >= 0) {
        take_out(x, peer);
        meet(x, peer); // with the rank on its other side, if that is alone
    }
    return true;
}

// Computes the clocks of n ranks after a round from those before it. If ends are equal, a rank's own chain counts
// first, then that of the message that it receives, then that of the one that it sends.
VECTORISED static void pass_loose(double *restrict time, double *restrict chain, const double *restrict old,
                                  const double *restrict old_chain, size_t n, ptrdiff_t ahead, double cost)
{
    const double *source = old - ahead, *target = old + ahead;
    const double *source_chain = old_chain - ahead, *target_chain = old_chain + ahead;
    for (size_t i = 0; i < n; i++) {
        const double begin = source[i] > old[i] ? source[i] : old[i],
                     own = source[i] > old[i] ? source_chain[i] : old_chain[i];
        const double received = begin + cost, sent = target[i] + cost;
        time[i] = sent > received ? sent : received;
        chain[i] = sent > received ? target_chain[i] : own;
    }
}

// Lets the ranks of a loose convoy do one round. The clocks of its two neighbours are these.
static void pass_each(ConvoyRun *x, Convoy *c, int target, const Stamp *target_now, int source, const Stamp *source_now)
{
    const int from = c->side;
    const guint n_chains = x->chains->len;
    set_stamp(x, c, target, target_now);
    set_stamp(x, c, source, source_now);
    pass_loose(x->times[!from] + c->first, x->numbers[!from] + c->first, x->times[from] + c->first,
               x->numbers[from] + c->first, (size_t)(c->last - c->first) + 1, c->ahead,
               cost_at(&x->run.model, 0, (uint64_t)c->bytes));
    c->side = !from;
    // Mostly the chains of its neighbours do not win.
    const int head = c->ahead > 0 ? c->last : c->first, tail = c->ahead > 0 ? c->first : c->last;
    if (x->numbers[!from][head] < n_chains && x->numbers[!from][tail] < n_chains)
        g_array_set_size(x->chains, n_chains);
    x->loose_work += (uint64_t)(c->last - c->first) + 1;
}

// Takes all ranks out of a convoy, and lets them meet.
static void disband(ConvoyRun *x, int number)
{
    const int first = convoy(x, number)->first, last = convoy(x, number)->last;
    for (int v = first; v <= last; v++)
        take_out(x, v);
    for (int v = first; v <= last; v++)
        meet(x, v);
}

// Lets all ranks of a convoy do one round, if both its ends are ready.
static void step(ConvoyRun *x, int number)
{
    Convoy *c = convoy(x, number);
    c->queued = false;
    if (c->first > c->last) {
        g_array_append_val(x->unused, number);
        return;
    }
    x->work++;
    if (!end_is_ready(x, number, true) || !end_is_ready(x, number, false))
        return;
    c = convoy(x, number);
    const int head = c->ahead > 0 ? c->last : c->first, tail = c->ahead > 0 ? c->first : c->last;
    const int target = head + c->ahead, source = tail - c->ahead;
    const Stamp head_now = stamp_in(x, c, head), tail_now = stamp_in(x, c, tail), target_now = own_clock(x, target),
                source_now = own_clock(x, source), paid = {.n = c->paid};
    const MessageCost in = cost_of(&x->run, source, tail), out = cost_of(&x->run, head, target);
    c->now.t = MAX(c->now.t, MAX(target_now.t, source_now.t));
    // If a message may take so little time that it does not change a clock, a rank's own chain may win without the
    // message, and the ranks of a convoy do not all pay the same.
    const Stamp next = end_of(&x->run, &in, true, c->now, c->now);
    if (next.t <= c->now.t) {
        disband(x, number);
        return;
    }
    agree(&x->run, head, target);
    agree(&x->run, source, tail);
    if (c->loose)
        pass_each(x, c, target, &target_now, source, &source_now);
    c->now = next;
    c->paid = end_of(&x->run, &in, true, paid, paid).n;
    c->steps++;
    end_half(x, target, true, end_of(&x->run, &out, true, target_now, head_now));
    end_half(x, source, false, end_of(&x->run, &in, false, source_now, tail_now));
    enqueue(x, number);
    let_go(x, number);
}

// ---- The gear -------------------------------------------------------------------------------------------------------

// Breaks up all convoys, because none can make a step; only some of their messages can move. Returns false if there are
// no convoys.
static bool break_up(ConvoyRun *x)
{
    bool any = false;
    for (int v = 0; v < x->run.n; v++)
        if (x->ranks[v].convoy >= 0) {
            disband(x, x->ranks[v].convoy);
            any = true;
        }
    return any;
}

// Runs all ranks as far as they can go. Returns false if it gives up.
static bool run_all(ConvoyRun *x)
{
    BlockingRun *run = &x->run;
    for (int v = 0; v < run->n; v++)
        go_on(x, v);
    while (x->work <= x->most_work && x->loose_work <= MOST_LOOSE && x->chains->len <= MOST_CHAINS) {
        if (run->n_runnable > 0) {
            go_on(x, run->runnable[--run->n_runnable]);
        } else if (!g_queue_is_empty(x->queue)) {
            const int next = GPOINTER_TO_INT(g_queue_pop_head(x->queue));
            if (next >= 0)
                settle(x, next);
            else
                step(x, -1 - next);
        } else if (!break_up(x)) {
            return true;
        }
    }
    return false;
}

size_t convoy_rank_bytes(const Schedule *s, bool skewed)
{
    return blocked_rank_bytes(s, skewed) + sizeof(ConvoyRank) + 4 * sizeof(uint64_t) + 4 * sizeof(double) +
           sizeof(int) + sizeof(Convoy) / 2;
}

static void begin(ConvoyRun *x, const GearInput *in)
{
    const int p = in->s->p;
    *x = (ConvoyRun){.skewed = in->from != NULL,
                     .ranks = g_new(ConvoyRank, p),
                     .convoys = g_array_new(FALSE, FALSE, sizeof(Convoy)),
                     .unused = g_array_new(FALSE, FALSE, sizeof(int)),
                     .queue = g_queue_new(),
                     .chains = g_array_new(FALSE, FALSE, sizeof(ConvoyChain)),
                     .width = 1};
    blocked_begin(&x->run, in, p, false);
    for (int v = 0; v < p; v++)
        x->ranks[v] = (ConvoyRank){.convoy = -1};
    while (x->width < p)
        x->width *= 2;
    for (int i = 0; i < 2; i++) {
        x->times[i] = g_new0(double, p);
        x->numbers[i] = g_new0(double, p);
    }
    x->ends = g_new(uint64_t, 2 * (size_t)x->width);
    memset(x->ends, 0xff, 2 * (size_t)x->width * sizeof *x->ends);
    // A step costs as much as a few messages in blocking.c. And as no chain has more messages than there are
    // steps, a tally can count them.
    x->most_work = CLAMP(schedule_totals(in->s).messages / 16, 1 << 20, MOST_WORK);
}

static void end(ConvoyRun *x)
{
    blocked_end(&x->run);
    g_free(x->ranks);
    g_array_free(x->convoys, TRUE);
    g_array_free(x->unused, TRUE);
    g_queue_free(x->queue);
    g_array_free(x->chains, TRUE);
    for (int i = 0; i < 2; i++) {
        g_free(x->times[i]);
        g_free(x->numbers[i]);
    }
    g_free(x->ends);
}

Replay *convoy_replay(const GearInput *in)
{
    ConvoyRun x;
    begin(&x, in);
    Replay *r = run_all(&x) ? blocked_result(&x.run, in) : NULL;
    end(&x);
    return r;
}

bool convoy_pays(const Schedule *s)
{
    enum { WORTH_MESSAGES = 1 << 17, WORTH_RANKS = 64 };
    const uint32_t needed = 1u << OP_SENDRECV | 1u << OP_LOOP;
    if (s->peers != PEERS_SHIFT || (s->kinds & needed) != needed)
        return false;
    g_autofree uint64_t *ranks = schedule_class_ranks(s, s->p);
    double in_convoys = 0, most_rounds = 0; // of all ranks; of one rank
    for (uint32_t i = 0; i < s->n_classes; i++) {
        const Class *k = &s->classes[i];
        double rounds = 0;
        for (uint32_t j = 0; k->loops && j + 1 < k->n_ops; j++) {
            const Op *op = &k->ops[j];
            if (op->kind == OP_SENDRECV && op[1].kind == OP_LOOP && op[1].to == 1 && !op->out_cut && !op->in_cut &&
                op->out.bytes == op->in.bytes && op->to + (int64_t)op->from == s->p && MIN(op->to, op->from) == 1 &&
                !(k->strides[j].to | k->strides[j].from))
                rounds += (double)op[1].out.bytes;
        }
        in_convoys += (double)ranks[i] * rounds;
        most_rounds = MAX(most_rounds, rounds);
    }
    return in_convoys >= WORTH_MESSAGES && in_convoys >= WORTH_RANKS * most_rounds &&
           2 * in_convoys > (double)schedule_totals(s).messages;
}
