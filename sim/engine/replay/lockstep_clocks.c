// One step of all clocks, as loops that the compiler can vectorise: each goes over consecutive v whose messages have
// the same lengths.
#include "engine/replay/clocks.h"
#include "engine/replay/lockstep.h"
#include "api/integers.h"
#include <string.h>

enum { FEW = 8, TILE = 1024 }; // ranks

// Where to split the clocks of a class, in ascending order. From one border up to the next, the group and the places of
// the peers go up by one with each place, and messages have the same lengths.
typedef struct Borders {
    int at[16], n;
} Borders;

static void add_border(Borders *b, int at)
{
    int i = b->n;
    for (; i > 0 && b->at[i - 1] > at; i--)
        b->at[i] = b->at[i - 1];
    if (i > 0 && b->at[i - 1] == at) { // the border exists already, so move the later ones back
        for (; i < b->n; i++)
            b->at[i] = b->at[i + 1];
        return;
    }
    b->at[i] = at;
    b->n++;
}

// Adds the place of a group (modulo l->groups) in the row, if it is there.
static void add_group(Borders *b, const Lockstep *l, const ClockRow *row, int group)
{
    const int at = place_in(l, row, (group + l->groups) % l->groups);
    if (at < row->width)
        add_border(b, at);
}

// Adds the groups in which the block of this class's rank becomes a shorter one, the first block again, and once more a
// shorter one.
static void add_cut(Borders *b, const Lockstep *l, const ClockRow *row, int class, int cut, Length x)
{
    if (!cut)
        return;
    const int64_t first = ((int64_t) class + x.blocks.first) % l->p, longer = l->s->cuts[cut].longer;
    const int64_t blocks[] = {longer, l->p, l->p + longer};
    for (int i = 0; i < 3; i++) { // the block of group g is first + g * n
        const int64_t group = (blocks[i] - first + l->n - 1) / l->n;
        if (blocks[i] >= first && group <= l->groups)
            add_group(b, l, row, (int)group);
    }
}

// Leaves out the stretches with the levels that most ranks have.
static void leave_out_most(Lockstep *l)
{
    l->most = l->stretch[0];
    int votes = 0, n = 0; // if some levels have more than half of the ranks, they win this vote
    for (const Stretch *x = l->stretch; x < l->stretch + l->n_stretches; x++) {
        votes += (x->pair == l->most.pair ? 1 : -1) * (x->end - x->first);
        if (votes < 0) {
            votes = -votes;
            l->most = *x;
        }
    }
    for (const Stretch *x = l->stretch; x < l->stretch + l->n_stretches; x++)
        if (x->pair != l->most.pair)
            l->stretch[n++] = *x;
    l->n_stretches = n;
}

// Returns the index of a stretch's pair of levels in l->pairs; adds the pair if it is new.
static uint8_t number_pair(Lockstep *l, const Stretch *x)
{
    int i = 0;
    while (i < l->n_pairs && (l->pairs[i].in != x->in || l->pairs[i].out != x->out))
        i++;
    g_assert(i < LEVEL_PAIRS);
    l->pairs[i] = *x;
    l->n_pairs = MAX(l->n_pairs, i + 1);
    return (uint8_t)i;
}

// Finds the stretches of an exchange of a class, unless the last exchange had the same.
static void find_stretches(Lockstep *l, int class, const LockstepStep *step)
{
    const Site *site = l->model.site;
    if (!l->stretch) {
        const int in = l->far ? lockstep_link(l, step, class) : far_level(&l->model);
        l->n_pairs = 0;
        l->most = (Stretch){.end = l->p, .in = (uint8_t)in, .out = (uint8_t)far_level(&l->model)};
        l->most.pair = number_pair(l, &l->most);
    }
    if (!l->stretch || (l->to == step->to && l->from == step->from && l->of_begin == step->begins))
        return;
    l->to = step->to;
    l->from = step->from;
    l->of_begin = step->begins;
    l->n_pairs = 0;
    Stretch *x = l->stretch - 1;
    for (int v = 0; v < l->p; v++) {
        const int out = site_level(site, v, peer_at(l, v, step->to)), in = lockstep_link(l, step, v);
        if (v == 0 || x->in != in || x->out != out) {
            *++x = (Stretch){.first = v, .in = (uint8_t)in, .out = (uint8_t)out};
            x->pair = number_pair(l, x);
        }
        x->end = v + 1;
    }
    l->n_stretches = (int)(x - l->stretch) + 1;
    if (!is_xor(l))
        leave_out_most(l);
}

