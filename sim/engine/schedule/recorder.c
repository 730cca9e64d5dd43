#include "engine/schedule/recorder.h"
#include "base/budget.h"
#include <string.h>

enum { LIST_STEP = 1 << 20 }; // operations of a list, before the first look at the memory

// Returns the number of the group for a view of fewer ranks, if peers are relative by XOR. Returns 0, so that peers are
// relative to v, in all other cases: for other peers, a view of all ranks, a view of a view, and after too many groups.
static int32_t find_group(Recorder *r, const Coll *view)
{
    Schedule *s = r->s;
    int i = 1;
    if (!view->up || view->up->up || s->peers != PEERS_XOR || view->p == s->p)
        return 0;
    while (i < s->n_groups && (s->groups[i]->map != view->map || s->groups[i]->p != view->p))
        i++;
    if (i == s->n_groups) {
        if (i == MAX_GROUPS)
            return 0;
        Group *g = s->groups[s->n_groups++] = g_rc_box_new0(Group);
        g->map = view->map;
        g->p = view->p;
        g->v = g_new(int32_t, view->p);
        g->member = g_new(int32_t, s->p);
        memset(g->member, 0xff, (size_t)s->p * sizeof *g->member);
        for (int k = 0; k < view->p; k++) {
            g->v[k] = v_of_rank(s, view->map(view->up, k));
            g->member[g->v[k]] = k;
        }
    }
    // Two views with the same map and p may still have different members; then this view is not the group.
    return s->groups[i]->member[r->v] == view->rank ? i : 0;
}

static inline __attribute__((always_inline)) int32_t relative(const Recorder *r, int rank, int32_t group)
{
    const int peer = v_of_rank(r->s, rank);
    if (group)
        return r->s->groups[group]->member[peer] ^ r->s->groups[group]->member[r->v];
    switch (r->s->peers) {
    case PEERS_SHIFT:
        return peer < r->v ? peer - r->v + r->s->p : peer - r->v;
    case PEERS_XOR:
        return peer ^ r->v;
    case PEERS_ABSOLUTE:
        break;
    }
    return peer;
}

// Returns the number of the cut of `whole` bytes into p blocks. Returns 0 if all blocks are equal, because a length in
// bytes is then the same for all ranks, or if there are too many cuts.
static uint8_t find_cut(Schedule *s, size_t whole)
{
    const size_t elem = s->cuts[0].elem, count = whole / elem, p = (size_t)s->p;
    for (int i = 1; i < s->n_cuts; i++)
        if (s->cuts[i].whole == whole)
            return (uint8_t)i;
    if (count % p == 0 || s->n_cuts == MAX_CUTS)
        return 0;
    s->cuts[s->n_cuts] = (Cut){.whole = whole, .size = count / p * elem, .elem = elem, .longer = (int)(count % p)};
    return (uint8_t)s->n_cuts++;
}

static inline __attribute__((always_inline)) Length length(Recorder *r, const Slice *x, uint8_t *cut)
{
    const Schedule *s = r->s;
    *cut = 0;
    if (x->cut.parts == s->p && x->cut.count > 0 && s->peers == PEERS_SHIFT) {
        if (x->cut.whole != r->last_whole) {
            r->last_whole = x->cut.whole;
            r->last_cut = find_cut(r->s, x->cut.whole);
        }
        *cut = r->last_cut;
    }
    if (!*cut)
        return (Length){.bytes = x->len};
    const int first = x->cut.first - r->v;
    return (Length){.blocks = {first < 0 ? first + s->p : first, x->cut.count}};
}

static bool waits(CollOpKind k)
{
    return k != COLL_ISEND && k != COLL_IRECV;
}

