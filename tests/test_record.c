// The recorder, over the registry: what a schedule says each rank does, with its loops unrolled and its fused messages
// taken apart, is what the rank's text issues, and copies and scratch buffers are at the same places. Their sums are
// those that memory_of() counts. A time of the model measured then says what the copies of a gatherv cost.
#include "engine/schedule/record.h"
#include "engine/schedule/follow.h"
#include "engine/schedule/memory.h"
#include "engine/model/model.h"
#include "judge/prove/nodes.h"
#include "only.h"
#include "sample.h"
#include "tap.h"
#include "api/communicate.h"
#include "api/integers.h"
#include "api/make.h"
#include "registry/composition.h"
#include <string.h>

// One step of a rank. A blocking message is its requests and the waitall for exactly these.
typedef struct Step {
    OpKind kind;
    int peer;
    int64_t n;    // of a wait, waitall or throttle
    uint64_t len; // bytes
} Step;
_Static_assert(sizeof(Step) == 24, "steps are compared with memcmp, so they have no padding");

static void add_step(GArray *steps, OpKind kind, int peer, uint64_t len, int n)
{
    const Step step = {.kind = kind, .peer = peer, .n = n, .len = len};
    g_array_append_val(steps, step);
}

static void add_wait(GArray *steps, OpKind kind, int n)
{
    if (kind == OP_WAIT && n == 0)
        add_step(steps, OP_WAITALL, 0, 0, 1);
    else
        add_step(steps, kind, 0, 0, n);
}

// ---- The text -------------------------------------------------------------------------------------------------------

typedef struct TextTrace {
    CollRun run;
    const RecordOptions *options;
    GArray *steps;
} TextTrace;

static void issue(CollRun *run, const CollIssue *op)
{
    TextTrace *x = (TextTrace *)run;
    switch (op->kind) {
    case COLL_SEND:
    case COLL_ISEND:
        add_step(x->steps, OP_ISEND, op->to, op->out->len, 0);
        break;
    case COLL_RECV:
    case COLL_IRECV:
        add_step(x->steps, OP_IRECV, op->from, op->in->len, 0);
        break;
    case COLL_SENDRECV:
        add_step(x->steps, OP_IRECV, op->from, op->in->len, 0);
        add_step(x->steps, OP_ISEND, op->to, op->out->len, 0);
        break;
    case COLL_WAIT:
        add_wait(x->steps, OP_WAIT, op->n);
        break;
    case COLL_WAITALL:
        add_wait(x->steps, OP_WAITALL, op->n);
        break;
    case COLL_THROTTLE:
        add_wait(x->steps, OP_THROTTLE, op->n);
        break;
    case COLL_REDUCE_OP:
        add_step(x->steps, OP_REDUCE, 0, op->in->len, 0);
        break;
    case COLL_COPY:
    case COLL_PACK:
    case COLL_UNPACK:
        if (x->options->copies)
            add_step(x->steps, OP_COPY, 0, op->kind == COLL_UNPACK ? op->out->len : op->in->len, 0);
        break;
    case COLL_RAISE:
    case COLL_AWAIT:
        g_assert_not_reached();
    }
    if (op->kind == COLL_SEND || op->kind == COLL_RECV || op->kind == COLL_SENDRECV)
        add_wait(x->steps, OP_WAITALL, op->kind == COLL_SENDRECV ? 2 : 1);
}

static void take(CollRun *run, size_t len)
{
    TextTrace *x = (TextTrace *)run;
    if (len > 0 && x->options->fresh)
        add_step(x->steps, OP_FRESH, 0, len, 0);
}

static GArray *text_steps(const Operation *op, const RecordOptions *options, int rank)
{
    TextTrace x = {.options = options, .steps = g_array_new(FALSE, FALSE, sizeof(Step))};
    coll_run_init(&x.run, issue);
    x.run.room = take;
    const Coll view = coll_make(op->algorithm->collective, &op->c, rank, op->m, &x.run);
    op->algorithm->run(&view);
    coll_run_clear(&x.run);
    return x.steps;
}

// ---- The schedule ---------------------------------------------------------------------------------------------------

