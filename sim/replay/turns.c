// As in lockstep.c, clocks do not know their certificates. All clocks are kept at checkpoints, and the critical path is
// walked backwards from the end. For that, each stretch between two checkpoints runs again, but only for the groups of
// n ranks on which the path can depend.
//
//      clocks   class 0: of ranks 0, n, 2n ..      class 1: of ranks 1, n + 1, 2n + 1 ..      ..
//
// In this order what a class does is one loop over consecutive clocks, which the compiler can vectorise.
#include "replay/turns.h"
#include "replay/lengths.h"
#include "replay/lockstep.h"
#include "replay/path.h"
#include "replay/clocks.h"
#include "schedule/part.h"
#include "api/integers.h"
#include <math.h>
#include <string.h>

enum { CHECKPOINT_BYTES = 8 << 20 }; // memory for checkpoints, unless so few would make the stretches too long

typedef struct Turns {
    const Schedule *s;
    Hockney model;
    int p, n, groups; // p = n * groups; v is in group v / n
    int64_t steps;
    const Class **k; // of v = 0 .. n-1
} Turns;

// ---- One step of one class ------------------------------------------------------------------------------------------

// What the bytes of a message or of work are for each v: a number, or one block of a cut.
typedef struct TurnLength {
    uint8_t cut;
    int first; // the block, relative to v
    uint64_t bytes;
} TurnLength;

typedef struct TurnStep {
    OpKind kind;  // a sendrecv, or a rank's own work, which uses `in` only
    int to, from; // relative to v, 0 .. p-1
    TurnLength out, in;
    uint16_t phase; // Op.phase
} TurnStep;

static TurnLength length_at(const Schedule *s, uint8_t cut, Length l, int32_t stride, uint32_t round)
{
    return cut ? (TurnLength){.cut = cut, .first = cut_first(s, 0, l, stride, round)} : (TurnLength){.bytes = l.bytes};
}

static TurnStep step_at(const Turns *x, int class, Cursor at)
{
    const Class *k = x->k[class];
    const Op *op = &k->ops[at.pc];
    static const Stride none;
    const Stride *d = k->loops ? &k->strides[at.pc] : &none;
    TurnStep step = {.kind = op->kind, .phase = op->phase, .in = length_at(x->s, op->in_cut, op->in, d->in, at.round)};
    if (!op_works(step.kind)) {
        step.to = peer_of(x->s, 0, op->to, d->to, at.round);
        step.from = peer_of(x->s, 0, op->from, d->from, at.round);
        step.out = length_at(x->s, op->out_cut, op->out, d->out, at.round);
    }
    return step;
}

static uint64_t bytes_of(const Turns *x, const TurnLength *l, int v)
{
    return l->cut ? cut_length(&x->s->cuts[l->cut], x->p, (int)(((int64_t)v + l->first) % x->p), 1) : l->bytes;
}

// Moves the cursors of all classes one step on.
static void next(const Turns *x, Cursor *at)
{
    for (int c = 0; c < x->n; c++)
        at[c] = next_step(x->k[c], at[c]);
}

static void steps_at(const Turns *x, const Cursor *at, TurnStep *step)
{
    for (int c = 0; c < x->n; c++)
        step[c] = step_at(x, c, at[c]);
}

// ---- Whether it applies ---------------------------------------------------------------------------------------------

// Returns true if what each class sends in this step is what the class of its peer receives, or if all do the same work.
static bool meet(const Turns *x, const TurnStep *step)
{
    for (int c = 0; c < x->n; c++) {
        const TurnStep *mine = &step[c], *other = &step[((int64_t)c + mine->to) % x->n];
        if (mine->kind != step[0].kind)
            return false;
        if (op_works(mine->kind))
            continue;
        if (mine->to == 0 || (mine->to + (int64_t)other->from) % x->p != 0 || mine->out.cut != other->in.cut ||
            mine->out.bytes != other->in.bytes)
            return false;
        if (mine->out.cut && ((int64_t)mine->to + other->in.first - mine->out.first) % x->p != 0)
            return false;
    }
    return true;
}

