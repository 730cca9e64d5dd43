// GOAL schedules: on random graphs, the engine's integer clocks are those of LogGOPSim's event loop in its simplest
// form (loggops_naive.h). The schedules that `export goal` writes take the time that the algorithm takes, and a
// throttle in them waits for the oldest requests.
#include "api/backend.h"
#include "api/make.h"
#include "goal_bytes.h"
#include "engine/loggops/goal_record.h"
#include "engine/goal/goal_text.h"
#include "loggops_naive.h"
#include "planted.h"
#include "tap.h"
#include "registry/composition.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { THROTTLED = 3000 };

// Returns how many random schedules to run: 20000, or the number in the environment variable COLLSIM_SCHEDULES.
static int n_schedules(void)
{
    const char *wanted = g_getenv("COLLSIM_SCHEDULES");
    return wanted ? atoi(wanted) : 20000;
}

// Returns the graph as a text; free with free.
static char *text_of(const Goal *goal)
{
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    goal_write(goal, to);
    fclose(to);
    return text;
}

// Writes the graph as a text and reads it again; free with goal_free.
static Goal *through_text(const Goal *goal)
{
    char *text = text_of(goal);
    g_autoptr(GError) error = NULL;
    Goal *again = goal_parse(text, strlen(text), "text", &error);
    g_assert_no_error(error);
    free(text);
    return again;
}

// Writes the graph in the binary form and reads it again; free with goal_free.
static Goal *through_bytes(const Goal *goal)
{
    g_autoptr(GByteArray) bytes = goal_bytes(goal);
    g_autoptr(GError) error = NULL;
    Goal *again = goal_parse((const char *)bytes->data, bytes->len, "bytes", &error);
    g_assert_no_error(error);
    return again;
}

static void test_random(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(4);
    const int n = n_schedules();
    int ended = 0, wrapped = 0, unequal = 0;
    for (int i = 0; i < n; i++) {
        const uint64_t thresholds[] = {0, 1, 8, 99, GOAL_MAX_SIZE - 1};
        const LoggopsTicks q = {.L = g_rand_int_range(rand, 0, 50),
                                .o = g_rand_int_range(rand, 0, 20),
                                .g = g_rand_int_range(rand, 0, 30),
                                .G = g_rand_int_range(rand, 0, 5),
                                .O = g_rand_int_range(rand, 0, 5),
                                .S = thresholds[g_rand_int_range(rand, 0, G_N_ELEMENTS(thresholds))],
                                .gamma = 1};
        g_autoptr(Goal) written = loggops_random_goal(rand, q.S);
        g_autoptr(Goal) goal = i % 2 ? through_text(written) : through_bytes(written);
        g_autoptr(LoggopsTicksResult) result = loggops_run_ticks(goal, &q);
        uint64_t finish[8];
        g_autofree uint32_t *met = g_new(uint32_t, goal_n_ops(goal));
        const gboolean ends = loggops_naive(written, &q, NULL, finish, met);
        g_assert_cmpint(ends, ==, result->stuck->len == 0);
        if (!ends)
            continue;
        ended++;
        unequal += result->unequal.n > 0;
        g_assert_cmpmem(finish, goal_n_hosts(goal) * sizeof *finish, result->finish, result->n_hosts * sizeof *finish);
        wrapped += finish[result->last_host] > UINT64_MAX / 2;
    }
    g_test_message("%d of %d ended, %d with unequal sizes, %d with a clock below 0", ended, n, unequal, wrapped);
    g_assert_cmpint(ended, >, n / 3);
    g_assert_cmpint(ended, <, n);
    g_assert_cmpint(unequal, >, n / 10);
    g_assert_cmpint(wrapped, >, n / 2000);
}

enum { CROWD = 7, TAGS = 25 };

