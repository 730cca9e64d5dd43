// The lockstep gear: all ranks share one schedule of exchanges and reductions, and every rank's k-th exchange meets its
// partner's k-th. So all go through the schedule together, as loops over an array of clocks, and where nothing tells them
// apart one rank stands for all.
//
// Where only the last part of the schedules is common (a scatter, then a ring), the dataflow gear runs what comes before,
// and its clocks are what this gear starts from.
//
// Certificates cost nothing where every rank pays the same in each step. Where an even cut makes a block a byte longer at
// some ranks, clocks are kept every few hundred steps, and the critical path is walked backwards from the end: a stretch
// between two checkpoints is run again, for those ranks only that can have mattered.
#include "gears.h"
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define VECTORISED __attribute__((target_clones("avx2", "default")))
#else
#define VECTORISED
#endif

// ---- The schedule, step by step -----------------------------------------------------------------------------------------

typedef struct Cursor {
    uint32_t pc, round;
} Cursor;

static bool has_step(const Class *k, Cursor at)
{
    return k->ops[at.pc].kind != OP_END;
}

static Cursor next_step(const Class *k, Cursor at)
{
    at.pc++;
    if (k->ops[at.pc].kind != OP_LOOP)
        return at;
    if (++at.round < k->ops[at.pc].out.bytes)
        at.pc -= (uint32_t)k->ops[at.pc].to;
    else
        at = (Cursor){at.pc + 1, 0};
    return at;
}

typedef struct Lockstep {
    const Schedule *s;
    const Class *k; // any class; all are alike from operation `first` on
    uint32_t first;
    Hockney model;
    int p;
} Lockstep;

static double message_time(const Lockstep *l, uint64_t bytes)
{
    return l->model.alpha + (double)bytes * l->model.beta;
}

static double reduce_time(const Lockstep *l, uint64_t bytes)
{
    return (double)bytes * l->model.gamma;
}

static const Stride *stride_at(const Lockstep *l, Cursor at)
{
    static const Stride none;
    return l->k->loops ? &l->k->strides[at.pc] : &none;
}

static uint64_t out_bytes(const Lockstep *l, int v, Cursor at)
{
    const Op *op = &l->k->ops[at.pc];
    return length_of(l->s, v, op->out_cut, op->out, stride_at(l, at)->out, at.round);
}

static uint64_t in_bytes(const Lockstep *l, int v, Cursor at)
{
    const Op *op = &l->k->ops[at.pc];
    return length_of(l->s, v, op->in_cut, op->in, stride_at(l, at)->in, at.round);
}

static int to_v(const Lockstep *l, int v, Cursor at)
{
    return peer_of(l->s, v, l->k->ops[at.pc].to, stride_at(l, at)->to, at.round);
}

static int from_v(const Lockstep *l, int v, Cursor at)
{
    return peer_of(l->s, v, l->k->ops[at.pc].from, stride_at(l, at)->from, at.round);
}

// ---- When it applies -----------------------------------------------------------------------------------------------------

// Does what v sends in this exchange meet the like exchange of the peer?
static bool meets(const Schedule *s, const Op *op, const Stride *d)
{
    const int p = s->p;
    if (s->peers == PEERS_XOR ? op->to != op->from : (op->to + (int64_t)op->from) % p != 0 || d->to + d->from != 0)
        return false;
    if (op->out_cut != op->in_cut)
        return false;
    if (!op->out_cut)
        return op->out.bytes == op->in.bytes;
    const int64_t first = (int64_t)op->to + op->in.blocks.first - op->out.blocks.first;
    return op->out.blocks.count == 1 && op->in.blocks.count == 1 && first % p == 0 && d->to == 0 && d->out == d->in;
}

// The operations from *first on that all classes end with; false if that is not worth a gear.
static bool common_end(const Schedule *s, const Class *k, uint32_t *first)
{
    const uint32_t allowed = 1u << OP_END | 1u << OP_SENDRECV | 1u << OP_REDUCE | 1u << OP_LOOP;
    static const Stride none;
    uint32_t n = k->n_ops;
    for (uint32_t i = 0; i < s->n_classes; i++) {
        const Class *c = &s->classes[i];
        uint32_t same = 0;
        while (same < MIN(n, c->n_ops)) {
            const uint32_t a = k->n_ops - 1 - same, b = c->n_ops - 1 - same;
            if (memcmp(&k->ops[a], &c->ops[b], sizeof(Op)) != 0 ||
                memcmp(k->loops ? &k->strides[a] : &none, c->loops ? &c->strides[b] : &none, sizeof none) != 0)
                break;
            same++;
        }
        n = same;
    }
    *first = k->n_ops - n;
    for (uint32_t i = k->n_ops; i-- > *first;)
        if (!(allowed >> k->ops[i].kind & 1))
            *first = i + 1;
    // Not from within a loop.
    for (uint32_t i = k->n_ops; i-- > *first;)
        if (k->ops[i].kind == OP_LOOP && i - (uint32_t)k->ops[i].to < *first)
            *first = i + 1;
    return *first + 1 < k->n_ops;
}