// Returns true if the classes of v = 0 .. n-1 have only exchanges and reductions, the same number of steps, and no
// length of more than one block.
static bool may_meet(const Turns *x)
{
    for (int c = 0; c < x->n; c++) {
        const Class *k = x->k[c];
        if (class_steps(k, 0, k->n_ops - 1) != x->steps)
            return false;
        for (uint32_t i = 0; i < k->n_ops; i++) {
            const Op *op = &k->ops[i];
            if ((op->out_cut && op->out.blocks.count != 1) || (op->in_cut && op->in.blocks.count != 1))
                return false;
        }
    }
    return true;
}

// Sets up everything for ranks that repeat every n; free x->k with g_free.
static Turns turns_new(const Schedule *s, const Hockney *model, int n)
{
    Turns x = {.s = s, .model = *model, .p = s->p, .n = n, .groups = s->p / n, .k = g_new(const Class *, n)};
    for (int c = 0; c < n; c++)
        x.k[c] = class_of(s, c);
    x.steps = class_steps(x.k[0], 0, x.k[0]->n_ops - 1);
    return x;
}

// Returns true if lockstep in turns may run on this machine.
static bool suits(const Schedule *s, const Hockney *model)
{
    const Site *site = model->site;
    if (!cost_is_measured(model))
        return (!site || (site_has_one_level(site) && !site_contends(site))) && model->transfer != TRANSFER_EAGER_PORT;
    return site_has_one_level(site) && !site_contends(site) && site->measured->ports == 1 &&
           lengths_of(s, site).gaps_within;
}

int turns_of(const Schedule *s, const Hockney *model)
{
    const uint32_t in_step =
        1u << OP_SENDRECV | 1u << OP_REDUCE | 1u << OP_COPY | 1u << OP_FRESH | 1u << OP_LOOP | 1u << OP_END;
    if (s->peers != PEERS_SHIFT || (s->kinds & ~in_step) || !suits(s, model))
        return 0;
    const int n = schedule_turn(s);
    if (n < 2 || n == s->p)
        return 0;
    const Turns x = turns_new(s, model, n);
    bool good = may_meet(&x);
    g_autofree Cursor *at = g_new0(Cursor, n);
    g_autofree TurnStep *step = g_new(TurnStep, n);
    for (int64_t i = 0; good && i < x.steps; i++, next(&x, at)) {
        steps_at(&x, at, step);
        good = meet(&x, step);
    }
    g_free(x.k);
    return good ? n : 0;
}

// ---- One step of all clocks -----------------------------------------------------------------------------------------

// Where to split the groups: for the ranks of a class in all groups from one border up to the next, lengths are the
// same and the peers' clocks are consecutive.
typedef struct TurnBorders {
    int at[10], n;
} TurnBorders;

static void add_border(TurnBorders *b, int at)
{
    int i = b->n++;
    for (; i > 0 && b->at[i - 1] > at; i--)
        b->at[i] = b->at[i - 1];
    b->at[i] = at;
}

// Adds the groups in which the block of this class's rank becomes a shorter one, the first block again, and once more a
// shorter one.
static void add_cut(TurnBorders *b, const Turns *x, int class, const TurnLength *l)
{
    if (!l->cut)
        return;
    const int64_t first = ((int64_t) class + l->first) % x->p, longer = x->s->cuts[l->cut].longer;
    const int64_t blocks[] = {longer, x->p, x->p + longer};
    for (int i = 0; i < 3; i++) // the block of group g is first + g * n
        add_border(b, (int)CLAMP((blocks[i] - first + x->n - 1) / x->n, 0, x->groups));
}

