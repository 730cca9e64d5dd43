// The LogGOPS engine on small schedules whose times are computed by hand. Most of them test what no row of
// tests/golden/loggopsim.csv covers: the order of operations that become ready at once, the rendezvous threshold, late
// receives, `irequires`, several CPUs, and the reports of what is stuck.
#include "loggops_check.h"
#include "loggops_patterns.h"
#include "tap.h"
#include <math.h>

#define NO_TAG 0

static const LoggopsParams standard = {.L = 2500, .o = 1500, .g = 1000, .G = 6, .O = 0, .S = 65535, .gamma = 1};
static const LoggopsParams rendezvous = {.L = 2500, .o = 1500, .g = 1000, .G = 6, .O = 0, .S = 0, .gamma = 1};

// Runs the graph on clocks of doubles and on integer clocks, and fails unless every host finishes at the expected time.
// The parameters must be whole numbers. Integer clocks are left out if a message has 0 bytes, which they charge
// differently.
static void assert_finish(const Goal *goal, const LoggopsParams *params, const double *expected)
{
    g_autoptr(LoggopsResult) result = loggops_run(goal, params);
    g_assert_cmpuint(result->stuck->len, ==, 0);
    for (uint32_t host = 0; host < result->n_hosts; host++)
        g_assert_cmpfloat(result->finish[host], ==, expected[host]);
    loggops_assert_certificates(result, goal, params);
    for (uint32_t op = 0; op < goal_n_ops(goal); op++)
        if (goal_op(goal, op)->kind != GOAL_CALC && goal_op(goal, op)->size == 0)
            return;
    const LoggopsTicks ticks = loggops_ticks_of(params);
    g_autoptr(LoggopsTicksResult) whole = loggops_run_ticks(goal, &ticks);
    g_assert_cmpuint(whole->stuck->len, ==, 0);
    for (uint32_t host = 0; host < result->n_hosts; host++)
        g_assert_cmpfloat((double)whole->finish[host], ==, expected[host]);
}

#define ASSERT_FINISH(goal, params, ...) assert_finish(goal, params, (const double[]){__VA_ARGS__})

static void add_message(Goal *goal, uint32_t from, uint32_t to, uint64_t bytes)
{
    goal_add(goal, from, GOAL_SEND, bytes, to, NO_TAG);
    goal_add(goal, to, GOAL_RECV, bytes, from, NO_TAG);
}

// One message, eager and rendezvous. A message of S bytes is still eager. 0 bytes cost as much as 1 byte, and are eager
// even if S = 0.
static void test_one_message(void)
{
    g_autoptr(Goal) goal = goal_new(2);
    add_message(goal, 0, 1, 8);
    ASSERT_FINISH(goal, &standard, 1500, 5542);
    ASSERT_FINISH(goal, &rendezvous, 4000, 5542);
    LoggopsParams params = standard;
    params.S = 8;
    ASSERT_FINISH(goal, &params, 1500, 5542);
    params.S = 7;
    ASSERT_FINISH(goal, &params, 4000, 5542);
    params.S = INFINITY;
    ASSERT_FINISH(goal, &params, 1500, 5542);
    params.O = 2; // the sender pays O in full, the receiver pays the larger of O and G
    ASSERT_FINISH(goal, &params, 1514, 5542);
    params.O = 7;
    ASSERT_FINISH(goal, &params, 1549, 5549);

    g_autoptr(Goal) empty = goal_new(2);
    add_message(empty, 0, 1, 0);
    ASSERT_FINISH(empty, &rendezvous, 1500, 5500);
    g_autoptr(Goal) one = goal_new(2);
    add_message(one, 0, 1, 1);
    ASSERT_FINISH(one, &standard, 1500, 5500);

    g_autoptr(Goal) nothing = goal_new(3);
    ASSERT_FINISH(nothing, &standard, 0, 0, 0);
}

