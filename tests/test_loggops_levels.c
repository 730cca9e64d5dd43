// The LogP family on machines with levels: figures computed by hand, LogGOPSim's event loop in its simplest form with an
// L and G for each level, and every algorithm on nodes, where each level's counts add up to the totals.
#include "engine/loggops/goal_record.h"
#include "loggops_check.h"
#include "loggops_naive.h"
#include "engine/model/model.h"
#include "registry/composition.h"
#include "registry/registry.h"
#include "tap.h"
#include <math.h>
#include <string.h>

enum { NODE, GROUP, FAR, N_LEVELS };

// Returns p ranks on a machine whose nodes have k ranks and whose groups have 2 nodes. Free with mapping_free.
static Mapping *on_nodes(MapKind kind, int p, int k)
{
    Levels levels;
    levels_init(&levels);
    levels_add(&levels, "node", (size_t)k);
    levels_add(&levels, "group", 2 * (size_t)k);
    const MapSpec spec = {.kind = kind, .k = k};
    Mapping *map = mapping_new(&spec, &levels, p, NULL);
    levels_clear(&levels);
    return map;
}

// Fails unless the graph ends on each host at the expected time.
static void assert_finish(const LoggopsResult *result, const Goal *goal, const LoggopsParams *params,
                          const double *expected)
{
    g_assert_cmpuint(result->stuck->len, ==, 0);
    for (uint32_t host = 0; host < result->n_hosts; host++)
        g_assert_cmpfloat(result->finish[host], ==, expected[host]);
    loggops_assert_certificates(result, goal, params);
}

// Rank 0 sends 8 bytes to its neighbour on the node, then to the other node of its group, then to the other group. Its
// NIC needs 2 + 7 G for each, so the sends start at 0, 2 + 7 = 9 -> 17 (the CPU needs 3 + 7 * 2), and 17 + 2 + 7 * 5 =
// 54. Messages arrive 3 + L after that, and a receiver needs 3 + max(7 * 2, 7 G).
static void test_by_hand(void)
{
    static const LoggopsLevel level[N_LEVELS] = {{10, 1}, {50, 5}, {100, 9}};
    const LoggopsParams params = {
        .o = 3, .g = 2, .O = 2, .S = INFINITY, .gamma = 1, .level = level, .n_levels = N_LEVELS};
    static const uint32_t to[] = {1, 2, 4};
    g_autoptr(Mapping) map = on_nodes(MAP_BLOCK, 5, 2);
    g_autoptr(Goal) goal = goal_new(5);
    for (int i = 0; i < 3; i++)
        goal_add(goal, 0, GOAL_SEND, 8, to[i], 0);
    for (int i = 0; i < 3; i++)
        goal_add(goal, to[i], GOAL_RECV, 8, 0, 0);
    goal_set_levels(goal, map);
    g_autoptr(LoggopsResult) result = loggops_run(goal, &params);
    assert_finish(result, goal, &params, (const double[]){54 + 17, 13 + 17, 17 + 53 + 38, 0, 54 + 103 + 66});

    // The last rank's chain: the first send's CPU, the second one's NIC, the flight between groups, and its take.
    const LoggopsStamp *last = &result->last;
    const int64_t counts[LOGGOPS_TERMS] = {1, 3, 1, 14, 7, 0};
    g_assert_cmpuint(result->last_host, ==, 4);
    g_assert_cmpmem(last->n, sizeof last->n, counts, sizeof counts);
    const LoggopsLevelCount by_level[N_LEVELS] = {{0, 0}, {0, 7}, {1, 7}};
    g_assert_cmpmem(last->level, sizeof by_level, by_level, sizeof by_level);
    g_autoptr(GArray) path = loggops_path(result, 4);
    static const int levels[] = {NODE, GROUP, FAR, FAR};
    g_assert_cmpuint(path->len, ==, G_N_ELEMENTS(levels));
    for (guint i = 0; i < path->len; i++)
        g_assert_cmpint(g_array_index(path, LoggopsStep, i).level, ==, levels[i]);
}