// Returns the place of the clock of the rank that is `relative` away from this class's rank in group 0. With each group
// it moves on by one, up to the end of its own class.
static int64_t place_of(const Turns *x, int class, int relative)
{
    const int v = (int)(((int64_t) class + relative) % x->p);
    return (int64_t)(v % x->n) * x->groups + v / x->n;
}

static ExchangeCost cost_of(const Turns *x, const TurnStep *step, int v)
{
    const int level = far_level(&x->model);
    return exchange_cost(&x->model, level, bytes_of(x, &step->in, v), level, bytes_of(x, &step->out, v));
}

static void exchange(const Turns *x, int class, const TurnStep *step, double *now, const double *old)
{
    const int64_t first = (int64_t) class * x->groups, source = place_of(x, class, step->from),
                  target = place_of(x, class, step->to);
    // From these groups on, the peer is in a group counted from 0 again.
    const int source_wraps = x->groups - (int)(source % x->groups),
              target_wraps = x->groups - (int)(target % x->groups);
    TurnBorders b = {.n = 0};
    add_border(&b, 0);
    add_border(&b, x->groups);
    add_border(&b, source_wraps);
    add_border(&b, target_wraps);
    add_cut(&b, x, class, &step->out);
    add_cut(&b, x, class, &step->in);
    for (int i = 0; i + 1 < b.n; i++) {
        const int g = b.at[i];
        const size_t n = (size_t)(b.at[i + 1] - g);
        if (n == 0)
            continue;
        const int v = g * x->n + class;
        const ExchangeCost cost = cost_of(x, step, v);
        const double *from = old + source + g - (g >= source_wraps ? x->groups : 0),
                     *to = old + target + g - (g >= target_wraps ? x->groups : 0);
        lockstep_exchange(now + first + g, old + first + g, from, to, n, &cost);
    }
}

// Returns how many bytes a length has at most, or (`least`) at least.
static uint64_t bytes_bound(const Turns *x, const TurnLength *l, bool least)
{
    const Cut *cut = &x->s->cuts[l->cut];
    return l->cut ? cut->size + (least || !cut->longer ? 0 : cut->elem) : l->bytes;
}

// Returns true if what each rank of a class receives in this step certainly begins after what it received in the last
// exchange (LockstepOrder). Only an eager message from another source may begin before. `before` are the clocks before
// the last exchange.
static bool stay_in_order(const Turns *x, int class, const TurnStep *step, const TurnStep *last, const double *now,
                          const double *before)
{
    const Site *site = x->model.site;
    const int level = far_level(&x->model);
    if (step->from == last->from || !prices_eager(site, level, bytes_bound(x, &step->in, true)))
        return true;
    const bool met = !prices_eager(site, level, bytes_bound(x, &last->in, false));
    const int64_t source = place_of(x, class, step->from), old = place_of(x, class, last->from);
    const int source_wraps = x->groups - (int)(source % x->groups), old_wraps = x->groups - (int)(old % x->groups);
    const int borders[] = {0, MIN(source_wraps, old_wraps), MAX(source_wraps, old_wraps), x->groups};
    bool good = true;
    for (int i = 0; i < 3 && good; i++) {
        const int g = borders[i];
        const double *from = now + source + g - (g >= source_wraps ? x->groups : 0),
                     *then = before + old + g - (g >= old_wraps ? x->groups : 0),
                     *own = met ? before + (int64_t) class * x->groups + g : then;
        good = clocks_later(from, then, own, (size_t)(borders[i + 1] - g));
    }
    return good;
}

static void work(const Turns *x, int class, const TurnStep *step, double *now)
{
    TurnBorders b = {.n = 0};
    add_border(&b, 0);
    add_border(&b, x->groups);
    add_cut(&b, x, class, &step->in);
    for (int i = 0; i + 1 < b.n; i++)
        if (b.at[i + 1] > b.at[i])
            clocks_add(now + (int64_t) class * x->groups + b.at[i], (size_t)(b.at[i + 1] - b.at[i]),
                       cost_own(&x->model, step->kind - OP_REDUCE, bytes_of(x, &step->in, b.at[i] * x->n + class)));
}