// Of operations that are ready at once sends go first, whatever their order in the graph. So the calc waits until the
// send has left the CPU.
static void test_sends_before_calcs(void)
{
    g_autoptr(Goal) goal = goal_new(2);
    goal_add(goal, 0, GOAL_CALC, 100, 0, NO_TAG);
    add_message(goal, 0, 1, 8);
    ASSERT_FINISH(goal, &standard, 1600, 5542);

    // The same holds for operations that become ready when another one is done.
    g_autoptr(Goal) freed = goal_new(2);
    const uint32_t first = goal_add(freed, 0, GOAL_CALC, 10, 0, NO_TAG);
    const uint32_t calc = goal_add(freed, 0, GOAL_CALC, 100, 0, NO_TAG);
    const uint32_t send = goal_add(freed, 0, GOAL_SEND, 8, 1, NO_TAG);
    goal_require(freed, calc, first);
    goal_require(freed, send, first);
    goal_add(freed, 1, GOAL_RECV, 8, 0, NO_TAG);
    ASSERT_FINISH(freed, &standard, 1610, 5552);
}

// Operations of one kind start in the order in which they became ready. There are 20 sends, because the usual unstable
// sorts are stable up to 16 elements.
static void test_stable_order(void)
{
    enum { N = 20 };
    g_autoptr(Goal) goal = goal_new(N + 1);
    double expected[N + 1] = {N * 1500};
    for (uint32_t to = 1; to <= N; to++) {
        goal_add(goal, 0, GOAL_SEND, 8, to, NO_TAG);
        expected[to] = (to - 1) * 1500 + 5542;
    }
    for (uint32_t to = 1; to <= N; to++)
        goal_add(goal, to, GOAL_RECV, 8, 0, NO_TAG);
    assert_finish(goal, &standard, expected);
}

// The receiver computes until 10000 and then posts its receive. The message has waited for the CPU until 10000 too, and
// comes first because it is older. So the receive is late, and the sender of a rendezvous is free when it is posted, at
// 10000.
static void test_late_receive(void)
{
    g_autoptr(Goal) goal = goal_new(2);
    goal_add(goal, 0, GOAL_SEND, 8, 1, NO_TAG);
    const uint32_t calc = goal_add(goal, 1, GOAL_CALC, 10000, 0, NO_TAG);
    const uint32_t recv = goal_add(goal, 1, GOAL_RECV, 8, 0, NO_TAG);
    goal_require(goal, recv, calc);
    ASSERT_FINISH(goal, &standard, 1500, 11542);
    ASSERT_FINISH(goal, &rendezvous, 10000, 11542);

    g_autoptr(LoggopsResult) result = loggops_run(goal, &rendezvous);
    g_autoptr(GArray) path = loggops_path(result, 0);
    g_assert_cmpuint(path->len, ==, 2);
    const LoggopsStep *step = &g_array_index(path, LoggopsStep, 0);
    g_assert_true(step[0].kind == LOGGOPS_CALC && step[0].host == 1 && step[0].op == calc && step[0].end == 10000);
    g_assert_true(step[1].kind == LOGGOPS_LATE_ANSWER && step[1].host == 1 && step[1].op == recv && step[1].peer == 0);
    const LoggopsStamp stamp = loggops_stamp(result, 0);
    const int64_t expected[LOGGOPS_TERMS] = {[LOGGOPS_GAMMA] = 10000};
    g_assert_cmpmem(stamp.n, sizeof stamp.n, expected, sizeof expected);
}