// Gives messages of 0 bytes 1 byte. The clocks of doubles charge both alike, and the simple loop only the latter.
static void lengthen(Goal *goal)
{
    for (uint32_t op = 0; op < goal_n_ops(goal); op++)
        if (goal_op(goal, op)->kind != GOAL_CALC && goal_op(goal, op)->size == 0)
            goal_resize(goal, op, 1);
}

// Gives every message the level of its two hosts. A receive from any host has none, because only the send's counts.
static void set_levels(Goal *goal, const Mapping *map)
{
    for (uint32_t op = 0; op < goal_n_ops(goal); op++) {
        const GoalOp *o = goal_op(goal, op);
        if (o->kind == GOAL_SEND)
            goal_set_level(goal, op, mapping_level(map, (int)o->host, (int)o->peer));
    }
}

static void test_random(void)
{
    enum { SCHEDULES = 20000 };
    g_autoptr(GRand) rand = g_rand_new_with_seed(14);
    g_autoptr(Mapping) block = on_nodes(MAP_BLOCK, 8, 2), cyclic = on_nodes(MAP_CYCLIC, 8, 2);
    int ended = 0, differ = 0;
    for (int i = 0; i < SCHEDULES; i++) {
        const uint64_t thresholds[] = {0, 1, 8, 99, 3000};
        LoggopsLevel level[N_LEVELS];
        for (int k = 0; k < N_LEVELS; k++)
            level[k] = (LoggopsLevel){g_rand_int_range(rand, 0, 50), g_rand_int_range(rand, 0, 5)};
        LoggopsTicks q = {.o = g_rand_int_range(rand, 0, 20),
                          .g = g_rand_int_range(rand, 0, 30),
                          .O = g_rand_int_range(rand, 0, 5),
                          .S = thresholds[g_rand_int_range(rand, 0, G_N_ELEMENTS(thresholds))],
                          .gamma = 1};
        const LoggopsParams params = {.o = (double)q.o,
                                      .g = (double)q.g,
                                      .O = (double)q.O,
                                      .S = (double)q.S,
                                      .gamma = 1,
                                      .level = level,
                                      .n_levels = N_LEVELS};
        g_autoptr(Goal) goal = loggops_random_goal(rand, q.S);
        lengthen(goal);
        set_levels(goal, i % 2 ? block : cyclic);
        g_autoptr(LoggopsResult) result = loggops_run(goal, &params);
        uint64_t finish[8], flat[8];
        g_autofree uint32_t *met = g_new(uint32_t, goal_n_ops(goal));
        const gboolean ends = loggops_naive(goal, &q, level, finish, met);
        g_assert_cmpint(ends, ==, result->stuck->len == 0);
        if (!ends)
            continue;
        for (uint32_t host = 0; host < result->n_hosts; host++)
            g_assert_cmpfloat(result->finish[host], ==, (double)finish[host]);
        loggops_assert_certificates(result, goal, &params);
        q.L = (uint64_t)level[FAR].L;
        q.G = (uint64_t)level[FAR].G;
        loggops_naive(goal, &q, NULL, flat, met);
        differ += memcmp(finish, flat, result->n_hosts * sizeof *finish) != 0;
        ended++;
    }
    g_test_message("%d of %d ended, %d are other than with one level", ended, SCHEDULES, differ);
    g_assert_cmpint(ended, >, SCHEDULES / 3);
    g_assert_cmpint(differ, >, ended / 2);
}

