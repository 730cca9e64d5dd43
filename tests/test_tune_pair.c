// Pairs of files that tune writes for several nodes, one for what decides first, Open MPI's HAN or MPICH's compositions, and
// one for the algorithms: read back together, they make the library run what was chosen at each point of the grid, in the
// time that was predicted for it.
#include "libraries/decide/rules_call.h"
#include "libraries/decide/rules_han.h"
#include "libraries/decide/selection.h"
#include "search/search/points.h"
#include "search/search/sure.h"
#include "advice/tune/setting.h"
#include "advice/tune/tune.h"
#include "advice/tune/ways.h"
#include "tap.h"
#include "tunes.h"
#include <string.h>

static const double within = 0.03;

static RulesFile *parse(const char *text, LibraryId library)
{
    g_autoptr(GError) error = NULL;
    RulesFile *file = rules_parse(text, strlen(text), "rules", &libraries[library], &error);
    g_assert_no_error(error);
    g_assert_false(file->ignored);
    return file;
}

static void no_trap(const RulesFile *file)
{
    for (guint i = 0; i < file->traps->len; i++) {
        const Trap *trap = &g_array_index(file->traps, Trap, i);
        if (trap->kind != TRAP_NOTE)
            g_error("line %zu: %s: %s", trap->line, trap_names[trap->kind], trap->text);
    }
}

// What was chosen, over all tunes.
typedef struct PairSeen {
    guint usual, ids, tuned, han; // `han` counts compositions too
} PairSeen;

static void check_place(Request *r, const TunePlace *place, const RulesPair *pair, const CollAlgorithm *decider,
                        PairSeen *seen)
{
    g_autoptr(GError) error = NULL;
    Point *point = point_new(r, decider, place->p, place->per_node, place->m, &error);
    g_assert_no_error(error);
    g_assert_true(point_run(point, r, &error));
    if (point->time_s != place->time_s) {
        g_autofree char *text = decision_text(point->decision);
        g_error("%s on %d ranks of %d a node, %zu bytes: %g, not %g, with %s", collectives[r->question.collective].name,
                place->p, place->per_node, place->m, point->time_s, place->time_s, text);
    }
    point_free(point);
    const TuneChoice *choice = &place->choice;
    const DecideCall call = request_call(r, place->p, place->per_node, place->m, NULL);
    g_autoptr(Decision) d = rules_pair_decision(r->library.only, &call, pair);
    if (choice->id && r->library.only->library->family == LIBRARY_OMPI)
        g_assert_true(d->chosen == choice->id && d->told);
    else if (choice->id)
        g_assert_cmpstr(tables_short_name(d->name), ==,
                        g_array_index(r->library.only->algorithms, LibraryAlgorithm, choice->id - 1).name);
    else if (choice->runs && strstr(choice->runs, "composition") && d->parts->len > 0)
        g_assert_cmpstr(d->name, ==, choice->runs);
    seen->ids += choice->id != 0;
    seen->usual += !choice->id && !choice->runs;
    seen->tuned += choice->runs && strcmp(choice->runs, "tuned") == 0;
    seen->han += choice->runs && strcmp(choice->runs, "tuned") != 0;
}

static void check_tune(Request *r, const Tune *tune, const RulesPair *pair, PairSeen *seen)
{
    r->question.collective = tune->collective;
    r->question.elem = tune->elem;
    r->library.han.segment = tune->segsize;
    const CollAlgorithm *decider = request_name_decider(r, r->library.only, "pair", rules_pair_decision, pair);
    for (guint i = 0; i < tune->places->len; i++)
        check_place(r, &g_array_index(tune->places, TunePlace, i), pair, decider, seen);
    r->library.han.segment = 0;
}

