// The registry as a whole: it is sorted, its names are unique, every entry has a formula for T or says why not, and
// every algorithm of the libraries and documents is covered by an entry or has a reason why not.
#include "api/backend.h"
#include "api/make.h"
#include "api/integers.h"
#include "registry/composition.h"
#include "registry/coverage.h"
#include "registry/fault.h"
#include "registry/registry.h"
#include "only.h"
#include "judge/prove/nodes.h"
#include "tap.h"
#include "times/times.h"
#include <string.h>

static const char *name_of(const CollAlgorithm *a)
{
    return collectives[a->collective].name;
}

static void test_order(void)
{
    for (int i = 1; i < n_algorithms; i++) {
        const CollAlgorithm *a = algorithms[i - 1], *b = algorithms[i];
        const int order = strcmp(name_of(a), name_of(b));
        g_test_message("%s %s, %s %s", name_of(a), a->name, name_of(b), b->name);
        g_assert_true(order < 0 || (order == 0 && strcmp(a->name, b->name) < 0));
    }
}

// Returns the number of presets that the entry has for an alias. The copy has their values, and the entry's text.
static int check_presets(const CollAlgorithm *a, const char *alias, const CollAlgorithm *found)
{
    int n = 0;
    for (int i = 0; i < COLL_MAX_PRESETS && a->presets[i].alias; i++) {
        const CollPreset *preset = &a->presets[i];
        if (strcmp(preset->alias, alias) != 0)
            continue;
        const CollParam *param = algorithm_param(found, preset->param), *of_entry = algorithm_param(a, preset->param);
        g_assert_true(param && of_entry);
        if (param->kind == PARAM_ALGORITHM) {
            g_assert_cmpstr(param->algorithm, ==, preset->part);
            g_assert_cmpstr(param->algorithm, !=, of_entry->algorithm);
        } else {
            g_assert_cmpint(param->def, ==, preset->value);
            g_assert_cmpint(param->def, !=, of_entry->def);
        }
        n++;
    }
    return n;
}

// Every name and every alias of an entry leads to that entry, or to a copy of it if the alias sets parameters.
static void test_names(void)
{
    for (int i = only_first(); i < only_end(); i++) {
        const CollAlgorithm *a = algorithms[i];
        int presets = 0;
        g_assert_true(algorithm_find(a->collective, a->name) == a);
        for (int k = 0; k < COLL_MAX_ALIASES && a->aliases[k]; k++) {
            g_test_message("%s %s", name_of(a), a->aliases[k]);
            const CollAlgorithm *found = algorithm_find(a->collective, a->aliases[k]);
            presets += check_presets(a, a->aliases[k], found);
            g_assert_true(algorithm_at(algorithm_number(found)) == found);
            g_assert_true(found->run == a->run);
            g_assert_cmpstr(found->name, ==, found == a ? a->name : a->aliases[k]);
        }
        for (int k = 0; k < COLL_MAX_PRESETS && a->presets[k].alias; k++)
            presets--;
        g_assert_cmpint(presets, ==, 0); // so each of them is of an alias
    }
}

// Entries that were added are found by their names and aliases, wherever their names belong in the list, and so are all others.
static void test_added(void)
{
    static const CollAlgorithm mine[] = {
        {.collective = COLL_ALLGATHER, .name = "a_first", .aliases = {"lab:1"}},
        {.collective = COLL_REDUCE, .name = "zz_last", .aliases = {"lab:1", "lab:2"}},
        {.collective = COLL_REDUCE, .name = "mine"},
        {.collective = COLL_SCATTERV,
         .name = "zz_last",
         .params = {{.name = "x"}},
         .aliases = {"lab:set"},
         .presets = {{"lab:set", "x", 7, NULL}}},
    };
    const int before = n_algorithms;
    for (int i = 0; i < (int)G_N_ELEMENTS(mine); i++) {
        g_assert_null(algorithm_find(mine[i].collective, mine[i].name));
        algorithm_add(&mine[i]);
        test_order();
        test_names();
    }
    g_assert_cmpint(n_algorithms, ==, before + (int)G_N_ELEMENTS(mine));
    g_assert_true(algorithm_of_alias(COLL_REDUCE, "lab:1") == &mine[1]);
    g_assert_true(algorithm_of_alias(COLL_SCATTERV, "lab:set") == &mine[3]);
    g_assert_cmpint(algorithm_find(COLL_SCATTERV, "lab:set")->params[0].def, ==, 7);
    g_assert_null(algorithm_of_alias(COLL_BCAST, "lab:1"));
    g_assert_null(algorithm_of_alias(COLL_REDUCE, "mine")); // which is a name
    algorithm_remove_added();
    g_assert_cmpint(n_algorithms, ==, before);
    for (int i = 0; i < (int)G_N_ELEMENTS(mine); i++)
        g_assert_null(algorithm_find(mine[i].collective, mine[i].name));
}

