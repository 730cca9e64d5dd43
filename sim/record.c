// The recorder: operations arrive one by one, are fused where two mean the same as one, folded into loops, and the
// finished list is looked up among the classes.
#include "record.h"
#include <string.h>

enum { MAX_BODY = 4, RECENT = 8, MAX_SAMPLES = 64, SAMPLE_OPERATIONS = 1 << 19 };

// One rank's operations while they grow. The last ones may still fuse with what follows (an isend with its wait), so they
// stand in `open` until that is settled.
typedef struct Builder {
    Op *ops;
    Stride *strides;
    uint32_t n, max;
    uint32_t plain; // where the operations since the last loop begin
    Op *open;
    uint32_t n_open, max_open;
    // The loop that the list ends with, as long as what comes continues it.
    uint32_t body, matched; // length; operations of the next round seen so far
    uint64_t rounds;
    Op next[MAX_BODY]; // what the next round must be
} Builder;

typedef struct Recorder {
    CollRun run;
    Schedule *s;
    Builder b;
    int v;
    int64_t left;      // operations until the cut-off
    size_t last_whole; // of the last cut looked up, and its number
    uint8_t last_cut;
    int *sources; // of the requests not waited for; -1: a send
    int n_sources, max_sources;
    GHashTable *found; // hash of the operations -> class + 1, the first of a chain
    GArray *chain;     // class -> the next class of the same hash + 1
    uint32_t recent[RECENT];
    uint32_t max_classes;
} Recorder;

// ---- Loops ------------------------------------------------------------------------------------------------------------

static int32_t step(const Schedule *s, int32_t from, int32_t to)
{
    int64_t d = (int64_t)to - from;
    if (s->peers == PEERS_SHIFT && 2 * d > s->p)
        d -= s->p;
    else if (s->peers == PEERS_SHIFT && 2 * d <= -s->p)
        d += s->p;
    return (int32_t)d;
}

// Is b like a, but for peers and blocks; by how much do these differ?
static bool stride_between(const Schedule *s, const Op *a, const Op *b, Stride *d)
{
    if (a->kind != b->kind || a->out_cut != b->out_cut || a->in_cut != b->in_cut || a->text != b->text)
        return false;
    if (a->out_cut ? a->out.blocks.count != b->out.blocks.count : a->out.bytes != b->out.bytes)
        return false;
    if (a->in_cut ? a->in.blocks.count != b->in.blocks.count : a->in.bytes != b->in.bytes)
        return false;
    *d = (Stride){step(s, a->to, b->to), step(s, a->from, b->from),
                  a->out_cut ? step(s, a->out.blocks.first, b->out.blocks.first) : 0,
                  a->in_cut ? step(s, a->in.blocks.first, b->in.blocks.first) : 0};
    const bool peers = a->kind == OP_SEND || a->kind == OP_RECV || a->kind == OP_SENDRECV || a->kind == OP_ISEND ||
                       a->kind == OP_IRECV;
    // Strides of an XOR mean nothing, nor do those of a wait.
    return (peers && s->peers != PEERS_XOR) || (d->to == 0 && d->from == 0);
}

static int32_t wrap(const Schedule *s, int32_t relative, int32_t stride)
{
    const int64_t x = (int64_t)relative + stride;
    if (s->peers != PEERS_SHIFT)
        return (int32_t)x;
    return (int32_t)(x < 0 ? x + s->p : x >= s->p ? x - s->p : x);
}

static void advance(const Schedule *s, Op *op, const Stride *d)
{
    op->to = d->to ? wrap(s, op->to, d->to) : op->to;
    op->from = d->from ? wrap(s, op->from, d->from) : op->from;
    if (op->out_cut)
        op->out.blocks.first = wrap(s, op->out.blocks.first, d->out);
    if (op->in_cut)
        op->in.blocks.first = wrap(s, op->in.blocks.first, d->in);
}

static void append(Builder *b, const Op *op)
{
    if (b->n == b->max) {
        b->max = MAX(64, 2 * b->max);
        b->ops = g_renew(Op, b->ops, b->max);
        b->strides = g_renew(Stride, b->strides, b->max);
    }
    b->strides[b->n] = (Stride){0};
    b->ops[b->n++] = *op;
}