// Adds n sends to host CROWD, some with a calc before them. Each becomes ready when CPU 1 comes to a calc, but starts
// when CPU 0 is free, which may be long before. So a message that is sent later may arrive earlier.
static void add_sender(GRand *rand, Goal *goal, uint32_t host, int n, double wild)
{
    uint32_t before = GOAL_ANY;
    for (int i = 0; i < n; i++) {
        const uint32_t clock = goal_add(goal, host, GOAL_CALC, (uint64_t)g_rand_int_range(rand, 0, 60), 0, 0);
        goal_place(goal, clock, 1, 0);
        if (before != GOAL_ANY)
            goal_require(goal, clock, before);
        before = clock;
        if (g_rand_int_range(rand, 0, 8) == 0)
            goal_require(goal, goal_add(goal, host, GOAL_CALC, (uint64_t)g_rand_int_range(rand, 0, 300), 0, 0), clock);
        const uint32_t tag = g_rand_double(rand) < wild / 4 ? GOAL_ANY : (uint32_t)g_rand_int_range(rand, 0, TAGS);
        goal_require(goal, goal_add(goal, host, GOAL_SEND, 1, CROWD, tag), clock);
    }
}

// Returns a graph in which the last host receives so many messages that its lines become long; free with goal_free. Its
// receives are posted before the messages arrive or after, or both. Some of its receives, and some messages, have
// wildcards. A calc holds its CPU for a while.
static Goal *crowd(GRand *rand)
{
    enum { N = 22 };
    const double wild = g_rand_int_range(rand, 0, 4) / 3.0;
    Goal *goal = goal_new(CROWD + 1);
    for (uint32_t host = 0; host < CROWD; host++)
        add_sender(rand, goal, host, N, wild);
    goal_add(goal, CROWD, GOAL_CALC, (uint64_t)g_rand_int_range(rand, 0, 1000), 0, 0);
    const uint32_t pause = goal_add(goal, CROWD, GOAL_CALC, (uint64_t)g_rand_int_range(rand, 0, 2000), 0, 0);
    goal_place(goal, pause, 1, 0); // so that messages are taken meanwhile
    const double late = g_rand_int_range(rand, 0, 3) * 0.5;
    for (int i = 0; i < N * CROWD; i++) {
        const uint32_t peer = g_rand_double(rand) < wild ? GOAL_ANY : (uint32_t)g_rand_int_range(rand, 0, CROWD);
        const uint32_t tag = g_rand_double(rand) < wild ? GOAL_ANY : (uint32_t)g_rand_int_range(rand, 0, TAGS);
        const uint32_t recv = goal_add(goal, CROWD, GOAL_RECV, 1, peer, tag);
        if (g_rand_double(rand) < late) {
            goal_place(goal, recv, 1, 0);
            goal_require(goal, recv, pause);
        }
    }
    return goal;
}

// Receives and messages meet as a search from the oldest on finds them, also where lines are long enough for an index.
static void test_crowds(void)
{
    const int n = n_schedules() / 200; // they are larger
    const LoggopsParams params = {.L = 5, .o = 3, .g = 2, .G = 1, .O = 0, .S = INFINITY, .gamma = 1};
    const LoggopsTicks q = {.L = 5, .o = 3, .g = 2, .G = 1, .O = 0, .S = UINT64_MAX, .gamma = 1};
    g_autoptr(GRand) rand = g_rand_new_with_seed(8);
    for (int i = 0; i < n; i++) {
        g_autoptr(Goal) goal = crowd(rand);
        g_autoptr(LoggopsResult) result = loggops_run(goal, &params);
        uint64_t finish[8];
        g_autofree uint32_t *met = g_new(uint32_t, goal_n_ops(goal));
        loggops_naive(goal, &q, NULL, finish, met);
        guint left = 0;
        for (uint32_t op = 0; op < goal_n_ops(goal); op++) {
            if (goal_op(goal, op)->kind != GOAL_RECV)
                continue;
            left += met[op] == UINT32_MAX;
            if (met[op] != UINT32_MAX)
                g_assert_cmpuint(result->take_by[op], ==, met[op]);
        }
        g_assert_cmpuint(result->stuck->len, ==, 2 * left); // as many messages as receives
        for (guint k = 0; k < left; k++) {
            const LoggopsStuck *stuck = &g_array_index(result->stuck, LoggopsStuck, k);
            g_assert_true(stuck->why == LOGGOPS_STUCK_RECEIVE && met[stuck->op] == UINT32_MAX);
        }
    }
}