// ---- The path -------------------------------------------------------------------------------------------------------

// Checkpoints of all clocks, one every `every` steps.
typedef struct TurnCheckpoints {
    int64_t every;
    double *clocks;  // p for each checkpoint
    Cursor *cursors; // n for each checkpoint: the step of each class
} TurnCheckpoints;

// The steps of a stretch, and the clocks before each step of the ranks that matter.
typedef struct TurnStretch {
    TurnStep *step;   // n for each step
    double *rows;     // n * width for each step
    int64_t *reach;   // for each step: how many groups away from the path's end the clocks before it matter
    int first, width; // the groups first .. first + width - 1, modulo `groups`, are in the rows
} TurnStretch;

// Returns the clock of v in a row.
static double clock_in(const Turns *x, const TurnStretch *r, const double *row, int v)
{
    const int g = v / x->n, i = g >= r->first ? g - r->first : g - r->first + x->groups;
    g_assert(i < r->width);
    return row[(int64_t)(v % x->n) * r->width + i];
}

static int v_at(const Turns *x, int v, int relative)
{
    return (int)(((int64_t)v + relative) % x->p);
}

// Returns how many groups away the peers of one step are at most.
static int reach_of(const Turns *x, const TurnStep *step)
{
    int most = 0;
    for (int c = 0; c < x->n && !op_works(step[c].kind); c++) {
        const int to = v_at(x, c, step[c].to) / x->n, from = v_at(x, c, step[c].from) / x->n;
        most = MAX(most, MAX(MIN(to, x->groups - to), MIN(from, x->groups - from)));
    }
    return most;
}

// Returns v's clock after the step, from the clocks before it.
static double clock_after(const Turns *x, const TurnStretch *r, const TurnStep *step, const double *row, int v)
{
    const double own = clock_in(x, r, row, v);
    if (op_works(step->kind))
        return own + cost_own(&x->model, step->kind - OP_REDUCE, bytes_of(x, &step->in, v));
    return exchange_end(cost_of(x, step, v), own, clock_in(x, r, row, v_at(x, v, step->from)),
                        clock_in(x, r, row, v_at(x, v, step->to)));
}

// Runs the stretch from checkpoint i again for the ranks on which the clock of v at its end can depend.
static void run_stretch(const Turns *x, const TurnCheckpoints *ck, int64_t i, int64_t steps, int v, TurnStretch *r)
{
    g_autofree Cursor *at = g_memdup2(ck->cursors + i * x->n, (size_t)x->n * sizeof(Cursor));
    r->step = g_new(TurnStep, steps * x->n);
    r->reach = g_new(int64_t, steps);
    for (int64_t k = 0; k < steps; k++, next(x, at))
        steps_at(x, at, r->step + k * x->n);
    for (int64_t k = steps; k-- > 0;)
        r->reach[k] = MIN((k + 1 < steps ? r->reach[k + 1] : 0) + reach_of(x, r->step + k * x->n), x->groups);
    const int middle = v / x->n;
    r->width = (int)MIN(2 * r->reach[0] + 1, x->groups);
    r->first = r->width < x->groups ? (int)((middle - r->reach[0] + x->groups) % x->groups) : 0;
    r->rows = g_new(double, steps * x->n * r->width);
    const double *clocks = ck->clocks + i * x->p;
    for (int c = 0; c < x->n; c++)
        for (int g = 0; g < r->width; g++)
            r->rows[(int64_t)c * r->width + g] = clocks[(int64_t)c * x->groups + (r->first + g) % x->groups];
    for (int64_t k = 0; k + 1 < steps; k++) { // row k holds the clocks before step k
        const double *row = r->rows + k * x->n * r->width;
        double *after = r->rows + (k + 1) * x->n * r->width;
        const bool all = 2 * r->reach[k + 1] + 1 >= r->width;
        const int from = all ? 0 : (middle - r->first + x->groups) % x->groups - (int)r->reach[k + 1],
                  to = all ? r->width : from + 2 * (int)r->reach[k + 1] + 1;
        for (int c = 0; c < x->n; c++)
            for (int g = from; g < to; g++)
                after[(int64_t)c * r->width + g] =
                    clock_after(x, r, &r->step[k * x->n + c], row, (r->first + g) % x->groups * x->n + c);
    }
}

