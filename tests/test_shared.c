// The gear of shared memory: for every algorithm of the registry in shared memory, its times are those of a second
// simulator that was written from the definition alone, and certificates and paths add up to them. Deadlocks are found.
#include "api/backend.h"
#include "api/communicate.h"
#include "api/make.h"
#include "engine/schedule/record.h"
#include "engine/replay/shared.h"
#include "shapes/symmetry.h"
#include "only.h"
#include "sample.h"
#include "tap.h"
#include <string.h>

enum { MAX_P = 33 };

// ---- A second simulator ---------------------------------------------------------------------------------------------

// A rank raised its flag for the queue to n at this time.
typedef struct SharedRaised {
    int queue, n;
    double at;
} SharedRaised;

typedef struct Text {
    CollRun run;
    GArray *ops;    // of CollOp
    GArray *raised; // of SharedRaised, in their order
    GArray *wrote;  // of size_t: the places of the slots that the rank has written
    guint at;       // the operation that the rank has come to
    double now;
} Text;

static void keep_op(CollRun *run, const CollIssue *issue)
{
    const CollOp op = coll_keep(issue);
    g_array_append_val(((Text *)run)->ops, op);
}

// Returns the time at which the rank `from` first raised its flag far enough for the await `op`, or -1 if it has not
// yet done so.
static double raised_at(const Text *from, const CollOp *op)
{
    for (guint i = 0; i < from->raised->len; i++) {
        const SharedRaised *x = &g_array_index(from->raised, SharedRaised, i);
        if (x->queue == op->to && x->n >= op->n)
            return x->at;
    }
    return -1;
}

static double read_cost(Slice s, const SharedCosts *k)
{
    const int readers = ABS(s.readers);
    return is_slot(s) ? (double)s.len * k->read * MAX(1, readers / k->lanes) + k->line + k->queue * (readers - 1) +
                            (s.readers < 0 ? k->single : 0)
                      : 0;
}

// Returns what it takes to write a slot, and notes that the rank has written it.
static double write_cost(Text *x, Slice s, const SharedCosts *k)
{
    bool again = false;
    for (guint i = 0; i < x->wrote->len; i++)
        again |= g_array_index(x->wrote, size_t, i) == s.off;
    g_array_append_val(x->wrote, s.off);
    return (double)s.len * (k->write + (again ? k->reuse : k->touch));
}

// Takes one of the ranks as far as it gets. Returns true if it got further.
static bool go_on(Text *text, int rank, const SharedCosts *k)
{
    Text *x = &text[rank];
    const guint before = x->at;
    for (; x->at < x->ops->len; x->at++) {
        const CollOp *op = &g_array_index(x->ops, CollOp, x->at);
        const double seen = op->kind == COLL_AWAIT ? raised_at(&text[op->from], op) : 0;
        if (seen < 0)
            break;
        if (op->kind == COLL_AWAIT)
            x->now = seen + k->flag > x->now ? seen + k->flag : x->now + k->line;
        if (op->kind == COLL_RAISE) {
            x->now += k->raise;
            const SharedRaised r = {op->to, op->n, x->now};
            g_array_append_val(x->raised, r);
        }
        if (op->kind == COLL_COPY || op->kind == COLL_REDUCE_OP)
            x->now += read_cost(op->out, k) + read_cost(op->right, k) +
                      (is_slot(op->in) && !is_lent(op->in) ? write_cost(x, op->in, k) : 0);
        if (op->kind == COLL_COPY && !is_slot(op->in) && !is_slot(op->out))
            x->now += (double)op->in.len * k->local;
        if (op->kind == COLL_REDUCE_OP)
            x->now += (double)op->in.len * k->gamma + k->call;
    }
    return x->at > before;
}

// Sets end[r] to the time at which rank r ends. `start` is NULL if all ranks start at 0.
static void define(const CollAlgorithm *a, const Coll *c, size_t m, const SharedCosts *k, const double *start,
                   double *end)
{
    Text text[MAX_P];
    for (int r = 0; r < c->p; r++) {
        text[r] = (Text){.ops = g_array_new(FALSE, FALSE, sizeof(CollOp)),
                         .raised = g_array_new(FALSE, FALSE, sizeof(SharedRaised)),
                         .wrote = g_array_new(FALSE, FALSE, sizeof(size_t)),
                         .now = start ? start[r] : 0};
        coll_run_init(&text[r].run, keep_op);
        const Coll view = coll_make(a->collective, c, r, m, &text[r].run);
        a->run(&view);
        coll_run_clear(&text[r].run);
    }
    for (bool moved = true; moved;) {
        moved = false;
        for (int r = c->p - 1; r >= 0; r--)
            moved |= go_on(text, r, k);
    }
    for (int r = 0; r < c->p; r++) {
        g_assert_cmpuint(text[r].at, ==, text[r].ops->len);
        end[r] = text[r].now;
        g_array_unref(text[r].ops);
        g_array_unref(text[r].raised);
        g_array_unref(text[r].wrote);
    }
}

