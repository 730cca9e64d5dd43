#include "engine/network/step_chain.h"
#include "base/budget.h"
#include "engine/network/late_ranks.h"
#include "engine/replay/lockstep.h"
#include "engine/replay/vectorised.h"
#include <math.h>
#include <string.h>

enum {
    TRY_SETS = 16,       // steps, until few clocks may be late again
    MOST_KINDS = 1 << 28 // bytes of the kinds of all rounds, which are kept if they are no more
};

#define MOST_CLOCKS ((uint64_t)1 << 36) // ranks times steps; a run at this limit takes a minute or two

// An exchange, or work of their own that all ranks do, which has a k of 0.
typedef struct ChainStep {
    int k;
    uint64_t bytes;
} ChainStep;

// The clocks before or after a step: those of all ranks, or those of the late ones.
typedef struct ChainState {
    bool each;
    LateRanks late; // with `each`, only most_s is set
    double *clock;  // in the place of late.bits
} ChainState;

typedef struct StepChain {
    const StepChainOptions *o;
    const Network *n;
    const Charge *message; // without a network
    int ranks;
    bool meets;      // messages wait for both of their ends
    uint64_t common; // of the loads seen so far
    GArray *step;    // of ChainStep
    GArray *time;    // of KindTime: of the last round, by kind
    double most_s;   // .. the most of these
    LateRules *rules;
    ChainState scratch;
    double *once, *load, *ends; // of the last round, by v: of the message that v sends
    const ShiftRound *last;
} StepChain;

// Lists what every rank does.
static void list_steps(StepChain *x, ChainPrices *found)
{
    const Schedule *s = x->o->s;
    const Class *class = class_of(s, 0);
    Cursor at = {0};
    for (; class->ops[at.pc].kind != OP_END; at = next_step(class, at)) {
        const LockstepStep step = lockstep_step_at(s, class, at);
        const bool sends = step.kind == OP_SENDRECV;
        const ChainStep y = {sends ? step.to : 0, sends ? out_bytes(s, &step, 0) : in_bytes(s, &step, 0)};
        found->rounds += sends;
        g_array_append_val(x->step, y);
    }
}

static size_t state_bytes(const StepChain *x)
{
    return MAX((size_t)x->ranks * sizeof(double), late_ranks_bytes(x->rules));
}

static void set_room(ChainState *y, void *room)
{
    y->clock = room;
    y->late.bits = room;
}

static void begin(StepChain *x, const StepChainOptions *o)
{
    *x = (StepChain){.o = o,
                     .n = o->network,
                     .message = &o->site->link[o->site->n_levels - 1].message,
                     .ranks = o->ranks,
                     .meets = o->transfer == TRANSFER_RENDEZVOUS,
                     .common = o->network->whole};
    x->step = g_array_new(FALSE, FALSE, sizeof(ChainStep));
    x->time = g_array_new(FALSE, FALSE, sizeof(KindTime));
    x->once = g_new(double, x->ranks);
    x->load = g_new(double, x->ranks);
    x->ends = g_new(double, x->ranks);
    x->rules = late_ranks_new(x->ranks, x->meets);
    set_room(&x->scratch, g_malloc(state_bytes(x)));
}

static void clear(StepChain *x)
{
    g_array_unref(x->step);
    g_array_unref(x->time);
    g_free(x->once);
    g_free(x->load);
    g_free(x->ends);
    late_ranks_free(x->rules);
    g_free(x->scratch.clock);
}

static const ChainStep *step_at(const StepChain *x, guint i)
{
    return &g_array_index(x->step, ChainStep, i);
}

// ---- A round --------------------------------------------------------------------------------------------------------

// Returns what a message takes, in the same operations as links_end(); of its two times the later one counts.
static KindTime time_of(const StepChain *x, const LinkPrice *price, uint64_t bytes)
{
    const TopologyLinks *links = x->n->topology.links;
    const uint64_t units = x->n->whole / x->common, load = price->load / x->common;
    const double unit_s = links->per_byte_s[price->class] / (double)units;
    const KindTime alone = {x->message->once + price->hops * links->hop_s, (double)bytes * x->message->byte};
    return price->link < 0 ? alone : (KindTime){alone.once, MAX(alone.load, (double)load * unit_s)};
}