// Walks back over one step from the clocks before it, of w->v.
static void walk_back(const Turns *x, const TurnStretch *r, const TurnStep *of, const double *row, PathWalk *w)
{
    const int v = w->v, source = v_at(x, v, of->from), target = v_at(x, v, of->to);
    const uint64_t in = bytes_of(x, &of->in, v);
    w->phase = of->phase;
    if (op_works(of->kind)) {
        lockstep_back_work(x->s, &x->model, of->kind, in, w);
        return;
    }
    const ExchangeAt exchange = {.v = v,
                                 .source = source,
                                 .target = target,
                                 .in = in,
                                 .out = bytes_of(x, &of->out, v),
                                 .own = clock_in(x, r, row, v),
                                 .there = clock_in(x, r, row, source),
                                 .to = clock_in(x, r, row, target)};
    lockstep_back_exchange(x->s, &x->model, &exchange, w);
}

// Walks the path of w->v's clock from the last step back to the first. Afterwards w->v is the rank with whose start the
// path begins.
static void walk(const Turns *x, const TurnCheckpoints *ck, PathWalk *w)
{
    for (int64_t i = (x->steps + ck->every - 1) / ck->every; i-- > 0;) {
        TurnStretch r = {.rows = NULL};
        const int64_t steps = MIN(ck->every, x->steps - i * ck->every);
        run_stretch(x, ck, i, steps, w->v, &r);
        for (int64_t k = steps; k-- > 0;)
            walk_back(x, &r, &r.step[k * x->n + w->v % x->n], r.rows + k * x->n * r.width, w);
        g_free(r.step);
        g_free(r.rows);
        g_free(r.reach);
    }
}

// ---- The gear -------------------------------------------------------------------------------------------------------

// Returns how many steps there are from each checkpoint to the next.
static int64_t checkpoint_every(int p, int64_t steps)
{
    const int64_t fit = CHECKPOINT_BYTES / (p * (int64_t)sizeof(double)), root = (int64_t)sqrt((double)steps);
    const int64_t n = CLAMP(MAX(fit, root), 1, MAX(steps, 1));
    return MAX((steps + n - 1) / n, 1);
}

size_t turns_bytes(const Schedule *s)
{
    const Class *k = class_of(s, 0);
    const int64_t steps = class_steps(k, 0, k->n_ops - 1), every = checkpoint_every(s->p, steps);
    const size_t clocks = (size_t)s->p * (sizeof(double) + sizeof(Cursor));
    return (size_t)(steps / every + 1 + every) * clocks + 2 * clocks;
}