static void unfuse(GArray *steps, const Schedule *s, int v, const Op *op, const Stride *d, uint32_t round)
{
    const bool sends = op->kind == OP_SEND || op->kind == OP_ISEND || op->kind == OP_SENDRECV;
    const bool receives = op->kind == OP_RECV || op->kind == OP_IRECV || op->kind == OP_SENDRECV;
    if (receives)
        add_step(steps, OP_IRECV, rank_of(s, op_peer(s, v, op, op->from, d->from, round)),
                 length_of(s, v, op->in_cut, op->in, d->in, round), 0);
    if (sends)
        add_step(steps, OP_ISEND, rank_of(s, op_peer(s, v, op, op->to, d->to, round)),
                 length_of(s, v, op->out_cut, op->out, d->out, round), 0);
    if (op->kind == OP_SEND || op->kind == OP_RECV || op->kind == OP_SENDRECV)
        add_wait(steps, OP_WAITALL, sends + receives);
    else if (op_works(op->kind))
        add_step(steps, (OpKind)op->kind, 0, length_of(s, v, op->in_cut, op->in, d->in, round), 0);
    else if (!sends && !receives)
        add_wait(steps, (OpKind)op->kind, op->to);
}

static GArray *schedule_steps(const Schedule *s, int v)
{
    static const Stride none;
    GArray *steps = g_array_new(FALSE, FALSE, sizeof(Step));
    const Class *k = class_of(s, v);
    uint32_t round = 0;
    for (uint32_t pc = 0; k->ops[pc].kind != OP_END; pc++)
        if (k->ops[pc].kind == OP_LOOP) {
            round = round + 1 < k->ops[pc].out.bytes ? round + 1 : 0;
            pc -= round ? (uint32_t)k->ops[pc].to + 1 : 0;
        } else
            unfuse(steps, s, v, &k->ops[pc], k->loops ? &k->strides[pc] : &none, round);
    return steps;
}

// Makes isends that one waitall completes, and nothing else, wait one by one, as the recorder may without isends.
static GArray *isends_to_sends(GArray *steps)
{
    GArray *out = g_array_new(FALSE, FALSE, sizeof(Step));
    for (guint i = 0; i < steps->len; i++) {
        const Step *x = &g_array_index(steps, Step, i);
        guint n = x->kind == OP_WAITALL && (guint)x->n <= out->len ? (guint)x->n : 0;
        for (guint j = 0; j < n; j++)
            if (g_array_index(out, Step, out->len - 1 - j).kind != OP_ISEND)
                n = 0;
        if (n < 2) {
            g_array_append_val(out, *x);
            continue;
        }
        g_autofree Step *sends = g_memdup2(&g_array_index(out, Step, out->len - n), n * sizeof(Step));
        g_array_set_size(out, out->len - n);
        for (guint j = 0; j < n; j++) {
            g_array_append_val(out, sends[j]);
            add_wait(out, OP_WAITALL, 1);
        }
    }
    g_array_free(steps, TRUE);
    return out;
}

// ---- Over the registry ----------------------------------------------------------------------------------------------

// Sets *op to an operation of the algorithm, and returns false if it has needs that p does not meet.
static bool prepare(const CollAlgorithm *a, int p, size_t m, Operation *op)
{
    const int root = collectives[a->collective].rooted ? p / 2 : 0;
    const char *why;
    *op = (Operation){.algorithm = a, .m = a->collective == COLL_BARRIER ? 0 : m};
    const Coll all = {
        .p = p, .root = root, .elem = 1, .commutative = true, .nodes = nodes_of(p, 4), .par = algorithm_defaults(a)};
    op->c = coll_make(a->collective, &all, root, op->m, NULL);
    return coll_resolve(a, &op->c, &why) == a;
}

static void check_ranks(const Operation *op, const RecordOptions *o, const Schedule *s)
{
    for (int v = 0; v < s->p; v++) {
        GArray *text = text_steps(op, o, rank_of(s, v)), *got = schedule_steps(s, v);
        if (!o->isends) {
            text = isends_to_sends(text);
            got = isends_to_sends(got);
        }
        if (text->len != got->len || (text->len && memcmp(text->data, got->data, text->len * sizeof(Step)) != 0))
            g_error("%s %s, p = %d, m = %zu, copies %d, fresh %d, isends %d: v = %d does not do what its text says",
                    collectives[op->algorithm->collective].name, s->name, s->p, op->m, o->copies, o->fresh, o->isends,
                    v);
        g_array_free(text, TRUE);
        g_array_free(got, TRUE);
    }
}

