// The lockstep gear: all ranks share one schedule of exchanges and reductions, and every rank's k-th exchange meets its
// partner's k-th. So all go through the schedule together, as loops over an array of clocks.
//
// Where only the last part of the schedules is common (a scatter, then a ring), the dataflow gear runs what comes before,
// and its clocks are what this gear starts from. Where only the first part is (a ring, then a gather), and of equal lengths,
// all ranks leave it at the same time, from which the dataflow gear goes on.
//
// Certificates cost nothing where every rank pays the same in each step. Where an even cut makes a block a byte longer at
// some ranks, clocks are kept every few hundred steps, and the critical path is walked backwards from the end: a stretch
// between two checkpoints is run again, for those ranks only that can have mattered.
#include "replay/lockstep.h"
#include <string.h>

// ---- When it applies -----------------------------------------------------------------------------------------------------

// Does what v sends in this exchange meet the like exchange of the peer?
static bool meets(const Schedule *s, const Op *op, const Stride *d)
{
    const int p = s->p;
    if (op->group)
        return false;
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

// Every class without its first `skip` and its last `leave` operations, as a schedule of its own (its cuts are the whole's).
static Schedule *part_of(const Schedule *s, uint32_t skip, uint32_t leave)
{
    Schedule *b = g_memdup2(s, sizeof *s);
    b->class_of = s->class_of ? g_memdup2(s->class_of, (size_t)s->p * sizeof *s->class_of) : NULL;
    b->classes = g_memdup2(s->classes, s->n_classes * sizeof *s->classes);
    b->kinds = 0;
    for (int i = 1; i < b->n_groups; i++)
        g_rc_box_acquire(b->groups[i]);
    for (uint32_t i = 0; i < s->n_classes; i++) {
        Class *c = &b->classes[i];
        c->n_ops -= skip + leave;
        c->ops = g_new0(Op, c->n_ops + 1);
        memcpy(c->ops, s->classes[i].ops + skip, c->n_ops * sizeof(Op));
        c->strides = c->loops ? g_new0(Stride, c->n_ops + 1) : NULL;
        if (c->loops)
            memcpy(c->strides, s->classes[i].strides + skip, c->n_ops * sizeof(Stride));
        c->ops[c->n_ops++].kind = OP_END;
        for (uint32_t j = 0; j < c->n_ops; j++)
            b->kinds |= 1u << c->ops[j].kind;
    }
    return b;
}

// What only a part has in common must be long, or the dataflow gear might as well do all.
enum { WORTH_ROUNDS = 64 };

static int64_t count_steps(const Class *k, uint32_t first, uint32_t end)
{
    int64_t n = 0;
    for (uint32_t i = first; i < end; i++)
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
        if (!dataflow_applies(s, model) || (s->kinds & requests) || count_steps(k, first, k->n_ops - 1) < WORTH_ROUNDS)
            return false;
    }
    if ((s->peers == PEERS_XOR && !is_pow2(s->p)) || (model->transfer == TRANSFER_EAGER_PORT && (k->cut || o->start)))
        return false;
    static const Stride none;
    for (uint32_t i = first; i < k->n_ops; i++) {
        const Op *op = &k->ops[i];
        if (op->kind == OP_REDUCE && op->in_cut && op->in.blocks.count != 1)
            return false;
        if (op->kind != OP_SENDRECV)
            continue;
        if (!meets(s, op, k->loops ? &k->strides[i] : &none))
            return false;
        // Under E1 a message that takes no time lets its rank run ahead, and its next one be served first.
        if (model->transfer == TRANSFER_EAGER_PORT && !(model->alpha + (double)op->out.bytes * model->beta > 0))
            return false;
    }
    return true;
}

enum { CHECKPOINT_BYTES = 24 << 20 };

// ---- The gear -----------------------------------------------------------------------------------------------------------------

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
        path_in_order(r->path);
}

static int last_rank(const Lockstep *l, const double *now)
{
    int best = 0;
    for (int r = 1; r < l->p; r++)
        if (now[v_of_rank(l->s, r)] > now[v_of_rank(l->s, best)])
            best = r;
    return v_of_rank(l->s, best);
}