// ---- The registry ---------------------------------------------------------------------------------------------------

static const SharedCosts costs[] = {
    {.write = 1, .lanes = 1},
    {.read = 4, .lanes = 4},
    {.read = 1, .lanes = 2},
    {.flag = 1, .lanes = 1},
    {.gamma = 1, .lanes = 1},
    {.write = 3, .read = 4, .lanes = 4, .flag = 50, .gamma = 2},
    {.line = 1, .lanes = 1},
    {.queue = 1, .lanes = 1},
    {.raise = 1, .lanes = 1},
    {.reuse = 1, .lanes = 1},
    {.local = 1, .lanes = 1},
    {.call = 1, .lanes = 1},
    {.single = 1, .lanes = 1},
    {.touch = 1, .lanes = 1},
    {.write = 3,
     .read = 4,
     .lanes = 4,
     .flag = 50,
     .gamma = 2,
     .line = 11,
     .queue = 2,
     .raise = 5,
     .reuse = 7,
     .local = 1,
     .call = 13,
     .single = 17,
     .touch = 9},
};

// Fails unless the gear and the second simulator give the same times, and the path leads through them and adds up to
// the certificate. The costs make all times exact in doubles, so times are compared for equality.
static void check_replay(const CollAlgorithm *a, const Coll *c, size_t m, const SharedCosts *k, const double *start)
{
    double end[MAX_P], last = -1;
    Schedule *s = schedule_record(&(Operation){a, *c, m}, &(RecordOptions){.local = shared_needs_local(k)});
    SharedCertificate paid;
    g_autoptr(Replay) r =
        shared_replay(s, k, &(ReplayOptions){.start = start, .clocks = true, .path = true}, &paid, NULL);
    define(a, c, m, k, start, end);
    g_assert_cmpuint(r->stuck->len, ==, 0);
    for (int rank = 0; rank < c->p; rank++) {
        if (r->clocks[rank].t != end[rank])
            g_error("%s p=%d root=%d m=%zu slots=%d fragment=%zu: rank %d ends at %g, not %g", a->name, c->p, c->root,
                    m, c->par.slots, c->par.fragment, rank, r->clocks[rank].t, end[rank]);
        last = MAX(last, end[rank]);
    }
    g_assert_true(r->time_s == last);
    SharedCertificate sum = {{0}};
    for (guint i = 0; i < r->path->len; i++) {
        const PathStep *x = &g_array_index(r->path, PathStep, i), *before = x - 1;
        if (x->kind == OP_REDUCE)
            sum.n[SHARED_GAMMA] += (int64_t)x->bytes;
        for (int j = 0; x->kind != OP_REDUCE && j < x->paid.n; j++)
            sum.n[x->paid.of[j].term] += x->paid.of[j].n;
        if (i > 0)
            g_assert_cmpint(before->rank, ==, x->kind == OP_AWAIT ? x->peer : x->rank);
    }
    g_assert_cmpint(memcmp(&sum, &paid, sizeof sum), ==, 0);
    g_assert_true(start || shared_time(&sum, k) == last);
    schedule_free(s);
}

// Checks one algorithm on p ranks with random roots, sizes and starts.
static void check_entry(const CollAlgorithm *a, int p, GRand *random)
{
    const int slots[] = {1, 2, 3, 8}, roots = a->collective == COLL_ALLREDUCE ? 1 : p;
    const size_t fragments[] = {1, 7, 8192};
    const int most = collectives[a->collective].vector ? 100 : 100 / p + 2; // bytes of a vector, or of a block
    double start[MAX_P];
    for (int i = 0; i < p; i++)
        start[i] = g_rand_int_range(random, 0, 100);
    for (int i = 0; i < 12; i++)
        for (size_t k = 0; k < G_N_ELEMENTS(costs) && sample_takes((guint)(12 * p + i), 3); k++) {
            Coll c = {.p = p, .root = g_rand_int_range(random, 0, roots), .elem = 1, .commutative = true};
            c.par = algorithm_defaults(a);
            c.par.slots = c.par.slots > 0 ? slots[i % 4] : 0; // single copies need no slots
            c.par.fragment = c.par.slots > 0 ? fragments[i / 4] : 0;
            check_replay(a, &c, (size_t)g_rand_int_range(random, 0, most), &costs[k], k % 2 ? start : NULL);
        }
}

