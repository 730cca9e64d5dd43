// Convoys of the gear chain on random programs in which chains of ranks pass messages on. Several chains move at the same time,
// in both directions, meet ranks that are late, end inside of each other, and get stuck if the programs are cut off.
// Every clock and certificate is that of the event gear.
#include "gears_reference.h"
#include "only.h"
#include "engine/schedule/record.h"
#include "tap.h"
#include "coll.h"

#ifdef __SANITIZE_ADDRESS__
enum { PROGRAMS = 400 };
#else
enum { PROGRAMS = 2000 };
#endif
enum { MOST_RANKS = 30, MOST_STAGES = 8 };

typedef enum StageKind {
    STAGE_GATHER,  // the head receives one message of each rank behind it; the nearer ranks pass them on
    STAGE_SCATTER, // the head sends one message for each rank behind it
    STAGE_PASS,    // the head sends `n` messages, and each rank passes all of them on
    STAGE_COLLECT, // the last rank sends `n` messages, and each rank passes all of them on
    STAGE_WORK,    // one rank reduces n bytes
    STAGES
} StageKind;

// One stage of a program: the ranks first .. last form a chain, whose head is `first`, or `last` if it is turned.
typedef struct Stage {
    StageKind kind;
    int first, last;
    bool turned;
    int n;
    size_t bytes;
} Stage;

typedef struct Program {
    int p, n;
    int times; // the stages are repeated so often
    Stage stage[MOST_STAGES];
} Program;

static Program program; // the one that run() executes

// Receives `in` messages and sends `out`. A rank that does both sends each message on while it receives the next one.
static void pass(const Coll *c, int from, int in, int to, int out, Slice s)
{
    if (in > 0 && out > 0) {
        coll_recv(c, from, s);
        for (int i = 1; i < in; i++)
            coll_sendrecv(c, to, s, from, s);
        for (int i = in - 1; i < out; i++)
            coll_send(c, to, s);
        return;
    }
    for (int i = 0; i < in; i++)
        coll_recv(c, from, s);
    for (int i = 0; i < out; i++)
        coll_send(c, to, s);
}

// Does what the caller does in a chain stage. Ranks behind it are farther away from the head.
static void stage_run(const Coll *c, const Stage *x, Slice s)
{
    const int step = x->turned ? -1 : 1, behind = x->turned ? c->rank - x->first : x->last - c->rank;
    const int next = c->rank + step, before = c->rank - step;
    const bool head = c->rank == (x->turned ? x->last : x->first);
    switch (x->kind) {
    case STAGE_GATHER:
        for (int i = 0; head && i < behind; i++)
            coll_recv(c, next, s);
        for (int i = 0; !head && i < behind; i++)
            coll_sendrecv(c, before, s, next, s);
        if (!head)
            coll_send(c, before, s);
        break;
    case STAGE_SCATTER:
        pass(c, before, head ? 0 : behind + 1, next, behind, s);
        break;
    case STAGE_PASS:
        pass(c, before, head ? 0 : x->n, next, behind ? x->n : 0, s);
        break;
    case STAGE_COLLECT:
        pass(c, next, behind ? x->n : 0, before, head ? 0 : x->n, s);
        break;
    default:
        break;
    }
}

static void run(const Coll *c)
{
    const Slice scratch = coll_scratch(c, 100);
    for (int i = 0; i < program.times * program.n; i++) {
        const Stage *x = &program.stage[i % program.n];
        const Slice s = slice_at(scratch, 0, x->bytes);
        if (c->rank < x->first || c->rank > x->last)
            continue;
        if (x->kind == STAGE_WORK && c->rank == x->first)
            coll_reduce(c, s, s, s);
        else if (x->kind != STAGE_WORK)
            stage_run(c, x, s);
    }
}

static void draw(GRand *random)
{
    program.p = g_rand_int_range(random, 3, MOST_RANKS + 1);
    program.n = g_rand_int_range(random, 1, MOST_STAGES + 1);
    program.times = 1;
    for (int i = 0; i < program.n; i++) {
        const int a = g_rand_int_range(random, 0, program.p), b = g_rand_int_range(random, 0, program.p);
        Stage *x = &program.stage[i];
        *x = (Stage){.kind = (StageKind)g_rand_int_range(random, 0, STAGES),
                     .first = MIN(a, b),
                     .last = MAX(a, b),
                     .turned = g_rand_boolean(random),
                     .n = g_rand_int_range(random, 1, 12),
                     .bytes = (size_t)g_rand_int_range(random, 1, 4)};
        if (x->kind != STAGE_WORK && x->first == x->last) {
            x->first = 0;
            x->last = program.p - 1;
        }
    }
}

static char *describe(gconstpointer seed)
{
    GString *text = g_string_new(NULL);
    g_string_printf(text, "seed %d, p = %d:", *(const int *)seed, program.p);
    for (int i = 0; i < program.n; i++)
        g_string_append_printf(text, " kind %d %d..%d%s n %d bytes %d;", program.stage[i].kind, program.stage[i].first,
                               program.stage[i].last, program.stage[i].turned ? " turned" : "", program.stage[i].n,
                               (int)program.stage[i].bytes);
    return g_string_free(text, FALSE);
}

