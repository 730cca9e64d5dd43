// In the LogP family, few hosts that stand for all give what a run of every host gives: at every host the same time and
// certificate, to the bit. On random graphs whose hosts are alike, and on the registry, flat and on nodes. The figures
// are so small that many events come at the same time, where the order of hosts may matter.
#include "engine/loggops/goal_record.h"
#include "loggops_check.h"
#include "engine/model/model.h"
#include "only.h"
#include "registry/composition.h"
#include "registry/registry.h"
#include "engine/schedule/record.h"
#include "sample.h"
#include "tap.h"
#include <math.h>
#include <string.h>

typedef struct SeenHosts {
    int held, given_up; // runs of few hosts that stood for all, and those that could not
} SeenHosts;

// Compares what few hosts say with a run of all, which must end if they do.
static void compare(const LoggopsResult *few, const LoggopsResult *all, SeenHosts *seen)
{
    if (!few) {
        seen->given_up++;
        return;
    }
    seen->held++;
    g_assert_cmpuint(all->stuck->len, ==, 0);
    for (uint32_t host = 0; host < all->n_hosts; host++) {
        const LoggopsStamp a = loggops_stamp(few, host % few->n_hosts), b = loggops_stamp(all, host);
        g_assert_true(a.t == b.t);
        g_assert_cmpmem(a.n, sizeof a.n, b.n, sizeof b.n);
        if (few->params.n_levels > 0)
            g_assert_cmpmem(a.level, (gsize)few->params.n_levels * sizeof *a.level, b.level,
                            (gsize)all->params.n_levels * sizeof *b.level);
        g_free(a.level);
        g_free(b.level);
    }
    g_assert_cmpuint(few->last_host, ==, all->last_host);
}

// ---- Random graphs --------------------------------------------------------------------------------------------------

// What hosts that are alike do: an operation for each, with how far the peer is.
typedef struct Draft {
    GoalKind kind;
    uint32_t host, distance, size;
    uint32_t before[2]; // operations of the same host that it waits for, or itself for none
} Draft;

typedef struct Drafts {
    uint32_t p, n_hosts, n;
    gboolean is_xor;
    Draft of[64];
} Drafts;

static uint32_t beyond(const Drafts *d, uint32_t host, uint32_t distance)
{
    return d->is_xor ? host ^ distance : (host + distance) % d->p;
}

static void add_draft(Drafts *d, GRand *rand, GoalKind kind, uint32_t host, uint32_t distance, uint32_t size)
{
    d->of[d->n++] = (Draft){kind, host, distance, size, {0, 0}};
    // Puts it among the others, of whichever hosts: goals are made host by host.
    const uint32_t at = (uint32_t)g_rand_int_range(rand, 0, (gint32)d->n);
    const Draft x = d->of[at];
    d->of[at] = d->of[d->n - 1];
    d->of[d->n - 1] = x;
}

static void draw(Drafts *d, GRand *rand)
{
    static const uint32_t shifts[][2] = {{2, 1}, {3, 1}, {5, 1}, {4, 2}, {6, 2}, {6, 3}, {8, 4}, {9, 3}, {7, 1}};
    static const uint32_t xors[][2] = {{2, 1}, {4, 1}, {4, 2}, {8, 2}, {8, 1}};
    d->is_xor = g_rand_boolean(rand);
    const uint32_t *size = d->is_xor ? xors[g_rand_int_range(rand, 0, G_N_ELEMENTS(xors))]
                                     : shifts[g_rand_int_range(rand, 0, G_N_ELEMENTS(shifts))];
    d->p = size[0];
    d->n_hosts = size[1];
    d->n = 0;
    const int messages = g_rand_int_range(rand, 1, 9), calcs = g_rand_int_range(rand, 0, 4);
    for (int i = 0; i < messages; i++) {
        const uint32_t from = (uint32_t)g_rand_int_range(rand, 0, (gint32)d->n_hosts);
        const uint32_t distance = (uint32_t)g_rand_int_range(rand, 0, (gint32)d->p);
        const uint32_t bytes = (uint32_t)g_rand_int_range(rand, 1, 4);
        add_draft(d, rand, GOAL_SEND, from, distance, bytes);
        add_draft(d, rand, GOAL_RECV, beyond(d, from, distance) % d->n_hosts, distance, bytes);
    }
    for (int i = 0; i < calcs; i++)
        add_draft(d, rand, GOAL_CALC, (uint32_t)g_rand_int_range(rand, 0, (gint32)d->n_hosts), 0,
                  (uint32_t)g_rand_int_range(rand, 0, 3));
    for (uint32_t i = 0; i < d->n; i++)
        for (int k = 0; k < 2; k++) {
            const uint32_t before = (uint32_t)g_rand_int_range(rand, 0, (gint32)i + 1);
            d->of[i].before[k] = d->of[before].host == d->of[i].host ? before : i;
        }
}