// Checks that the totals differ from those without copies in the copies and scratch buffers only, which are as many
// bytes as the texts of all ranks have.
static void check_totals(const Operation *op, const Totals *plain, Totals with, const RecordOptions *o)
{
    const Memory memory = memory_of(op);
    g_assert_cmpuint(with.bytes_copied, ==, o->copies ? memory.all.copied : 0);
    g_assert_cmpuint(with.bytes_fresh, ==, o->fresh ? memory.all.scratch : 0);
    g_assert_cmpuint(with.works, >=, plain->works + (with.bytes_copied > 0) + (with.bytes_fresh > 0));
    with.bytes_copied = with.bytes_fresh = 0;
    with.works = plain->works;
    g_assert_true(memcmp(&with, plain, sizeof with) == 0);
}

static const RecordOptions kinds[] = {
    {0}, {.copies = true}, {.fresh = true}, {.isends = true}, {.copies = true, .fresh = true, .isends = true},
};

static void test_texts(void)
{
    static const int ranks[] = {1, 2, 3, 4, 8, 13, 21, 32};
    int n = 0;
    for (int i = only_first(); i < only_end(); i++)
        for (size_t j = 0; j < 2 * G_N_ELEMENTS(ranks) && !algorithms[i]->shared; j++) {
            const int p = ranks[j / 2];
            Operation op;
            if (!sample_takes((guint)(2 * G_N_ELEMENTS(ranks) * (size_t)i + j), 3) ||
                !prepare(algorithms[i], p, j % 2 ? (size_t)(5 * p + 2) : (size_t)p - 1, &op))
                continue;
            Totals plain = {0};
            for (size_t k = 0; k < G_N_ELEMENTS(kinds); k++) {
                Schedule *s = schedule_record(&op, &kinds[k]);
                const Totals t = schedule_totals(s);
                plain = k == 0 ? t : plain;
                check_totals(&op, &plain, t, &kinds[k]);
                check_ranks(&op, &kinds[k], s);
                g_assert_cmpint(s->kinds >> OP_COPY & 1, ==, t.bytes_copied > 0);
                g_assert_cmpint(s->kinds >> OP_FRESH & 1, ==, t.bytes_fresh > 0);
                schedule_free(s);
                n++;
            }
        }
    g_test_message("%d schedules", n);
    only_visited(n);
}

// Algorithms in shared memory are recorded as without copies.
static void test_shared(void)
{
    int n = 0;
    for (int i = 0; i < n_algorithms; i++) {
        Operation op;
        if (!algorithms[i]->shared || !prepare(algorithms[i], 8, 1000, &op))
            continue;
        Totals t[2];
        for (int k = 0; k < 2; k++) {
            Schedule *s = schedule_record(&op, &(RecordOptions){.copies = k, .fresh = k, .isends = k});
            t[k] = schedule_totals(s);
            schedule_free(s);
        }
        g_assert_true(memcmp(&t[0], &t[1], sizeof t[0]) == 0);
        n++;
    }
    g_assert_cmpint(n, >, 0);
}

// ---- Lists ----------------------------------------------------------------------------------------------------------

static const RecordOptions all_kinds = {.copies = true, .fresh = true, .isends = true};

static uint32_t classes(const Operation *op, const RecordOptions *o)
{
    Schedule *s = schedule_record(op, o);
    const uint32_t n = s->n_classes;
    schedule_free(s);
    return n;
}

// Where blocks differ in length, a copy is written as blocks, so that ranks share a list as they do without copies. Few
// algorithms copy at each rank other blocks than they send.
static void test_classes(void)
{
    int n = 0, more = 0;
    for (int i = 0; i < n_algorithms; i++) {
        Operation op;
        if (!prepare(algorithms[i], 48, 1000, &op))
            continue;
        n++;
        more += classes(&op, &all_kinds) > classes(&op, NULL);
    }
    g_test_message("%d of %d algorithms have more lists with copies", more, n);
    g_assert_cmpint(10 * more, <, n);
}