static PairSeen check_library(LibraryId library, const char *platform, const char *sizes, size_t segsize)
{
    static const Collective which[] = {COLL_ALLTOALL, COLL_BARRIER,   COLL_BCAST,    COLL_GATHER,
                                       COLL_REDUCE,   COLL_ALLGATHER, COLL_ALLREDUCE};
    static const int per_node[] = {4, 4, 8, 8};
    const gboolean mpich = libraries[library].family == LIBRARY_MPICH;
    g_auto(Request) r = {0};
    PairSeen seen = {0};
    tunes_request(&r, library, "4 16 24 64", sizes);
    platform_free(r.machine.platform);
    r.machine.platform = platform_load(platform, NULL);
    g_assert_nonnull(r.machine.platform);
    r.question.per_node = g_array_new(FALSE, FALSE, sizeof(int));
    g_array_append_vals(r.question.per_node, per_node, G_N_ELEMENTS(per_node));
    r.library.any_operation = r.library.pair = TRUE;
    r.library.no_han = FALSE;
    g_autoptr(GPtrArray) tunes = tunes_new(), header = g_ptr_array_new();
    g_autoptr(RulesFile) parts = rules_new("rules", r.library.only);
    for (size_t i = 0; i < G_N_ELEMENTS(which); i++) {
        g_autoptr(GError) error = NULL;
        const gboolean cut = which[i] == COLL_BCAST;
        r.library.han.segment = cut ? segsize : 0;
        r.library.rules = tune_calls_others(r.library.only, which[i]) ? parts : NULL; // those come last
        Tune *tune = tune_compute(&r, which[i], collectives[which[i]].reduces ? 8 : 1, within, FALSE, &error);
        g_assert_no_error(error);
        g_ptr_array_add(tunes, tune);
        g_array_append_vals(parts->rules, tune->rules->data, tune->rules->len);
        g_assert_cmpuint(tune->segsize, ==, cut ? segsize : 0);
        const gboolean first =
            which[i] != COLL_ALLTOALL && !(mpich && (which[i] == COLL_ALLGATHER || which[i] == COLL_GATHER));
        g_assert_true((tune->ways != NULL) == (first || library == LIBRARY_OMPI_MAIN));
    }
    g_ptr_array_add(header, (char *)(guintptr) "made here");
    g_autofree char *rules = mpich ? tune_tree_file(&r, tunes, FALSE, header, NULL)
                                   : tune_file(r.library.only, tunes, header),
                    *first = mpich ? tune_tree_file(&r, tunes, TRUE, header, NULL) : ways_file(tunes, header);
    g_assert_true(g_str_has_prefix(first, mpich ? "/* made here\n" : "# made here\n"));
    g_autoptr(RulesFile) file = parse(rules, library), other = parse(first, library);
    g_assert_true(mpich ? selection_composes(other->selection) : other->han != NULL);
    if (!mpich)
        rules_pair_judge(file, other);
    no_trap(file);
    no_trap(other);
    const RulesPair pair = {file, other};
    r.library.rules = NULL;
    request_name_none(&r);
    for (guint i = 0; i < tunes->len; i++)
        check_tune(&r, tunes->pdata[i], &pair, &seen);
    request_name_none(&r);
    return seen;
}

// Tunes a collective for Open MPI 5, with a number of ranks on a node for each of `ranks`, and compares the times with
// those of the pair of files, read back. Returns the tunes; free with g_ptr_array_unref.
static GPtrArray *check_setting(Request *r, Collective collective, const char *ranks, const int *per_node,
                                const char *sizes, const char *platform)
{
    g_autoptr(GError) error = NULL;
    PairSeen seen = {0};
    tunes_request(r, LIBRARY_OMPI_5, ranks, sizes);
    platform_free(r->machine.platform);
    r->machine.platform = platform_load(platform, NULL);
    r->question.per_node = g_array_new(FALSE, FALSE, sizeof(int));
    for (guint i = 0; i < r->question.ranks->len; i++)
        g_array_append_val(r->question.per_node, per_node[i]);
    r->library.any_operation = r->library.pair = TRUE;
    r->library.no_han = FALSE;
    r->library.z = sure_z(SURE_DEFAULT);
    GPtrArray *tunes = setting_new();
    const Tune *tune = setting_add(r, collective, 1, within, FALSE, tunes, &error);
    g_assert_no_error(error);
    g_autoptr(GPtrArray) header = g_ptr_array_new();
    g_autofree char *rules = tune_file(r->library.only, tunes, header), *first = ways_file(tunes, header);
    g_autoptr(RulesFile) file = parse(rules, LIBRARY_OMPI_5), other = parse(first, LIBRARY_OMPI_5);
    rules_pair_judge(file, other);
    no_trap(file);
    no_trap(other);
    const RulesPair pair = {file, other};
    request_name_none(r);
    check_tune(r, tune, &pair, &seen);
    request_name_none(r);
    return tunes;
}