// What comes before the common end, as a schedule of its own (its cuts are the whole's).
static Schedule *beginning(const Schedule *s, uint32_t end)
{
    Schedule *b = g_memdup2(s, sizeof *s);
    b->class_of = s->class_of ? g_memdup2(s->class_of, (size_t)s->p * sizeof *s->class_of) : NULL;
    b->classes = g_memdup2(s->classes, s->n_classes * sizeof *s->classes);
    b->kinds = 0;
    for (uint32_t i = 0; i < s->n_classes; i++) {
        Class *c = &b->classes[i];
        c->n_ops -= end;
        c->ops = g_new0(Op, c->n_ops + 1);
        memcpy(c->ops, s->classes[i].ops, c->n_ops * sizeof(Op));
        c->strides = c->loops ? g_new0(Stride, c->n_ops + 1) : NULL;
        if (c->loops)
            memcpy(c->strides, s->classes[i].strides, c->n_ops * sizeof(Stride));
        c->ops[c->n_ops++].kind = OP_END;
        for (uint32_t j = 0; j < c->n_ops; j++)
            b->kinds |= 1u << c->ops[j].kind;
    }
    return b;
}

// With a beginning the end must be long, or the dataflow gear might as well do all.
enum { WORTH_ROUNDS = 64 };

static int64_t count_steps(const Class *k, uint32_t first)
{
    int64_t n = 0;
    for (uint32_t i = first; k->ops[i].kind != OP_END; i++)
        n += k->ops[i].kind == OP_LOOP ? k->ops[i].to * ((int64_t)k->ops[i].out.bytes - 1) : 1;
    return n;
}

bool lockstep_applies(const Schedule *s, const Hockney *model, const ReplayOptions *o)
{
    const Class *k = &s->classes[0];
    uint32_t first;
    if (s->peers == PEERS_ABSOLUTE || s->p < 2 || !common_end(s, k, &first))
        return false;
    if (first > 0 || s->n_classes > 1) {
        const uint32_t requests = 1u << OP_ISEND | 1u << OP_IRECV; // these might reach beyond the beginning
        if (!dataflow_applies(s, model) || (s->kinds & requests) || count_steps(k, first) < WORTH_ROUNDS)
            return false;
    }
    if ((s->peers == PEERS_XOR && !is_pow2(s->p)) || (model->transfer == TRANSFER_EAGER_PORT && (k->cut || o->start)))
        return false;
    static const Stride none;
    for (uint32_t i = first; i < k->n_ops; i++) {
        const Op *op = &k->ops[i];
        if (op->kind == OP_REDUCE && op->in_cut && op->in.blocks.count != 1)
            return false;
        if (op->kind == OP_SENDRECV && !meets(s, op, k->loops ? &k->strides[i] : &none))
            return false;
    }
    return true;
}

// ---- Clocks ----------------------------------------------------------------------------------------------------------------

VECTORISED static void exchange_eager(double *restrict now, const double *restrict old, const double *restrict from,
                                      size_t n, double sent, double received)
{
    for (size_t i = 0; i < n; i++) {
        const double a = old[i] + sent, b = from[i] + received;
        now[i] = a > b ? a : b;
    }
}

VECTORISED static void exchange_rendezvous(double *restrict now, const double *restrict old,
                                           const double *restrict from, const double *restrict to, size_t n,
                                           double sent, double received)
{
    for (size_t i = 0; i < n; i++) {
        const double a = (old[i] > to[i] ? old[i] : to[i]) + sent;
        const double b = (old[i] > from[i] ? old[i] : from[i]) + received;
        now[i] = a > b ? a : b;
    }
}

VECTORISED static void exchange_xor(double *restrict low, double *restrict high, size_t n, double cost)
{
    for (size_t i = 0; i < n; i++)
        low[i] = high[i] = (low[i] > high[i] ? low[i] : high[i]) + cost;
}

