// The recorder receives the operations of a rank's text one by one. A builder fuses and folds them into the rank's
// list, and the finished list either is an existing class or becomes a new one.
#include "engine/schedule/record.h"
#include "engine/schedule/builder.h"
#include "engine/schedule/effort.h"
#include "engine/schedule/follow.h"
#include "engine/schedule/goal_entry.h"
#include "engine/schedule/schedule_graph.h"
#include "base/budget.h"
#include "base/error.h"
#include "api/make.h"
#include <string.h>

enum { RECENT = 8, MAX_SAMPLES = 64, SAMPLE_OPERATIONS = 1 << 18 };

// What a user may ask for. Within these limits it takes a minute or two to record a schedule.
static const int64_t most_operations = (int64_t)1 << 32; // in the texts that are recorded, copies not counted

// The recorder looks at the memory that is left before its list and before all classes take so much more.
enum { LIST_STEP = 1 << 20, CLASSES_STEP = 64 << 20 }; // operations; bytes

// The last operation of the text. `known` is false unless it is a blocking message among all ranks (not in a view of
// fewer) whose lengths do not come from a cut.
typedef struct Last {
    bool known;
    CollOpKind kind;
    int to, from;
    size_t out, in;
} Last;

// An entry of the table of classes.
typedef struct FoundClass {
    uint32_t hash;
    uint32_t class; // 1 + its number; 0 if the entry is free
} FoundClass;

typedef struct Recorder {
    CollRun run;
    Schedule *s;
    Builder b;
    int v;
    int64_t left;      // operations that are still kept, before the cut-off or the limit; below 0 if some were not kept
    bool copies;       // RecordOptions.copies, of an algorithm that sends messages
    bool pure;         // an algorithm in shared memory, not one with a part in it
    GArray *written;   // of such a one, with RecordOptions.local: where in its queue the rank has written (size_t)
    bool no_memory;    // because memory runs short
    int64_t uncounted; // copies and operations beyond the limit that the rank's text has issued
    size_t list_max;   // operations that the list may have before the next look at the memory
    size_t classes, classes_max; // bytes of all classes, and how many these may be before the next look
    bool phase_begins;           // `phase` is not yet that of the text
    uint16_t phase;              // of the next operations
    Last last;
    size_t last_whole; // `whole` of the last cut that was looked up; last_cut is its number
    uint8_t last_cut;
    bool *receives; // for each request not yet waited for, whether it is a receive; in the order of issue
    int n_requests, max_requests;
    bool waited;             // the rank has waited for a message
    int n_receives;          // open receives
    int most_open;           // the most of them at a time
    bool one_source;         // whenever there are several, they have the same source
    int source;              // that source, as long as one_source holds
    FoundClass *found;       // the classes, in a table by the hashes of their operations; NULL before the first one
    uint32_t found_mask;     // its size - 1, which is a power of two
    uint32_t recent[RECENT]; // the classes found last, the latest first
    GHashTable *patterns;    // Pattern -> 1 + the v that was recorded for it
    uint32_t max_classes;
    Follower follower;      // of a sample
    MessagesRank *messages; // RecordOptions.messages, of the rank; NULL if they are no work
} Recorder;

// ---- One operation of the text --------------------------------------------------------------------------------------

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

