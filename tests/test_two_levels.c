// Exact formulas against simulation, as integers: every entry that has one, also on two levels if it knows them. And the
// closed form of a platform against the prediction, to the last bit.
#include "search/form/closed_form.h"
#include "only.h"
#include "search/search/formulas.h"
#include "sample.h"
#include "tap.h"
#include "registry/composition.h"
#include "registry/registry.h"
#include "api/make.h"
#include <math.h>
#include <string.h>

// ---- Integers -------------------------------------------------------------------------------------------------------

static FormulaTally check_at(const CollAlgorithm *a, const size_t *ranks, guint n)
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(size_t));
    g_array_append_vals(all, ranks, n);
    return formulas_check(a, all);
}

// Every algorithm runs on 8 ranks. On 12 ranks with 3 on a node, as many ranks of a node send as there are others: a sample
// has half of the algorithms there, by their number, and one in four on another number of ranks.
static FormulaTally check(const CollAlgorithm *a, guint number)
{
    static const size_t ranks[] = {4, 6, 8, 9, 12, 16, 18, 27, 32, 36, 48};
    size_t some[G_N_ELEMENTS(ranks)];
    guint n = 0;
    for (guint i = 0; i < G_N_ELEMENTS(ranks); i++)
        if (ranks[i] == 8 || (ranks[i] == 12 && sample_takes(number, 2)) ||
            sample_takes(number * G_N_ELEMENTS(ranks) + i, 4 * G_N_ELEMENTS(ranks)))
            some[n++] = ranks[i];
    return check_at(a, some, n);
}

// The entries that know one level only, or shared memory, where formulas must hold however long flags and reads take.
static void test_one_level(void)
{
    static const size_t ranks[] = {2, 3, 4, 5, 8, 13};
    for (int i = only_first(); i < only_end(); i++) {
        const CollAlgorithm *a = algorithms[i];
        if (a->levels || !a->formula)
            continue;
        FormulaTally t = check_at(a, ranks, G_N_ELEMENTS(ranks));
        g_test_message("%s %s: %d integers\n%s", collectives[a->collective].name, a->name, t.equal, t.told->str);
        g_assert_cmpint(t.different + t.refused, ==, 0);
        g_assert_cmpint(t.equal, >, 0);
        formulas_clear(&t);
    }
}

static void test_registry(void)
{
    int known = 0;
    for (int i = only_first(); i < only_end(); i++) {
        if (!algorithms[i]->levels)
            continue;
        CollAlgorithm levels = *algorithms[i];
        // With several leaders, a formula may not be known on two levels; other parameters change with one leader, too.
        for (int k = 0; k < algorithm_n_params(&levels); k++)
            if (strcmp(levels.params[k].name, "leaders") == 0)
                levels.params[k].def = 1;
        CollAlgorithm flat = levels;
        flat.levels = false;
        FormulaTally with = check(&levels, (guint)i), without = check(&flat, (guint)i);
        g_test_message("%s %s: %d integers on one level, %d on two\n%s", collectives[flat.collective].name, flat.name,
                       without.equal, with.equal - without.equal, with.told->str);
        g_assert_cmpint(with.different + with.refused, ==, 0);
        g_assert_cmpint(with.equal, >, sample_all() ? 3 * without.equal : without.equal);
        formulas_clear(&with);
        formulas_clear(&without);
        known++;
    }
    if (!only_one())
        g_assert_cmpint(known, >=, 8);
}

static int64_t swapped(const CollPoint *x)
{
    CollPoint y = *x;
    y.alpha = x->levels ? x->near_alpha : x->alpha;
    y.near_alpha = x->alpha;
    return call_node_parts_time(&y);
}

static int64_t only_far(const CollPoint *x)
{
    const CollPoint far = point_far(x);
    CollPoint y = far;
    y.nodes = x->nodes;
    return call_node_parts_time(&y);
}