// If the sizes at the two ends of a message lie on different sides of S, the size of a late receive decides. S is 1,
// and the receive is posted at 100000. A longer receive makes the eager send done a second time, at 100000. So the calc
// x, which requires this send and y, starts without y, although y requires x.
static void test_unequal_sizes(void)
{
    LoggopsParams params = standard;
    params.S = 1;
    g_autoptr(Goal) goal = goal_new(2);
    const uint32_t send = goal_add(goal, 0, GOAL_SEND, 1, 1, NO_TAG);
    const uint32_t calc = goal_add(goal, 1, GOAL_CALC, 100000, 0, NO_TAG);
    goal_require(goal, goal_add(goal, 1, GOAL_RECV, 2, 0, NO_TAG), calc);
    ASSERT_FINISH(goal, &params, 100000, 101500);
    const LoggopsTicks ticks = loggops_ticks_of(&params);
    g_autoptr(LoggopsTicksResult) result = loggops_run_ticks(goal, &ticks);
    g_assert_cmpuint(result->unequal.n, ==, 1);
    g_assert_cmpuint(result->unequal.first[0].send, ==, send);
    g_assert_cmpuint(result->unequal.first[0].recv, ==, 2);

    g_autoptr(Goal) twice = goal_new(2);
    const uint32_t eager = goal_add(twice, 0, GOAL_SEND, 1, 1, NO_TAG);
    const uint32_t x = goal_add(twice, 0, GOAL_CALC, 7, 0, NO_TAG), y = goal_add(twice, 0, GOAL_CALC, 5, 0, NO_TAG);
    goal_require(twice, x, eager);
    goal_require(twice, x, y);
    goal_require(twice, y, x);
    const uint32_t pause = goal_add(twice, 1, GOAL_CALC, 100000, 0, NO_TAG);
    goal_require(twice, goal_add(twice, 1, GOAL_RECV, 2, 0, NO_TAG), pause);
    ASSERT_FINISH(twice, &params, 100012, 101500);

    // A shorter receive leaves the rendezvous send as it is: not done.
    g_autoptr(Goal) shorter = goal_new(2);
    goal_add(shorter, 0, GOAL_SEND, 2, 1, NO_TAG);
    const uint32_t after = goal_add(shorter, 0, GOAL_CALC, 9, 0, NO_TAG);
    goal_require(shorter, after, 0);
    const uint32_t busy = goal_add(shorter, 1, GOAL_CALC, 100000, 0, NO_TAG);
    goal_require(shorter, goal_add(shorter, 1, GOAL_RECV, 1, 0, NO_TAG), busy);
    g_autoptr(LoggopsResult) blocked = loggops_run(shorter, &params);
    g_assert_cmpuint(blocked->stuck->len, ==, 1);
    g_assert_cmpuint(g_array_index(blocked->stuck, LoggopsStuck, 0).op, ==, after);
}

// A rendezvous send starts at 0 but is done only when it meets its receive, at 4000. A calc that `irequires` the send
// is free when the send starts, and one that `requires` it when the send is done.
static void test_started_and_done(void)
{
    for (int started = 0; started < 2; started++) {
        g_autoptr(Goal) goal = goal_new(2);
        const uint32_t send = goal_add(goal, 0, GOAL_SEND, 8, 1, NO_TAG);
        const uint32_t calc = goal_add(goal, 0, GOAL_CALC, 100, 0, NO_TAG);
        if (started)
            goal_irequire(goal, calc, send);
        else
            goal_require(goal, calc, send);
        goal_add(goal, 1, GOAL_RECV, 8, 0, NO_TAG);
        ASSERT_FINISH(goal, &rendezvous, started ? 4000 : 4100, 5542);
        ASSERT_FINISH(goal, &standard, 1600, 5542);
    }
}

// Two messages are sent; the second leaves at 4500 and is taken at 8500. A calc requires the first receive. If this
// receive has the tag of the second message, the calc waits for that one; if peer and tag are wildcards, it meets the
// first message.
static void test_tags_and_wildcards(void)
{
    for (int any = 0; any < 2; any++) {
        g_autoptr(Goal) goal = goal_new(2);
        const uint32_t early = goal_add(goal, 0, GOAL_SEND, 8, 1, 5);
        const uint32_t pause = goal_add(goal, 0, GOAL_CALC, 3000, 0, NO_TAG);
        goal_require(goal, pause, early);
        goal_require(goal, goal_add(goal, 0, GOAL_SEND, 8, 1, 6), pause);
        const uint32_t first = goal_add(goal, 1, GOAL_RECV, 8, any ? GOAL_ANY : 0, any ? GOAL_ANY : 6);
        goal_add(goal, 1, GOAL_RECV, 8, any ? GOAL_ANY : 0, any ? GOAL_ANY : 5);
        goal_require(goal, goal_add(goal, 1, GOAL_CALC, 50, 0, NO_TAG), first);
        ASSERT_FINISH(goal, &standard, 6000, any ? 10042 : 10092);
    }
}