VECTORISED static void add_to(double *now, size_t n, double cost)
{
    for (size_t i = 0; i < n; i++)
        now[i] += cost;
}

// Ranks in a row between two of these see the same lengths, and their peers in a row as well.
typedef struct Borders {
    int at[16], n;
} Borders;

static void add_border(Borders *b, int at)
{
    int i = b->n;
    for (; i > 0 && b->at[i - 1] > at; i--)
        b->at[i] = b->at[i - 1];
    if (i > 0 && b->at[i - 1] == at) { // there already: undo the shift
        for (; i < b->n; i++)
            b->at[i] = b->at[i + 1];
        return;
    }
    b->at[i] = at;
    b->n++;
}

// Where v + first wraps to 0, and where it comes to the blocks that are shorter.
static void add_cut(Borders *b, const Lockstep *l, uint8_t cut, Length x, int32_t stride, uint32_t round)
{
    if (!cut)
        return;
    const int first = cut_first(l->s, 0, x, stride, round), longer = l->s->cuts[cut].longer;
    add_border(b, first == 0 ? 0 : l->p - first);
    add_border(b, longer >= first ? longer - first : longer - first + l->p);
}

static void shift_exchange(const Lockstep *l, Cursor at, double *now, const double *old)
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
    for (int i = 0; i + 1 < b.n; i++) {
        const int v = b.at[i];
        const size_t n = (size_t)(b.at[i + 1] - v);
        const double sent = message_time(l, out_bytes(l, v, at)), received = message_time(l, in_bytes(l, v, at));
        const double *source = old + (v + from) % l->p, *target = old + (v + to) % l->p;
        if (l->model.transfer == TRANSFER_RENDEZVOUS)
            exchange_rendezvous(now + v, old + v, source, target, n, sent, received);
        else
            exchange_eager(now + v, old + v, source, n, sent, received);
    }
}

static void reduction(const Lockstep *l, Cursor at, double *now)
{
    const Op *op = &l->k->ops[at.pc];
    Borders b = {.at = {0}, .n = 1};
    add_cut(&b, l, op->in_cut, op->in, stride_at(l, at)->in, at.round);
    add_border(&b, l->p);
    for (int i = 0; i + 1 < b.n; i++)
        add_to(now + b.at[i], (size_t)(b.at[i + 1] - b.at[i]), reduce_time(l, in_bytes(l, b.at[i], at)));
}

// One step of all ranks; *now and *other are the two arrays of clocks.
static void step_all(const Lockstep *l, Cursor at, double **now, double **other)
{
    const Op *op = &l->k->ops[at.pc];
    if (op->kind == OP_REDUCE) {
        reduction(l, at, *now);
    } else if (l->s->peers == PEERS_XOR) {
        const size_t m = (size_t)op->to;
        for (size_t v = 0; v < (size_t)l->p; v += 2 * m)
            exchange_xor(*now + v, *now + v + m, m, message_time(l, op->out.bytes));
    } else {
        shift_exchange(l, at, *other, *now);
        double *t = *now;
        *now = *other;
        *other = t;
    }
}

// ---- The path, one step backwards -----------------------------------------------------------------------------------------

// Clocks before a step, of ranks first .. first + n - 1 mod p; `all` where every rank has the same.
typedef struct Row {
    const double *clock;
    int first;
    bool all;
} Row;

static double clock_of(const Lockstep *l, const Row *r, int v)
{
    if (r->all)
        return r->clock[0];
    return r->clock[v >= r->first ? v - r->first : v - r->first + l->p];
}