// Follows which requests are open, and clears those of one_source, one_send and one_round that the operation disproves.
// Those of one_source are the rank's.
static void track(Recorder *r, const CollIssue *op)
{
    Schedule *s = r->s;
    s->one_send &= !coll_kind_sends(op->kind) || r->n_receives == r->n_requests;
    s->one_round &= op->kind != COLL_REDUCE_OP && (op->kind > COLL_IRECV || !r->waited);
    r->waited |= waits(op->kind);
    if (coll_kind_receives(op->kind)) {
        r->one_source &= r->n_receives == 0 || r->source == op->from;
        r->most_open = MAX(r->most_open, r->n_receives + 1);
    }
    if (op->kind == COLL_ISEND || op->kind == COLL_IRECV) {
        if (r->n_requests == r->max_requests) {
            r->max_requests = MAX(16, 2 * r->max_requests);
            r->receives = g_renew(bool, r->receives, r->max_requests);
        }
        r->receives[r->n_requests++] = op->kind == COLL_IRECV;
        if (op->kind == COLL_IRECV)
            r->source = op->from, r->n_receives++;
    } else if (op->kind == COLL_WAITALL) {
        for (int i = 0; i < op->n; i++)
            r->n_receives -= r->receives[--r->n_requests];
    } else if (op->kind == COLL_WAIT) {
        const int i = --r->n_requests - op->n;
        r->n_receives -= r->receives[i];
        memmove(r->receives + i, r->receives + i + 1, (size_t)op->n * sizeof *r->receives);
    }
}

static bool is_plain(const CollIssue *in)
{
    return in->kind <= COLL_SENDRECV && !in->view->up && !in->out->cut.parts && !in->in->cut.parts;
}

// Returns true if the operation repeats the last one. This shortcut pays because a text may repeat one a billion times.
static bool repeats_last(const Recorder *r, const CollIssue *in)
{
    const Last *x = &r->last;
    return x->known && in->kind == x->kind && in->to == x->to && in->from == x->from && in->out->len == x->out &&
           in->in->len == x->in && is_plain(in);
}

void recorder_need_memory(Recorder *r, size_t bytes)
{
    if (budget_left() >= bytes)
        return;
    r->no_memory = true;
    r->left = -1;
}

// The list is about to grow: to twice its size, and a class may become a copy of it.
static __attribute__((noinline)) void look_at_list(Recorder *r)
{
    r->list_max = 2 * ((size_t)r->b.n + r->b.n_open);
    recorder_need_memory(r, 2 * r->list_max * (sizeof(Op) + sizeof(Stride)));
}

// Notes that the next operation may be in another phase than the last one, so it does not repeat that one.
static void begin_phase(CollRun *run)
{
    Recorder *r = (Recorder *)run;
    r->phase_begins = true;
    r->last.known = false;
}

// Adds an operation, and fills in its phase.
static inline void add_op(Recorder *r, Op *op)
{
    if (G_UNLIKELY(r->phase_begins)) {
        r->phase = phases_number(&r->s->phases, &r->run);
        r->phase_begins = false;
    }
    op->phase = r->phase;
    builder_add(r->s, &r->b, op);
    if (G_UNLIKELY((size_t)r->b.n + r->b.n_open > r->list_max))
        look_at_list(r);
}

// Returns whether the rank has written the slot at this place of its queue before, if that is asked for. The calls of a
// composition's parts have slots of their own, so that none waits for another; but a library has one piece of memory for
// all of them.
static bool writes_again(Recorder *r, size_t off)
{
    for (guint i = 0; r->written && i < r->written->len; i++)
        if (g_array_index(r->written, size_t, i) == off)
            return true;
    if (r->written)
        g_array_append_val(r->written, off);
    return false;
}

// Returns whether the text is in shared memory; in a composition, whether the part is that runs.
static bool is_in_memory(const Recorder *r)
{
    return r->pure || (r->run.part && r->run.part->ran->shared);
}

// Adds the start of a reduction in shared memory, if that is asked for; it does not count as an operation of the text.
static void record_call(Recorder *r)
{
    if (r->written && is_in_memory(r))
        add_op(r, &(Op){.kind = OP_CALL});
}