static const Tune *tune_of(const GPtrArray *tunes, TunePart part)
{
    for (guint i = 0; i < tunes->len; i++)
        if (((const Tune *)tunes->pdata[i])->part == part)
            return tunes->pdata[i];
    return NULL;
}

// Returns the number of rules that name an id for this many ranks.
static guint ids_at(const Tune *tune, gint64 ranks)
{
    guint n = 0;
    for (guint i = 0; tune && i < tune->rules->len; i++) {
        const LibraryRule *rule = &g_array_index(tune->rules, LibraryRule, i);
        n += rule->id && rule->when.ranks.first <= ranks && ranks <= rule->when.ranks.last;
    }
    return n;
}

// Returns the number of places with this many ranks that run HAN by default.
static guint hans_at(const Tune *tune, int ranks)
{
    guint n = 0;
    for (guint i = 0; i < tune->places->len; i++) {
        const TunePlace *place = &g_array_index(tune->places, TunePlace, i);
        n += place->p == ranks && !place->choice.id && !place->choice.runs;
    }
    return n;
}

// Tuned's rules for as many ranks as there are nodes make HAN faster where its calls between the nodes block.
static void test_rules_between(void)
{
    g_auto(Request) r = {0};
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) tunes = check_setting(&r, COLL_ALLGATHER, "1584", (int[]){48}, "8 16 32 512", "leonardo");
    const Tune *between = tune_of(tunes, TUNE_BETWEEN_NODES), *all = tune_of(tunes, TUNE_CALLS);
    g_assert_cmpuint(ids_at(between, 33), >, 0);
    g_assert_cmpuint(ids_at(between, 32) + ids_at(between, 34), ==, 0);
    g_assert_true(tunes->pdata[0] == between); // its rules come first
    g_assert_cmpuint(hans_at(all, 1584), >, 0);
    g_autoptr(Tune) without = tune_compute(&r, COLL_ALLGATHER, 1, within, FALSE, &error);
    g_assert_no_error(error);
    g_assert_cmpfloat(all->logs, <, without->logs);
    for (guint i = 0; i < all->places->len; i++) {
        const TunePlace *place = &g_array_index(all->places, TunePlace, i);
        g_assert_cmpfloat(place->time_s, >=, place->best_s);
    }
    // A block between the nodes has what all ranks of a node have.
    g_assert_cmpuint(g_array_index(between->places, TunePlace, 0).m, ==, 48 * 8);
}

// A range of rules for calls of programs leaves out a number of nodes within it.
static void test_range(void)
{
    g_auto(Request) r = {0};
    g_autoptr(GPtrArray) tunes = check_setting(&r, COLL_ALLGATHER, "36 164", (int[]){4, 4}, "64 512 4096", "leonardo");
    const Tune *all = tune_of(tunes, TUNE_CALLS);
    g_assert_cmpuint(ids_at(all, 36), >, 0);
    g_assert_cmpuint(ids_at(all, 40), >, 0);
    g_assert_cmpuint(ids_at(all, 41), ==, 0);
    g_assert_cmpuint(ids_at(all, 42), >, 0);
}

// A number of nodes is a number of ranks of other calls, whose rules then decide between these nodes as well: the times count
// with them.
static void test_shared(void)
{
    g_auto(Request) r = {0};
    g_autoptr(GPtrArray) tunes = check_setting(&r, COLL_ALLGATHER, "65 4160", (int[]){5, 64}, "8 16 512", "leonardo");
    const Tune *all = tune_of(tunes, TUNE_CALLS);
    g_assert_cmpuint(ids_at(all, 65), >, 0);
    g_assert_cmpuint(hans_at(all, 4160), >, 0);
    g_assert_cmpuint(ids_at(tune_of(tunes, TUNE_BETWEEN_NODES), 65), ==, 0);
}