// Finds what the messages of a round take. Returns whether all loads are multiples of x->common; makes it smaller if not.
static bool find_times(StepChain *x, guint i)
{
    const ChainStep *step = step_at(x, i);
    const ShiftRound *r = x->last = shift_prices_round(x->o->prices, step->k, step->bytes);
    const uint64_t common = x->common;
    g_array_set_size(x->time, r->kinds);
    x->most_s = 0;
    for (uint32_t kind = 0; kind < r->kinds; kind++) {
        if (r->price[kind].link >= 0)
            x->common = round_links_divisor(x->common, r->price[kind].load);
        const KindTime t = g_array_index(x->time, KindTime, kind) = time_of(x, &r->price[kind], step->bytes);
        x->most_s = MAX(x->most_s, t.once + t.load);
    }
    return x->common == common;
}

// Spreads the times of kinds over all v.
static void spread_times(StepChain *x)
{
    const ShiftRound *r = x->last;
    const KindTime *time = (const KindTime *)(const void *)x->time->data;
    const int near = r->hosts - r->more;
    for (int s = 0, v = 0; s < r->switches; s++)
        for (int i = 0; i < (r->more ? 2 : 1); i++) {
            const KindTime *t = &time[r->of[i][s]];
            for (int end = v + (i ? r->more : near); v < end; v++) {
                x->once[v] = t->once;
                x->load[v] = t->load;
            }
        }
}

// Sets ends[] of n messages that wait for the clocks of their receivers too, or only for those of their senders.
static VECTORISED void find_ends_of_both(double *restrict ends, const double *restrict now,
                                         const double *restrict other, const double *restrict once,
                                         const double *restrict load, int n)
{
    for (int i = 0; i < n; i++)
        ends[i] = (now[i] > other[i] ? now[i] : other[i]) + once[i] + load[i];
}

static VECTORISED void find_ends(double *restrict ends, const double *restrict now, const double *restrict once,
                                 const double *restrict load, int n)
{
    for (int i = 0; i < n; i++)
        ends[i] = now[i] + once[i] + load[i];
}

static VECTORISED void take_later(double *restrict next, const double *restrict own, const double *restrict received,
                                  int n)
{
    for (int i = 0; i < n; i++)
        next[i] = own[i] > received[i] ? own[i] : received[i];
}

// Sets the clocks after an exchange whose times are known.
static void exchange(StepChain *x, const double *now, double *next, int k)
{
    const int n = x->ranks, away = k % n, rest = n - away;
    if (x->meets) {
        find_ends_of_both(x->ends, now, now + away, x->once, x->load, rest);
        find_ends_of_both(x->ends + rest, now + rest, now, x->once + rest, x->load + rest, away);
    } else {
        find_ends(x->ends, now, x->once, x->load, n);
    }
    take_later(next, x->ends, x->ends + rest, away);
    take_later(next + away, x->ends + away, x->ends, rest);
}

static void do_own_work(StepChain *x, uint64_t bytes, const ChainState *now, ChainState *next)
{
    const double own_s = charge_time(&x->o->site->work, bytes);
    next->each = now->each;
    if (!now->each) {
        late_ranks_work(x->rules, own_s, &now->late, &next->late);
        return;
    }
    next->late.most_s = now->late.most_s + own_s;
    for (int v = 0; v < x->ranks; v++)
        next->clock[v] = now->clock[v] + own_s;
}

// Sets the state after an exchange by a look at all ranks.
static void exchange_each(StepChain *x, int k, const ChainState *now, ChainState *next)
{
    const double *clock = now->clock;
    if (!now->each) {
        late_ranks_write(x->rules, &now->late, x->scratch.clock);
        clock = x->scratch.clock;
    }
    spread_times(x);
    exchange(x, clock, next->clock, k);
    next->each = true;
    next->late.most_s = now->late.most_s + x->most_s;
}

// Goes over to sets if few enough are late.
static void try_sets(StepChain *x, ChainState *y)
{
    if (!late_ranks_read(x->rules, y->clock, y->late.most_s, &x->scratch.late))
        return;
    uint64_t *const bits = y->late.bits;
    memcpy(bits, x->scratch.late.bits, late_ranks_bytes(x->rules));
    y->late = x->scratch.late;
    y->late.bits = bits;
    y->each = false;
}