enum { LEVELS = 3 };

// Returns the graph of the first `n` hosts of the drafts, n being p or n_hosts. A message's level is that of its distance.
static Goal *graph_of(const Drafts *d, uint32_t n)
{
    Goal *goal = goal_new(n);
    for (uint32_t host = 0; host < n; host++) {
        uint32_t op[G_N_ELEMENTS(d->of)];
        for (uint32_t i = 0; i < d->n; i++) {
            const Draft *x = &d->of[i];
            if (x->host != host % d->n_hosts)
                continue;
            // A receive is as far from its sender as that says.
            const uint32_t away = x->kind == GOAL_RECV && !d->is_xor ? (d->p - x->distance) % d->p : x->distance;
            const uint32_t peer = x->kind == GOAL_CALC ? 0 : beyond(d, host, away) % n;
            op[i] = goal_add(goal, host, x->kind, x->size, peer, x->kind == GOAL_CALC ? 0 : x->distance);
            if (x->kind != GOAL_CALC)
                goal_set_level(goal, op[i], (int)(x->distance % LEVELS));
            for (int k = 0; k < 2; k++)
                if (x->before[k] != i)
                    (k ? goal_irequire : goal_require)(goal, op[i], op[x->before[k]]);
        }
    }
    return goal;
}

static void test_random(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(sample_seed(20261126));
    const int graphs = sample_of(40000, 8000);
    SeenHosts seen = {0};
    for (int i = 0; i < graphs; i++) {
        static const double thresholds[] = {0, 2, INFINITY};
        LoggopsLevel level[LEVELS];
        for (int k = 0; k < LEVELS; k++)
            level[k] = (LoggopsLevel){g_rand_int_range(rand, 0, 4), g_rand_int_range(rand, 0, 2)};
        const LoggopsParams params = {.o = g_rand_int_range(rand, 0, 3),
                                      .g = g_rand_int_range(rand, 0, 3),
                                      .O = g_rand_int_range(rand, 0, 2),
                                      .S = thresholds[g_rand_int_range(rand, 0, 3)],
                                      .gamma = 1,
                                      .level = level,
                                      .n_levels = LEVELS};
        Drafts d;
        draw(&d, rand);
        g_autoptr(Goal) whole = graph_of(&d, d.p), part = graph_of(&d, d.n_hosts);
        g_autoptr(LoggopsResult) all = loggops_run(whole, &params);
        g_autoptr(LoggopsResult) few = loggops_run_few(part, &params, &(LoggopsFew){d.p, d.is_xor});
        compare(few, all, &seen);
    }
    g_test_message("few hosts stood for all in %d graphs, and not in %d", seen.held, seen.given_up);
    g_assert_cmpint(seen.held, >, graphs / 20);
    g_assert_cmpint(seen.given_up, >, graphs / 20);
}

// ---- The registry ---------------------------------------------------------------------------------------------------

enum { MACHINES = 6 };

// Figures as text, in ns: those of a network, all equal, nothing but a latency, no latency, and small ones.
static const char *const figures[MACHINES][6] = {
    // L, o, g, G, O, S
    {"1000", "250", "300", "0.05", "0.01", "unlimited"},
    {"1", "1", "1", "1", "1", "unlimited"},
    {"1", "0", "0", "0", "0", "unlimited"},
    {"0", "1", "2", "1", "0", "16"},
    {"2", "1", "3", "0", "1", "0"},
    {"3", "1", "1", "1", "2", "16"},
};

// Returns a machine with these figures; with levels, L and G are larger beyond a node. Free with platform_free.
static Platform *machine(const char *const *x, const char *levels)
{
    static const char *const names[] = {"L", "o", "g", "G", "O", "S"};
    g_autoptr(GString) text = g_string_new(levels);
    g_string_append(text, "[hockney]\ngamma = 0.2ns/B\ngamma.source = test\n[loggops]\n");
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        const char *unit = i == 5 ? "" : i < 3 ? "ns" : "ns/B";
        g_string_append_printf(text, "%s = %s%s\n%s.source = test\n", names[i], x[i], unit, names[i]);
        if (*levels && (i == 0 || i == 3))
            g_string_append_printf(text, "%s.node = %d%s\n%s.node.source = test\n", names[i], 1, unit, names[i]);
    }
    g_autoptr(GError) error = NULL;
    Platform *platform = platform_parse("machine.ini", text->str, text->len, &error);
    g_assert_no_error(error);
    return platform;
}