// Which side made v's clock after this step: x becomes the step of the path (kind OP_END: none), the result is the rank
// whose clock before the step is the path's next place. The tie rule: the receive before the send, our own before the peer's.
static int step_back(const Lockstep *l, Cursor at, const Row *before, int v, PathStep *x)
{
    const double own = clock_of(l, before, v);
    *x = (PathStep){.rank = v, .peer = -1, .kind = OP_REDUCE, .bytes = in_bytes(l, v, at)};
    if (l->k->ops[at.pc].kind == OP_REDUCE)
        return v;
    const int source = from_v(l, v, at), target = to_v(l, v, at);
    const uint64_t in = x->bytes, out = out_bytes(l, v, at);
    const double there = clock_of(l, before, source);
    if (l->model.transfer == TRANSFER_RENDEZVOUS) {
        const double to = clock_of(l, before, target);
        const double received = MAX(own, there) + message_time(l, in), sent = MAX(own, to) + message_time(l, out);
        if (MAX(received, sent) <= own) {
            x->kind = OP_END;
            return v;
        }
        if (sent > received) {
            *x = (PathStep){.rank = v, .peer = target, .kind = OP_SEND, .bytes = out};
            return to > own ? target : v;
        }
        *x = (PathStep){.rank = v, .peer = source, .kind = OP_RECV, .bytes = in};
        return there > own ? source : v;
    }
    const double arrival = there + message_time(l, in), sent = own + message_time(l, out);
    if (MAX(arrival, sent) <= own) {
        x->kind = OP_END;
        return v;
    }
    if (sent > MAX(own, arrival)) {
        *x = (PathStep){.rank = v, .peer = target, .kind = OP_SEND, .bytes = out};
        return v;
    }
    *x = (PathStep){.rank = source, .peer = v, .kind = OP_SEND, .bytes = in};
    return source;
}

// ---- Walking it -------------------------------------------------------------------------------------------------------------

typedef struct Walk {
    int v; // where the path is
    Certificate c;
    GArray *path; // backwards; NULL: only the certificate is wanted
} Walk;

static void walk_back(const Lockstep *l, Cursor at, const Row *before, Walk *w)
{
    PathStep x;
    w->v = step_back(l, at, before, w->v, &x);
    if (x.kind == OP_END)
        return;
    w->c.alpha += x.kind != OP_REDUCE;
    *(x.kind == OP_REDUCE ? &w->c.gamma : &w->c.beta) += (int64_t)x.bytes;
    if (w->path) {
        x.rank = rank_of(l->s, x.rank);
        x.peer = x.peer < 0 ? -1 : rank_of(l->s, x.peer);
        g_array_append_val(w->path, x);
    }
}

// Checkpoints of all clocks, every `every` steps.
typedef struct Checkpoints {
    int64_t steps, every;
    double *clocks; // checkpoint i: before step i * every
    Cursor *cursors;
} Checkpoints;

enum { CHECKPOINT_BYTES = 24 << 20 };

// Runs the stretch from checkpoint i again, for the ranks that w->v's clock at its end can depend on, and walks it back.
static void walk_stretch(const Lockstep *l, const Checkpoints *ck, int64_t i, Walk *w)
{
    const int64_t n = MIN(ck->every, ck->steps - i * ck->every);
    g_autofree Cursor *at = g_new(Cursor, n);
    int64_t reach = 0; // how far clocks come from
    at[0] = ck->cursors[i];
    for (int64_t k = 0; k < n; k++) {
        if (k > 0)
            at[k] = next_step(l->k, at[k - 1]);
        if (l->k->ops[at[k].pc].kind == OP_SENDRECV) {
            const int64_t to = to_v(l, 0, at[k]);
            reach += l->s->peers == PEERS_XOR ? to : MIN(to, l->p - to);
        }
    }
    const int64_t width = MIN(2 * reach + 1, l->p);
    const bool window = width < l->p;
    const int first = window ? (int)(((w->v - reach) % l->p + l->p) % l->p) : 0;
    double *rows = g_new(double, (size_t)(n * width)), *start = ck->clocks + i * l->p;
    for (int64_t j = 0; j < width; j++)
        rows[j] = start[(first + j) % l->p];
    for (int64_t k = 0; k + 1 < n; k++) { // rows[k]: before step k
        const Row row = {rows + k * width, first, false};
        double *next = rows + (k + 1) * width;
        for (int64_t j = 0; j < width; j++) {
            const int v = (int)((first + j) % l->p);
            const double own = row.clock[j];
            if (l->k->ops[at[k].pc].kind == OP_REDUCE) {
                next[j] = own + reduce_time(l, in_bytes(l, v, at[k]));
                continue;
            }
            // A rank at the window's edge whose peer is outside has no right clock any more, and nobody will ask for it.
            const int source = from_v(l, v, at[k]), target = to_v(l, v, at[k]);
            const int js = (source - first + l->p) % l->p, jt = (target - first + l->p) % l->p;
            const double there = js < width ? row.clock[js] : own, to = jt < width ? row.clock[jt] : own;
            const double in = message_time(l, in_bytes(l, v, at[k])), out = message_time(l, out_bytes(l, v, at[k]));
            if (l->model.transfer == TRANSFER_RENDEZVOUS)
                next[j] = MAX(MAX(own, there) + in, MAX(own, to) + out);
            else
                next[j] = MAX(there + in, own + out);
        }
    }
    for (int64_t k = n; k-- > 0;) {
        const Row row = {rows + k * width, first, false};
        walk_back(l, at[k], &row, w);
    }
    g_free(rows);
}