// Sets the state after a step. Returns false if the divisor of all loads became smaller.
static bool do_step(StepChain *x, guint i, const ChainState *now, ChainState *next)
{
    const ChainStep *step = step_at(x, i);
    if (step->k == 0) {
        do_own_work(x, step->bytes, now, next);
        return true;
    }
    if (!find_times(x, i))
        return false;
    const LateRound round = {x->last, step->k, (const KindTime *)(const void *)x->time->data, x->most_s};
    next->each = now->each || !late_ranks_exchange(x->rules, &round, &now->late, &next->late);
    if (!next->each)
        return true;
    exchange_each(x, step->k, now, next);
    if (i % TRY_SETS == 0)
        try_sets(x, next);
    return true;
}

static void copy_state(const StepChain *x, ChainState *to, const ChainState *from)
{
    void *const room = to->clock;
    *to = *from;
    set_room(to, room);
    memcpy(room, from->clock, from->each ? (size_t)x->ranks * sizeof(double) : late_ranks_bytes(x->rules));
}

static double clock_of(const StepChain *x, const ChainState *y, int v)
{
    return y->each ? y->clock[v] : late_ranks_clock(x->rules, &y->late, v);
}

// Returns the lowest of the ranks that are the latest.
static int latest_of(const StepChain *x, const ChainState *y)
{
    int last = 0;
    if (!y->each)
        return late_ranks_first(x->rules, &y->late);
    for (int v = 1; v < x->ranks; v++)
        last = y->clock[v] > y->clock[last] ? v : last;
    return last;
}

// ---- The two walks --------------------------------------------------------------------------------------------------

typedef struct PricedWalk {
    guint every;
    ChainState *checkpoint; // before round 0, every, 2 every ..
    ChainState *between;    // before each round from a checkpoint to the next one, and after the last
} PricedWalk;

// Notes what bounds the counts of a round.
static void note_most(const StepChain *x, ChainPrices *found, double *most)
{
    const ShiftRound *r = x->last;
    uint16_t hops = 0;
    memset(most, 0, (size_t)x->n->n_classes * sizeof *most);
    for (uint32_t kind = 0; kind < r->kinds; kind++) {
        const LinkPrice *price = &r->price[kind];
        hops = MAX(hops, price->hops);
        if (price->link >= 0)
            most[price->class] = MAX(most[price->class], (double)price->load);
    }
    found->hops += hops;
    for (int i = 0; i < x->n->n_classes; i++)
        found->most[i] += most[i];
}

// Walks forwards, to walk->between[0]. Returns false if the divisor of all loads became smaller, so that it must begin
// again, or if there is too much to do.
static bool walk_on(StepChain *x, PricedWalk *walk, ChainPrices *found)
{
    g_autofree double *most = g_new(double, x->n->n_classes);
    ChainState *now = &walk->between[0], *next = &walk->between[1];
    now->each = false;
    late_ranks_begin(x->rules, &now->late);
    found->hops = 0;
    memset(found->most, 0, (size_t)x->n->n_classes * sizeof *found->most);
    for (guint i = 0; i < x->step->len; i++) {
        if (i % walk->every == 0)
            copy_state(x, &walk->checkpoint[i / walk->every], now);
        found->too_long = shift_prices_work(x->o->prices) > x->o->most_work;
        if (found->too_long || !do_step(x, i, now, next))
            return false;
        if (step_at(x, i)->k)
            note_most(x, found, most);
        ChainState *const old = now;
        now = next;
        next = old;
    }
    if (now != walk->between)
        copy_state(x, walk->between, now);
    return true;
}

// Walks forwards until nothing is left out that matters.
static void walk_forwards(StepChain *x, PricedWalk *walk, ChainPrices *found)
{
    late_ranks_limit(x->rules, INFINITY);
    while (!found->too_long && !walk_on(x, walk, found))
        late_ranks_limit(x->rules, INFINITY);
    const LateRanks *end = &walk->between->late;
    const double delay_s = found->too_long ? 0 : end->most_s - end->clock[0] + 1e-9 * end->most_s;
    if (found->too_long || late_ranks_lost(x->rules) > delay_s)
        return;
    late_ranks_limit(x->rules, delay_s); // some chain has such a delay, so no larger one matters
    walk_on(x, walk, found);
}

// Returns the kind of the message that v sends.
static uint32_t kind_of_rank(const StepChain *x, int v)
{
    const ShiftRound *r = x->last;
    return r->of[v % r->hosts >= r->hosts - r->more][v / r->hosts];
}

static double end_of(const StepChain *x, double start, int sender)
{
    const KindTime *t = &g_array_index(x->time, KindTime, kind_of_rank(x, sender));
    return start + t->once + t->load;
}

