// The times of a reduction over a tree (algos/times/tree_time.c) against the replay, rank by rank: many segments, most
// of which the formula passes over, on one level and on two, with ranks that begin at different times.
#include "api/make.h"
#include "engine/replay/replay.h"
#include "engine/schedule/record.h"
#include "machine/platform/mapping.h"
#include "registry/composition.h"
#include "registry/registry.h"
#include "search/form/closed_form.h"
#include "sample.h"
#include "shapes/tree.h"
#include "tap.h"
#include "times/times.h"

enum { SEGMENT_BYTES = 3, MOST_P = 24 };

typedef struct TreeCosts {
    int64_t near_alpha, near_beta, alpha, beta, gamma;
} TreeCosts;

// Draws costs, often alike, so that messages race, and segments repeat in various ways. Each message takes time:
// the rules do not fix the order of those that take none.
static TreeCosts draw_costs(GRand *random)
{
    static const int most[] = {1, 4, 40};
    int64_t k[5];
    for (size_t i = 0; i < G_N_ELEMENTS(k); i++)
        k[i] = g_rand_int_range(random, 0, most[g_rand_int_range(random, 0, G_N_ELEMENTS(most))] + 1);
    return (TreeCosts){1 + k[0], k[1], 1 + k[2], k[3], k[4]};
}

// Returns the nodes of this many ranks each, in blocks or in turn; NULL for one level.
static Mapping *nodes_of(int p, int per_node, bool in_turn)
{
    if (per_node == 0)
        return NULL;
    Levels levels;
    levels_init(&levels);
    levels_add(&levels, "node", (size_t)per_node);
    Mapping *map = mapping_new(&(MapSpec){.kind = in_turn ? MAP_CYCLIC : MAP_BLOCK, .k = per_node}, &levels, p, NULL);
    levels_clear(&levels);
    g_assert_nonnull(map);
    return map;
}

// Sets ends[] to what the replay says of each rank.
static void replay_ends(const Operation *op, const Mapping *map, const TreeCosts *k, bool eager, const double *start,
                        int64_t *ends)
{
    static const char *const names[] = {"node", "far"};
    SiteCharges charges[2];
    site_textbook(charges[0], (double)k->near_alpha, (double)k->near_beta, (double)k->gamma);
    site_textbook(charges[1], (double)k->alpha, (double)k->beta, (double)k->gamma);
    const SiteFigures figures = {.charges = charges};
    g_autoptr(Site) site = map ? site_new(map, names, &figures) : NULL;
    const Hockney h = {(double)k->alpha, (double)k->beta, (double)k->gamma,
                       eager ? TRANSFER_EAGER : TRANSFER_RENDEZVOUS, site};
    Schedule *s = schedule_admit(op, NULL, 0, NULL, NULL);
    g_assert_nonnull(s);
    g_autoptr(Replay) r =
        replay(s, &h, &(ReplayOptions){.start = start, .full = true, .clocks = true, .times = true}, NULL);
    g_assert_nonnull(r);
    for (int v = 0; v < op->c.p; v++)
        ends[v] = (int64_t)r->clocks[v].t;
    schedule_free(s);
}