// ---- The gear -----------------------------------------------------------------------------------------------------------------

static void turn_around(GArray *path)
{
    Certificate c = {0};
    for (guint i = 0, j = path->len; i < j--; i++) {
        PathStep *a = &g_array_index(path, PathStep, i), *b = &g_array_index(path, PathStep, j), t = *a;
        *a = *b;
        *b = t;
    }
    for (guint i = 0; i < path->len; i++) {
        PathStep *x = &g_array_index(path, PathStep, i);
        c.alpha += x->kind != OP_REDUCE;
        *(x->kind == OP_REDUCE ? &c.gamma : &c.beta) += (int64_t)x->bytes;
        x->end = c;
    }
}

// The certificate with what the path's first clock is made of.
static Certificate add_base(Certificate c, const Stamp *base, int rank)
{
    if (!base)
        return c;
    return (Certificate){c.alpha + base[rank].alpha, c.beta + base[rank].beta, c.gamma + base[rank].gamma};
}

static void finish_walk(Replay *r, Walk *w, int from, const Stamp *base)
{
    r->certificate = add_base(w->c, base, from);
    r->path = w->path;
    r->path_from = from;
    if (r->path)
        turn_around(r->path);
}

// All ranks are alike at every moment: one clock stands for all.
static void replay_one(const Lockstep *l, Replay *r, const ReplayOptions *o)
{
    const int64_t n = count_steps(l->k, l->first);
    g_autofree double *clock = o->path ? g_new(double, n + 1) : NULL;
    g_autofree Cursor *at = o->path ? g_new(Cursor, n) : NULL;
    Certificate *c = &r->certificate;
    double t = 0;
    int64_t i = 0;
    for (Cursor k = {l->first, 0}; has_step(l->k, k); k = next_step(l->k, k), i++) {
        const Op *op = &l->k->ops[k.pc];
        if (o->path)
            clock[i] = t, at[i] = k;
        if (op->kind == OP_REDUCE) {
            t += reduce_time(l, op->in.bytes);
            c->gamma += (int64_t)op->in.bytes;
        } else if (t + message_time(l, op->out.bytes) > t) {
            t += message_time(l, op->out.bytes);
            c->alpha++;
            c->beta += (int64_t)op->out.bytes;
        }
    }
    if (o->path) {
        Walk w = {.path = g_array_new(FALSE, FALSE, sizeof(PathStep))};
        while (i-- > 0)
            walk_back(l, at[i], &(Row){clock + i, 0, true}, &w);
        finish_walk(r, &w, rank_of(l->s, w.v), NULL);
    }
    if (o->clocks)
        for (int v = 0; v < l->p; v++)
            r->clocks[v] = (Stamp){.t = t, .alpha = (int32_t)c->alpha, .beta = c->beta, .gamma = c->gamma};
    r->simulated = 1;
}

static int last_rank(const Lockstep *l, const double *now)
{
    int best = 0;
    for (int r = 1; r < l->p; r++)
        if (now[v_of_rank(l->s, r)] > now[v_of_rank(l->s, best)])
            best = r;
    return v_of_rank(l->s, best);
}

static Certificate walk_from(const Lockstep *l, const Checkpoints *ck, Walk *w)
{
    for (int64_t i = (ck->steps + ck->every - 1) / ck->every; i-- > 0;)
        walk_stretch(l, ck, i, w);
    return w->c;
}