// Records an operation on a flag or on slots of shared memory. One on slots becomes a read for each operand that is a
// slot, a reduction, and a write if the result goes to a slot; only the first of these counts as an operation of the
// text.
static void record_shared(Recorder *r, const CollIssue *in)
{
    const Slice *slots[] = {in->out, in->right, in->in};
    Op op = {.text = 1};
    r->s->mixed = true;
    r->s->shared |= r->pure;
    r->last.known = false;
    if (in->kind == COLL_RAISE || in->kind == COLL_AWAIT) {
        op.kind = in->kind == COLL_RAISE ? OP_RAISE : OP_AWAIT;
        op.to = v_of_rank(r->s, in->to) == r->v ? OWN_QUEUE : relative(r, in->to, 0);
        op.from = in->kind == COLL_AWAIT ? relative(r, in->from, 0) : 0;
        op.out.bytes = (uint64_t)in->n;
        add_op(r, &op);
        return;
    }
    for (int i = 0; i < 3; i++) {
        if (i == 2 && in->kind == COLL_REDUCE_OP) {
            record_call(r);
            add_op(r, &(Op){.kind = OP_REDUCE, .text = op.text, .in.bytes = in->in->len});
            op.text = 0;
        }
        if (!is_slot(*slots[i]) || (i == 2 && is_lent(*slots[i])))
            continue; // to lend a buffer takes no time
        op.kind = i == 2 ? OP_WRITE : OP_READ;
        op.to = i == 2 ? (int32_t)writes_again(r, slots[i]->off - in->view->slots_from) : slots[i]->readers;
        op.from = i == 2 ? 0 : relative(r, slot_owner(*slots[i]), 0);
        op.in.bytes = slots[i]->len;
        add_op(r, &op);
        op.text = 0;
    }
}

// Adds a copy or a scratch buffer, which does not count as an operation of the text.
static void add_own_work(Recorder *r, Op *op)
{
    if (r->left <= 0)
        return;
    r->last.known = false;
    add_op(r, op);
}

static void record_copy(Recorder *r, const CollIssue *in)
{
    // An unpack has no slice of its blocks, and a copy may have the cut on one of its two sides only.
    const Slice *slice = in->kind == COLL_UNPACK || (in->out->cut.parts && !in->in->cut.parts) ? in->out : in->in;
    Op op = {.kind = OP_COPY};
    op.in = length(r, slice, &op.in_cut);
    add_own_work(r, &op);
}

// Records a copy that an algorithm in shared memory makes within a rank's own memory.
static void record_local(Recorder *r, const CollIssue *in)
{
    if (in->in->len > 0)
        add_own_work(r, &(Op){.kind = OP_LOCAL, .in.bytes = in->in->len});
}

static void record_fresh(CollRun *run, size_t len)
{
    if (len > 0)
        add_own_work((Recorder *)run, &(Op){.kind = OP_FRESH, .in.bytes = len});
}

void recorder_pass_over(Recorder *r)
{
    if (G_UNLIKELY(++r->uncounted > RECORDER_MOST_OPERATIONS))
        g_error("%s: the text of v = %d of %d has more than %" G_GINT64_FORMAT " operations, and does not end",
                r->s->name, r->v, r->s->p, RECORDER_MOST_OPERATIONS);
}

static __attribute__((noinline)) void record_other(Recorder *r, const CollIssue *in)
{
    static const OpKind kinds[] = {
        [COLL_SEND] = OP_SEND,   [COLL_RECV] = OP_RECV, [COLL_SENDRECV] = OP_SENDRECV, [COLL_ISEND] = OP_ISEND,
        [COLL_IRECV] = OP_IRECV, [COLL_WAIT] = OP_WAIT, [COLL_WAITALL] = OP_WAITALL,   [COLL_THROTTLE] = OP_THROTTLE,
        [COLL_COPY] = OP_COPY,   [COLL_PACK] = OP_COPY, [COLL_UNPACK] = OP_COPY,       [COLL_REDUCE_OP] = OP_REDUCE,
        [COLL_RAISE] = OP_END,   [COLL_AWAIT] = OP_END,
    };
    const bool shared = in->kind == COLL_RAISE || in->kind == COLL_AWAIT || is_slot(*in->in) || is_slot(*in->out) ||
                        is_slot(*in->right);
    const OpKind kind = kinds[in->kind];
    if (kind == OP_COPY && !shared) {
        recorder_pass_over(r);
        if (r->copies)
            record_copy(r, in);
        else if (r->written && is_in_memory(r))
            record_local(r, in);
        return;
    }
    if (r->left-- <= 0) {
        recorder_pass_over(r);
        return;
    }
    if (shared) {
        record_shared(r, in);
        return;
    }
    r->last = (Last){is_plain(in), in->kind, in->to, in->from, in->out->len, in->in->len};
    track(r, in);
    Op op = {.kind = (uint8_t)kind, .text = 1};
    if (kind <= OP_IRECV)
        op.group = (int16_t)find_group(r, in->view);
    switch (kind) {
    case OP_SENDRECV:
    case OP_SEND:
    case OP_ISEND:
        op.to = relative(r, in->to, op.group);
        op.out = length(r, in->out, &op.out_cut);
        if (kind != OP_SENDRECV)
            break;
        // fall through
    case OP_RECV:
    case OP_IRECV:
        op.from = relative(r, in->from, op.group);
        op.in = length(r, in->in, &op.in_cut);
        break;
    case OP_REDUCE:
        record_call(r);
        op.in = length(r, in->in, &op.in_cut);
        break;
    default:
        op.to = in->n;
    }
    add_op(r, &op);
}

