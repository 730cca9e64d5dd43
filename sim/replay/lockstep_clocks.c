// One step of all clocks, as loops that the compiler can vectorise: each goes over consecutive v whose messages have
// the same lengths.
#include "replay/clocks.h"
#include "replay/lockstep.h"
#include "api/integers.h"
#include <string.h>

enum { FEW = 8, TILE = 1024 }; // ranks

// Where to split a row, in ascending order: for all places from one border up to the next, v goes up by one with each
// place, and so do the places of the peers, and messages have the same lengths.
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

// Adds the place of v (modulo p) in the row, if it is there.
static void add_place(Borders *b, const Lockstep *l, const ClockRow *row, int v)
{
    const int at = place_in(l, row, (v + l->p) % l->p);
    if (at < row->width)
        add_border(b, at);
}

// Adds the place of the v for which block v + first is block 0, and of that for which it is the first of the shorter
// blocks.
static void add_cut(Borders *b, const Lockstep *l, const ClockRow *row, Cursor at, bool sends)
{
    const Op *op = &l->k->ops[at.pc];
    const int cut = sends ? op->out_cut : op->in_cut;
    if (!cut)
        return;
    const Stride *d = stride_at(l, at);
    const int first = cut_first(l->s, 0, sends ? op->out : op->in, sends ? d->out : d->in, at.round);
    add_place(b, l, row, -first);
    add_place(b, l, row, l->s->cuts[cut].longer - first);
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

// Returns the number of a stretch's pair of levels.
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

// Finds the stretches of an exchange with these peers of v = 0, unless the last exchange had the same.
static void find_stretches(Lockstep *l, int to, int from)
{
    const Site *site = l->model.site;
    if (!l->stretch && l->n_pairs == 0) {
        l->most = (Stretch){.end = l->p, .in = (uint8_t)far_level(&l->model), .out = (uint8_t)far_level(&l->model)};
        l->most.pair = number_pair(l, &l->most);
    }
    if (!l->stretch || (l->to == to && l->from == from))
        return;
    l->to = to;
    l->from = from;
    l->n_pairs = 0;
    Stretch *x = l->stretch - 1;
    const bool xor = l->s->peers == PEERS_XOR;
    int t = to, f = from; // the peers of v
    for (int v = 0; v < l->p; v++) {
        const int out = site_level(site, v, xor? v ^ to : t), in = xor? out : site_level(site, v, f);
        if (v == 0 || x->in != in || x->out != out) {
            *++x = (Stretch){.first = v, .in = (uint8_t)in, .out = (uint8_t)out};
            x->pair = number_pair(l, x);
        }
        x->end = v + 1;
        t = t + 1 == l->p ? 0 : t + 1;
        f = f + 1 == l->p ? 0 : f + 1;
    }
    l->n_stretches = (int)(x - l->stretch) + 1;
    if (!xor)
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

// Sets what an exchange of so many bytes costs, by pair of levels.
static void find_costs(const Lockstep *l, uint64_t in, uint64_t out, ExchangeCost *cost)
{
    for (int i = 0; i < l->n_pairs; i++)
        cost[i] = exchange_cost(&l->model, l->pairs[i].in, in, l->pairs[i].out, out);
}

// Does what lockstep_exchange() does, for a few ranks that are not worth a call.
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

void lockstep_exchange(double *now, const double *old, const double *source, const double *target, size_t n,
                       const ExchangeCost *c)
{
    if (c->in_meets) // a send that waits for nobody is one that waits for its own rank
        clocks_exchange_rendezvous(now, old, source, c->out_meets ? target : old, n, c->out, c->in);
    else if (c->out_meets)
        clocks_exchange_mixed(now, old, source, target, n, c->out, c->in, c->busy);
    else
        clocks_exchange_eager(now, old, source, n, MAX(c->out, c->busy), c->in);
}

// Exchanges of the n consecutive ranks from `first` on, whose messages have the same lengths: first as if all had the levels
// that most have, and then those that have others. It does so tile by tile, while the clocks are in the cache.
static void exchange_tiles(const Lockstep *l, int first, int n, const ExchangeCost *costs, double *now,
                           const double *own, const double *source, const double *target)
{
    const Stretch *x = l->stretch + first_stretch(l, first), *end = l->stretch + (l->stretch ? l->n_stretches : 0);
    for (int from = 0, to; from < n; from = to) {
        to = x < end ? MIN(from + TILE, n) : n;
        lockstep_exchange(now + from, own + from, source + from, target + from, (size_t)(to - from),
                          &costs[l->most.pair]);
        for (; x < end && x->first - first < to; x++) {
            const int at = MAX(x->first - first, from), few = MIN(x->end - first, to) - at;
            const ExchangeCost *cost = &costs[x->pair];
            if (few < FEW)
                exchange_few(now + at, own + at, source + at, target + at, few, cost);
            else
                lockstep_exchange(now + at, own + at, source + at, target + at, (size_t)few, cost);
            if (x->end - first > to)
                break; // it goes on in the next tile
        }
    }
}

static void shift_exchange(Lockstep *l, Cursor at, const ClockRow *next, const ClockRow *old)
{
    const int to = to_v(l, 0, at), from = from_v(l, 0, at);
    Borders b = {.at = {0}, .n = 1};
    add_place(&b, l, next, 0);
    add_place(&b, l, next, old->first);
    add_place(&b, l, next, old->first - to);
    add_place(&b, l, next, old->first - from);
    add_cut(&b, l, next, at, true);
    add_cut(&b, l, next, at, false);
    add_border(&b, next->width);
    find_stretches(l, to, from);
    ExchangeCost costs[LEVEL_PAIRS];
    for (int i = 0; i + 1 < b.n; i++) {
        const int first = (next->first + b.at[i]) % l->p;
        find_costs(l, in_bytes(l, first, at), out_bytes(l, first, at), costs);
        exchange_tiles(l, first, b.at[i + 1] - b.at[i], costs, next->clock + b.at[i], clock_at(l, old, first),
                       clock_at(l, old, (first + from) % l->p), clock_at(l, old, (first + to) % l->p));
    }
}

static void work(const Lockstep *l, Cursor at, const ClockRow *row)
{
    const WorkKind kind = l->k->ops[at.pc].kind - OP_REDUCE;
    Borders b = {.at = {0}, .n = 1};
    add_place(&b, l, row, 0);
    add_cut(&b, l, row, at, false);
    add_border(&b, row->width);
    for (int i = 0; i + 1 < b.n; i++)
        clocks_add(row->clock + b.at[i], (size_t)(b.at[i + 1] - b.at[i]),
                   cost_own(&l->model, kind, in_bytes(l, (row->first + b.at[i]) % l->p, at)));
}

// Exchanges between every v and v ^ mask, in place. Each loop goes over a run of v that differ only below the mask's
// lowest bit, whose partners are consecutive as well, or over a part of the run that has one level.
static void xor_exchange(Lockstep *l, size_t mask, uint64_t bytes, double *now)
{
    const size_t high = (size_t)pow2_floor((int)mask), run = mask & -mask, p = (size_t)l->p;
    find_stretches(l, (int)mask, (int)mask);
    ExchangeCost costs[LEVEL_PAIRS];
    find_costs(l, bytes, bytes, costs);
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

bool lockstep_step(Lockstep *l, Cursor at, double **now, double **other)
{
    const Op *op = &l->k->ops[at.pc];
    const ClockRow row = {*now, 0, l->p}, next = {*other, 0, l->p};
    if (!lockstep_order_holds(l, at, *now, *other))
        return false;
    if (op_works(op->kind)) {
        work(l, at, &row);
    } else if (l->s->peers == PEERS_XOR) {
        xor_exchange(l, (size_t)to_v(l, 0, at), op->out.bytes, *now);
    } else {
        shift_exchange(l, at, &next, &row);
        *now = next.clock;
        *other = row.clock;
    }
    return true;
}

void lockstep_row_step(Lockstep *l, Cursor at, const ClockRow *old, const ClockRow *next)
{
    const Op *op = &l->k->ops[at.pc];
    if (l->s->peers != PEERS_XOR && !op_works(op->kind)) {
        shift_exchange(l, at, next, old);
        return;
    }
    g_assert(next->first == old->first && next->width == old->width);
    memcpy(next->clock, old->clock, (size_t)old->width * sizeof *old->clock);
    if (op_works(op->kind))
        work(l, at, next);
    else
        xor_exchange(l, (size_t)to_v(l, 0, at), op->out.bytes, next->clock);
}