// Every rank's clock, from `start` by rank (NULL: 0); `base`: what the clocks are made of there.
static void replay_all(const Lockstep *l, Replay *r, const ReplayOptions *o, const double *start, const Stamp *base)
{
    const size_t bytes = (size_t)l->p * sizeof(double);
    double *now = g_malloc0(bytes), *other = g_malloc0(bytes);
    const bool walk = l->k->cut || start;
    Checkpoints ck = {.steps = count_steps(l->k, l->first)};
    const int64_t n = CLAMP(CHECKPOINT_BYTES / (int64_t)bytes, 1, MAX(ck.steps, 1));
    ck.every = MAX((ck.steps + n - 1) / n, 1);
    if (walk) {
        ck.clocks = g_malloc((size_t)(ck.steps / ck.every + 1) * bytes);
        ck.cursors = g_new(Cursor, ck.steps / ck.every + 1);
    }
    for (int v = 0; start && v < l->p; v++)
        now[v] = start[rank_of(l->s, v)];
    int64_t i = 0;
    for (Cursor k = {l->first, 0}; has_step(l->k, k); k = next_step(l->k, k), i++) {
        if (walk && i % ck.every == 0) {
            memcpy(ck.clocks + i / ck.every * l->p, now, bytes);
            ck.cursors[i / ck.every] = k;
        }
        step_all(l, k, &now, &other);
    }
    Walk w = {.v = last_rank(l, now), .path = walk && o->path ? g_array_new(FALSE, FALSE, sizeof(PathStep)) : NULL};
    r->time_s = now[w.v];
    if (walk) {
        walk_from(l, &ck, &w);
        finish_walk(r, &w, rank_of(l->s, w.v), base);
    }
    for (int rank = 0; o->clocks && rank < l->p; rank++) {
        const int v = v_of_rank(l->s, rank);
        Walk each = {.v = v};
        Certificate c = r->certificate;
        if (walk) {
            walk_from(l, &ck, &each);
            c = add_base(each.c, base, rank_of(l->s, each.v));
        }
        r->clocks[rank] = (Stamp){.t = now[v], .alpha = (int32_t)c.alpha, .beta = c.beta, .gamma = c.gamma};
    }
    r->simulated = l->p;
    g_free(ck.clocks);
    g_free(ck.cursors);
    g_free(now);
    g_free(other);
}

// The path of the beginning to where the end's path comes from, put before it.
static void prepend_path(Replay *r, const Schedule *first_part, const Hockney *model, const ReplayOptions *o)
{
    ReplayOptions once_more = *o;
    once_more.clocks = false;
    once_more.path_to = r->path_from + 1;
    g_autoptr(Replay) b = dataflow_replay(first_part, model, &once_more);
    if (!b->path) { // too long to keep
        g_array_free(g_steal_pointer(&r->path), TRUE);
        return;
    }
    const PathStep none = {0};
    const Certificate c = (b->path->len ? &g_array_index(b->path, PathStep, b->path->len - 1) : &none)->end;
    for (guint i = 0; i < r->path->len; i++) {
        Certificate *e = &g_array_index(r->path, PathStep, i).end;
        *e = (Certificate){e->alpha + c.alpha, e->beta + c.beta, e->gamma + c.gamma};
    }
    g_array_prepend_vals(r->path, b->path->data, b->path->len);
}

static Replay *replay_end(Lockstep *l, Replay *r, const ReplayOptions *o)
{
    Schedule *first_part = beginning(l->s, l->k->n_ops - l->first);
    ReplayOptions with_clocks = *o;
    with_clocks.clocks = true;
    with_clocks.path = false;
    Replay *b = dataflow_replay(first_part, &l->model, &with_clocks);
    if (b->stuck->len > 0) { // what begins in one part ends in the other
        schedule_free(first_part);
        replay_free(b);
        replay_free(r);
        return dataflow_replay(l->s, &l->model, o);
    }
    g_autofree double *start = g_new(double, l->p);
    for (int rank = 0; rank < l->p; rank++)
        start[rank] = b->clocks[rank].t;
    replay_all(l, r, o, start, b->clocks);
    if (r->path)
        prepend_path(r, first_part, &l->model, o);
    replay_free(b);
    schedule_free(first_part);
    return r;
}

Replay *lockstep_replay(const Schedule *s, const Hockney *model, const ReplayOptions *o)
{
    Lockstep l = {.s = s, .k = &s->classes[0], .model = *model, .p = s->p};
    Replay *r = g_new0(Replay, 1);
    r->gear = GEAR_LOCKSTEP;
    r->stuck = g_array_new(FALSE, FALSE, sizeof(Stuck));
    if (o->clocks)
        r->clocks = g_new(Stamp, s->p);
    common_end(s, l.k, &l.first);
    if (s->n_classes > 1 || l.first > 0) {
        r = replay_end(&l, r, o);
    } else {
        // Where all ranks pay the same, so does the path: its certificate is the sum over the steps.
        if (!l.k->cut && !o->start)
            replay_one(&l, r, o);
        if (l.k->cut || o->full || o->start)
            replay_all(&l, r, o, o->start, NULL);
    }
    if (!o->start)
        r->time_s = certificate_time(&r->certificate, model);
    return r;
}