// Do the last 3 x len operations repeat? Then they become a loop of 3 rounds.
static bool fold(const Schedule *s, Builder *b, uint32_t len)
{
    if (b->n - b->plain < 3 * len)
        return false;
    const Op *first = b->ops + b->n - 3 * len;
    Stride d[MAX_BODY];
    for (uint32_t i = len; i-- > 0;) {
        Stride again;
        if (!stride_between(s, &first[len + i], &first[2 * len + i], &d[i]) ||
            !stride_between(s, &first[i], &first[len + i], &again) || memcmp(&d[i], &again, sizeof again) != 0)
            return false;
    }
    for (uint32_t i = 0; i < len; i++) {
        b->next[i] = first[2 * len + i];
        advance(s, &b->next[i], &d[i]);
    }
    b->n -= 2 * len;
    memcpy(b->strides + b->n - len, d, len * sizeof *d);
    b->body = len;
    b->rounds = 3;
    b->matched = 0;
    return true;
}

static void end_loop(const Schedule *s, Builder *b)
{
    if (!b->body)
        return;
    const uint32_t body = b->body, matched = b->matched;
    const Stride *d = b->strides + b->n - body;
    b->body = 0;
    for (uint32_t i = 0; i < matched; i++) // the expectation of what was seen has moved on already
        advance(s, &b->next[i], &(Stride){-d[i].to, -d[i].from, -d[i].out, -d[i].in});
    append(b, &(Op){.kind = OP_LOOP, .to = (int32_t)body, .out.bytes = b->rounds});
    b->plain = b->n;
    for (uint32_t i = 0; i < matched; i++)
        append(b, &b->next[i]);
}

static void push(const Schedule *s, Builder *b, const Op *op)
{
    if (b->body) {
        Op *expected = &b->next[b->matched];
        if (memcmp(expected, op, sizeof *op) == 0) {
            advance(s, expected, &b->strides[b->n - b->body + b->matched]);
            if (++b->matched == b->body) {
                b->matched = 0;
                b->rounds++;
            }
            return;
        }
        end_loop(s, b);
    }
    append(b, op);
    for (uint32_t len = 1; len <= MAX_BODY; len++)
        if (fold(s, b, len))
            return;
}

// ---- Fusing -------------------------------------------------------------------------------------------------------------

static void settle(Recorder *r)
{
    for (uint32_t i = 0; i < r->b.n_open; i++)
        push(r->s, &r->b, &r->b.open[i]);
    r->b.n_open = 0;
}

static void hold(Builder *b, const Op *op)
{
    if (b->n_open == b->max_open) {
        b->max_open = MAX(16, 2 * b->max_open);
        b->open = g_renew(Op, b->open, b->max_open);
    }
    b->open[b->n_open++] = *op;
}

// A wait for exactly the newest requests, all isends, makes them sends, for what is sent one after the other takes the same
// time either way; for an irecv alone a recv; for an irecv and an isend a sendrecv.
static bool fuse(Builder *b, uint32_t n)
{
    if (b->n_open < n)
        return false;
    Op *last = b->open + b->n_open - n;
    if (n == 1 && last->kind == OP_IRECV) {
        last->kind = OP_RECV;
    } else if (n == 2 && last[0].kind == OP_IRECV && last[1].kind == OP_ISEND) {
        last[0].kind = OP_SENDRECV;
        last[0].to = last[1].to;
        last[0].out = last[1].out;
        last[0].out_cut = last[1].out_cut;
        last[0].text += last[1].text;
        b->n_open--;
    } else {
        for (uint32_t i = 0; i < n; i++)
            if (last[i].kind != OP_ISEND)
                return false;
        for (uint32_t i = 0; i < n; i++)
            last[i].kind = OP_SEND;
    }
    b->open[b->n_open - 1].text++;
    return true;
}

static void add(Recorder *r, const Op *op)
{
    Builder *b = &r->b;
    switch ((OpKind)op->kind) {
    case OP_ISEND:
    case OP_IRECV:
        hold(b, op);
        break;
    case OP_WAIT:
    case OP_WAITALL: {
        const bool fused = op->kind == OP_WAITALL ? fuse(b, (uint32_t)op->to) : op->to == 0 && fuse(b, 1);
        settle(r);
        if (!fused)
            push(r->s, b, op);
        break;
    }
    default:
        settle(r);
        push(r->s, b, op);
    }
}

// ---- One operation of the text ----------------------------------------------------------------------------------------