// The kinds of a rank's operations as letters: S and R for blocking messages, X for both in one, s and r for requests,
// w and W for wait and waitall, t for throttle, + for a reduction, = for a copy, * for a scratch buffer; rounds in
// parentheses are a loop.
static char *list_text(const Schedule *s, int v)
{
    static const char letters[] = " SRXsrwWt+=*";
    const Class *k = class_of(s, v);
    GString *text = g_string_new(NULL);
    for (const Op *op = k->ops; op->kind != OP_END; op++)
        if (op->kind == OP_LOOP) {
            g_string_insert_c(text, (gssize)text->len - op->to, '(');
            g_string_append_printf(text, ")%d", (int)op->out.bytes);
        } else
            g_string_append_c(text, letters[op->kind]);
    return g_string_free(text, FALSE);
}

static void requests(const Coll *c)
{
    const Slice a = slice_at(c->out, 0, 4), b = slice_at(c->out, 4, 4), x = coll_scratch(c, 4),
                none = coll_scratch(c, 0);
    const int to = (c->rank + 1) % c->p, from = (c->rank + c->p - 1) % c->p;
    coll_copy(c, none, slice_at(a, 0, 0));
    coll_copy(c, a, a);
    coll_sendrecv(c, c->rank, a, c->rank, x); // a copy
    coll_isend(c, to, a);                     // one alone
    coll_waitall(c, 0);
    coll_isend(c, to, a); // several
    coll_isend(c, to, b);
    coll_waitall(c, 0);
    coll_recv(c, from, x);
    coll_recv(c, from, x);
    coll_recv(c, from, x);
    coll_irecv(c, from, b); // a sendrecv
    coll_isend(c, to, a);
    coll_waitall(c, 0);
    coll_irecv(c, from, x); // one with a copy in its middle
    coll_copy(c, b, a);
    coll_isend(c, to, a);
    coll_waitall(c, 0);
}

static void test_fusing(void)
{
    static const CollAlgorithm a = {.collective = COLL_BCAST, .name = "requests", .run = requests};
    static const char *const texts[] = {"SSS(R)3XX", "*=SssW(R)3Xr=sW"};
    static const RecordOptions o[] = {{0}, {.copies = true, .fresh = true, .isends = true}};
    const Operation op = {.algorithm = &a, .c = {.p = 4, .elem = 1}, .m = 8};
    for (int i = 0; i < 2; i++) {
        Schedule *s = schedule_record(&op, &o[i]);
        g_autofree char *text = list_text(s, 0);
        g_assert_cmpstr(text, ==, texts[i]);
        g_assert_cmpint(s->n_classes, ==, 1);
        schedule_free(s);
    }
}

static void waits_in_turn(const Coll *c)
{
    CollReq open[6];
    for (int i = 0; i < 6; i++)
        open[i] = c->rank == 0 ? coll_isend(c, 1, c->out) : coll_irecv(c, 0, c->out);
    for (int i = 0; i < 6; i++) {
        coll_wait(c, open[i]);
        coll_reduce(c, c->out, c->out, c->out);
    }
}

// The requests that a rank waits for are 5, 4, 3 .. places older than the newest. These places are not peers, which are
// equal modulo p = 2, so that waits for different places do not make a loop.
static void test_waits(void)
{
    static const CollAlgorithm a = {.collective = COLL_BCAST, .name = "waits in turn", .run = waits_in_turn};
    const Operation op = {.algorithm = &a, .c = {.p = 2, .elem = 1}, .m = 8};
    const RecordOptions options = {.isends = true};
    Schedule *s = schedule_record(&op, &options);
    check_ranks(&op, &options, s);
    schedule_free(s);
}

// ---- Samples of the symmetry -----------------------------------------------------------------------------------------

static int texts_run; // of alike

static void alike(const Coll *c)
{
    texts_run++;
    coll_send(c, (c->rank + 1) % c->p, slice_at(c->out, 0, 1));
}

static int like_first(const Coll *c)
{
    (void)c;
    return 0;
}

// Records an operation of m bytes with a length of segments, and returns how many texts were run for samples.
static int samples_at(Sampled *sampled, int p, size_t m, size_t segment)
{
    static const CollAlgorithm a = {
        .collective = COLL_BCAST, .name = "alike", .peers = PEERS_SHIFT, .run = alike, .same_as = like_first};
    const Operation op = {.algorithm = &a, .c = {.p = p, .elem = 1, .par.segment = segment}, .m = m};
    texts_run = 0;
    schedule_free(schedule_record(&op, &(RecordOptions){.sampled = sampled}));
    return texts_run - 1; // the text of the first rank is recorded in any case
}