// Compares all ranks' ends of a reduction over one tree.
static void compare(int p, int tree, int S, const Mapping *map, const TreeCosts *k, bool eager, const double *start)
{
    const CollAlgorithm *a = &reduce_generic_algorithm;
    const size_t m = (size_t)S * SEGMENT_BYTES;
    CollParams par = algorithm_defaults(a);
    par.choice = tree;
    par.segment = SEGMENT_BYTES;
    const Coll all = {.p = p, .elem = 1, .commutative = true, .nodes = map ? map->nodes : NULL, .par = par};
    const Operation op = {a, coll_make(COLL_REDUCE, &all, 0, m, NULL), m};
    int64_t ends[MOST_P], times[MOST_P];
    replay_ends(&op, map, k, eager, start, ends);

    CollPoint x = closed_form_point(&op, eager);
    x.levels = map != NULL;
    x.near_alpha = k->near_alpha;
    x.near_beta = k->near_beta;
    x.alpha = k->alpha;
    x.beta = k->beta;
    x.gamma = k->gamma;
    for (int v = 0; v < p; v++)
        times[v] = start ? (int64_t)start[v] : 0;
    tree_reduce_times(&x, tree_chosen, 0, times);
    for (int v = 0; v < p; v++)
        if (times[v] != ends[v])
            g_error("tree %s p=%d S=%d, %s, %s, alpha %d, %s: rank %d ends at %d, in the replay at %d",
                    tree_names[tree], p, S, map ? (map->nodes->ordered ? "nodes" : "nodes in turn") : "one level",
                    eager ? "eager" : "rendezvous", (int)k->alpha, start ? "skewed" : "together", v, (int)times[v],
                    (int)ends[v]);
}

static void test_reduce(void)
{
    static const int ranks[] = {2, 5, 8, 13, 24}, segments[] = {1, 7, 64, 65, 127, 130, 301};
    g_autoptr(GRand) random = g_rand_new_with_seed(sample_seed(7));
    int compared = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(ranks); i++)
        for (int tree = 0; tree <= TREE_KNOMIAL; tree++)
            for (int nodes = 0; nodes < 3; nodes++) { // one level, blocks, in turn
                const int p = ranks[i], per_node = nodes == 0 ? 0 : p % 4 == 0 ? 4 : p;
                g_autoptr(Mapping) map = nodes_of(p, per_node, nodes == 2);
                for (size_t j = 0; j < G_N_ELEMENTS(segments); j++) {
                    double start[MOST_P];
                    for (int v = 0; v < p; v++)
                        start[v] = g_rand_int_range(random, 0, 400);
                    const TreeCosts costs = draw_costs(random), *k = &costs;
                    for (int eager = 0; eager < 2; eager++) {
                        compare(p, tree, segments[j], map, k, eager, NULL);
                        compare(p, tree, segments[j], map, k, eager, start);
                        compared += 2;
                    }
                }
            }
    g_test_message("%d reductions", compared);
}

// On many ranks, times are kept, under the ranks' places in the tree. They must be those of the recurrence, whatever was
// asked for before, and by whatever name.
static void test_known(void)
{
    static const CollTree trees[] = {tree_binary, tree_binary_in_order, tree_chosen};
    enum { P = 1 << 13, BYTES = 12 * SEGMENT_BYTES };
    for (int i = 0; i < 144; i++) {
        const int k = i / 2 % 3 + 1, S = i % 2 ? 4 : 2; // costs in proportion, and others
        const CollTree tree = trees[i / 6 % 3];
        const CollPoint x = {.p = P,
                             .m = BYTES,
                             .alpha = 7 * k,
                             .beta = 2 * k,
                             .gamma = i / 36 % 2 ? 5 * k : 3 * k + i / 72,
                             .eager = i / 18 % 2,
                             .par = {.segment = BYTES / (size_t)S,
                                     .max_requests = i % 5,
                                     .radix = 2,
                                     .choice = i / 3 % 2 ? TREE_BINARY : TREE_IN_ORDER_BINOMIAL}};
        const int root = tree == tree_binary_in_order ? P - 1 : 0;
        g_autofree int64_t *reduced = g_new0(int64_t, P), *sent = g_new0(int64_t, P);
        tree_reduce_times(&x, tree, root, reduced);
        tree_bcast_times(&x, tree, root, sent);
        g_assert_cmpint(tree_reduce_time(&x, tree, root), ==, reduced[root]);
        g_assert_cmpint(tree_bcast_time(&x, tree, root), ==, times_latest(sent, P));
    }
}

static void add(void)
{
    g_test_add_func("/tree-time/reduce", test_reduce);
    g_test_add_func("/tree-time/known", test_known);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