// A host with two CPUs and two NICs: the calc and the two sends do not wait for each other where they use different
// ones. The host finishes when its last CPU does.
static void test_cpus_and_nics(void)
{
    g_autoptr(Goal) goal = goal_new(3);
    const uint32_t calc = goal_add(goal, 0, GOAL_CALC, 9000, 0, NO_TAG);
    goal_add(goal, 0, GOAL_SEND, 8, 1, NO_TAG);
    const uint32_t send = goal_add(goal, 0, GOAL_SEND, 8, 2, NO_TAG);
    goal_place(goal, calc, 1, 0);
    goal_place(goal, send, 0, 1);
    goal_add(goal, 1, GOAL_RECV, 8, 0, NO_TAG);
    goal_add(goal, 2, GOAL_RECV, 8, 0, NO_TAG);
    LoggopsParams params = standard;
    params.g = 5000; // on one NIC the second send would start at 5042
    ASSERT_FINISH(goal, &params, 9000, 5542, 7042);
}

// A rendezvous holds the sender's NIC until its receive is posted. So B, on another CPU but the same NIC, leaves when
// the late receive of A is posted, at 10000.
static void test_answer_holds_nic(void)
{
    g_autoptr(Goal) goal = goal_new(3);
    const uint32_t a = goal_add(goal, 0, GOAL_SEND, 8, 1, NO_TAG);
    const uint32_t b = goal_add(goal, 0, GOAL_SEND, 8, 2, NO_TAG);
    goal_require(goal, b, a);
    goal_place(goal, b, 1, 0);
    const uint32_t calc = goal_add(goal, 1, GOAL_CALC, 10000, 0, NO_TAG);
    goal_require(goal, goal_add(goal, 1, GOAL_RECV, 8, 0, NO_TAG), calc);
    goal_add(goal, 2, GOAL_RECV, 8, 0, NO_TAG);
    ASSERT_FINISH(goal, &rendezvous, 14000, 11542, 15542);
}

// When A is taken, at 100, two sends to host 2 become ready: B at host 0 and C at host 1. The lower host comes first.
// So B and C arrive at the same time but B is taken first, and the calc after B runs in the gap before C.
static void test_lower_host_first(void)
{
    g_autoptr(Goal) goal = goal_new(3);
    const uint32_t a = goal_add(goal, 0, GOAL_SEND, 1, 1, NO_TAG);
    goal_require(goal, goal_add(goal, 0, GOAL_SEND, 1, 2, NO_TAG), a);
    const uint32_t took = goal_add(goal, 1, GOAL_RECV, 1, 0, NO_TAG);
    goal_require(goal, goal_add(goal, 1, GOAL_SEND, 1, 2, NO_TAG), took);
    const uint32_t b = goal_add(goal, 2, GOAL_RECV, 1, 0, NO_TAG);
    goal_add(goal, 2, GOAL_RECV, 1, 1, NO_TAG);
    goal_require(goal, goal_add(goal, 2, GOAL_CALC, 5, 0, NO_TAG), b);
    const LoggopsParams params = {.L = 100, .g = 10, .S = 0, .gamma = 1};
    ASSERT_FINISH(goal, &params, 200, 210, 210);
}

// Two messages wait for a CPU that computes until 20000. The older one is taken first, even if it arrived later. X
// leaves host 0 at 6000 and arrives at 10000. Y becomes ready only at 7001, through the second CPU of host 2, but its
// own CPU still stands at 0. So Y leaves at 0 and arrives before X, although it was sent after X.
static void test_older_message_first(void)
{
    g_autoptr(Goal) goal = goal_new(3);
    const uint32_t wait = goal_add(goal, 0, GOAL_CALC, 6000, 0, NO_TAG);
    const uint32_t x = goal_add(goal, 0, GOAL_SEND, 8, 1, NO_TAG);
    goal_require(goal, x, wait);
    goal_add(goal, 1, GOAL_CALC, 20000, 0, NO_TAG);
    goal_add(goal, 1, GOAL_RECV, 8, 0, NO_TAG);
    goal_add(goal, 1, GOAL_RECV, 8, 2, NO_TAG);
    const uint32_t first = goal_add(goal, 2, GOAL_CALC, 7000, 0, NO_TAG);
    const uint32_t second = goal_add(goal, 2, GOAL_CALC, 1, 0, NO_TAG);
    goal_place(goal, first, 1, 0);
    goal_place(goal, second, 1, 0);
    goal_require(goal, second, first);
    goal_require(goal, goal_add(goal, 2, GOAL_SEND, 8, 1, NO_TAG), second);
    ASSERT_FINISH(goal, &rendezvous, 20000, 23084, 21542);
}