// Returns the number of the first stretch that ends behind v.
static int first_stretch(const Lockstep *l, int v)
{
    int low = 0, high = l->stretch ? l->n_stretches : 0;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (l->stretch[middle].end <= v)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Sets what an exchange costs, by pair of levels.
static void find_costs(const Lockstep *l, uint64_t in, uint64_t out, bool swaps, ExchangeCost *cost)
{
    for (int i = 0; i < l->n_pairs; i++)
        cost[i] = exchange_cost(&l->model, l->pairs[i].in, in, l->pairs[i].out, out, swaps);
}

// Returns when an exchange ends at a rank that is ready at `own`, if its source is ready at `there` and its target at
// `to`.
static inline double exchange_end(ExchangeCost c, double own, double there, double to)
{
    const double received = MAX((c.in_meets ? MAX(own, there) : there) + c.in, own + c.busy),
                 sent = (c.out_meets ? MAX(own, to) : own) + c.out;
    return MAX(received, sent);
}

// Does what exchange_many() does, for a few ranks that are not worth a call.
static inline void exchange_few(double *now, const double *old, const double *source, const double *target, int n,
                                const ExchangeCost *c)
{
    if (G_LIKELY(c->in_meets && c->out_meets))
        for (int i = 0; i < n; i++) {
            const double received = MAX(old[i], source[i]) + c->in, sent = MAX(old[i], target[i]) + c->out;
            now[i] = MAX(received, sent);
        }
    else
        for (int i = 0; i < n; i++)
            now[i] = exchange_end(*c, old[i], source[i], target[i]);
}

// Sets the clocks of n ranks with this cost to the end of an exchange. Before it these ranks are ready at old[i], their
// sources at source[i] and their targets at target[i].
static void exchange_many(double *now, const double *old, const double *source, const double *target, size_t n,
                          const ExchangeCost *c)
{
    if (c->in_meets) // a send that waits for nobody is one that waits for its own rank
        clocks_exchange_rendezvous(now, old, source, c->out_meets ? target : old, n, c->out, c->in);
    else if (c->out_meets)
        clocks_exchange_mixed(now, old, source, target, n, c->out, c->in, c->busy);
    else
        clocks_exchange_eager(now, old, source, n, MAX(c->out, c->busy), c->in);
}

// Exchanges of the n consecutive ranks from `first` on, whose messages have the same lengths: first as if all had the
// levels that most have, and then those that have others. It does so tile by tile, while the clocks are in the cache.
static void exchange_tiles(const Lockstep *l, int first, int n, const ExchangeCost *costs, double *now,
                           const double *own, const double *source, const double *target)
{
    const Stretch *x = l->stretch + first_stretch(l, first), *end = l->stretch + (l->stretch ? l->n_stretches : 0);
    for (int from = 0, to; from < n; from = to) {
        to = x < end ? MIN(from + TILE, n) : n;
        exchange_many(now + from, own + from, source + from, target + from, (size_t)(to - from), &costs[l->most.pair]);
        for (; x < end && x->first - first < to; x++) {
            const int at = MAX(x->first - first, from), few = MIN(x->end - first, to) - at;
            const ExchangeCost *cost = &costs[x->pair];
            if (few < FEW)
                exchange_few(now + at, own + at, source + at, target + at, few, cost);
            else
                exchange_many(now + at, own + at, source + at, target + at, (size_t)few, cost);
            if (x->end - first > to)
                break; // it goes on in the next tile
        }
    }
}

static void shift_exchange(Lockstep *l, int class, const LockstepStep *step, const ClockRow *next, const ClockRow *old)
{
    const int to = peer_at(l, class, step->to), from = peer_at(l, class, step->from); // of the rank in group 0
    const int to_group = group_at(l, to), from_group = group_at(l, from);
    double *now = next->clock + (ptrdiff_t) class * next->width;
    Borders b = {.at = {0}, .n = 1};
    add_group(&b, l, next, 0);
    add_group(&b, l, next, old->first);
    add_group(&b, l, next, old->first - to_group);
    add_group(&b, l, next, old->first - from_group);
    add_cut(&b, l, next, class, step->in_cut, step->in);
    add_cut(&b, l, next, class, step->out_cut, step->out);
    add_border(&b, next->width);
    find_stretches(l, class, step);
    ExchangeCost costs[LEVEL_PAIRS];
    for (int i = 0; i + 1 < b.n; i++) {
        const int first = (next->first + b.at[i]) % l->groups, v = first * l->n + class;
        find_costs(l, in_bytes(l->s, step, v), out_bytes(l->s, step, v), lockstep_swaps(step), costs);
        exchange_tiles(l, first, b.at[i + 1] - b.at[i], costs, now + b.at[i], clock_at(l, old, class, first),
                       clock_at(l, old, class_at(l, from), (first + from_group) % l->groups),
                       clock_at(l, old, class_at(l, to), (first + to_group) % l->groups));
    }
}

static void work(const Lockstep *l, int class, const LockstepStep *step, const ClockRow *row)
{
    double *now = row->clock + (ptrdiff_t) class * row->width;
    Borders b = {.at = {0}, .n = 1};
    add_group(&b, l, row, 0);
    add_cut(&b, l, row, class, step->in_cut, step->in);
    add_border(&b, row->width);
    for (int i = 0; i + 1 < b.n; i++) {
        const int v = (row->first + b.at[i]) % l->groups * l->n + class;
        clocks_add(now + b.at[i], (size_t)(b.at[i + 1] - b.at[i]),
                   cost_own(&l->model, step->kind - OP_REDUCE, in_bytes(l->s, step, v)));
    }
}

// Exchanges between every v and v ^ mask, in place, where the two messages of a pair may take other times because only
// one of the two ranks has received a message before.
static void xor_exchange_first(Lockstep *l, const LockstepStep *step, double *now)
{
    const uint64_t bytes = step->out.bytes;
    for (int v = 0, high = pow2_floor(step->to); v < l->p; v++) {
        if (v & high)
            continue;
        const int peer = v ^ step->to, level = cost_level(&l->model, v, peer);
        const ExchangeCost a = exchange_cost(&l->model, lockstep_link(l, step, v), bytes, level, bytes, true),
                           b = exchange_cost(&l->model, lockstep_link(l, step, peer), bytes, level, bytes, true);
        const double end = exchange_end(a, now[v], now[peer], now[peer]);
        now[peer] = exchange_end(b, now[peer], now[v], now[v]);
        now[v] = end;
    }
}

// Exchanges between every v and v ^ mask, in place. Each loop goes over a run of v that differ only below the mask's
// lowest bit, whose partners are consecutive as well, or over a part of the run that has one level.
static void xor_exchange(Lockstep *l, const LockstepStep *step, double *now)
{
    const size_t mask = (size_t)step->to, high = (size_t)pow2_floor(step->to), run = mask & -mask, p = (size_t)l->p;
    const uint64_t bytes = step->out.bytes;
    if (step->begins && l->received) {
        xor_exchange_first(l, step, now);
        return;
    }
    find_stretches(l, 0, step);
    ExchangeCost costs[LEVEL_PAIRS];
    find_costs(l, bytes, bytes, true, costs);
    const Stretch *x = l->stretch ? l->stretch : &l->most;
    const ExchangeCost *c = &costs[x->pair];
    for (size_t v = 0; v < p; v += 2 * high)
        for (size_t i = v, end; i < v + high; i = end) {
            while (x->end <= (int)i)
                c = &costs[(++x)->pair];
            end = MIN(i - i % run + run, (size_t)x->end);
            if (c->in_meets)
                clocks_pairs_rendezvous(now + i, now + (i ^ mask), end - i, MAX(c->in, c->out));
            else
                clocks_pairs_eager(now + i, now + (i ^ mask), end - i, c->in, MAX(c->out, c->busy));
        }
}

bool lockstep_step(Lockstep *l, double **now, double **other)
{
    const ClockRow row = {*now, 0, l->groups}, next = {*other, 0, l->groups};
    if (!lockstep_order_holds(l, *now, *other))
        return false;
    if (is_xor(l) && !op_works(l->step->kind)) {
        xor_exchange(l, l->step, *now);
        return true;
    }
    for (int c = 0; c < l->n; c++)
        if (op_works(l->step[c].kind))
            work(l, c, &l->step[c], &row);
        else
            shift_exchange(l, c, &l->step[c], &next, &row);
    if (!op_works(l->step->kind)) {
        *now = next.clock;
        *other = row.clock;
    }
    return true;
}

void lockstep_row_step(Lockstep *l, const LockstepStep *step, const ClockRow *old, const ClockRow *next)
{
    const bool works = op_works(step->kind);
    if (works || is_xor(l)) {
        g_assert(next->first == old->first && next->width == old->width);
        memcpy(next->clock, old->clock, (size_t)l->n * (size_t)old->width * sizeof *old->clock);
    }
    if (!works && is_xor(l)) {
        xor_exchange(l, step, next->clock);
        return;
    }
    for (int c = 0; c < l->n; c++)
        if (works)
            work(l, c, &step[c], next);
        else
            shift_exchange(l, c, &step[c], next, old);
}