static void test_samples(void)
{
    enum { SAMPLES = 7 }; // of 8 ranks
    Sampled *sampled = sampled_new();
    for (int i = 0; i < 2; i++)
        g_assert_cmpint(samples_at(NULL, 8, 64, 0), ==, SAMPLES);
    g_assert_cmpint(samples_at(sampled, 8, 64, 0), ==, SAMPLES);
    g_assert_cmpint(samples_at(sampled, 8, 64, 0), ==, 0);
    g_assert_cmpint(samples_at(sampled, 8, 128, 128), ==, 0);
    g_assert_cmpint(samples_at(sampled, 8, 64, 16), ==, SAMPLES); // with segments
    g_assert_cmpint(samples_at(sampled, 8, 128, 8), ==, 0);
    g_assert_cmpint(samples_at(sampled, 8, 65, 0), ==, SAMPLES); // uneven
    g_assert_cmpint(samples_at(sampled, 8, 63, 0), ==, 0);
    g_assert_cmpint(samples_at(sampled, 8, 7, 0), ==, SAMPLES); // fewer elements than ranks
    g_assert_cmpint(samples_at(sampled, 9, 72, 0), ==, SAMPLES + 1);
    sampled_free(sampled);
}

typedef struct Following {
    CollRun run;
    Follower f;
    bool requests; // the text has posted some
} Following;

static void follow(CollRun *run, const CollIssue *in)
{
    Following *x = (Following *)run;
    x->requests |= in->kind == COLL_ISEND || in->kind == COLL_IRECV;
    if (in->kind != COLL_COPY && in->kind != COLL_PACK && in->kind != COLL_UNPACK)
        follow_op(&x->f, in);
}

// Returns whether v's text does what its class says.
static bool follows(const Operation *op, const Schedule *s, int v, Following *x)
{
    if (!follow_begin(&x->f, s, v))
        return false;
    coll_run_init(&x->run, follow);
    const Coll c = coll_make(op->algorithm->collective, &op->c, rank_of(s, v), op->m, &x->run);
    op->algorithm->run(&c);
    coll_run_clear(&x->run);
    return follow_end(&x->f);
}

// A list with a byte more in one place is another one.
static void check_lengths(const Operation *op, const Schedule *s, int v)
{
    const Class *c = class_of(s, v);
    Following x = {.f.s = NULL};
    for (uint32_t i = 0; i < c->n_ops; i++) {
        Op *at = &c->ops[i];
        if ((at->kind == OP_SEND || at->kind == OP_SENDRECV) && !at->out_cut) {
            at->out.bytes++;
            g_assert_false(follows(op, s, v, &x));
            at->out.bytes--;
        }
        if (at->kind != OP_SEND && at->kind != OP_LOOP && at->kind != OP_END && !at->in_cut) {
            at->in.bytes++;
            g_assert_false(follows(op, s, v, &x));
            at->in.bytes--;
        }
    }
}

// Says of every two ranks whether one's text does what the other's list says: at once, and by all steps of both.
static void check_following(const Operation *op, Schedule *s, int *alike, int *apart)
{
    static const RecordOptions plain = {0};
    g_autofree uint32_t *class_of = g_new0(uint32_t, s->p);
    if (s->class_of)
        memcpy(class_of, s->class_of, (size_t)s->p * sizeof *class_of);
    else
        s->class_of = g_new0(uint32_t, s->p);
    for (int v = 0; v < s->p; v++)
        for (int w = 0; w < s->p; w++) {
            s->class_of[v] = class_of[w];
            Following x = {.f.s = NULL};
            const bool does = follows(op, s, v, &x);
            if (follow_begin(&x.f, s, v)) {
                GArray *text = text_steps(op, &plain, rank_of(s, v)), *list = schedule_steps(s, v);
                const bool same =
                    text->len == list->len && (!text->len || !memcmp(text->data, list->data, text->len * sizeof(Step)));
                g_assert_true(does || class_of[v] != class_of[w]);
                // Other blocks of as many bytes are another list. A text with requests follows no list, not even one
                // of the same steps: a list may have a sendrecv for requests that are awaited at once.
                const bool may = same && !x.requests;
                g_assert_true(does == may || (may && x.f.c->cut));
                (*(same ? alike : apart))++;
                g_array_free(text, TRUE);
                g_array_free(list, TRUE);
            }
            s->class_of[v] = class_of[v];
        }
    check_lengths(op, s, s->p / 2);
}