static bool sends(CollOpKind k)
{
    return k == COLL_SEND || k == COLL_SENDRECV || k == COLL_ISEND;
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
    s->one_send &= !sends(op->kind) || r->n_receives == r->n_requests;
    s->one_round &= op->kind != COLL_REDUCE_OP && (op->kind > COLL_IRECV || !r->waited);
    r->waited |= waits(op->kind);
    if (op->kind == COLL_RECV || op->kind == COLL_SENDRECV || op->kind == COLL_IRECV) {
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

// Keeps no further operation unless this much memory is left, in bytes.
static void need_memory(Recorder *r, size_t bytes)
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
    need_memory(r, 2 * r->list_max * (sizeof(Op) + sizeof(Stride)));
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

// Returns whether the rank has written the slot at this place of its queue before, if that is asked for.
static bool writes_again(Recorder *r, size_t off)
{
    for (guint i = 0; r->written && i < r->written->len; i++)
        if (g_array_index(r->written, size_t, i) == off)
            return true;
    if (r->written)
        g_array_append_val(r->written, off);
    return false;
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
            add_op(r, &(Op){.kind = OP_REDUCE, .text = op.text, .in.bytes = in->in->len});
            op.text = 0;
        }
        if (!is_slot(*slots[i]) || (i == 2 && is_lent(*slots[i])))
            continue; // to lend a buffer takes no time
        op.kind = i == 2 ? OP_WRITE : OP_READ;
        op.to = i == 2 ? (int32_t)writes_again(r, slots[i]->off) : slots[i]->readers;
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

// Notes an operation that is not kept. Without an end to these, a text that loops for ever would never come back.
static inline void pass_over(Recorder *r)
{
    if (G_UNLIKELY(++r->uncounted > most_operations))
        g_error("%s: the text of v = %d of %d has more than %" G_GINT64_FORMAT " operations, and does not end",
                r->s->name, r->v, r->s->p, most_operations);
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
        pass_over(r);
        if (r->copies)
            record_copy(r, in);
        else if (r->written)
            record_local(r, in);
        return;
    }
    if (r->left-- <= 0) {
        pass_over(r);
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

// ---- Classes --------------------------------------------------------------------------------------------------------

static bool equals(const Class *c, const Builder *b)
{
    return c->n_ops == b->n && memcmp(c->ops, b->ops, b->n * sizeof(Op)) == 0 &&
           (!c->loops || memcmp(c->strides, b->strides, b->n * sizeof(Stride)) == 0);
}

static uint32_t hash(const Builder *b)
{
    uint64_t h = 0x9e3779b97f4a7c15u ^ b->n;
    const uint64_t *x = (const uint64_t *)(const void *)b->ops;
    for (size_t i = 0; i < b->n * sizeof(Op) / 8; i++)
        h = (h ^ x[i]) * 0xff51afd7ed558ccdu, h ^= h >> 32;
    return (uint32_t)h;
}

// Gives the table of classes twice as many entries.
static void grow_found(Recorder *r)
{
    const uint32_t size = r->found ? r->found_mask + 1 : 0, mask = MAX(2 * size, 64) - 1;
    FoundClass *found = g_new0(FoundClass, (gsize)mask + 1);
    for (uint32_t i = 0; i < size; i++)
        if (r->found[i].class) {
            uint32_t at = r->found[i].hash & mask;
            while (found[at].class)
                at = (at + 1) & mask;
            found[at] = r->found[i];
        }
    g_free(r->found);
    r->found = found;
    r->found_mask = mask;
}

static uint32_t new_class(Recorder *r)
{
    Schedule *s = r->s;
    if (s->n_classes == r->max_classes) {
        r->max_classes = MAX(16, 2 * r->max_classes);
        s->classes = g_renew(Class, s->classes, r->max_classes);
    }
    Class *c = &s->classes[s->n_classes];
    *c = (Class){.n_ops = r->b.n, .ops = g_memdup2(r->b.ops, r->b.n * sizeof(Op)), .one_source = true};
    for (uint32_t i = 0; i < c->n_ops; i++) {
        c->loops |= c->ops[i].kind == OP_LOOP;
        c->cut |= c->ops[i].out_cut || c->ops[i].in_cut;
        c->groups |= c->ops[i].group != 0;
        s->kinds |= 1u << c->ops[i].kind;
    }
    if (c->loops)
        c->strides = c->n_ops <= MAX_STILL && !memcmp(r->b.strides, schedule_still, c->n_ops * sizeof(Stride))
                         ? schedule_still
                         : g_memdup2(r->b.strides, r->b.n * sizeof(Stride));
    r->classes += sizeof *c + c->n_ops * (sizeof(Op) + (c->loops && c->strides != schedule_still ? sizeof(Stride) : 0));
    if (r->classes > r->classes_max) {
        r->classes_max = r->classes + CLASSES_STEP;
        need_memory(r, 2 * CLASSES_STEP);
    }
    return s->n_classes++;
}

// Returns the class with the list in r->b. It tries the classes found last, then those with the same hash, and then
// makes a new class.
static uint32_t find_class(Recorder *r)
{
    for (int i = 0; i < RECENT; i++) {
        const uint32_t k = r->recent[i];
        if (k < r->s->n_classes && equals(&r->s->classes[k], &r->b)) {
            memmove(r->recent + 1, r->recent, (size_t)i * sizeof k);
            return r->recent[0] = k;
        }
    }
    if (!r->found || r->s->n_classes > r->found_mask / 2)
        grow_found(r);
    const uint32_t key = hash(&r->b);
    uint32_t i = key & r->found_mask;
    while (r->found[i].class && (r->found[i].hash != key || !equals(&r->s->classes[r->found[i].class - 1], &r->b)))
        i = (i + 1) & r->found_mask;
    if (!r->found[i].class)
        r->found[i] = (FoundClass){key, new_class(r) + 1};
    const uint32_t k = r->found[i].class;
    memmove(r->recent + 1, r->recent, (RECENT - 1) * sizeof *r->recent);
    return r->recent[0] = k - 1;
}

// Returns the class of the rank whose list is in r->b.
static uint32_t intern(Recorder *r)
{
    const uint32_t k = find_class(r);
    Schedule *s = r->s;
    if (!r->one_source) {
        s->one_source = s->classes[k].one_source = false;
        s->most_open = MAX(s->most_open, r->most_open);
    }
    return k;
}

// The integers of CollAlgorithm.pattern.
typedef struct Pattern {
    int n, x[COLL_MAX_PATTERN];
} Pattern;

static guint pattern_hash(gconstpointer data)
{
    const Pattern *a = data;
    guint h = (guint)a->n;
    for (int i = 0; i < a->n; i++)
        h = (h ^ (guint)a->x[i]) * 0x9e3779b1u, h ^= h >> 15;
    return h;
}

static gboolean pattern_equal(gconstpointer x, gconstpointer y)
{
    const Pattern *a = x, *b = y;
    return a->n == b->n && memcmp(a->x, b->x, (size_t)a->n * sizeof *a->x) == 0;
}

// Returns the first v with v's pattern, or v itself if its pattern is new or if it has none. `any` is v's view.
static int find_pattern(Recorder *r, const CollAlgorithm *a, const Coll *any, int v)
{
    Pattern x;
    coll_run_reset(&r->run);
    x.n = a->pattern(any, x.x);
    if (G_UNLIKELY(x.n < 0 || x.n > COLL_MAX_PATTERN))
        g_error("%s %s: the pattern of v = %d of %d has %d integers; allowed: 0 to %d", collectives[a->collective].name,
                a->name, v, any->p, x.n, COLL_MAX_PATTERN);
    if (x.n == 0)
        return v;
    const guint first = GPOINTER_TO_UINT(g_hash_table_lookup(r->patterns, &x));
    if (!first)
        g_hash_table_insert(r->patterns, g_memdup2(&x, sizeof x), GUINT_TO_POINTER((guint)v + 1));
    return first ? (int)first - 1 : v;
}

static Coll view_of(Recorder *r, const Operation *op, int v)
{
    return coll_make(op->algorithm->collective, &op->c, rank_of(r->s, v), op->m, &r->run);
}

// Runs the text of v, and leaves the list of its first r->left operations in r->b.
static void record_rank(Recorder *r, const CollAlgorithm *a, const Coll *view, int v)
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

static int64_t operations(const Builder *b)
{
    int64_t n = 0;
    for (uint32_t i = 0; i < b->n; i++)
        n += b->ops[i].kind == OP_LOOP ? b->ops[i].to * ((int64_t)b->ops[i].out.bytes - 1) : 1;
    return n;
}

// Returns a number for the messages that v sends with an operation in the rounds of its loop.
static uint64_t sent_with(const Schedule *s, int v, const Op *op, const Stride *d, uint64_t rounds)
{
    uint64_t sum = 0;
    for (uint32_t round = 0; round < rounds; round++) {
        const int peer = op_peer(s, v, op, op->to, d->to, round);
        const int away = s->peers == PEERS_XOR ? peer ^ v : s->peers == PEERS_SHIFT ? (peer - v + s->p) % s->p : peer;
        uint64_t x = length_of(s, v, op->out_cut, op->out, d->out, round) * 0x9e3779b97f4a7c15u ^ (uint64_t)away;
        x = (x ^ x >> 32) * 0xff51afd7ed558ccdu;
        sum += x ^ x >> 29;
    }
    return sum;
}

// Returns a number for the messages that v sends with a list of operations. It does not depend on their order.
static uint64_t sent(const Schedule *s, int v, const Op *ops, const Stride *strides, uint32_t n)
{
    static const Stride none;
    uint64_t sum = 0, rounds = 1;
    int32_t left = 0; // operations of the loop that are still to come; the list is read from its end
    for (uint32_t i = n; i-- > 0; left -= left > 0) {
        const Op *op = &ops[i];
        if (op->kind == OP_LOOP) {
            rounds = op->out.bytes;
            left = op->to + 1;
        } else if (op->kind == OP_SEND || op->kind == OP_ISEND || op->kind == OP_SENDRECV) {
            sum += sent_with(s, v, op, strides ? &strides[i] : &none, left ? rounds : 1);
        }
    }
    return sum;
}

// Returns whether v, whose list is in r->b, does what its class says; if the order does not matter, whether it sends
// that.
static bool does_as_declared(const Recorder *r, int v)
{
    const Class *c = class_of(r->s, v);
    return equals(c, &r->b) || (r->run.unordered && sent(r->s, v, c->ops, c->loops ? c->strides : NULL, c->n_ops) ==
                                                        sent(r->s, v, r->b.ops, r->b.strides, r->b.n));
}

static void emit_followed(CollRun *run, const CollIssue *in)
{
    Recorder *r = (Recorder *)run;
    const bool copies = in->kind == COLL_COPY || in->kind == COLL_PACK || in->kind == COLL_UNPACK;
    if (!copies || is_slot(*in->in) || is_slot(*in->out))
        follow_op(&r->follower, in);
    if (copies || G_UNLIKELY(r->follower.lost))
        pass_over(r);
}

// Returns whether v's text does what its class says, as far as that can be followed; if so, *operations are those that
// it has.
static bool follows(Recorder *r, const CollAlgorithm *a, const Coll *view, int v, int64_t *operations)
{
    if (!follow_begin(&r->follower, r->s, v))
        return false;
    r->v = v;
    r->uncounted = 0;
    coll_run_reset(&r->run);
    r->run.emit = emit_followed;
    a->run(view);
    r->run.emit = record_op;
    *operations = r->follower.operations;
    return follow_end(&r->follower);
}

// Looks at some of the ranks that share another's schedule, because the symmetry that the entry declares is only a
// claim. A rank whose text cannot be followed is recorded.
static void check_samples(Recorder *r, const Operation *op, const RecordOptions *o)
{
    const CollAlgorithm *a = op->algorithm;
    const int p = op->c.p, fixed[] = {p - 1, 1, p - 2};
    GRand *random = g_rand_new_with_seed(20261121);
    int64_t budget = SAMPLE_OPERATIONS;
    for (int i = 0; i < MIN(MAX_SAMPLES, p - 1) && (budget > 0 || i < 3); i++) {
        const int v = i < 3 ? MAX(fixed[i], 0) : g_rand_int_range(random, 0, p);
        const Coll view = view_of(r, op, v);
        int64_t n = 0;
        bool alike = o->cut_off == 0 && !r->copies && follows(r, a, &view, v, &n);
        if (!alike) {
            r->left = o->cut_off > 0 ? o->cut_off : INT64_MAX;
            record_rank(r, a, &view, v);
            n = operations(&r->b);
            alike = does_as_declared(r, v);
        }
        // A text that computes much for few operations fills an array with what it needs.
        budget -= n + (int64_t)coll_run_ints(&r->run);
        if (!alike)
            g_error("%s %s declares a symmetry that v = %d of %d does not have", collectives[a->collective].name,
                    a->name, v, p);
    }
    g_rand_free(random);
}

// Sets *next to the rounds of the loop that follows two loops of a row. Returns false if it might not be a loop: the
// builder makes a loop of three rounds or more only.
static bool follow(uint64_t before, uint64_t last, uint64_t *next)
{
    *next = 2 * last - before;
    return last > before ? last < UINT64_MAX / 2 : last >= before - last + 3;
}

// If two lists are equal except for the rounds of their loops, leaves in r->b the list that follows them in a row, and
// returns true.
static bool follow_row(Recorder *r, const Class *before, const Class *last)
{
    if (before->n_ops != last->n_ops || before->loops != last->loops)
        return false;
    builder_reset(&r->b);
    r->one_source = before->one_source && last->one_source;
    r->most_open = INT_MAX; // more rounds may open more receives
    for (uint32_t i = 0; i < last->n_ops; i++) {
        Op op = last->ops[i], earlier = before->ops[i];
        if (op.kind == OP_LOOP && earlier.kind == OP_LOOP &&
            !follow(earlier.out.bytes, last->ops[i].out.bytes, &op.out.bytes))
            return false;
        earlier.out.bytes = op.kind == OP_LOOP ? op.out.bytes : earlier.out.bytes;
        if (memcmp(&op, &earlier, sizeof op) != 0 ||
            (last->loops && memcmp(&before->strides[i], &last->strides[i], sizeof(Stride)) != 0))
            return false;
        builder_append(&r->b, &op, last->loops ? &last->strides[i] : &(Stride){0});
    }
    return true;
}

// Returns false and an error if v, whose class was found last, is beyond a limit.
static gboolean within_limits(const Recorder *r, const Operation *op, int v, GError **error)
{
    const char *name = op->algorithm->name;
    const int p = op->c.p;
    if (r->run.segments)
        return error_too_much(error,
                              "%s on %d ranks cuts a message into %" G_GUINT64_FORMAT
                              " %s; allowed: at most %" G_GUINT64_FORMAT
                              " on so many ranks, with longer ones or a smaller -m",
                              name, p, r->run.segments, op->algorithm->shared ? "fragments" : "segments",
                              r->run.most_segments / (uint64_t)p);
    if (r->no_memory)
        return error_too_much(error,
                              "%s on %d ranks: the operations of the first %d ranks alone need more memory than the "
                              "%" G_GUINT64_FORMAT
                              "M that are left; allowed: fewer, with a smaller -p or longer segments",
                              name, p, v + 1, budget_left() >> 20);
    if (r->left < 0)
        return error_too_much(error,
                              "%s on %d ranks: the first %d ranks alone have more than %" G_GINT64_FORMAT
                              " operations; allowed: fewer, with a smaller -p or longer segments",
                              name, p, v + 1, most_operations);
    return TRUE;
}

// Records an operation. If most_segments is not 0, returns NULL and an error if it is beyond a limit.
static Schedule *record(const Operation *op, const RecordOptions *o, uint64_t most_segments, GError **error)
{
    const CollAlgorithm *const a = op->algorithm;
    const Coll *const c = &op->c;
    const bool limits = most_segments > 0;
    if (goal_entry_graph(a))
        return schedule_graph_new(goal_entry_graph(a), a->name);
    const bool copies = o->copies && !a->shared, fresh = o->fresh && !a->shared, local = o->local && a->shared;
    const bool mixed = algorithm_shared_part(a, &c->par); // what entries declare is about messages
    const bool messages = o->messages && !a->shared && !mixed;
    const bool declared = !c->counts && !o->every_rank && !copies && !fresh && !messages && !local && !mixed;
    if (limits && !(declared && (a->same_as || a->row_of || a->pattern)) && !effort_admit(op, error))
        return NULL;
    Schedule *s = g_new0(Schedule, 1);
    s->name = a->name;
    s->p = c->p;
    s->root = c->root;
    s->peers = a->peers;
    s->one_source = s->one_send = s->one_round = true;
    s->cuts[0].elem = c->elem;
    s->n_cuts = s->n_groups = 1;
    Recorder r = {.s = s,
                  .b.isends = o->isends,
                  .copies = copies,
                  .pure = a->shared,
                  .written = local ? g_array_new(FALSE, FALSE, sizeof(size_t)) : NULL,
                  .last_whole = SIZE_MAX,
                  .list_max = limits ? LIST_STEP : SIZE_MAX,
                  .classes_max = limits ? CLASSES_STEP : SIZE_MAX,
                  .patterns = g_hash_table_new_full(pattern_hash, pattern_equal, g_free, NULL)};
    memset(r.recent, 0xff, sizeof r.recent);
    coll_run_init(&r.run, record_op);
    r.run.room = fresh ? record_fresh : NULL;
    r.run.most_segments = most_segments;
    r.run.phase_begins = o->phases ? begin_phase : NULL;
    r.run.unordered = o->unordered;
    r.run.no_copies = !copies && !local;
    if (messages) {
        r.messages = messages_new(op, o->messages);
        r.run.emit = record_with_work;
    }

    bool alike = false, good = true;
    int64_t left = limits ? most_operations : INT64_MAX;
    Coll any = view_of(&r, op, 0); // the argument of same_as, row_of and pattern, with another rank each time
    for (int v = 0; v < c->p && good; v++) {
        int like = v, row = v;
        any.rank = rank_of(s, v);
        if ((a->same_as || a->row_of) && declared) {
            coll_run_reset(&r.run);
            like = a->same_as ? a->same_as(&any) : v;
            row = a->row_of && o->cut_off == 0 ? a->row_of(&any) : v;
            if (G_UNLIKELY(like < 0 || like >= c->p || row < 0 || row >= c->p))
                g_error("%s %s: same_as or row_of says %d at v = %d of %d; allowed: 0 to %d",
                        collectives[a->collective].name, a->name, like < 0 || like >= c->p ? like : row, v, c->p,
                        c->p - 1);
        }
        if (a->pattern && like == v && declared)
            like = find_pattern(&r, a, &any, v);
        uint32_t k = 0;
        if (like < v) {
            alike = true;
            k = s->class_of ? s->class_of[like] : 0;
        } else if (row <= v - 2 && follow_row(&r, class_of(s, v - 2), class_of(s, v - 1))) {
            alike = true;
            k = intern(&r);
            good = !limits || within_limits(&r, op, v, error);
        } else {
            const Coll view = view_of(&r, op, v);
            r.left = o->cut_off > 0 ? o->cut_off : left;
            record_rank(&r, a, &view, v);
            left = o->cut_off > 0 ? left : r.left;
            k = intern(&r);
            good = !limits || within_limits(&r, op, v, error);
        }
        if (k && !s->class_of)
            s->class_of = g_new0(uint32_t, c->p);
        if (s->class_of)
            s->class_of[v] = k;
    }
    if (alike && good && !o->trust && (!o->sampled || sampled_add(o->sampled, op)))
        check_samples(&r, op, o);
    if (G_UNLIKELY(a->shared && (s->kinds & ((1u << OP_REDUCE) - 1) & ~(1u << OP_END)) != 0))
        g_error("%s %s is .shared, and sends messages", collectives[a->collective].name, a->name);
    if (G_UNLIKELY(s->mixed && !s->shared && !mixed && !o->trust))
        g_error("%s %s uses shared memory, and is not .shared", collectives[a->collective].name, a->name);
    coll_run_clear(&r.run);
    if (r.written)
        g_array_unref(r.written);
    g_free(r.found);
    g_hash_table_destroy(r.patterns);
    builder_clear(&r.b);
    g_free(r.receives);
    messages_free(r.messages);
    if (!good)
        g_clear_pointer(&s, schedule_free);
    return s;
}

Schedule *schedule_record(const Operation *op, const RecordOptions *options)
{
    static const RecordOptions defaults = {0};
    return record(op, options ? options : &defaults, 0, NULL);
}

gboolean schedule_check_most(const Schedule *s, const Totals *t, uint64_t most, bool few, GError **error)
{
    const uint64_t n = s->shared ? t->writes + t->reads : t->messages; // neither reaches 2^62
    return most == 0 || n <= most || (few && n / (uint64_t)(s->p / schedule_period(s)) <= most) ||
           error_too_much(error,
                          "%s on %d ranks has %" G_GUINT64_FORMAT " %s, and each is simulated or written; allowed: at "
                          "most %" G_GUINT64_FORMAT ", with a smaller -p or longer segments",
                          s->name, s->p, n, s->shared ? "accesses to shared memory" : "messages", most);
}

// Returns FALSE and an error if the operation has a part in shared memory and the caller does not know such parts.
static gboolean parts_known(const Operation *op, bool mixes, GError **error)
{
    const CollParam *part = mixes ? NULL : algorithm_shared_part(op->algorithm, &op->c.par);
    return !part || bad_input(error,
                              "%s %s=%s: this command or model knows no part in shared memory; allowed: parts of "
                              "messages, or collsim run, best and show, with model hockney",
                              op->algorithm->name, part->name, algorithm_at(param_get(part, &op->c.par))->name);
}

Schedule *schedule_admit(const Operation *op, const RecordOptions *options, uint64_t most, Totals *totals,
                         GError **error)
{
    static const RecordOptions defaults = {0};
    // All ranks but one receive every segment, so a message of S segments means at least S (p - 1) >= S p / 2 messages.
    const uint64_t segments = most ? MIN(2 * most, COLL_MOST_SEGMENTS) : COLL_MOST_SEGMENTS;
    const RecordOptions *o = options ? options : &defaults;
    Schedule *s = parts_known(op, o->mixes, error) ? record(op, o, segments, error) : NULL;
    if (!s)
        return NULL;
    const Totals sums = schedule_totals(s);
    if (totals)
        *totals = sums;
    if (!schedule_check(&sums, op->algorithm->name, op->c.p, error) ||
        !schedule_check_most(s, &sums, most, o->few, error))
        g_clear_pointer(&s, schedule_free);
    return s;
}