// A formula that takes alpha from the wrong level, or all figures from one, is right on one level only.
static void test_wrong(void)
{
    int64_t (*const wrong[])(const CollPoint *x) = {swapped, only_far};
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        CollAlgorithm a = allreduce_smp_algorithm;
        a.formula = wrong[i];
        FormulaTally t = check(&a, (guint)i);
        g_assert_cmpint(t.different, >, sample_of(1000, 50));
        g_assert_nonnull(strstr(t.told->str, "nodes of 2, cyclic"));
        formulas_clear(&t);
        a.levels = false;
        t = check(&a, (guint)i);
        g_assert_cmpint(t.different, ==, 0);
        formulas_clear(&t);
    }
}

// ---- Platforms ------------------------------------------------------------------------------------------------------

#define FIGURES                                                                                                        \
    "[hockney]\nalpha = 1.7us\nalpha.source = x\nbeta = 0.09ns/B\nbeta.source = x\ngamma = 0.031ns/B\n"                \
    "gamma.source = x\nalpha.node = 0.37us\nalpha.node.source = x\nbeta.node = 0.14ns/B\nbeta.node.source = x\n"

typedef struct LevelCase {
    const char *platform; // what comes before and after the figures
    Collective collective;
    const char *algorithm;
    int leaders; // of multi_leader; else 0
    int p;
    MapSpec map;
    bool known;
} LevelCase;

#define TWO     "[levels]\nnode = 8 ranks\n" FIGURES
#define SOCKETS "[levels]\nsocket = 4 ranks\nnode = 2 sockets\n" FIGURES
#define GROUPS  "[levels]\nnode = 4 ranks\ngroup = 2 nodes\n" FIGURES "alpha.group = 1us\nalpha.group.source = x\n"
#define NICS    TWO "[node]\nnic.rate = 12.5GB/s\nnic.rate.source = x\n"
#define MEMORY  TWO "[node]\nmemory = 0.4\nmemory.source = x\n"