// Levels with equal figures give what one level gives, to the bit, also in seconds.
static void assert_equal_levels(const Goal *goal)
{
    const LoggopsParams flat = {
        .L = 2.7e-6, .o = 1.3e-6, .g = 0.9e-6, .G = 0.0731e-9, .O = 0.011e-9, .S = 16, .gamma = 0.3e-9};
    LoggopsLevel level[N_LEVELS];
    for (int k = 0; k < N_LEVELS; k++)
        level[k] = (LoggopsLevel){flat.L, flat.G};
    LoggopsParams equal = flat;
    equal.L = equal.G = 0;
    equal.level = level;
    equal.n_levels = N_LEVELS;
    g_autoptr(LoggopsResult) one = loggops_run(goal, &flat), all = loggops_run(goal, &equal);
    g_assert_cmpmem(one->finish, one->n_hosts * sizeof(double), all->finish, all->n_hosts * sizeof(double));
    g_assert_cmpuint(one->last_host, ==, all->last_host);
    g_assert_cmpmem(one->last.n, sizeof one->last.n, all->last.n, sizeof all->last.n);
    g_assert_true(loggops_time(&one->last, &flat) == loggops_time(&all->last, &equal));
}

// Fails unless every message has the level of its two ranks, which are on the same node of 4 or in the same group of 8.
static void assert_levels(const Goal *goal, const Mapping *map)
{
    const int *node = map->nodes->of;
    for (uint32_t op = 0; op < goal_n_ops(goal); op++) {
        const GoalOp *o = goal_op(goal, op);
        if (o->kind == GOAL_CALC)
            continue;
        const int a = node[o->host], b = node[o->peer];
        g_assert_cmpint(o->level, ==, a == b ? NODE : a / 2 == b / 2 ? GROUP : FAR);
    }
}

static void test_registry(void)
{
    static const LoggopsLevel level[N_LEVELS] = {{200, 1}, {1000, 2}, {2500, 6}};
    const LoggopsParams params = {
        .o = 150, .g = 300, .O = 2, .S = 16, .gamma = 1, .level = level, .n_levels = N_LEVELS};
    static const int ranks[] = {2, 7, 8, 13, 16};
    static const size_t sizes[] = {0, 5, 1000};
    int compared = 0;
    for (int i = 0; i < n_algorithms; i++)
        for (size_t k = 0; k < G_N_ELEMENTS(ranks) * G_N_ELEMENTS(sizes) * 2 && !algorithms[i]->shared; k++) {
            const int p = ranks[k / 6], root = collectives[algorithms[i]->collective].rooted ? p / 2 : 0;
            g_autoptr(Mapping) map = on_nodes(k % 2 ? MAP_BLOCK : MAP_CYCLIC, p, 4);
            // Hierarchical algorithms run on blocks only here.
            const Operation op = loggops_operation(algorithms[i], p, root, sizes[k / 2 % 3], k % 2 ? map->nodes : NULL);
            if (!op.algorithm)
                continue;
            g_autoptr(Goal) goal = goal_record(&op, NULL);
            goal_set_levels(goal, map);
            assert_levels(goal, map);
            g_autoptr(LoggopsResult) result = loggops_run(goal, &params);
            g_assert_cmpuint(result->stuck->len, ==, 0);
            loggops_assert_certificates(result, goal, &params);
            LoggopsLevelCount sum = {0, 0};
            for (int at = 0; at < N_LEVELS; at++) {
                sum.L += result->last.level[at].L;
                sum.G += result->last.level[at].G;
            }
            g_assert_cmpint(sum.L, ==, result->last.n[LOGGOPS_L]);
            g_assert_cmpint(sum.G, ==, result->last.n[LOGGOPS_G]);
            assert_equal_levels(goal);
            compared++;
        }
    g_test_message("%d runs", compared);
    g_assert_cmpint(compared, >, 3500);
}

// Returns a platform with figures of the LogP family, where L and G depend on the level. Free with platform_free.
static Platform *machine(void)
{
    static const char text[] =
        "[levels]\nnode = 2 ranks\ngroup = 2 nodes\n[hockney]\ngamma = 1ns/B\ngamma.source = test\n[loggops]\n"
        "L = 100ns\nL.source = test\nL.node = 10ns\nL.node.source = test\nL.group = 50ns\nL.group.source = test\n"
        "G = 9ns/B\nG.source = test\nG.node = 1ns/B\nG.node.source = test\nG.group = 5ns/B\nG.group.source = test\n"
        "o = 3ns\no.source = test\ng = 2ns\ng.source = test\nO = 2ns/B\nO.source = test\nS = unlimited\n"
        "S.source = test\n";
    g_autoptr(GError) error = NULL;
    Platform *x = platform_parse("machine.ini", text, strlen(text), &error);
    g_assert_no_error(error);
    return x;
}