// Runs all clocks to the end, and fills in the checkpoints. Returns the clocks by class and group; free with g_free.
// Returns NULL if messages may take a port in another order than that of the steps.
static double *run_clocks(const Turns *x, const GearInput *in, TurnCheckpoints *ck)
{
    const size_t bytes = (size_t)x->p * sizeof(double);
    double *now = g_malloc0(bytes), *other = g_malloc0(bytes);
    g_autofree Cursor *at = g_new0(Cursor, x->n);
    g_autofree TurnStep *step = g_new(TurnStep, x->n), *last = g_new(TurnStep, x->n);
    const bool ordered = !cost_is_measured(&x->model) || lengths_of(x->s, x->model.site).none_eager;
    bool any = false, good = true; // any: `last` is the last exchange
    for (int v = 0; in->from && v < x->p; v++)
        now[(int64_t)(v % x->n) * x->groups + v / x->n] = in->from[rank_of(x->s, v)].t;
    for (int64_t i = 0; good && i < x->steps; i++, next(x, at)) {
        if (i % ck->every == 0) {
            memcpy(ck->clocks + i / ck->every * x->p, now, bytes);
            memcpy(ck->cursors + i / ck->every * x->n, at, (size_t)x->n * sizeof(Cursor));
        }
        steps_at(x, at, step);
        if (op_works(step[0].kind)) {
            for (int c = 0; c < x->n; c++)
                work(x, c, &step[c], now);
            continue;
        }
        for (int c = 0; !ordered && any && good && c < x->n; c++)
            good = stay_in_order(x, c, &step[c], &last[c], now, other);
        for (int c = 0; c < x->n; c++)
            exchange(x, c, &step[c], other, now);
        if (!ordered)
            memcpy(last, step, (size_t)x->n * sizeof *step);
        any = true;
        double *t = now;
        now = other;
        other = t;
    }
    g_free(other);
    if (!good)
        g_clear_pointer(&now, g_free);
    return now;
}

// Returns t, the clock of w->v, as a stamp: walks from w->v to the start, and adds what the rank found there began
// with.
static Stamp stamp_of(const Turns *x, const GearInput *in, const TurnCheckpoints *ck, double t, PathWalk *w)
{
    walk(x, ck, w);
    const int rank = rank_of(x->s, w->v);
    const Stamp from = in->from ? in->from[rank] : (Stamp){.node = (uint32_t)rank};
    return (Stamp){.t = t, .n = tally_sum(w->n, from.n), .node = from.node};
}

// Makes the result by walking back along the critical path, and along every rank's if all clocks are wanted.
static Replay *finish(const Turns *x, const GearInput *in, const TurnCheckpoints *ck, const double *by_class)
{
    g_autofree double *now = g_new(double, x->p);
    int last = -1; // the v that ends last; of several, the lowest rank
    for (int rank = 0; rank < x->p; rank++) {
        const int v = v_of_rank(x->s, rank);
        now[v] = by_class[(int64_t)(v % x->n) * x->groups + v / x->n];
        if (last < 0 || now[v] > now[last])
            last = v;
    }
    Replay *r = g_new0(Replay, 1);
    PathWalk w = {.v = last, .path = in->path ? g_array_new(FALSE, FALSE, sizeof(PathStep)) : NULL};
    const Stamp end = stamp_of(x, in, ck, now[last], &w);
    r->simulated = x->p;
    r->stuck = g_array_new(FALSE, FALSE, sizeof(Stuck));
    r->tally = end.n;
    r->clock_s = end.t;
    r->origin = (int)end.node;
    r->path_from = rank_of(x->s, w.v);
    r->path = w.path;
    if (r->path)
        path_in_order(r->path);
    if (in->clocks)
        r->clocks = g_new(Stamp, x->p);
    for (int rank = 0; in->clocks && rank < x->p; rank++) {
        PathWalk each = {.v = v_of_rank(x->s, rank)};
        r->clocks[rank] =
            in->times ? (Stamp){.t = now[each.v], .node = (uint32_t)rank} : stamp_of(x, in, ck, now[each.v], &each);
    }
    return r;
}

Replay *turns_replay(const GearInput *in, int n)
{
    const Turns x = turns_new(in->s, &in->model, n);
    TurnCheckpoints ck = {.every = checkpoint_every(x.p, x.steps)};
    ck.clocks = g_new(double, (x.steps / ck.every + 1) * x.p);
    ck.cursors = g_new(Cursor, (x.steps / ck.every + 1) * n);
    g_autofree double *by_class = run_clocks(&x, in, &ck);
    Replay *r = by_class ? finish(&x, in, &ck, by_class) : NULL;
    g_free(ck.clocks);
    g_free(ck.cursors);
    g_free(x.k);
    return r;
}