static const LevelCase cases[] = {
    {TWO, COLL_ALLREDUCE, "smp", 0, 48, {.kind = MAP_BLOCK, .k = 8}, true},
    {TWO, COLL_ALLREDUCE, "smp", 0, 48, {.kind = MAP_CYCLIC, .k = 8}, true},
    {TWO, COLL_ALLREDUCE, "smp", 0, 36, {.kind = MAP_BLOCK, .k = 3}, true},
    {TWO, COLL_ALLREDUCE, "smp", 0, 35, {.kind = MAP_BLOCK, .k = 3}, false}, // a smaller node
    {TWO, COLL_ALLREDUCE, "multi_leader", 1, 48, {.kind = MAP_BLOCK, .k = 8}, true},
    {TWO, COLL_ALLREDUCE, "multi_leader", 4, 48, {.kind = MAP_CYCLIC, .k = 8}, true},
    {TWO, COLL_ALLREDUCE, "multi_leader", 3, 48, {.kind = MAP_BLOCK, .k = 8}, false},
    {TWO, COLL_ALLREDUCE, "lane", 0, 48, {.kind = MAP_CYCLIC, .k = 8}, true},
    {TWO, COLL_ALLREDUCE, "lane", 0, 42, {.kind = MAP_BLOCK, .k = 6}, true},
    {TWO, COLL_BARRIER, "smp", 0, 40, {.kind = MAP_CYCLIC, .k = 8}, true},
    {TWO, COLL_BCAST, "smp", 0, 56, {.kind = MAP_BLOCK, .k = 8}, true},
    {TWO, COLL_REDUCE, "smp", 0, 24, {.kind = MAP_CYCLIC, .k = 4}, true},
    {TWO, COLL_SCAN, "smp", 0, 64, {.kind = MAP_BLOCK, .k = 8}, true},
    {TWO, COLL_SCAN, "smp_exscan", 0, 64, {.kind = MAP_BLOCK, .k = 8}, true},
    {TWO, COLL_SCAN, "smp_exscan", 0, 18, {.kind = MAP_BLOCK, .k = 9}, false}, // the last rank is not done last
    {TWO, COLL_SCAN, "smp", 0, 18, {.kind = MAP_BLOCK, .k = 9}, true},
    {TWO, COLL_BCAST, "han", 0, 48, {.kind = MAP_CYCLIC, .k = 8}, true},
    {TWO, COLL_REDUCE, "han", 0, 48, {.kind = MAP_BLOCK, .k = 8}, true},
    {TWO, COLL_ALLREDUCE, "han", 0, 48, {.kind = MAP_CYCLIC, .k = 8}, true},
    {TWO, COLL_ALLREDUCE, "han", 0, 35, {.kind = MAP_BLOCK, .k = 3}, false},
    {TWO, COLL_BARRIER, "han", 0, 40, {.kind = MAP_BLOCK, .k = 8}, true},
    {TWO, COLL_GATHER, "han", 0, 48, {.kind = MAP_CYCLIC, .k = 8}, true},
    {TWO, COLL_SCATTER, "han", 0, 42, {.kind = MAP_BLOCK, .k = 6}, true},
    {TWO, COLL_ALLGATHER, "han", 0, 24, {.kind = MAP_CYCLIC, .k = 8}, true},
    {TWO, COLL_ALLTOALL, "han", 0, 16, {.kind = MAP_BLOCK, .k = 8}, true},
    {TWO, COLL_ALLTOALL, "han", 0, 24, {.kind = MAP_BLOCK, .k = 8}, false}, // three nodes
    // Formulas of one level hold where all ranks are on one level.
    {TWO, COLL_ALLREDUCE, "ring", 0, 48, {.kind = MAP_BLOCK, .k = 8}, false},
    {TWO, COLL_ALLREDUCE, "ring", 0, 8, {.kind = MAP_BLOCK, .k = 8}, true},
    {TWO, COLL_ALLREDUCE, "ring", 0, 48, {.kind = MAP_NONE}, true},
    {TWO, COLL_ALLREDUCE, "ring", 0, 48, {.kind = MAP_CYCLIC, .k = 1}, true},
    // More levels, or two of several.
    {SOCKETS, COLL_ALLREDUCE, "smp", 0, 48, {.kind = MAP_BLOCK, .k = 8}, false},
    {SOCKETS, COLL_ALLREDUCE, "smp", 0, 48, {.kind = MAP_BLOCK, .k = 4}, true},
    {GROUPS, COLL_ALLREDUCE, "smp", 0, 16, {.kind = MAP_BLOCK, .k = 4}, false},
    {GROUPS, COLL_ALLREDUCE, "smp", 0, 8, {.kind = MAP_CYCLIC, .k = 4}, true},
    {GROUPS, COLL_ALLREDUCE, "ring", 0, 8, {.kind = MAP_NONE}, false},
    {GROUPS, COLL_ALLREDUCE, "ring", 0, 2, {.kind = MAP_NONE}, true},
    // What a node's ranks share.
    {NICS, COLL_ALLREDUCE, "smp", 0, 48, {.kind = MAP_BLOCK, .k = 8}, false},
    {NICS, COLL_ALLREDUCE, "ring", 0, 8, {.kind = MAP_BLOCK, .k = 8}, true}, // no message leaves the node
    {MEMORY, COLL_ALLREDUCE, "smp", 0, 48, {.kind = MAP_BLOCK, .k = 8}, false},
    {MEMORY, COLL_ALLREDUCE, "ring", 0, 48, {.kind = MAP_NONE}, true},
};