// Asks what Open MPI runs for a collective, where HAN comes first.
static void ask_han(Request *r, Collective collective)
{
    tunes_request(r, LIBRARY_OMPI_5, "16", "8");
    r->library.no_han = r->library.by_file = FALSE;
    r->question.collective = collective;
    r->question.elem = 1;
}

// A rule for as many ranks as a node has decides what HAN runs there.
static void test_within(void)
{
    g_auto(Request) r = {0};
    ask_han(&r, COLL_BCAST);
    g_autoptr(RulesFile) file = parse("1\n7 3\n2 1\n0 0 0 0\n4 1\n0 1 0 0\n5 1\n0 0 0 0\n", LIBRARY_OMPI_5);
    const DecideCall call = request_call(&r, 16, 4, 8, NULL), wider = request_call(&r, 16, 8, 8, NULL);
    const CollParam *low = algorithm_param(&bcast_han_algorithm, "low");
    g_autoptr(Decision) with = rules_decision(r.library.only, &call, file),
                        without = rules_decision(r.library.only, &wider, file),
                        usual = decide_call(r.library.only, &wider);
    g_assert_cmpstr(with->name, ==, "han");
    g_assert_true(param_part(low, &with->par) == &bcast_linear_algorithm);
    g_assert_true(decide_alike(without, usual) && param_part(low, &usual->par) != &bcast_linear_algorithm);
}

// A rule for as many ranks as there are nodes decides what HAN runs between them, where its calls block.
static void test_between(void)
{
    g_auto(Request) r = {0};
    ask_han(&r, COLL_BARRIER);
    g_autoptr(RulesFile) file = parse("1\n6 2\n8 1\n0 1 0 0\n9 1\n0 0 0 0\n", LIBRARY_OMPI_5);
    const DecideCall eight = request_call(&r, 16, 2, 0, NULL), four = request_call(&r, 16, 4, 0, NULL);
    const CollParam *up = algorithm_param(&barrier_han_algorithm, "up");
    g_autoptr(Decision) with = rules_decision(r.library.only, &eight, file),
                        without = rules_decision(r.library.only, &four, file),
                        usual = decide_call(r.library.only, &four),
                        usual_of_eight = decide_call(r.library.only, &eight);
    g_assert_cmpstr(with->name, ==, "han");
    g_assert_true(param_part(up, &with->par) == &barrier_linear_algorithm);
    g_assert_true(param_part(up, &usual_of_eight->par) != &barrier_linear_algorithm);
    g_assert_true(decide_alike(without, usual));
}

static void test_pairs(void)
{
    static const char all_sizes[] = "8 1024 32768 1048576";
    for (LibraryId id = LIBRARY_OMPI_5; id <= LIBRARY_OMPI_MAIN; id++)
        for (size_t segsize = 0; segsize <= 8192; segsize += 8192) {
            const PairSeen seen = check_library(id, "leonardo", all_sizes, segsize);
            g_assert_cmpuint(seen.usual, >, 0);
            g_assert_cmpuint(seen.ids, >, 0);
            // Here HAN's simple is the best of some calls.
            g_assert_cmpuint(check_library(id, "archer2", "8", segsize).han, >, 0);
        }
    PairSeen all = {0};
    for (LibraryId id = LIBRARY_MPICH_40; id <= LIBRARY_MPICH_43; id++) {
        const PairSeen seen = check_library(id, "leonardo", all_sizes, 0);
        g_assert_cmpuint(seen.usual, >, 0);
        g_assert_cmpuint(seen.ids, >, 0);
        all.han += seen.han;
    }
    g_assert_cmpuint(all.han, >, 0);
}

static void add_tests(void)
{
    g_test_add_func("/tune_pair/within", test_within);
    g_test_add_func("/tune_pair/between", test_between);
    g_test_add_func("/tune_pair/rules_between", test_rules_between);
    g_test_add_func("/tune_pair/range", test_range);
    g_test_add_func("/tune_pair/shared", test_shared);
    g_test_add_func("/tune_pair/pairs", test_pairs);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add_tests);
}