// Only integer clocks charge a message of 0 bytes as LogGOPSim does: s - 1 is -1, modulo 2^64.
static void test_empty_message(void)
{
    static const char text[] = "num_ranks 2\nrank 0 {\nsend 0b to 1\n}\nrank 1 {\nrecv 0b from 0\n}\n";
    g_autoptr(Goal) goal = goal_parse(text, strlen(text), "text", NULL);
    static const struct {
        uint64_t G, O, sender, receiver;
    } cases[] = {
        {0, 0, 1500, 5500}, {6, 0, 1500, 5494}, // MAX of -6 and 0 is -6, as both are unsigned
        {0, 4, 1496, 5496}, {6, 4, 1496, 5496}, {0, 2000, UINT64_MAX - 499, 3500},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const LoggopsTicks q = {.L = 2500, .o = 1500, .g = 1000, .G = cases[i].G, .O = cases[i].O, .S = 0, .gamma = 1};
        g_autoptr(LoggopsTicksResult) result = loggops_run_ticks(goal, &q);
        g_assert_cmpuint(result->stuck->len, ==, 0);
        g_assert_cmpuint(result->finish[0], ==, cases[i].sender);
        g_assert_cmpuint(result->finish[1], ==, cases[i].receiver);
        g_assert_cmpuint(result->last_host, ==, cases[i].sender > cases[i].receiver ? 0 : 1);
    }
}

// Fails unless the exported schedule, through its text, ends at the same times as the operation itself on every host.
static void assert_same(const Operation *op, const LoggopsTicks *q)
{
    g_autoptr(Goal) goal = goal_record(op, NULL);
    const LoggopsParams params = {
        (double)q->L, (double)q->o, (double)q->g, (double)q->G, (double)q->O, (double)q->S, 1};
    g_autoptr(LoggopsResult) direct = loggops_run(goal, &params);
    goal_to_ns(goal, 1);
    g_autoptr(Goal) again = through_text(goal);
    g_autoptr(LoggopsTicksResult) result = loggops_run_ticks(again, q);
    g_test_message("%s %s, p %d, m %zu", collectives[op->algorithm->collective].name, op->algorithm->name, op->c.p,
                   op->m);
    g_assert_cmpuint(direct->stuck->len, ==, 0);
    g_assert_cmpuint(result->stuck->len, ==, 0);
    for (uint32_t host = 0; host < result->n_hosts; host++)
        g_assert_cmpfloat((double)result->finish[host], ==, direct->finish[host]);
}

// Sets max_requests if the algorithm has this parameter.
static void limit_requests(const CollAlgorithm *a, int max, CollParams *par)
{
    for (int i = 0; i < algorithm_n_params(a); i++)
        if (strcmp(a->params[i].name, "max_requests") == 0)
            par->max_requests = max;
}

// Every algorithm that sends messages, on two machines: on one all messages are eager, on the other those above 16
// bytes use rendezvous. Sizes include 0. An algorithm that limits its requests has no limit at one size, and 1 and 2
// requests at the others.
static void test_exported(void)
{
    static const LoggopsTicks machines[] = {{2500, 1500, 1000, 6, 0, 65535, 1}, {1000, 200, 3000, 2, 1, 16, 1}};
    static const int ranks[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 16};
    int compared = 0;
    for (int i = 0; i < n_algorithms; i++)
        for (size_t k = 0; k < G_N_ELEMENTS(ranks) && !algorithms[i]->shared; k++)
            for (size_t j = 0; j < 6; j++) {
                const int p = ranks[k];
                const size_t sizes[] = {0, 3, 240 * (size_t)p};
                Coll all = {.p = p,
                            .root = collectives[algorithms[i]->collective].rooted ? p / 2 : 0,
                            .elem = 1,
                            .commutative = true,
                            .par = algorithm_defaults(algorithms[i])};
                limit_requests(algorithms[i], (int)(j % 3), &all.par);
                Operation op = {.c = coll_make(algorithms[i]->collective, &all, all.root, sizes[j % 3], NULL),
                                .m = sizes[j % 3]};
                const char *why;
                op.algorithm = coll_resolve(algorithms[i], &op.c, &why);
                if (!op.algorithm)
                    continue;
                assert_same(&op, &machines[j / 3]);
                compared++;
            }
    g_assert_cmpint(compared, >, 7000);
}

