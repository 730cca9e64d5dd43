// The recorder makes the list of each rank, which either is an existing class or becomes a new one.
#include "engine/schedule/record.h"
#include "engine/schedule/class_table.h"
#include "engine/schedule/effort.h"
#include "engine/schedule/follow.h"
#include "engine/schedule/goal_entry.h"
#include "engine/schedule/recorder.h"
#include "engine/schedule/schedule_graph.h"
#include "base/budget.h"
#include "base/error.h"
#include <string.h>

enum { MAX_SAMPLES = 64, SAMPLE_OPERATIONS = 1 << 18 };
enum { CLASSES_STEP = 64 << 20 }; // bytes of classes, before the first look at the memory, and between looks

typedef struct Recording {
    Recorder r;
    ClassTable table;
    size_t classes_max;   // how many bytes all classes may have before the next look
    GHashTable *patterns; // Pattern -> 1 + the v that was recorded for it
    Follower follower;    // of a sample
} Recording;

// ---- Classes --------------------------------------------------------------------------------------------------------

// Returns the class of the rank whose list is in x->r.b.
static uint32_t intern(Recording *x)
{
    Recorder *r = &x->r;
    Schedule *s = r->s;
    const uint32_t k = class_table_find(&x->table, s, &r->b);
    if (x->table.bytes > x->classes_max) {
        x->classes_max = x->table.bytes + CLASSES_STEP;
        recorder_need_memory(r, 2 * CLASSES_STEP);
    }
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
static int find_pattern(Recording *recording, const CollAlgorithm *a, const Coll *any, int v)
{
    Pattern x;
    GHashTable *known = recording->patterns;
    coll_run_reset(&recording->r.run);
    x.n = a->pattern(any, x.x);
    if (G_UNLIKELY(x.n < 0 || x.n > COLL_MAX_PATTERN))
        g_error("%s %s: the pattern of v = %d of %d has %d integers; allowed: 0 to %d", collectives[a->collective].name,
                a->name, v, any->p, x.n, COLL_MAX_PATTERN);
    if (x.n == 0)
        return v;
    const guint first = GPOINTER_TO_UINT(g_hash_table_lookup(known, &x));
    if (!first)
        g_hash_table_insert(known, g_memdup2(&x, sizeof x), GUINT_TO_POINTER((guint)v + 1));
    return first ? (int)first - 1 : v;
}

static Coll view_of(Recorder *r, const Operation *op, int v)
{
    return coll_make(op->algorithm->collective, &op->c, rank_of(r->s, v), op->m, &r->run);
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
    return class_table_equals(c, &r->b) ||
           (r->run.unordered && sent(r->s, v, c->ops, c->loops ? c->strides : NULL, c->n_ops) ==
                                    sent(r->s, v, r->b.ops, r->b.strides, r->b.n));
}

static void emit_followed(CollRun *run, const CollIssue *in)
{
    Recording *x = (Recording *)run;
    const bool copies = in->kind == COLL_COPY || in->kind == COLL_PACK || in->kind == COLL_UNPACK;
    if (!copies || is_slot(*in->in) || is_slot(*in->out))
        follow_op(&x->follower, in);
    if (copies || G_UNLIKELY(x->follower.lost))
        recorder_pass_over(&x->r);
}

// Returns whether v's text does what its class says, as far as that can be followed; if so, *operations are those that
// it has.
static bool follows(Recording *x, const CollAlgorithm *a, const Coll *view, int v, int64_t *operations)
{
    Recorder *r = &x->r;
    if (!follow_begin(&x->follower, r->s, v))
        return false;
    r->v = v;
    r->uncounted = 0;
    coll_run_reset(&r->run);
    void (*const emit)(CollRun *, const CollIssue *) = r->run.emit;
    r->run.emit = emit_followed;
    a->run(view);
    r->run.emit = emit;
    *operations = x->follower.operations;
    return follow_end(&x->follower);
}

// Looks at some of the ranks that share another's schedule, because the symmetry that the entry declares is only a
// claim. A rank whose text cannot be followed is recorded.
static void check_samples(Recording *x, const Operation *op, const RecordOptions *o)
{
    Recorder *r = &x->r;
    const CollAlgorithm *a = op->algorithm;
    const int p = op->c.p, fixed[] = {p - 1, 1, p - 2};
    GRand *random = g_rand_new_with_seed(20261121);
    int64_t budget = SAMPLE_OPERATIONS;
    for (int i = 0; i < MIN(MAX_SAMPLES, p - 1) && (budget > 0 || i < 3); i++) {
        const int v = i < 3 ? MAX(fixed[i], 0) : g_rand_int_range(random, 0, p);
        const Coll view = view_of(r, op, v);
        int64_t n = 0;
        bool alike = o->cut_off == 0 && !r->copies && follows(x, a, &view, v, &n);
        if (!alike) {
            r->left = o->cut_off > 0 ? o->cut_off : INT64_MAX;
            recorder_rank(r, a, &view, v);
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
                              name, p, v + 1, RECORDER_MOST_OPERATIONS);
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
    const bool mixed = algorithm_shared_part(a, &c->par); // what entries declare is about messages
    RecordOptions kept = *o;
    kept.copies &= !a->shared;
    kept.fresh &= !a->shared;
    kept.local &= a->shared || mixed;
    kept.messages = a->shared || mixed ? NULL : o->messages;
    const bool declared =
        !c->counts && !o->every_rank && !kept.copies && !kept.fresh && !kept.messages && !kept.local && !mixed;
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
    Recording x = {.classes_max = limits ? CLASSES_STEP : SIZE_MAX,
                   .patterns = g_hash_table_new_full(pattern_hash, pattern_equal, g_free, NULL)};
    Recorder *r = &x.r;
    recorder_begin(r, s, op, &kept, most_segments);
    class_table_init(&x.table);

    bool alike = false, good = true;
    int64_t left = limits ? RECORDER_MOST_OPERATIONS : INT64_MAX;
    Coll any = view_of(r, op, 0); // the argument of same_as, row_of and pattern, with another rank each time
    for (int v = 0; v < c->p && good; v++) {
        int like = v, row = v;
        any.rank = rank_of(s, v);
        if ((a->same_as || a->row_of) && declared) {
            coll_run_reset(&r->run);
            like = a->same_as ? a->same_as(&any) : v;
            row = a->row_of && o->cut_off == 0 ? a->row_of(&any) : v;
            if (G_UNLIKELY(like < 0 || like >= c->p || row < 0 || row >= c->p))
                g_error("%s %s: same_as or row_of says %d at v = %d of %d; allowed: 0 to %d",
                        collectives[a->collective].name, a->name, like < 0 || like >= c->p ? like : row, v, c->p,
                        c->p - 1);
        }
        if (a->pattern && like == v && declared)
            like = find_pattern(&x, a, &any, v);
        uint32_t k = 0;
        if (like < v) {
            alike = true;
            k = s->class_of ? s->class_of[like] : 0;
        } else if (row <= v - 2 && follow_row(r, class_of(s, v - 2), class_of(s, v - 1))) {
            alike = true;
            k = intern(&x);
            good = !limits || within_limits(r, op, v, error);
        } else {
            const Coll view = view_of(r, op, v);
            r->left = o->cut_off > 0 ? o->cut_off : left;
            recorder_rank(r, a, &view, v);
            left = o->cut_off > 0 ? left : r->left;
            k = intern(&x);
            good = !limits || within_limits(r, op, v, error);
        }
        if (k && !s->class_of)
            s->class_of = g_new0(uint32_t, c->p);
        if (s->class_of)
            s->class_of[v] = k;
    }
    if (alike && good && !o->trust && (!o->sampled || sampled_add(o->sampled, op)))
        check_samples(&x, op, o);
    if (G_UNLIKELY(a->shared && (s->kinds & ((1u << OP_REDUCE) - 1) & ~(1u << OP_END)) != 0))
        g_error("%s %s is .shared, and sends messages", collectives[a->collective].name, a->name);
    if (G_UNLIKELY(s->mixed && !s->shared && !mixed && !o->trust))
        g_error("%s %s uses shared memory, and is not .shared", collectives[a->collective].name, a->name);
    s->irregular = r->run.irregular;
    recorder_clear(r);
    class_table_clear(&x.table);
    g_hash_table_destroy(x.patterns);
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