// Goes back over a round: from *v, after it, to the rank whose clock before it the clock of *v comes from. Returns the price
// of the message between the two. Clocks that do not matter are -INFINITY. Ties are those of exchange() in lockstep_links.c.
static LinkPrice step_back(const StepChain *x, const ChainState *before, int k, int *v)
{
    const int n = x->ranks, away = k % n, own = *v, from = (own - away + n) % n, to = (own + away) % n;
    const double at_own = clock_of(x, before, own), at_from = clock_of(x, before, from),
                 at_to = clock_of(x, before, to), received = end_of(x, x->meets ? MAX(at_from, at_own) : at_from, from),
                 sent = end_of(x, x->meets ? MAX(at_own, at_to) : at_own, own);
    // Of the two requests of a sendrecv, the receive is the older one. If neither ends later than the rank's clock, any
    // price will do, as a run that pays it does not end later either.
    const bool receives = received > at_own && received >= sent;
    const int other = receives ? from : to;
    if (x->meets ? (receives ? at_from : at_to) > at_own : receives)
        *v = other;
    LinkPrice price = x->last->price[kind_of_rank(x, receives ? from : own)];
    price.load /= x->common;
    return price;
}

static void walk_back(StepChain *x, const PricedWalk *walk, ChainPrices *found, int v)
{
    ChainState *const state = walk->between;
    uint32_t round = found->rounds;
    for (guint end = x->step->len; end > 0;) {
        const guint begin = (end - 1) / walk->every * walk->every;
        copy_state(x, state, &walk->checkpoint[begin / walk->every]);
        for (guint i = begin; i + 1 < end; i++)
            do_step(x, i, &state[i - begin], &state[i - begin + 1]);
        for (guint i = end; i-- > begin;) {
            if (step_at(x, i)->k == 0)
                continue;
            find_times(x, i);
            found->price[--round] = step_back(x, &state[i - begin], step_at(x, i)->k, &v);
        }
        end = begin;
    }
}

static ChainState *states_new(const StepChain *x, guint n)
{
    ChainState *states = g_new0(ChainState, n);
    char *const room = g_malloc(n * state_bytes(x));
    for (guint i = 0; i < n; i++)
        set_room(&states[i], room + i * state_bytes(x));
    return states;
}

static void states_free(ChainState *states)
{
    g_free(states->clock);
    g_free(states);
}

static void walk_both_ways(StepChain *x, PricedWalk *walk, ChainPrices *found)
{
    walk->checkpoint = states_new(x, x->step->len / walk->every + 1);
    walk->between = states_new(x, walk->every + 1);
    found->price = g_new(LinkPrice, MAX(found->rounds, 1));
    found->most = g_new(double, x->n->n_classes);
    walk_forwards(x, walk, found);
    if (!found->too_long)
        walk_back(x, walk, found, latest_of(x, walk->between));
    found->common = x->common;
    for (int i = 0; i < x->n->n_classes; i++)
        found->most[i] /= (double)x->common;
    states_free(walk->checkpoint);
    states_free(walk->between);
}

gboolean step_chain_find(const StepChainOptions *o, ChainPrices *found, GError **error)
{
    StepChain x;
    *found = (ChainPrices){0};
    begin(&x, o);
    list_steps(&x, found);
    if ((uint64_t)x.step->len * (uint64_t)x.ranks > MOST_CLOCKS) {
        found->too_long = true;
        clear(&x);
        return TRUE;
    }
    PricedWalk walk = {.every = MAX((guint)sqrt((double)x.step->len), 1)};
    const uint64_t kinds = MIN(shift_prices_bytes(o->prices, (int)x.step->len),
                               MAX(shift_prices_bytes(o->prices, (int)walk.every), MOST_KINDS));
    const uint64_t states = x.step->len / walk.every + walk.every + 2,
                   bytes = states * state_bytes(&x) + found->rounds * sizeof(LinkPrice) + kinds;
    const gboolean fits = budget_take(bytes, o->s->name, o->s->p, error);
    if (fits) {
        shift_prices_keep(o->prices, (int)x.step->len, kinds);
        walk_both_ways(&x, &walk, found);
        budget_give_back(bytes);
    }
    clear(&x);
    return fits;
}

void step_chain_clear(ChainPrices *found)
{
    g_free(found->price);
    g_free(found->most);
}