static void check_case(const LevelCase *x, Transfer transfer, size_t m)
{
    const CollAlgorithm *a = algorithm_find(x->collective, x->algorithm);
    g_autoptr(Platform) platform = platform_parse("box.ini", x->platform, strlen(x->platform), NULL);
    g_assert_nonnull(platform);
    g_autoptr(Mapping) map = mapping_new(&x->map, &platform->levels, x->p, NULL);
    Coll all = {.p = x->p, .elem = 1, .commutative = true, .nodes = map->nodes, .par = algorithm_defaults(a)};
    all.par.leaders = x->leaders ? x->leaders : all.par.leaders;
    all.par.segment = 0; // no form is known for several segments
    Operation op = {a, coll_make(a->collective, &all, 0, m, NULL), m};
    const char *why;
    g_assert_true(coll_resolve(a, &op.c, &why) == a);
    const PredictOptions options = {.transfer = transfer, .map = map};
    g_autoptr(Prediction) due = hockney_model.predict(&hockney_model, &op, platform, &options, NULL);
    const double t = closed_form(&op, platform, map, transfer == TRANSFER_EAGER, due->time_s);
    g_test_message("%s %s, p = %d, map %d:%d, %s: %.17g, simulated %.17g", collectives[a->collective].name, a->name,
                   x->p, (int)x->map.kind, x->map.k, transfer_names[transfer], t, due->time_s);
    if (x->known)
        g_assert_cmpfloat_with_epsilon(t, due->time_s, 1e-14 * due->time_s);
    else
        g_assert_true(isnan(t));
    // The counts are those of the flat formula. They exist only if no other level and nothing shared is involved.
    int64_t count[3];
    const bool flat = closed_form_counts(&op, platform, transfer == TRANSFER_EAGER, count);
    g_assert_true(!flat ||
                  (x->known && due->count[0] == count[0] && due->count[1] == count[1] && due->terms->len == 3));
}

static void test_platforms(void)
{
    int counts = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
        for (Transfer transfer = TRANSFER_RENDEZVOUS; transfer <= TRANSFER_EAGER; transfer++) {
            const bool barrier = cases[i].collective == COLL_BARRIER;
            check_case(&cases[i], transfer, barrier ? 0 : closed_form_least(cases[i].p, 1));
            check_case(&cases[i], transfer, barrier ? 0 : 64 * closed_form_unit(cases[i].p, 1));
            counts++;
        }
    g_assert_cmpint(counts, ==, 2 * (int)G_N_ELEMENTS(cases));
}

// A form of equal parts of segments applies only where elements can be cut so.
static void test_parts(void)
{
    enum { P = 16, ELEM = 8 };
    static const struct {
        size_t segment;
        bool known;
    } segments[] = {
        {0, true},     {P * ELEM, true}, {P * ELEM / 2, false}, // half an element each
        {1024, true},  {1032, false},                           // another element for one of them
        {1280, false},                                          // the last segment is shorter
        {65536, true},
    };
    const CollAlgorithm *a = &allreduce_lane_overlap_algorithm;
    const size_t m = 4 * closed_form_unit(P, ELEM);
    g_autoptr(Platform) platform = platform_parse("box.ini", TWO, strlen(TWO), NULL);
    g_autoptr(Mapping) map = mapping_new(&(MapSpec){.kind = MAP_BLOCK, .k = 4}, &platform->levels, P, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(segments); i++) {
        Coll all = {.p = P, .elem = ELEM, .commutative = true, .nodes = map->nodes, .par = algorithm_defaults(a)};
        all.par.segment = segments[i].segment;
        const Operation op = {a, coll_make(a->collective, &all, 0, m, NULL), m};
        g_autoptr(Prediction) due =
            hockney_model.predict(&hockney_model, &op, platform, &(PredictOptions){.map = map}, NULL);
        const double t = closed_form(&op, platform, map, false, due->time_s);
        g_test_message("segment %zu: %.17g, simulated %.17g", segments[i].segment, t, due->time_s);
        if (segments[i].known)
            g_assert_cmpfloat_with_epsilon(t, due->time_s, 1e-14 * due->time_s);
        else
            g_assert_true(isnan(t));
    }
}

static void add(void)
{
    g_test_add_func("/two-levels/one", test_one_level);
    g_test_add_func("/two-levels/registry", test_registry);
    if (only_one())
        return;
    g_test_add_func("/two-levels/wrong", test_wrong);
    g_test_add_func("/two-levels/platforms", test_platforms);
    g_test_add_func("/two-levels/parts", test_parts);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