static void test_entries(void)
{
    for (int i = only_first(); i < only_end(); i++) {
        const CollAlgorithm *a = algorithms[i];
        g_test_message("%s %s", name_of(a), a->name);
        g_autofree char *fault = fault_in_entry(a), *names = fault_in_names(a);
        g_assert_cmpstr(fault, ==, NULL);
        g_assert_cmpstr(names, ==, NULL);
    }
}

static void no_text(const Coll *c)
{
    (void)c;
}

static int64_t no_time(const CollPoint *x)
{
    (void)x;
    return 0;
}

static int no_symmetry(const Coll *c)
{
    return c->rank;
}

static bool holds_always(const Coll *c)
{
    (void)c;
    return true;
}

// An entry without a fault, with these fields in place of its own.
#define ENTRY(...)                                                                                                     \
    {                                                                                                                  \
        .collective = COLL_REDUCE, .name = "mine", .summary = "s", .run = no_text, .cost = "c", .formula = no_time,    \
        .source = "s", .ordered = true, __VA_ARGS__                                                                    \
    }
#define PARAMETER(...) ENTRY(.params = {{.name = "x", .max = 9, .help = "h", __VA_ARGS__}})

// Every fault of an entry is one line that ends with fields which an entry without the fault would have.
static void test_faults(void)
{
    static const CollNeed no_words = {.holds = holds_always};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
    static const struct {
        CollAlgorithm entry;
        const char *fault, *allowed;
    } rows[] = {
        {ENTRY(.collective = N_COLLECTIVES), "its collective 16", ".collective = COLL_BCAST"},
        {ENTRY(.name = "My Sum"), "its name", ".name = \"my_sum\""},
        {ENTRY(.name = "2nd"), "its name", ".name = \"mine\""},
        {ENTRY(.name = NULL), "its name", ".name = \"mine\""},
        {ENTRY(.name = "all"), "all is a word", ".name = \"my_all\""},
        {ENTRY(.summary = "two\nlines"), "its summary", ".summary = "},
        {ENTRY(.cost = ""), "its cost", ".cost = "},
        {ENTRY(.source = NULL), "its source", ".source = "},
        {ENTRY(.aliases = {"two words"}), "alias 0", ".aliases = {\"lab:mine\"}"},
        {ENTRY(.run = NULL), "it has no text", ".run = FUNCTION"},
        {ENTRY(.peers = (CollPeers)7), "its peers 7", ".peers = PEERS_SHIFT"},
        {ENTRY(.formula = NULL), "it has neither a formula", ".unknown = \""},
        {ENTRY(.variant_of = &allreduce_linear_algorithm), "variant_of", ".variant_of = NULL"},
        {ENTRY(.needs = {&no_words}), "need 0", ".needs = {&need_pow2}"},
        {ENTRY(.ordered = false), "it says neither", ".ordered = true, or .needs = {&need_commutative}"},
        {ENTRY(.row_of = no_symmetry, .needs = {&need_nodes}), "row_of", ".row_of = NULL"},
        {ENTRY(.levels = true), "levels", ".levels = false, or .needs = {&need_nodes}"},
        {PARAMETER(.name = "X"), "a parameter has a name", ".name = \"x\""},
        {PARAMETER(.help = NULL), "param x: it has no help", ".help = "},
        {PARAMETER(.kind = (CollParamKind)9), "param x: its kind 9", ".kind = PARAM_SIZE, "},
        {PARAMETER(.field = 3), "param x: its field", ".field = offsetof(CollParams, segment)"},
        {PARAMETER(.kind = PARAM_INT, .field = offsetof(CollParams, part)), "param x: its field", "CollParams, radix)"},
        {PARAMETER(.min = -1), "param x: its range is -1 .. 9", ".min = 0 or more"},
        {PARAMETER(.min = 10), "param x: its range is 10 .. 9", ".max = .min or more"},
        {PARAMETER(.def = 12), "param x: its default 12", ".def = 9, or a wider"},
        {PARAMETER(.kind = PARAM_INT, .field = offsetof(CollParams, radix), .max = INT64_MAX),
         "param x: its range goes", ".max = INT32_MAX"},
        {PARAMETER(.kind = PARAM_CHOICE, .field = offsetof(CollParams, choice)), "param x: it has no name for choice 0",
         ".choices = (const char *const[]){"},
        {PARAMETER(.kind = PARAM_ALGORITHM), "param x: its field is none", ".field = offsetof(CollParams, part[0])"},
        {PARAMETER(.kind = PARAM_ALGORITHM, .field = offsetof(CollParams, part)), "param x: it has no collective",
         ".of = COLL_BCAST, .algorithm = "},
        {ENTRY(.params = {SEGMENT, SEGMENT}), "param segment is there twice", ".name = \"segment_2\""},
    };
    static const CollAlgorithm right = ENTRY(.peers = PEERS_XOR), lost = ENTRY(.otherwise = "nowhere"),
                               part = ENTRY(.params = {PART("bcast", 0, COLL_BCAST, "nowhere", "h")});
#pragma GCC diagnostic pop
    g_assert_null(fault_in_entry(&right));
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *fault = fault_in_entry(&rows[i].entry);
        const char *allowed = fault ? strstr(fault, "; allowed: ") : NULL;
        g_test_message("%zu: %s", i, fault);
        g_assert_true(fault && g_str_has_prefix(fault, rows[i].fault) && allowed && strstr(allowed, rows[i].allowed));
        g_assert_null(strchr(fault, '\n'));
    }
    g_autofree char *fallback = fault_in_names(&lost), *called = fault_in_names(&part);
    g_assert_cmpstr(
        fallback, ==,
        "its fallback nowhere is not an algorithm of reduce; allowed: .otherwise = \"binomial\", and others "
        "of `collsim list reduce`");
    g_assert_cmpstr(
        called, ==,
        "param bcast: its default nowhere is not an algorithm of bcast; allowed: .algorithm = \"NAME\", one "
        "of `collsim list bcast`");
}

