// What the library does for messages under measured: connections, lines of early messages, copies of eager ones. A
// second simulator, written from docs/MODEL.md alone, runs programs of blocking messages: it moves the ranks on one by
// one, each message in the order in which messages begin, and keeps its own lists of peers and lines.
#include "engine/model/model.h"
#include "engine/schedule/operation.h"
#include "api/make.h"
#include "registry/registry.h"
#include "tap.h"
#include <math.h>
#include <string.h>

enum { RANKS = 40, STEPS = 64 };
// In ns. T = ONE, gap = ONE under rendezvous; eager messages of up to 100 bytes have a gap and a take of their own.
enum { ONE = 1000, GAP = 300, TAKE = 400, EAGER = 100, CONNECT = 5000, MATCH = 70, COPY_ONCE = 900, COPY_1000 = 1900 };

typedef struct MessageStep {
    bool sends;
    int peer;
} MessageStep;

typedef struct MessageProgram {
    MessageStep step[RANKS][STEPS];
    int n[RANKS];
} MessageProgram;

typedef struct Simulated {
    MessageProgram program;
    int p;
    bool eager;
    int64_t copy; // ns of a copy
    int64_t clock[RANKS], port[RANKS];
    bool used[RANKS]; // the in-port has had a message
    int at[RANKS], early[RANKS], taken[RANKS];
    bool prepared[RANKS]; // the work before the step at hand is done
    bool met[RANKS][RANKS];
    int64_t arrived[RANKS][RANKS]; // of the message from .. to ..; -1 if it has not begun
} Simulated;

static void add_step(MessageProgram *x, int rank, bool sends, int peer)
{
    x->step[rank][x->n[rank]++] = (MessageStep){sends, peer};
}

static void linear_program(MessageProgram *x, int p)
{
    for (int r = 1; r < p; r++) {
        add_step(x, r, true, 0);
        add_step(x, 0, false, r);
    }
}

static void binomial_program(MessageProgram *x, int p)
{
    for (int r = 0; r < p; r++) {
        int d = 1;
        for (; d < p && !(r & d); d *= 2)
            if (r + d < p)
                add_step(x, r, false, r + d);
        if (r > 0)
            add_step(x, r, true, r - d);
    }
}

// Does what the library does before the step at which the rank is.
static void prepare(Simulated *x, int r)
{
    const MessageStep *s = &x->program.step[r][x->at[r]];
    if (x->prepared[r])
        return;
    x->prepared[r] = true;
    if (!x->met[r][s->peer])
        x->clock[r] += CONNECT;
    x->met[r][s->peer] = true;
    if (s->sends || x->taken[r] >= x->early[r])
        return;
    x->taken[r]++;
    x->clock[r] += (int64_t)(x->early[r] - x->taken[r]) * MATCH;
}

static void go_on(Simulated *x, int r, int64_t clock)
{
    x->clock[r] = clock;
    x->at[r]++;
    x->prepared[r] = false;
}

static MessageStep *step_of(Simulated *x, int r)
{
    if (x->at[r] == x->program.n[r])
        return NULL;
    prepare(x, r);
    return &x->program.step[r][x->at[r]];
}

// Ends the receives whose message has begun. Returns true if there was one.
static bool receive(Simulated *x)
{
    bool any = false;
    for (int r = 0; r < x->p; r++) {
        const MessageStep *s = step_of(x, r);
        if (!s || s->sends || x->arrived[s->peer][r] < 0)
            continue;
        const int64_t end = MAX(x->arrived[s->peer][r], x->clock[r] + TAKE) + x->copy;
        go_on(x, r, end);
        any = true;
    }
    return any;
}

// Begins the eager message that begins first. Returns false if there is none.
static bool send_eager(Simulated *x)
{
    int first = -1;
    for (int r = 0; r < x->p; r++) {
        const MessageStep *s = step_of(x, r);
        if (s && s->sends && (first < 0 || x->clock[r] < x->clock[first]))
            first = r;
    }
    if (first < 0)
        return false;
    const int to = step_of(x, first)->peer;
    const int64_t begin = x->clock[first];
    x->port[to] = x->used[to] ? MAX(begin + ONE, x->port[to] + TAKE) : begin + ONE;
    x->used[to] = true;
    x->arrived[first][to] = x->port[to];
    go_on(x, first, begin + GAP);
    return true;
}

// Makes a transfer whose two ends are ready. Returns false if there is none.
static bool transfer(Simulated *x)
{
    for (int r = 0; r < x->p; r++) {
        const MessageStep *s = step_of(x, r), *other = s && s->sends ? step_of(x, s->peer) : NULL;
        if (!other || other->sends || other->peer != r)
            continue;
        const int64_t end = MAX(x->clock[r], x->clock[s->peer]) + ONE;
        go_on(x, s->peer, end);
        go_on(x, r, end);
        return true;
    }
    return false;
}

// Returns when the last rank ends, in ns.
static int64_t simulate(Simulated *x)
{
    for (int r = 0; r < x->p; r++)
        for (int i = 0; i < x->program.n[r] && x->program.step[r][i].sends; i++)
            x->early[x->program.step[r][i].peer]++;
    memset(x->arrived, 0xff, sizeof x->arrived);
    while (x->eager ? receive(x) || send_eager(x) : transfer(x))
        ;
    int64_t end = 0;
    for (int r = 0; r < x->p; r++) {
        g_assert_cmpint(x->at[r], ==, x->program.n[r]);
        end = MAX(end, x->clock[r]);
    }
    return end;
}