static void add_placed(Goal *goal, uint32_t host, GoalKind kind, uint64_t size, uint32_t peer, unsigned cpu)
{
    goal_place(goal, goal_add(goal, host, kind, size, peer, NO_TAG), cpu, 0);
}

// Fails unless the critical path of a host has these kinds of steps, from the first to the last.
static void assert_kinds(const Goal *goal, const LoggopsParams *params, uint32_t host, const LoggopsStepKind *kinds,
                         guint n)
{
    g_autoptr(LoggopsResult) result = loggops_run(goal, params);
    g_autoptr(GArray) path = loggops_path(result, host);
    g_assert_cmpuint(path->len, ==, n);
    for (guint i = 0; i < n; i++)
        g_assert_cmpint(g_array_index(path, LoggopsStep, i).kind, ==, kinds[i]);
}

#define ASSERT_KINDS(goal, params, host, ...)                                                                          \
    assert_kinds(goal, params, host, (const LoggopsStepKind[]){__VA_ARGS__},                                           \
                 G_N_ELEMENTS(((const LoggopsStepKind[]){__VA_ARGS__})))

// What counts if several things end at the same time.
static void test_ties(void)
{
    // A receiver's bytes count as O if O and G are equal.
    LoggopsParams params = {.L = 100, .o = 10, .g = 10, .G = 6, .O = 6, .S = 65535, .gamma = 1};
    g_autoptr(Goal) one = goal_new(2);
    add_message(one, 0, 1, 8);
    g_autoptr(LoggopsResult) result = loggops_run(one, &params);
    const int64_t O_counts[LOGGOPS_TERMS] = {[LOGGOPS_L] = 1, [LOGGOPS_o] = 2, [LOGGOPS_O] = 7};
    g_assert_cmpmem(result->last.n, sizeof O_counts, O_counts, sizeof O_counts);

    // The second send waits for its CPU and its NIC, and the second message for CPU, NIC and its own arrival.
    g_autoptr(Goal) two = goal_new(2);
    goal_add(two, 0, GOAL_SEND, 1, 1, NO_TAG);
    add_message(two, 0, 1, 1);
    goal_add(two, 1, GOAL_RECV, 1, 0, NO_TAG);
    ASSERT_FINISH(two, &params, 20, 130);
    ASSERT_KINDS(two, &params, 0, LOGGOPS_SEND, LOGGOPS_SEND);
    ASSERT_KINDS(two, &params, 1, LOGGOPS_FLIGHT, LOGGOPS_TAKE, LOGGOPS_TAKE);

    // Now the second one is on a CPU of its own, so that it waits for the NIC and its arrival only.
    g_autoptr(Goal) nic = goal_new(2);
    goal_add(nic, 0, GOAL_SEND, 1, 1, NO_TAG);
    add_placed(nic, 0, GOAL_SEND, 1, 1, 1);
    goal_add(nic, 1, GOAL_RECV, 1, 0, NO_TAG);
    goal_add(nic, 1, GOAL_RECV, 1, 0, NO_TAG);
    ASSERT_FINISH(nic, &params, 20, 130);
    ASSERT_KINDS(nic, &params, 1, LOGGOPS_FLIGHT, LOGGOPS_TAKE_GAP, LOGGOPS_TAKE);

    // A rendezvous is answered when the sender's CPU has sent the last byte.
    params.S = 0;
    params.L = 42;
    ASSERT_FINISH(one, &params, 52, 104);
    ASSERT_KINDS(one, &params, 0, LOGGOPS_SEND);

    // Two CPUs of two hosts end together. CPU 1 is named first, and host 0 is the lowest.
    g_autoptr(Goal) four = goal_new(2);
    for (uint32_t host = 0; host < 2; host++) {
        add_placed(four, host, GOAL_CALC, 5, 0, 1);
        add_placed(four, host, GOAL_CALC, 5, 0, 0);
    }
    ASSERT_FINISH(four, &params, 5, 5);
    const LoggopsTicks ticks = loggops_ticks_of(&params);
    g_autoptr(LoggopsTicksResult) whole = loggops_run_ticks(four, &ticks);
    g_autoptr(LoggopsResult) last = loggops_run(four, &params);
    g_autoptr(GArray) path = loggops_path(last, 1);
    g_assert_cmpuint(g_array_index(path, LoggopsStep, 0).op, ==, 2);
    g_assert_cmpuint(last->last_host, ==, 0);
    g_assert_cmpuint(whole->last_host, ==, 0);
}