static void test_registry(void)
{
    GRand *random = g_rand_new_with_seed(sample_seed(7));
    int n = 0;
    for (int i = only_first(); i < only_end(); i++)
        for (int p = 1; algorithms[i]->shared && p <= MAX_P; p += p < 9 ? 1 : 6)
            if (p < 9 || sample_takes((guint)(4 * i + (p - 9) / 6), 4)) {
                check_entry(algorithms[i], p, random);
                n++;
            }
    g_rand_free(random);
    g_assert_cmpint(n, >=, only_one() ? 1 : 9 * 9);
}

// ---- Loops ----------------------------------------------------------------------------------------------------------

// A schedule has as many operations for 4000 fragments as for 400, because they are a loop. (Those of shm_sets and
// shm_queue are not.)
static void test_folded(void)
{
    for (int i = only_first(); i < only_end(); i++) {
        const CollAlgorithm *a = algorithms[i];
        if (!a->shared || strcmp(a->name, "shm_sets") == 0 || strcmp(a->name, "shm_queue") == 0 ||
            a->collective == COLL_BARRIER)
            continue;
        uint32_t ops[2];
        for (int k = 0; k < 2; k++) {
            const Coll c = {.p = 13, .elem = 1, .commutative = true, .par = algorithm_defaults(a)};
            Schedule *s = schedule_record(&(Operation){a, c, (k ? 4000 : 400) * c.par.fragment}, NULL);
            ops[k] = 0;
            for (uint32_t j = 0; j < s->n_classes; j++)
                ops[k] += s->classes[j].n_ops;
            schedule_free(s);
        }
        g_assert_cmpuint(ops[0], ==, ops[1]);
    }
}

// ---- What a run as a whole pays -------------------------------------------------------------------------------------

// The copies of 8 ranks take as long as all their bytes through one stream; with many streams the chain limits.
static void test_streams(void)
{
    const CollAlgorithm *a = algorithm_find(COLL_REDUCE, "shm_flat");
    const Coll c = {.p = 8, .elem = 1, .commutative = true, .par = algorithm_defaults(a)};
    Schedule *s = schedule_record(&(Operation){a, c, 100}, NULL);
    SharedCosts k = {.write = 1, .read = 1, .lanes = 1, .streams = 1};
    SharedCertificate paid;
    g_autoptr(Replay) r G_GNUC_UNUSED = shared_replay(s, &k, &(ReplayOptions){0}, &paid, NULL);
    g_assert_true(shared_time(&paid, &k) == 800);
    g_assert_true(shared_limit(&paid, shared_most_bytes(s, NULL), &k));
    g_assert_cmpint(paid.n[SHARED_STREAMS], ==, 1400);
    g_assert_true(shared_time(&paid, &k) == 1400);
    schedule_free(s);
}

// ---- Deadlock -------------------------------------------------------------------------------------------------------

// Rank 0 writes all fragments into slots, and rank 1 waits for the last one before it frees any. So this deadlocks if
// there are fewer slots than fragments.
static void take_at_the_end(const Coll *c)
{
    enum { FRAGMENTS = 5 };
    const int other = 1 - c->rank;
    for (int i = 0; i < FRAGMENTS; i++) {
        if (c->rank == 0 && i >= c->par.slots)
            coll_await(c, other, 0, i + 1 - c->par.slots);
        if (c->rank == 0)
            coll_copy(c, coll_slot(c, 0, i, 1, 1), slice_at(c->out, 0, 1));
        if (c->rank == 0)
            coll_raise(c, 0, i + 1);
    }
    if (c->rank == 1)
        coll_await(c, other, 0, FRAGMENTS);
}

static void test_deadlock(void)
{
    const CollAlgorithm a = {.collective = COLL_BCAST, .name = "planted", .run = take_at_the_end, .shared = true};
    for (int slots = 4; slots <= 5; slots++) {
        const Coll c = {.p = 2, .elem = 1, .par = {.slots = slots, .fragment = 8}};
        Schedule *s = schedule_record(&(Operation){&a, c, 8}, NULL);
        SharedCertificate paid;
        g_autoptr(Replay) r = shared_replay(s, &costs[0], &(ReplayOptions){0}, &paid, NULL);
        g_assert_cmpuint(r->stuck->len, ==, slots == 4 ? 2 : 0);
        if (slots == 4) {
            const Stuck *x = &g_array_index(r->stuck, Stuck, 0), *y = x + 1;
            g_assert_true(x->rank == 0 && x->peer == 1 && x->queue == 0 && x->bytes == 1 && x->operation == 8);
            g_assert_true(y->rank == 1 && y->peer == 0 && y->queue == 0 && y->bytes == 5 && y->operation == 0);
        }
        schedule_free(s);
    }
}

// ---- Ties -----------------------------------------------------------------------------------------------------------