// Every rank's clock, from `start` by rank (NULL: 0); `base`: what the clocks are made of there.
static void replay_all(const Lockstep *l, Replay *r, const ReplayOptions *o, const double *start, const Stamp *base)
{
    const size_t bytes = (size_t)l->p * sizeof(double);
    double *now = g_malloc0(bytes), *other = g_malloc0(bytes);
    const bool walk = l->k->cut || start;
    Checkpoints ck = {.steps = count_steps(l->k, l->first, l->k->n_ops - 1)};
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
        lockstep_step(l, k, &now, &other);
    }
    Walk w = {.v = last_rank(l, now), .path = walk && o->path ? g_array_new(FALSE, FALSE, sizeof(PathStep)) : NULL};
    r->time_s = now[w.v];
    if (walk) {
        lockstep_walk(l, &ck, &w);
        finish_walk(r, &w, rank_of(l->s, w.v), base);
    }
    for (int rank = 0; o->clocks && rank < l->p; rank++) {
        const int v = v_of_rank(l->s, rank);
        Walk each = {.v = v};
        Certificate c = r->certificate;
        if (walk) {
            lockstep_walk(l, &ck, &each);
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
    Schedule *first_part = part_of(l->s, 0, l->k->n_ops - l->first);
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
    common_end(s, l.k, &l.first);
    const bool whole = s->n_classes == 1 && l.first == 0;
    Replay *r;
    if (whole && !l.k->cut && !o->start) {
        // All ranks pay the same, so one rank's certificate and path are everybody's.
        ReplayOptions one = *o;
        one.full = one.clocks = false;
        r = dataflow_applies(s, model) ? dataflow_replay(s, model, &one) : event_replay(s, model, &one);
    } else {
        r = g_new0(Replay, 1);
        r->stuck = g_array_new(FALSE, FALSE, sizeof(Stuck));
    }
    r->gear = GEAR_LOCKSTEP;
    if (o->clocks)
        r->clocks = g_new(Stamp, s->p);
    if (whole)
        replay_all(&l, r, o, o->start, NULL);
    else
        r = replay_end(&l, r, o);
    if (!o->start)
        r->time_s = certificate_time(&r->certificate, model);
    return r;
}

// ---- A common beginning -----------------------------------------------------------------------------------------------------

// The operations that all classes begin with, as long as all ranks pay the same for them.
static uint32_t common_beginning(const Schedule *s)
{
    const uint32_t allowed = 1u << OP_SENDRECV | 1u << OP_REDUCE | 1u << OP_LOOP;
    const Class *k = &s->classes[0];
    static const Stride none;
    uint32_t n = 0, whole;
    for (; allowed >> k->ops[n].kind & 1 && !k->ops[n].out_cut && !k->ops[n].in_cut; n++)
        if (k->ops[n].kind == OP_SENDRECV && !meets(s, &k->ops[n], k->loops ? &k->strides[n] : &none))
            break;
    for (uint32_t i = 1; i < s->n_classes && n > 0; i++) {
        const Class *c = &s->classes[i];
        uint32_t same = 0;
        while (same < MIN(n, c->n_ops) && memcmp(&k->ops[same], &c->ops[same], sizeof(Op)) == 0 &&
               memcmp(k->loops ? &k->strides[same] : &none, c->loops ? &c->strides[same] : &none, sizeof none) == 0)
            same++;
        n = same;
    }
    whole = n; // not into a loop
    for (uint32_t i = 0; i < s->n_classes && whole > 0; i++)
        for (uint32_t j = n; j < s->classes[i].n_ops; j++)
            if (s->classes[i].ops[j].kind == OP_LOOP) {
                whole = MIN(whole, j - (uint32_t)s->classes[i].ops[j].to);
                break;
            }
    return whole;
}

// Every rank's clock after the first n operations.
static Stamp after_beginning(const Schedule *s, const Hockney *model, uint32_t n)
{
    const Lockstep l = {.s = s, .k = &s->classes[0], .model = *model, .p = s->p};
    Stamp t = {0};
    for (Cursor at = {0}; at.pc < n; at = next_step(l.k, at)) {
        const uint64_t bytes = in_bytes(&l, 0, at);
        const bool reduces = l.k->ops[at.pc].kind == OP_REDUCE;
        t.t += reduces ? reduce_time(&l, bytes) : message_time(&l, bytes);
        t.alpha += !reduces;
        *(reduces ? &t.gamma : &t.beta) += (int64_t)bytes;
    }
    return t;
}

Replay *lockstep_beginning(const Schedule *s, const Hockney *model, const ReplayOptions *o)
{
    if (s->peers == PEERS_ABSOLUTE || (s->peers == PEERS_XOR && !is_pow2(s->p)) || o->full || o->start || o->path)
        return NULL;
    const uint32_t n = common_beginning(s);
    if (count_steps(&s->classes[0], 0, n) < WORTH_ROUNDS)
        return NULL;
    const Stamp base = after_beginning(s, model, n);
    g_autofree double *start = g_new(double, s->p);
    for (int rank = 0; rank < s->p; rank++)
        start[rank] = base.t;
    ReplayOptions rest = *o;
    rest.start = start;
    Schedule *last_part = part_of(s, n, 1);
    Replay *r = dataflow_replay(last_part, model, &rest);
    schedule_free(last_part);
    if (r->stuck->len > 0) { // told by the numbers of the whole's operations
        replay_free(r);
        return NULL;
    }
    Certificate *c = &r->certificate;
    *c = (Certificate){c->alpha + base.alpha, c->beta + base.beta, c->gamma + base.gamma};
    r->time_s = certificate_time(c, model);
    for (int rank = 0; o->clocks && rank < s->p; rank++) {
        r->clocks[rank].alpha += base.alpha;
        r->clocks[rank].beta += base.beta;
        r->clocks[rank].gamma += base.gamma;
    }
    return r;
}