static void test_random(void)
{
    static const Hockney models[] = {
        {.alpha = 7, .beta = 3, .gamma = 1},      {.alpha = 1, .beta = 0, .gamma = 5},
        {.alpha = 0, .beta = 0, .gamma = 1},      {.alpha = 1e-6, .beta = 0.08e-9, .gamma = 0.05e-9},
        {.alpha = 1e17, .beta = 1, .gamma = 1},   // a later clock and an earlier one may have the same sum
        {.alpha = 0.5, .beta = 0, .gamma = 1e17}, // after a reduction, a message does not change the clock
    };
    static const CollPeers peers[] = {PEERS_SHIFT, PEERS_XOR, PEERS_ABSOLUTE};
    GearsCounts n = {0};
    for (int seed = 1; seed <= PROGRAMS; seed++) {
        GRand *random = g_rand_new_with_seed((guint32)seed);
        draw(random);
        const CollAlgorithm a = {.collective = COLL_BARRIER, .name = "chains", .run = run, .peers = peers[seed % 3]};
        const RecordOptions o = {.cut_off = seed % 8 ? 0 : g_rand_int_range(random, 1, 30)};
        Schedule *s = schedule_record(&(Operation){.algorithm = &a, .c = {.p = program.p, .elem = 1}}, &o);
        double start[MOST_RANKS];
        for (int rank = 0; rank < program.p; rank++)
            start[rank] = g_rand_int_range(random, 0, 3);
        for (int skewed = 0; skewed < 2; skewed++) {
            const GearsCase k = {.s = s,
                                 .model = models[seed % G_N_ELEMENTS(models)],
                                 .start = skewed ? start : NULL,
                                 .name = describe,
                                 .of = &seed,
                                 .cut_off = o.cut_off};
            gears_agree(&k, 0, &n);
        }
        n.schedules++;
        schedule_free(s);
        g_rand_free(random);
    }
    gears_report(&n);
    g_assert_cmpint(n.convoys + n.stuck, ==, 2 * (int64_t)PROGRAMS); // it never gives up
}

// Replays an operation as the program chooses, and without convoys. Fails unless it chooses convoys, or falls back from
// them, as expected, and the results are equal.
static void expect_convoys(const CollAlgorithm *a, int p, bool convoys)
{
    Operation op = {.algorithm = a, .c = {.p = p, .elem = 1, .par = algorithm_defaults(a)}, .m = 1000};
    op.m = a->collective == COLL_BARRIER ? 0 : op.m;
    Schedule *s = schedule_record(&op, NULL);
    const Hockney model = {7, 3, 1, TRANSFER_RENDEZVOUS};
    g_autoptr(Replay) r = replay(s, &model, &(ReplayOptions){.clocks = true}, NULL);
    g_autoptr(Replay) blocking = replay(s, &model, &(ReplayOptions){.gear = GEAR_CHAIN, .clocks = true}, NULL);
    g_assert_cmpint(r->gear, ==, GEAR_CHAIN);
    g_assert_true(gears_convoys(r) == convoys && !gears_convoys(blocking));
    g_assert_true(r->clock_s == blocking->clock_s && certificate_equal(&r->certificate, &blocking->certificate));
    for (int rank = 0; rank < p; rank++) {
        const Stamp *x = &r->clocks[rank], *y = &blocking->clocks[rank];
        g_assert_true(x->t == y->t);
        g_assert_cmpmem(&x->n, sizeof x->n, &y->n, sizeof y->n);
    }
    schedule_free(s);
}

static void test_chosen(void)
{
    expect_convoys(algorithm_find(COLL_GATHER, "pipeline"), 2000, true);
    expect_convoys(algorithm_find(COLL_SCATTER, "pipeline"), 2000, true);
    expect_convoys(algorithm_find(COLL_GATHER, "chain_blockwise"), 4003, true);
    expect_convoys(algorithm_find(COLL_SCATTER, "chain_blockwise"), 4003, true);
    // The loops are so short that ranks enter and leave convoys all the time: it gives up.
    const CollAlgorithm a = {.collective = COLL_BARRIER, .name = "chains", .run = run, .peers = PEERS_SHIFT};
    program =
        (Program){.p = 100, .n = 1, .times = 8000, .stage = {{.kind = STAGE_PASS, .last = 99, .n = 4, .bytes = 1}}};
    expect_convoys(&a, program.p, false);
    program.times = 10;
    program.stage[0].n = 1000;
    expect_convoys(&a, program.p, true);
}

static void add(void)
{
    if (only_one())
        only_add_skipped("/convoy/random", "the programs are the test's own");
    if (only_one())
        return;
    g_test_add_func("/convoy/random", test_random);
    g_test_add_func("/convoy/chosen", test_chosen);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