// Returns a program's text of one rank with waits in place of throttles: each throttle becomes waits for the oldest
// requests, until fewer than n are left. `ended` counts these waits. Free with g_free.
static char *wait_for_oldest(const char *text, int *ended)
{
    g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(int)); // the numbers of the requests not waited for
    GString *s = g_string_new(NULL);
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    int issued = 0;
    for (char **w = words; *w; w++) {
        const int n = (int)g_ascii_strtoll(**w ? *w + 1 : "", NULL, 10);
        for (guint i = open->len; strchr("wW", **w) && i-- > 0;)
            if (g_array_index(open, int, i) == n || (**w == 'W' && g_array_index(open, int, i) > n))
                g_array_remove_index(open, i);
        if (**w == 'S' || **w == 'R')
            g_array_append_val(open, issued), issued++;
        for (; **w == 't' && open->len >= (guint)n; ++*ended) {
            g_string_append_printf(s, "w%d ", g_array_index(open, int, 0));
            g_array_remove_index(open, 0);
        }
        if (**w != 't')
            g_string_append_printf(s, "%s ", *w);
    }
    return g_string_free(s, FALSE);
}

// Returns the graph of a program as a text; free with free.
static char *graph_of(const Planted *x)
{
    const CollAlgorithm a = planted_entry(x);
    g_autoptr(Goal) goal = goal_record(&(Operation){&a, {.p = x->p, .root = x->root, .elem = 1}, 0}, NULL);
    return text_of(goal);
}

static void test_throttles(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(20261123);
    int ended = 0;
    for (int i = 0; i < THROTTLED; i++) {
        const Planted x = planted_random(rand);
        Planted waits = x;
        for (int r = 0; r < x.p; r++)
            waits.text[r] = wait_for_oldest(x.text[r], &ended);
        char *got = graph_of(&x), *expected = graph_of(&waits);
        if (strcmp(got, expected) != 0) {
            g_autofree char *text = planted_text(&x);
            g_error("%s has the graph\n%s\nnot\n%s", text, got, expected);
        }
        free(got);
        free(expected);
        for (int r = 0; r < x.p; r++) {
            g_free(x.text[r]);
            g_free(waits.text[r]);
        }
    }
    g_assert_cmpint(ended, >, THROTTLED);
}

// goal_to_ns rounds calcs to the nearest nanosecond, and makes messages of 0 bytes 1 byte long.
static void test_whole(void)
{
    g_autoptr(Goal) goal = goal_new(2);
    goal_add(goal, 0, GOAL_CALC, 9, 0, 0);
    goal_add(goal, 0, GOAL_CALC, 0, 0, 0);
    g_assert_cmpuint(goal_longest_calc(goal), ==, 9);
    g_assert_false(goal_to_ns(goal, 0.5));
    g_assert_cmpuint(goal_op(goal, 0)->size, ==, 5);
    g_assert_cmpuint(goal_op(goal, 1)->size, ==, 0);
    g_autoptr(Goal) messages = goal_new(2);
    goal_add(messages, 0, GOAL_SEND, 0, 1, 0);
    goal_add(messages, 0, GOAL_SEND, 7, 1, 0);
    g_assert_cmpuint(goal_longest_calc(messages), ==, 0);
    g_assert_true(goal_to_ns(messages, 0.5));
    g_assert_cmpuint(goal_op(messages, 0)->size, ==, 1);
    g_assert_cmpuint(goal_op(messages, 1)->size, ==, 7);
}

static void add_tests(void)
{
    g_test_add_func("/goal/random", test_random);
    g_test_add_func("/goal/crowds", test_crowds);
    g_test_add_func("/goal/empty_message", test_empty_message);
    g_test_add_func("/goal/exported-algorithms", test_exported);
    g_test_add_func("/goal/throttles", test_throttles);
    g_test_add_func("/goal/whole-nanoseconds", test_whole);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add_tests);
}