// Returns true if the entry has no formula for T at this point, with `segment` segments (0 for the whole message),
// under rendezvous or eager sends. Returns false if a fallback runs there.
static bool has_unknown(const CollAlgorithm *a, int p, size_t segment)
{
    CollPoint x = {.p = p, .nodes = nodes_of(p, 4), .par = algorithm_defaults(a), .alpha = 7, .beta = 3, .gamma = 1};
    x.write = x.read = x.flag = x.lanes = 1;
    size_t m = (size_t)24 * (size_t)p * (size_t)pow2_floor(p);
    x.par.segment = segment ? m / segment : 0;
    if (a->collective == COLL_BARRIER)
        m = 0;
    const Coll all = {.p = p, .elem = 1, .commutative = true, .nodes = x.nodes, .par = x.par};
    Coll view = coll_make(a->collective, &all, 0, m, NULL);
    const char *why;
    if (coll_resolve(a, &view, &why) != a)
        return false;
    x.m = (int64_t)m * (a->collective == COLL_REDUCE_SCATTER_BLOCK ? p : 1);
    for (int eager = 0; eager < 2; eager++) {
        x.eager = eager;
        if (algorithm_time(a, &x) < 0)
            return true;
    }
    return false;
}

static void test_forms(void)
{
    int with_reason = 0;
    for (int i = only_first(); i < only_end(); i++) {
        const CollAlgorithm *a = algorithms[i];
        const bool segments = strcmp(a->params[0].name ? a->params[0].name : "", "segment") == 0;
        for (int p = 2; p <= 128; p = p < 33 ? p + 1 : p == 33 ? 64 : p == 64 ? 100 : p == 100 ? 127 : p + 1)
            for (size_t S = 0; S <= (segments ? 4 : 0); S += 4)
                if (has_unknown(a, p, S) && !a->unknown)
                    g_error("%s %s: no formula at p = %d, S = %zu, and no reason for it", name_of(a), a->name, p, S);
        with_reason += a->unknown != NULL;
    }
    g_test_message("%d entries, %d of them give a reason for points without a formula", n_algorithms, with_reason);
}

static void test_coverage(void)
{
    for (int i = 0; i < n_cover_items; i++) {
        const CoverItem *x = &cover_items[i];
        const bool covered = cover_entry(x) != NULL;
        if (covered == (x->reason != NULL))
            g_error("%s %s (%s): %s", collectives[x->collective].name, x->name, x->entry,
                    covered ? "there is an entry, and also a reason for its absence"
                            : "there is no entry, and no reason for its absence");
    }
}

static void add(void)
{
    g_test_add_func("/registry/order", test_order);
    g_test_add_func("/registry/names", test_names);
    g_test_add_func("/registry/entries", test_entries);
    if (!only_one())
        g_test_add_func("/registry/added", test_added);
    g_test_add_func("/registry/faults", test_faults);
    g_test_add_func("/registry/formulas", test_forms);
    if (!only_one())
        g_test_add_func("/registry/coverage", test_coverage);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