static const LoggopsStuck *stuck_at(const LoggopsResult *result, guint i)
{
    return &g_array_index(result->stuck, LoggopsStuck, i);
}

static void test_stuck(void)
{
    g_autoptr(Goal) goal = loggops_pattern("binomialtreebcast", 5, 8, 1); // host 4 only receives
    const uint32_t recv = goal_add(goal, 4, GOAL_RECV, 16, 2, 9);
    const uint32_t send = goal_add(goal, 4, GOAL_SEND, 24, 3, 7);
    const uint32_t calc = goal_add(goal, 4, GOAL_CALC, 100, 0, NO_TAG);
    goal_require(goal, calc, recv);
    g_autoptr(LoggopsResult) result = loggops_run(goal, &standard);
    g_assert_null(result->finish);
    g_assert_cmpuint(result->stuck->len, ==, 3);
    const LoggopsStuck *message_left = stuck_at(result, 0), *receive = stuck_at(result, 1),
                       *blocked = stuck_at(result, 2);
    g_assert_true(message_left->why == LOGGOPS_STUCK_MESSAGE && message_left->op == send);
    g_assert_true(message_left->what.host == 4 && message_left->what.peer == 3 && message_left->what.size == 24);
    g_assert_true(receive->why == LOGGOPS_STUCK_RECEIVE && receive->op == recv);
    g_assert_true(receive->what.host == 4 && receive->what.peer == 2 && receive->what.tag == 9);
    g_assert_true(blocked->why == LOGGOPS_STUCK_BLOCKED && blocked->op == calc);

    // Two operations that require each other, without any message.
    g_autoptr(Goal) circle = goal_new(1);
    const uint32_t a = goal_add(circle, 0, GOAL_CALC, 1, 0, NO_TAG), b = goal_add(circle, 0, GOAL_CALC, 1, 0, NO_TAG);
    goal_require(circle, a, b);
    goal_require(circle, b, a);
    g_autoptr(LoggopsResult) none = loggops_run(circle, &standard);
    g_assert_cmpuint(none->stuck->len, ==, 2);
}

static void add_tests(void)
{
    g_test_add_func("/loggops/one_message", test_one_message);
    g_test_add_func("/loggops/sends_before_calcs", test_sends_before_calcs);
    g_test_add_func("/loggops/stable_order", test_stable_order);
    g_test_add_func("/loggops/late_receive", test_late_receive);
    g_test_add_func("/loggops/unequal_sizes", test_unequal_sizes);
    g_test_add_func("/loggops/started_and_done", test_started_and_done);
    g_test_add_func("/loggops/tags_and_wildcards", test_tags_and_wildcards);
    g_test_add_func("/loggops/cpus_and_nics", test_cpus_and_nics);
    g_test_add_func("/loggops/answer_holds_nic", test_answer_holds_nic);
    g_test_add_func("/loggops/lower_host_first", test_lower_host_first);
    g_test_add_func("/loggops/older_message_first", test_older_message_first);
    g_test_add_func("/loggops/ties", test_ties);
    g_test_add_func("/loggops/stuck", test_stuck);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add_tests);
}