// Rank 1 writes a byte and raises its flag, and rank 2 reduces a byte.
static void part(const Coll *c)
{
    const Slice one = slice_at(c->out, 0, 1);
    if (c->rank == 1) {
        coll_copy(c, coll_slot(c, 1, 0, 1, 1), one);
        coll_raise(c, 1, 1);
    } else if (c->rank == 2) {
        coll_reduce(c, one, one, one);
    }
}

// Then rank 2 awaits the flag, and reduces a byte more.
static void part_and_meet(const Coll *c)
{
    const Slice one = slice_at(c->out, 0, 1);
    part(c);
    if (c->rank == 2) {
        coll_await(c, 1, 1, 1);
        coll_reduce(c, one, one, one);
    }
}

// Fails unless the certificate counts so many bytes written, flags and bytes reduced, whatever the root is.
static void expect_certificate(void (*run)(const Coll *c), const SharedCosts *k, int64_t written, int64_t flags,
                               int64_t reduced)
{
    const CollAlgorithm a = {.collective = COLL_BCAST, .name = "planted", .run = run, .shared = true};
    for (int root = 0; root < 3; root++) {
        const Coll c = {.p = 3, .root = root, .elem = 1, .par = {.slots = 1, .fragment = 8}};
        Schedule *s = schedule_record(&(Operation){&a, c, 8}, NULL);
        SharedCertificate paid;
        g_autoptr(Replay) r = shared_replay(s, k, &(ReplayOptions){.path = true}, &paid, NULL);
        g_assert_cmpint(paid.n[SHARED_WRITE], ==, written);
        g_assert_cmpint(paid.n[SHARED_FLAG], ==, flags);
        g_assert_cmpint(paid.n[SHARED_GAMMA], ==, reduced);
        g_assert_cmpint(r->path->len, ==, written + flags + reduced);
        schedule_free(s);
    }
}

static void test_ties(void)
{
    // Of ranks that end at the same time, the lowest gives the certificate: a rank, not a v.
    expect_certificate(part, &(SharedCosts){.write = 3, .lanes = 1, .gamma = 3}, 1, 0, 0);
    expect_certificate(part, &(SharedCosts){.write = 3, .lanes = 1, .gamma = 4}, 0, 0, 1);
    // A flag that is seen when the rank comes to it, or later by a rounding error, does not join the chain.
    expect_certificate(part_and_meet, &(SharedCosts){.write = 2, .lanes = 1, .flag = 1, .gamma = 3}, 0, 0, 2);
    expect_certificate(part_and_meet, &(SharedCosts){.write = 0.1, .lanes = 1, .flag = 0.2, .gamma = 0.3}, 0, 0, 2);
    expect_certificate(part_and_meet, &(SharedCosts){.write = 2, .lanes = 1, .flag = 2, .gamma = 3}, 1, 1, 1);
}

// When every rank stops after the same number of operations, ranks get stuck in any fragment. The operation that is
// reported must be one that was not cut off.
static void test_cut_off(void)
{
    int stuck = 0;
    for (int i = only_first(); i < only_end(); i++)
        for (int cut = 1; algorithms[i]->shared && cut < 60; cut++) {
            const CollAlgorithm *a = algorithms[i];
            Coll c = {.p = 6, .elem = 1, .commutative = true, .par = algorithm_defaults(a)};
            c.par.fragment = 1;
            Schedule *s = schedule_record(&(Operation){a, c, 30}, &(RecordOptions){.cut_off = cut});
            SharedCertificate paid;
            g_autoptr(Replay) r = shared_replay(s, &costs[5], &(ReplayOptions){.path = true}, &paid, NULL);
            for (guint k = 0; k < r->stuck->len; k++)
                g_assert_cmpuint(g_array_index(r->stuck, Stuck, k).operation, <, (guint)cut);
            stuck += r->stuck->len > 0;
            schedule_free(s);
        }
    if (only_one() && only_one()->same_as == same_always)
        g_assert_cmpint(stuck, ==, 0); // all ranks do the same, and so none waits for what another one left out
    else
        g_assert_cmpint(stuck, >, only_one() ? 0 : 100);
}

static void add_tests(void)
{
    if (only_one() && !only_one()->shared) {
        only_add_skipped("/shared/registry", "the algorithm sends messages");
        return;
    }
    g_test_add_func("/shared/registry", test_registry);
    g_test_add_func("/shared/loops", test_folded);
    g_test_add_func("/shared/cut-off", test_cut_off);
    if (!only_one())
        g_test_add_func("/shared/deadlock", test_deadlock), g_test_add_func("/shared/ties", test_ties),
            g_test_add_func("/shared/streams", test_streams);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add_tests);
}
