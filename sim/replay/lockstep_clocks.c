// One step of all clocks, as loops that the compiler can vectorise: each goes over consecutive v whose messages have
// the same lengths.
#include "replay/clocks.h"
#include "replay/lockstep.h"
#include "api/integers.h"
#include <string.h>

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

// Finds the stretches of an exchange with these peers of v = 0, unless the last exchange had the same.
static void find_stretches(Lockstep *l, int to, int from)
{
    const Site *site = l->model.site;
    if (!l->stretch || (l->to == to && l->from == from))
        return;
    l->to = to;
    l->from = from;
    Stretch *x = l->stretch - 1;
    const bool xor = l->s->peers == PEERS_XOR;
    int t = to, f = from; // the peers of v
    for (int v = 0; v < l->p; v++) {
        const int out = site_level(site, v, xor? v ^ to : t), in = xor? out : site_level(site, v, f);
        if (v == 0 || x->in != in || x->out != out)
            *++x = (Stretch){.in = (uint8_t)in, .out = (uint8_t)out};
        x->end = v + 1;
        t = t + 1 == l->p ? 0 : t + 1;
        f = f + 1 == l->p ? 0 : f + 1;
    }
    l->n_stretches = (int)(x - l->stretch) + 1;
}

// Returns the stretch that all ranks are if there are no others.
static Stretch whole_stretch(const Lockstep *l)
{
    return (Stretch){.end = l->p, .in = (uint8_t)far_level(&l->model), .out = (uint8_t)far_level(&l->model)};
}

// Returns the stretch that v is in; `whole` if there are none.
static const Stretch *stretch_of(const Lockstep *l, int v, const Stretch *whole)
{
    if (!l->stretch)
        return whole;
    int low = 0, high = l->n_stretches - 1;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (l->stretch[middle].end <= v)
            low = middle + 1;
        else
            high = middle;
    }
    return &l->stretch[low];
}

// What the exchanges of ranks with the same lengths cost, for the pairs of levels that occurred last.
typedef struct LevelPairCosts {
    uint64_t in, out; // bytes
    bool known[4];
    uint8_t in_level[4], out_level[4];
    ExchangeCost cost[4];
} LevelPairCosts;

static const ExchangeCost *cost_on(const Lockstep *l, LevelPairCosts *c, const Stretch *x)
{
    const int i = (2 * x->in + x->out) % 4;
    if (!c->known[i] || c->in_level[i] != x->in || c->out_level[i] != x->out) {
        c->known[i] = true;
        c->in_level[i] = x->in;
        c->out_level[i] = x->out;
        c->cost[i] = exchange_cost(&l->model, x->in, c->in, x->out, c->out);
    }
    return &c->cost[i];
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
    const Stretch whole = whole_stretch(l);
    for (int i = 0, n; i + 1 < b.n; i++) {
        int v = (next->first + b.at[i]) % l->p;
        LevelPairCosts costs = {.in = in_bytes(l, v, at), .out = out_bytes(l, v, at)};
        const Stretch *x = stretch_of(l, v, &whole);
        for (int place = b.at[i]; place < b.at[i + 1]; place += n, v += n, x++) {
            n = MIN(b.at[i + 1] - place, x->end - v);
            lockstep_exchange(next->clock + place, clock_at(l, old, v), clock_at(l, old, (v + from) % l->p),
                              clock_at(l, old, (v + to) % l->p), (size_t)n, cost_on(l, &costs, x));
        }
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
    const Stretch whole = whole_stretch(l), *x = l->stretch ? l->stretch : &whole;
    LevelPairCosts costs = {.in = bytes, .out = bytes};
    const ExchangeCost *c = cost_on(l, &costs, x);
    for (size_t v = 0; v < p; v += 2 * high)
        for (size_t i = v, end; i < v + high; i = end) {
            while (x->end <= (int)i)
                c = cost_on(l, &costs, ++x);
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