static Platform *machine(void)
{
    GError *error = NULL;
    g_autofree char *text = g_strdup_printf(
        "[measured]\none = 1:%dns 4G:%dns\none.source = x\ngap = 1:%dns %d:%dns %d:%dns 4G:%dns\ngap.source = x\n"
        "take = 1:%dns 4G:%dns\ntake.source = x\neager = %d\neager.source = x\nlambda = 0\nlambda.source = x\n"
        "connect = %dns\nconnect.source = x\nmatch = %dns\nmatch.source = x\nbounce = 0:%dns 1000:%dns\n"
        "bounce.source = x\n",
        ONE, ONE, GAP, EAGER, GAP, EAGER + 1, ONE, ONE, TAKE, TAKE, EAGER, CONNECT, MATCH, COPY_ONCE, COPY_1000);
    Platform *platform = platform_parse("m.ini", text, strlen(text), &error);
    g_assert_no_error(error);
    return platform;
}

static Operation operation(Collective collective, const char *name, int p, size_t m)
{
    Operation op = {.algorithm = algorithm_find(collective, name), .m = m};
    const Coll all = {.p = p, .elem = 1, .commutative = true, .par = algorithm_defaults(op.algorithm)};
    op.c = coll_make(collective, &all, 0, m, NULL);
    return op;
}

static Prediction *predict(const Platform *platform, const Operation *op)
{
    GError *error = NULL;
    Prediction *x = measured_model.predict(&measured_model, op, platform, &(PredictOptions){0}, &error);
    g_assert_no_error(error);
    return x;
}

static int64_t count_of(const Prediction *x, TermKind kind)
{
    int64_t n = 0;
    for (guint i = 0; i < x->terms->len; i++) {
        const PredictionTerm *t = &g_array_index(x->terms, PredictionTerm, i);
        n += t->term.kind == kind ? t->n : 0;
    }
    return n;
}

static void compare(const char *name, void (*program)(MessageProgram *x, int p), bool eager)
{
    g_autoptr(Platform) platform = machine();
    for (int p = 2; p <= RANKS; p++) {
        const size_t m = eager ? 2 : EAGER + 1; // all messages of the tree are eager up to 40 blocks
        g_autofree Simulated *x = g_new0(Simulated, 1);
        x->p = p;
        x->eager = eager;
        program(&x->program, p);
        const Operation op = operation(COLL_GATHER, name, p, m);
        g_autoptr(Prediction) predicted = predict(platform, &op);
        // Under linear all copies are as long; those of a tree are not, so its messages are empty.
        x->copy = COPY_ONCE + (strcmp(name, "linear") == 0 ? (int64_t)m : 0);
        const int64_t expected = simulate(x);
        g_assert_cmpint((int64_t)round(predicted->time_s * 1e9), ==, expected);
    }
}

// The root of linear connects to all, passes each pair of messages in line once, and copies the eager ones.
static void test_linear(void)
{
    compare("linear", linear_program, false);
    compare("linear", linear_program, true);
    g_autoptr(Platform) platform = machine();
    const Operation op = operation(COLL_GATHER, "linear", 33, 2);
    g_autoptr(Prediction) x = predict(platform, &op);
    g_assert_cmpint(count_of(x, TERM_CONNECT), ==, 32);
    g_assert_cmpint(count_of(x, TERM_MATCH), ==, 32 * 31 / 2);
    g_assert_cmpint(count_of(x, TERM_BOUNCE), >, 0);
}

// The root of the tree connects to its five children only, and only one message comes early.
static void test_tree(void)
{
    compare("binomial", binomial_program, false);
    g_autoptr(Platform) platform = machine();
    const Operation op = operation(COLL_GATHER, "binomial", 32, EAGER + 1);
    g_autoptr(Prediction) x = predict(platform, &op);
    g_assert_cmpint(count_of(x, TERM_CONNECT), ==, 5); // the root; its leaf does so at the same time
    g_assert_cmpint(count_of(x, TERM_MATCH), ==, 0);
    g_assert_cmpint(count_of(x, TERM_BOUNCE), ==, 0);
}

// All messages of a linear alltoall are early, so every pair of them counts at every rank.
static void test_all_at_once(void)
{
    g_autoptr(Platform) platform = machine();
    const Operation op = operation(COLL_ALLTOALL, "linear", 9, EAGER + 1);
    g_autoptr(Prediction) x = predict(platform, &op);
    g_assert_cmpint(count_of(x, TERM_CONNECT), ==, 8);
    g_assert_cmpint(count_of(x, TERM_MATCH), ==, 8 * 7 / 2);
}

// A ring sets up two connections, once, and has no line: its neighbour's message is the only early one.
static void test_ring(void)
{
    g_autoptr(Platform) platform = machine();
    const Operation op = operation(COLL_ALLGATHER, "ring", 16, EAGER + 1);
    g_autoptr(Prediction) x = predict(platform, &op);
    g_assert_cmpint(count_of(x, TERM_CONNECT), ==, 2);
    g_assert_cmpint(count_of(x, TERM_MATCH), ==, 0);
    g_assert_cmpint((int64_t)round(x->time_s * 1e9), ==, 2 * CONNECT + 15 * ONE);
}

static void add(void)
{
    g_test_add_func("/messages_work/linear", test_linear);
    g_test_add_func("/messages_work/tree", test_tree);
    g_test_add_func("/messages_work/all at once", test_all_at_once);
    g_test_add_func("/messages_work/ring", test_ring);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