static void test_following(void)
{
    static const int ranks[] = {2, 3, 8, 11};
    int alike = 0, apart = 0;
    for (int i = 0; i < n_algorithms; i++)
        for (size_t j = 0; j < 2 * G_N_ELEMENTS(ranks) && !algorithms[i]->shared; j++) {
            const int p = ranks[j / 2];
            Operation op;
            if (!prepare(algorithms[i], p, j % 2 ? (size_t)(5 * p + 2) : (size_t)(4 * p), &op))
                continue;
            Schedule *s = schedule_record(&op, &(RecordOptions){.every_rank = true});
            check_following(&op, s, &alike, &apart);
            schedule_free(s);
        }
    g_test_message("%d texts follow a list, %d do not", alike, apart);
    g_assert_cmpint(MIN(alike, apart), >, 1000);
}

// ---- Message chains of a gatherv -------------------------------------------------------------------------------------

// Predicts gatherv `name` of blocks of 8 bytes under measured, and returns its time. *copied becomes the bytes of copies
// on its critical path.
static double gatherv_time(const char *name, int p, int level, double copy_s, uint64_t *copied)
{
    static const char text[] = "[machine]\ntitle = x\n[measured]\none = 8:1us 1M:101us\none.source = x\n"
                               "eager = none\neager.source = x\ncopy = 0.5ns/B\ncopy.source = x\n";
    g_autoptr(Platform) platform = platform_parse("x.ini", text, strlen(text), NULL);
    Operation op = {.algorithm = algorithm_find(COLL_GATHERV, name), .m = 8};
    op.c = (Coll){.p = p, .elem = 1, .par = algorithm_defaults(op.algorithm)};
    op.c.par.choice = level;
    platform->measured->work[WORK_COPY].per_byte = copy_s;
    g_autoptr(Prediction) x = measured_model.predict(&measured_model, &op, platform, &(PredictOptions){0}, NULL);
    *copied = 0;
    for (guint i = 0; i < x->terms->len; i++)
        if (g_array_index(x->terms, PredictionTerm, i).term.kind == TERM_COPY)
            *copied += (uint64_t)g_array_index(x->terms, PredictionTerm, i).n;
    return x->time_s;
}

// Sun et al. let the root of a binomial gatherv receive a chain of blocks straight into place. On a machine that does
// not charge copies this saves no time; on one that does, it saves exactly the copies on the critical path, which are
// all that the root makes except that of its own block.
static void test_message_chains(void)
{
    static const int ranks[] = {2, 8, 37, 1024, 32768};
    const double copy_s = 0.5e-9;
    for (size_t i = 0; i < 2 * G_N_ELEMENTS(ranks); i++) {
        const int p = ranks[i / 2], level = i % 2 ? LEVEL_AGGRESSIVE : LEVEL_CONSERVATIVE;
        uint64_t plain, chains;
        g_assert_true(gatherv_time("binomial", p, level, 0, &plain) ==
                      gatherv_time("binomial_chains", p, level, 0, &chains));
        g_assert_cmpuint(plain + chains, ==, 0);

        const double saved = gatherv_time("binomial", p, level, copy_s, &plain) -
                             gatherv_time("binomial_chains", p, level, copy_s, &chains);
        g_assert_true(p == 2 ? saved == 0 : saved > 0);
        if (level == LEVEL_CONSERVATIVE) // the root makes some copies while the lengths are still under way
            continue;
        g_assert_cmpuint(chains, ==, 8);
        g_assert_cmpfloat_with_epsilon(saved, copy_s * (double)(plain - chains), 1e-3 * copy_s);
        if (is_pow2(p))
            g_assert_cmpuint(plain, ==, 8 + (p - 2) * 8);
    }
}

static void add(void)
{
    g_test_add_func("/record/texts", test_texts);
    if (only_one())
        return;
    g_test_add_func("/record/shared memory", test_shared);
    g_test_add_func("/record/classes", test_classes);
    g_test_add_func("/record/fusing", test_fusing);
    g_test_add_func("/record/waits", test_waits);
    g_test_add_func("/record/samples", test_samples);
    g_test_add_func("/record/following", test_following);
    g_test_add_func("/record/message chains", test_message_chains);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