// A linear bcast of 8 bytes sends to ranks 1, 2, 3 and 4, in this order. Under loggops the sends start at 0, 17, 54 and
// 91 (see test_by_hand), under loggp at 0, 9, 46 and 83 (the NIC's gaps), and under logp at 0, 3, 6 and 9 (the CPU).
static void test_certificates(void)
{
    static const struct {
        const Model *model;
        int p;
        const char *certificate;
        double time_s;
    } cases[] = {
        {&loggops_model, 5, "1 L.far + 3 o + 2 g + 14 G.group + 7 G.far + 7 O", 260e-9},
        {&loggp_model, 5, "1 L.far + 2 o + 3 g + 7 G.node + 14 G.group + 7 G.far", 252e-9},
        {&logp_model, 5, "1 L.far + 5 o", 115e-9},
        {&loggops_model, 2, "1 L.node + 2 o + 7 O", 30e-9},
        {&loggp_model, 2, "1 L.node + 2 o + 7 G.node", 23e-9},
        {&logp_model, 2, "1 L.node + 2 o", 16e-9},
    };
    g_autoptr(Platform) platform = machine();
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const Model *model = cases[i].model;
        g_autoptr(Mapping) map = on_nodes(MAP_BLOCK, cases[i].p, 2);
        const Operation op = loggops_operation(algorithm_find(COLL_BCAST, "linear"), cases[i].p, 0, 8, NULL);
        g_autoptr(GError) error = NULL;
        g_autoptr(Prediction) p =
            model->predict(model, &op, platform, &(PredictOptions){.map = map, .why = true}, &error);
        g_assert_no_error(error);
        g_autofree char *text = model_certificate_text(model, p, G_MAXUINT);
        g_assert_cmpstr(text, ==, cases[i].certificate);
        g_assert_cmpfloat_with_epsilon(p->time_s, cases[i].time_s, 1e-15);
        static const char *const levels[] = {"node", "group", "far"};
        for (guint k = 0; k < p->why->len; k++) {
            const WhyStep *step = &g_array_index(p->why, WhyStep, k);
            const int level = mapping_level(map, step->rank, step->peer);
            g_assert_cmpstr(step->level, ==, levels[level]);
        }
        int64_t sum = 0, total = 0;
        double value = 0;
        for (guint k = 0; k < p->terms->len; k++) {
            const PredictionTerm *term = &g_array_index(p->terms, PredictionTerm, k);
            sum += term->n;
            value += term_worth(&term->term, term->n);
        }
        g_assert_cmpfloat_with_epsilon(value, p->time_s, 1e-18);
        for (int k = 0; k < model->n_terms; k++)
            total += p->count[k];
        g_assert_cmpint(sum, ==, total);
    }
    const Operation op = loggops_operation(algorithm_find(COLL_BCAST, "linear"), 5, 0, 8, NULL);
    // Without a map all ranks are far from each other, and there is one level to count.
    g_autoptr(Prediction) far =
        loggops_model.predict(&loggops_model, &op, platform, &(PredictOptions){.transfer = TRANSFER_RENDEZVOUS}, NULL);
    g_assert_cmpuint(far->terms->len, ==, loggops_model.n_terms);
    g_assert_cmpint(far->count[0], ==, 1);
}

static void add_tests(void)
{
    g_test_add_func("/loggops_levels/by_hand", test_by_hand);
    g_test_add_func("/loggops_levels/random", test_random);
    g_test_add_func("/loggops_levels/registry", test_registry);
    g_test_add_func("/loggops_levels/certificates", test_certificates);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add_tests);
}