static void record_op(CollRun *run, const CollIssue *in)
{
    Recorder *r = (Recorder *)run;
    if (repeats_last(r, in) && r->left > 0 && builder_again(&r->b)) {
        r->left--;
        r->s->one_round = false;
    } else
        record_other(r, in);
}

// Does the same, with what the library does for the operation before and after it.
static void record_with_work(CollRun *run, const CollIssue *in)
{
    Recorder *r = (Recorder *)run;
    uint64_t n;
    for (int half = 0; half < 2; half++)
        if (messages_connects(r->messages, in, half))
            add_own_work(r, &(Op){.kind = OP_CONNECT, .in.bytes = 1});
    if ((n = messages_in_line(r->messages, in)) > 0)
        add_own_work(r, &(Op){.kind = OP_MATCH, .in.bytes = n});
    record_op(run, in);
    for (size_t i = messages_end(r->messages, in), bytes; i-- > 0;)
        if (messages_bounces(r->messages, i, &bytes))
            add_own_work(r, &(Op){.kind = OP_BOUNCE, .in.bytes = bytes});
}

// ---- A rank ---------------------------------------------------------------------------------------------------------

void recorder_begin(Recorder *r, Schedule *s, const Operation *op, const RecordOptions *o, uint64_t most_segments)
{
    const bool limits = most_segments > 0;
    *r = (Recorder){.s = s,
                    .b.isends = o->isends,
                    .copies = o->copies,
                    .pure = op->algorithm->shared,
                    .written = o->local ? g_array_new(FALSE, FALSE, sizeof(size_t)) : NULL,
                    .last_whole = SIZE_MAX,
                    .list_max = limits ? LIST_STEP : SIZE_MAX,
                    .messages = o->messages ? messages_new(op, o->messages) : NULL};
    coll_run_init(&r->run, r->messages ? record_with_work : record_op);
    r->run.room = o->fresh ? record_fresh : NULL;
    r->run.most_segments = most_segments;
    r->run.phase_begins = o->phases ? begin_phase : NULL;
    r->run.unordered = o->unordered;
    r->run.no_copies = !o->copies && !o->local;
}

void recorder_clear(Recorder *r)
{
    coll_run_clear(&r->run);
    if (r->written)
        g_array_unref(r->written);
    builder_clear(&r->b);
    g_free(r->receives);
    messages_free(r->messages);
}

void recorder_rank(Recorder *r, const CollAlgorithm *a, const Coll *view, int v)
{
    r->v = v;
    if (r->written)
        g_array_set_size(r->written, 0);
    builder_reset(&r->b);
    r->last.known = false;
    r->n_requests = r->n_receives = r->most_open = 0;
    r->waited = false;
    r->one_source = true;
    r->uncounted = 0;
    if (r->messages)
        messages_begin(r->messages, view->rank);
    coll_run_reset(&r->run);
    a->run(view);
    builder_finish(r->s, &r->b);
}