// Predicts with few ranks and with all, and compares the answers.
static void compare_predictions(const Model *model, const Operation *op, const Platform *platform, const Mapping *map,
                                SeenHosts *seen)
{
    g_autoptr(GError) error = NULL;
    PredictOptions o = {.map = map};
    g_autoptr(Prediction) few = model->predict(model, op, platform, &o, &error);
    g_assert_no_error(error);
    if (few->ranks_simulated == op->c.p) {
        seen->given_up++;
        return;
    }
    seen->held++;
    o.full = true;
    g_autoptr(Prediction) all = model->predict(model, op, platform, &o, &error);
    g_assert_no_error(error);
    g_assert_cmpint(all->ranks_simulated, ==, op->c.p);
    g_assert_true(few->time_s == all->time_s);
    g_assert_cmpuint(all->stuck->len, ==, 0);
    g_autofree char *a = model_certificate_text(model, few, G_MAXUINT),
                    *b = model_certificate_text(model, all, G_MAXUINT);
    g_assert_cmpstr(a, ==, b);
}

// Compares the times and certificates of all ranks.
static void compare_hosts(const Operation *op, const Platform *platform, SeenHosts *seen)
{
    const double *v = platform->value;
    const LoggopsParams params = {
        v[KEY_L], v[KEY_O_CPU], v[KEY_G_GAP], v[KEY_G_BYTE], v[KEY_O_BYTE], v[KEY_S], v[KEY_GAMMA], NULL, 0};
    Schedule *s = schedule_record(op, NULL);
    const int n = schedule_period(s);
    if (n < s->p) {
        g_autoptr(Goal) whole = goal_record(op, NULL), part = goal_record_few(op, n, s->peers, NULL, NULL);
        g_autoptr(LoggopsResult) all = loggops_run(whole, &params);
        g_autoptr(LoggopsResult) few =
            loggops_run_few(part, &params, &(LoggopsFew){(uint32_t)s->p, s->peers == PEERS_XOR});
        compare(few, all, seen);
    }
    schedule_free(s);
}

// Visits one algorithm; *point numbers the points, of which a sample takes some.
static void visit(const CollAlgorithm *a, const char *levels, const char *of_map, guint *point, SeenHosts *answers,
                  SeenHosts *hosts)
{
    static const Model *const family[] = {&loggops_model, &loggp_model, &logp_model};
    static const int ranks[] = {2, 3, 8, 12, 16};
    static const size_t sizes[] = {0, 24, 4800};
    for (int f = 0; f < MACHINES; f++) {
        g_autoptr(Platform) platform = machine(figures[f], levels);
        for (size_t i = 0; i < G_N_ELEMENTS(ranks) * G_N_ELEMENTS(sizes); i++) {
            if (!sample_takes((*point)++, 3))
                continue;
            const int p = ranks[i / 3], root = collectives[a->collective].rooted ? p / 2 : 0;
            g_autoptr(Mapping) map = NULL;
            if (*levels) {
                const MapSpec spec = {.kind = *of_map == 'b' ? MAP_BLOCK : MAP_CYCLIC, .k = 4};
                map = mapping_new(&spec, &platform->levels, p, NULL);
            }
            const Operation op = loggops_operation(a, p, root, sizes[i % 3], map && *of_map == 'b' ? map->nodes : NULL);
            if (!op.algorithm || algorithm_shared_part(op.algorithm, &op.c.par))
                continue;
            for (size_t k = 0; k < G_N_ELEMENTS(family); k++)
                compare_predictions(family[k], &op, platform, map, answers);
            if (!map)
                compare_hosts(&op, platform, hosts);
        }
    }
}

static void visit_all(const char *levels, const char *of_map, int least)
{
    SeenHosts answers = {0}, hosts = {0};
    guint point = 0;
    for (int i = only_first(); i < only_end(); i++)
        if (!algorithms[i]->shared)
            visit(algorithms[i], levels, of_map, &point, &answers, &hosts);
    g_test_message("%d answers are of few ranks and %d of all; hosts: %d and %d", answers.held, answers.given_up,
                   hosts.held, hosts.given_up);
    if (!only_one())
        g_assert_cmpint(answers.held, >, sample_of(least, least / 5));
}

static void test_registry(void)
{
    visit_all("", "", 1000);
}

static void test_nodes(void)
{
    visit_all("[levels]\nnode = 4 ranks\n", "block", 100);
    visit_all("[levels]\nnode = 4 ranks\n", "cyclic", 100);
}

static void add_tests(void)
{
    g_test_add_func("/loggops_few/random", test_random);
    g_test_add_func("/loggops_few/registry", test_registry);
    g_test_add_func("/loggops_few/nodes", test_nodes);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add_tests);
}
