// One step of all clocks, as loops that the compiler can vectorise: each goes over consecutive v whose messages have
// the same lengths.
#include "replay/clocks.h"
#include "replay/lockstep.h"
#include "api/integers.h"
#include <math.h>

// Where to split the ranks, in ascending order: for all v from one border up to the next, messages have the same
// lengths, and the peers are consecutive.
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

// Adds the v for which block v + first is block 0, and the v for which it is the first of the shorter blocks.
static void add_cut(Borders *b, const Lockstep *l, uint8_t cut, Length x, int32_t stride, uint32_t round)
{
    if (!cut)
        return;
    const int first = cut_first(l->s, 0, x, stride, round), longer = l->s->cuts[cut].longer;
    add_border(b, first == 0 ? 0 : l->p - first);
    add_border(b, longer >= first ? longer - first : longer - first + l->p);
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
}

// Returns the stretch that all ranks are if there are no others.
static Stretch whole_stretch(const Lockstep *l)
{
    return (Stretch){.end = l->p, .in = (uint8_t)far_level(l), .out = (uint8_t)far_level(l)};
}

// What the exchanges of ranks with the same lengths cost, for the pairs of levels that occurred last.
typedef struct LevelCosts {
    uint64_t in, out; // bytes
    bool known[4];
    uint8_t in_level[4], out_level[4];
    ExchangeCost cost[4];
} LevelCosts;

static const ExchangeCost *cost_on(const Lockstep *l, LevelCosts *c, const Stretch *x)
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

static void exchange(double *now, const double *old, const double *source, const double *target, size_t n,
                     const ExchangeCost *c)
{
    if (c->in_meets) // a send that waits for nobody is one that waits for its own rank
        clocks_exchange_rendezvous(now, old, source, c->out_meets ? target : old, n, c->out, c->in);
    else if (c->out_meets)
        clocks_exchange_mixed(now, old, source, target, n, c->out, c->in, c->busy);
    else
        clocks_exchange_eager(now, old, source, n, MAX(c->out, c->busy), c->in);
}

static void shift_exchange(Lockstep *l, Cursor at, double *now, const double *old)
{
    const Op *op = &l->k->ops[at.pc];
    const Stride *d = stride_at(l, at);
    const int to = to_v(l, 0, at), from = from_v(l, 0, at);
    Borders b = {.at = {0}, .n = 1};
    add_border(&b, l->p - to);
    add_border(&b, l->p - from);
    add_cut(&b, l, op->out_cut, op->out, d->out, at.round);
    add_cut(&b, l, op->in_cut, op->in, d->in, at.round);
    add_border(&b, l->p);
    find_stretches(l, to, from);
    const Stretch whole = whole_stretch(l), *x = l->stretch ? l->stretch : &whole;
    for (int i = 0, end; i + 1 < b.n; i++) {
        LevelCosts costs = {.in = in_bytes(l, b.at[i], at), .out = out_bytes(l, b.at[i], at)};
        for (int v = b.at[i]; v < b.at[i + 1]; v = end, x += end == x->end) {
            end = MIN(b.at[i + 1], x->end);
            exchange(now + v, old + v, old + (v + from) % l->p, old + (v + to) % l->p, (size_t)(end - v),
                     cost_on(l, &costs, x));
        }
    }
}

static void work(Lockstep *l, Cursor at, double *now)
{
    const Op *op = &l->k->ops[at.pc];
    double least = INFINITY, most = 0;
    Borders b = {.at = {0}, .n = 1};
    add_cut(&b, l, op->in_cut, op->in, stride_at(l, at)->in, at.round);
    add_border(&b, l->p);
    for (int i = 0; i + 1 < b.n; i++) {
        const double cost = cost_own(&l->model, op->kind - OP_REDUCE, in_bytes(l, b.at[i], at));
        clocks_add(now + b.at[i], (size_t)(b.at[i + 1] - b.at[i]), cost);
        least = MIN(least, cost);
        most = MAX(most, cost);
    }
    lockstep_order_work(l, least, most);
}

// Exchanges between every v and v ^ mask, in place. Each loop goes over a run of v that differ only below the mask's
// lowest bit, whose partners are consecutive as well, or over a part of the run that has one level.
static void xor_exchange(Lockstep *l, size_t mask, uint64_t bytes, double *now)
{
    const size_t high = (size_t)pow2_floor((int)mask), run = mask & -mask, p = (size_t)l->p;
    find_stretches(l, (int)mask, (int)mask);
    const Stretch whole = whole_stretch(l), *x = l->stretch ? l->stretch : &whole;
    LevelCosts costs = {.in = bytes, .out = bytes};
    for (size_t v = 0; v < p; v += 2 * high)
        for (size_t i = v, end; i < v + high; i = end) {
            while (x->end <= (int)i)
                x++;
            end = MIN(i - i % run + run, (size_t)x->end);
            const ExchangeCost *c = cost_on(l, &costs, x);
            if (c->in_meets)
                clocks_pairs_rendezvous(now + i, now + (i ^ mask), end - i, MAX(c->in, c->out));
            else
                clocks_pairs_eager(now + i, now + (i ^ mask), end - i, c->in, MAX(c->out, c->busy));
        }
}

bool lockstep_step(Lockstep *l, Cursor at, double **now, double **other)
{
    const Op *op = &l->k->ops[at.pc];
    if (op_works(op->kind)) {
        work(l, at, *now);
        return true;
    }
    if (!lockstep_order_holds(l, at, *now, *other))
        return false;
    if (l->s->peers == PEERS_XOR) {
        xor_exchange(l, (size_t)to_v(l, 0, at), op->out.bytes, *now);
        return true;
    }
    shift_exchange(l, at, *other, *now);
    double *t = *now;
    *now = *other;
    *other = t;
    return true;
}