static int32_t relative(const Recorder *r, int rank)
{
    const int peer = v_of_rank(r->s, rank);
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

// The number of an even cut of `whole` bytes into p parts; 0 where all parts are equal, so that a length says as much.
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

static Length length(Recorder *r, const Slice *x, uint8_t *cut)
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

// Keeps account of the requests, to know whether a rank ever has receives from two sources open.
static void track(Recorder *r, const CollOp *op)
{
    if (op->kind == COLL_RECV || op->kind == COLL_SENDRECV || op->kind == COLL_IRECV)
        for (int i = 0; i < r->n_sources; i++)
            if (r->sources[i] >= 0 && r->sources[i] != op->from)
                r->s->one_source = false;
    if (op->kind == COLL_ISEND || op->kind == COLL_IRECV) {
        if (r->n_sources == r->max_sources) {
            r->max_sources = MAX(16, 2 * r->max_sources);
            r->sources = g_renew(int, r->sources, r->max_sources);
        }
        // Once it is known that there are several, nobody looks at the list's entries, only at its length.
        r->sources[r->n_sources++] = op->kind == COLL_IRECV && r->s->one_source ? op->from : -1;
    } else if (op->kind == COLL_WAITALL) {
        r->n_sources -= op->n;
    } else if (op->kind == COLL_WAIT) {
        r->n_sources--;
        memmove(r->sources + r->n_sources - op->n, r->sources + r->n_sources - op->n + 1, (size_t)op->n * sizeof(int));
    }
}

static void record_op(CollRun *run, const CollOp *in)
{
    Recorder *r = (Recorder *)run;
    static const OpKind kinds[] = {
        [COLL_SEND] = OP_SEND,   [COLL_RECV] = OP_RECV, [COLL_SENDRECV] = OP_SENDRECV, [COLL_ISEND] = OP_ISEND,
        [COLL_IRECV] = OP_IRECV, [COLL_WAIT] = OP_WAIT, [COLL_WAITALL] = OP_WAITALL,   [COLL_THROTTLE] = OP_THROTTLE,
        [COLL_COPY] = OP_END,    [COLL_PACK] = OP_END,  [COLL_UNPACK] = OP_END,        [COLL_REDUCE_OP] = OP_REDUCE,
    };
    const OpKind kind = kinds[in->kind];
    if (kind == OP_END || r->left-- <= 0)
        return; // copies are free
    track(r, in);
    Op op = {.kind = (uint8_t)kind, .text = 1};
    switch (kind) {
    case OP_SENDRECV:
    case OP_SEND:
    case OP_ISEND:
        op.to = relative(r, in->to);
        op.out = length(r, &in->out, &op.out_cut);
        if (kind != OP_SENDRECV)
            break;
        // fall through
    case OP_RECV:
    case OP_IRECV:
        op.from = relative(r, in->from);
        op.in = length(r, &in->in, &op.in_cut);
        break;
    case OP_REDUCE:
        op.in = length(r, &in->in, &op.in_cut);
        break;
    default:
        op.to = in->n;
    }
    add(r, &op);
}

// ---- Classes --------------------------------------------------------------------------------------------------------------

static bool equals(const Class *c, const Builder *b)
{
    return c->n_ops == b->n && memcmp(c->ops, b->ops, b->n * sizeof(Op)) == 0 &&
           (!c->loops || memcmp(c->strides, b->strides, b->n * sizeof(Stride)) == 0);
}

static uint64_t hash(const Builder *b)
{
    uint64_t h = 0x9e3779b97f4a7c15u ^ b->n;
    const uint64_t *x = (const uint64_t *)(const void *)b->ops;
    for (size_t i = 0; i < b->n * sizeof(Op) / 8; i++)
        h = (h ^ x[i]) * 0xff51afd7ed558ccdu, h ^= h >> 32;
    return h;
}

static uint32_t new_class(Recorder *r)
{
    Schedule *s = r->s;
    if (s->n_classes == r->max_classes) {
        r->max_classes = MAX(16, 2 * r->max_classes);
        s->classes = g_renew(Class, s->classes, r->max_classes);
    }
    Class *c = &s->classes[s->n_classes];
    *c = (Class){.n_ops = r->b.n, .ops = g_memdup2(r->b.ops, r->b.n * sizeof(Op))};
    for (uint32_t i = 0; i < c->n_ops; i++) {
        c->loops |= c->ops[i].kind == OP_LOOP;
        c->cut |= c->ops[i].out_cut || c->ops[i].in_cut;
        s->kinds |= 1u << c->ops[i].kind;
    }
    if (c->loops)
        c->strides = g_memdup2(r->b.strides, r->b.n * sizeof(Stride));
    return s->n_classes++;
}

// The class of what was recorded: one of the last used, one of the same hash, or a new one.
static uint32_t intern(Recorder *r)
{
    for (int i = 0; i < RECENT; i++) {
        const uint32_t k = r->recent[i];
        if (k < r->s->n_classes && equals(&r->s->classes[k], &r->b)) {
            memmove(r->recent + 1, r->recent, (size_t)i * sizeof k);
            return r->recent[0] = k;
        }
    }
    const gpointer key = (gpointer)(uintptr_t)hash(&r->b);
    const uint32_t first = GPOINTER_TO_UINT(g_hash_table_lookup(r->found, key));
    uint32_t k = first;
    while (k && !equals(&r->s->classes[k - 1], &r->b))
        k = g_array_index(r->chain, uint32_t, k - 1);
    if (!k) {
        k = new_class(r) + 1;
        g_array_append_val(r->chain, first);
        g_hash_table_insert(r->found, key, GUINT_TO_POINTER(k));
    }
    memmove(r->recent + 1, r->recent, (RECENT - 1) * sizeof *r->recent);
    return r->recent[0] = k - 1;
}

static Coll view_of(Recorder *r, Collective collective, const Coll *c, size_t m, int v)
{
    Coll view = coll_make(collective, c->p, rank_of(r->s, v), c->root, m, c->elem, &r->run);
    view.par = c->par;
    view.commutative = c->commutative;
    return view;
}

// Leaves v's list in r->b.
static void record_rank(Recorder *r, const CollAlgorithm *a, const Coll *view, int v, int64_t cut_off)
{
    r->v = v;
    r->left = cut_off > 0 ? cut_off : INT64_MAX;
    r->b.n = r->b.n_open = r->b.body = r->b.plain = 0;
    r->n_sources = 0;
    coll_run_reset(&r->run);
    a->run(view);
    settle(r);
    end_loop(r->s, &r->b);
    append(&r->b, &(Op){.kind = OP_END});
}

static int64_t operations(const Builder *b)
{
    int64_t n = 0;
    for (uint32_t i = 0; i < b->n; i++)
        n += b->ops[i].kind == OP_LOOP ? b->ops[i].to * ((int64_t)b->ops[i].out.bytes - 1) : 1;
    return n;
}

// A declared symmetry is a claim about every rank; here it is held against some of them.
static void check_samples(Recorder *r, const CollAlgorithm *a, Collective collective, const Coll *c, size_t m,
                          const RecordOptions *o)
{
    const int p = c->p, fixed[] = {p - 1, 1, p - 2};
    GRand *random = g_rand_new_with_seed(20261121);
    int64_t budget = SAMPLE_OPERATIONS;
    for (int i = 0; i < MIN(MAX_SAMPLES, p - 1) && (budget > 0 || i < 3); i++) {
        const int v = i < 3 ? MAX(fixed[i], 0) : g_rand_int_range(random, 0, p);
        const Coll view = view_of(r, collective, c, m, v);
        record_rank(r, a, &view, v, o->cut_off);
        budget -= operations(&r->b);
        if (!equals(class_of(r->s, v), &r->b))
            g_error("%s %s declares a symmetry that v = %d of %d does not have", collectives[a->collective].name,
                    a->name, v, p);
    }
    g_rand_free(random);
}

Schedule *record(const CollAlgorithm *a, Collective collective, const Coll *c, size_t m, const RecordOptions *o)
{
    Schedule *s = g_new0(Schedule, 1);
    s->p = c->p;
    s->root = c->root;
    s->peers = a->peers;
    s->one_source = true;
    s->cuts[0].elem = c->elem;
    s->n_cuts = 1;
    Recorder r = {.s = s,
                  .last_whole = SIZE_MAX,
                  .found = g_hash_table_new(NULL, NULL),
                  .chain = g_array_new(FALSE, FALSE, sizeof(uint32_t))};
    memset(r.recent, 0xff, sizeof r.recent);
    coll_run_init(&r.run, record_op);

    bool shared = false;
    for (int v = 0; v < c->p; v++) {
        const Coll view = view_of(&r, collective, c, m, v);
        coll_run_reset(&r.run);
        const int like = a->same_as && !o->every_rank ? a->same_as(&view) : v;
        uint32_t k = 0;
        if (like < v) {
            shared = true;
            k = s->class_of ? s->class_of[like] : 0;
        } else {
            record_rank(&r, a, &view, v, o->cut_off);
            k = intern(&r);
        }
        if (k && !s->class_of)
            s->class_of = g_new0(uint32_t, c->p);
        if (s->class_of)
            s->class_of[v] = k;
    }
    if (shared)
        check_samples(&r, a, collective, c, m, o);
    coll_run_clear(&r.run);
    g_hash_table_destroy(r.found);
    g_array_free(r.chain, TRUE);
    g_free(r.b.ops);
    g_free(r.b.strides);
    g_free(r.b.open);
    g_free(r.sources);
    return s;
}
