// Rules files that collsim writes: the library reads what was chosen at each point of the grid, the choice is within w
// of the best, and there is no way to choose with fewer ranges and intervals.
#include "libraries/decide/tuned.h"
#include "engine/schedule/parse.h"
#include "search/search/sure.h"
#include "sample.h"
#include "tap.h"
#include "advice/tune/draw.h"
#include "advice/tune/settle.h"
#include "advice/tune/tune.h"
#include "tunes.h"
#include <math.h>
#include <string.h>

static const double within = 0.03;

#define RANKS "2 3 4 6 8 9 16"
#define SIZES "8 64 1024 8192 65536 1048576"

static GPtrArray *tune_all(Request *r)
{
    GPtrArray *tunes = tunes_new();
    for (int i = 0; i < N_COLLECTIVES; i++) {
        const int number = tuned_collective(collectives[i].name);
        if (number < 0 || tuned_collectives[number].size == TUNED_SIZE_NO_METHOD)
            continue;
        GError *error = NULL;
        Tune *tune = tune_compute(r, (Collective)i, collectives[i].reduces ? 8 : 1, within, FALSE, &error);
        g_assert_no_error(error);
        g_ptr_array_add(tunes, tune);
    }
    return tunes;
}

// ---- Against the reader ---------------------------------------------------------------------------------------------

static void check_place(const RulesFile *file, const Tune *tune, const TunePlace *place)
{
    const gint64 bytes = tuned_size(tune->number, place->p, (gint64)place->m, (gint64)tune->elem);
    const LibraryRule *rule = rules_find(file, tune->number, place->p, bytes);
    const LibraryAlgorithm *a = tables_tuned(file->names, tune->number, place->choice.id);
    g_assert_cmpint(rule ? rule->id : 0, ==, place->choice.id);
    g_assert_true(!a == (place->choice.id == 0));
    if (!a)
        return;
    g_assert_true(!(a->takes & TAKES_SEGMENT) || rule->segment == place->choice.segment);
    g_assert_true(!(a->takes & TAKES_FANOUT) || rule->fanout == place->choice.fanout);
    g_assert_false(a->needs & LIBRARY_NEEDS_TWO);
}

// Checks a whole file: what it says, and outside the grid.
static void check_file(const char *text, const Library *library, const GPtrArray *tunes, gboolean any_operation)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(RulesFile) file = rules_parse(text, strlen(text), "rules", library, &error);
    g_assert_no_error(error);
    g_assert_false(file->ignored);
    for (guint i = 0; i < file->traps->len; i++) {
        const Trap *trap = &g_array_index(file->traps, Trap, i);
        if (trap->kind != TRAP_NOTE && (any_operation || trap->kind != TRAP_ORDER))
            g_error("%s: line %zu: %s: %s", library->name, trap->line, trap_names[trap->kind], trap->text);
    }
    for (guint i = 0; i < tunes->len; i++) {
        const Tune *tune = tunes->pdata[i];
        for (guint k = 0; k < tune->places->len; k++)
            check_place(file, tune, &g_array_index(tune->places, TunePlace, k));
        const LibraryRule *beyond = rules_find(file, tune->number, 17, 1024);
        g_assert_true(!beyond || beyond->id == 0);
    }
}

static void check_library(LibraryId library, gboolean any_operation)
{
    g_auto(Request) r = {0}, again = {0};
    tunes_request(&r, library, RANKS, SIZES);
    tunes_request(&again, library, RANKS, SIZES);
    r.library.any_operation = again.library.any_operation = any_operation;
    g_autoptr(GPtrArray) header = g_ptr_array_new();
    g_ptr_array_add(header, (char *)(guintptr) "made \"here\"");
    g_autoptr(GPtrArray) tunes = tune_all(&r), others = tune_all(&again);
    g_autofree char *text = tune_file(r.library.only, tunes, header),
                    *other = tune_file(r.library.only, others, header);
    g_assert_cmpstr(text, ==, other);
    g_assert_true(!strstr(text, "# made \"here\"\n") == (library == LIBRARY_OMPI_MAIN)); // JSON has no comments
    check_file(text, &libraries[library], tunes, any_operation);
}

static void test_files(void)
{
    guint i = 0;
    for (int any = 0; any <= 1; any++)
        for (LibraryId id = LIBRARY_OMPI_41; id <= LIBRARY_OMPI_MAIN; id++)
            if (sample_takes(i++, 3))
                check_library(id, any);
}

// ---- Against a search that tries everything ---------------------------------------------------------------------------

static const TunePlace *place_at(const Tune *tune, guint i)
{
    return &g_array_index(tune->places, TunePlace, i);
}

static gboolean allows(const TunePlace *place, const TuneChoice *choice)
{
    for (guint i = 0; i < place->options->len; i++)
        if (memcmp(&g_array_index(place->options, TuneOption, i).choice, choice, sizeof *choice) == 0)
            return TRUE;
    return FALSE;
}

// Returns TRUE if one choice is an option of all places of ranks p..q and bytes from..to.
static gboolean one_serves(const Tune *tune, int p, int q, gint64 from, gint64 to)
{
    const TunePlace *some = NULL;
    for (guint i = 0; i < tune->places->len && !some; i++)
        if (place_at(tune, i)->p >= p && place_at(tune, i)->p <= q && place_at(tune, i)->bytes >= from &&
            place_at(tune, i)->bytes <= to)
            some = place_at(tune, i);
    for (guint k = 0; some && k < some->options->len; k++) {
        const TuneChoice *choice = &g_array_index(some->options, TuneOption, k).choice;
        gboolean all = TRUE;
        for (guint i = 0; i < tune->places->len && all; i++) {
            const TunePlace *place = place_at(tune, i);
            all = place->p < p || place->p > q || place->bytes < from || place->bytes > to || allows(place, choice);
        }
        if (all)
            return TRUE;
    }
    return !some;
}

// Returns the fewest intervals for ranks p..q, from a number of bytes on; 1000 if there are none.
static guint fewest_sizes(const Tune *tune, int p, int q, gint64 from)
{
    guint best = 1000;
    g_autoptr(GArray) ends = g_array_new(FALSE, FALSE, sizeof(gint64)); // the last size of a first interval
    gint64 most = -1;
    for (guint i = 0; i < tune->places->len; i++) {
        const TunePlace *place = place_at(tune, i);
        if (place->p >= p && place->p <= q && place->bytes >= from) {
            g_array_append_val(ends, place->bytes);
            most = MAX(most, place->bytes);
        }
    }
    if (ends->len == 0)
        return 0;
    // A longer first interval never makes more intervals necessary, so only the longest is tried.
    gint64 longest = -1;
    for (guint i = 0; i < ends->len; i++) {
        const gint64 end = g_array_index(ends, gint64, i);
        if (end > longest && one_serves(tune, p, q, from, end))
            longest = end;
    }
    if (longest >= 0)
        best = 1 + (longest == most ? 0 : fewest_sizes(tune, p, q, longest + 1));
    return MIN(best, 1000);
}

// Returns the fewest ranges and intervals for the numbers of ranks from i on.
static guint fewest(const Tune *tune, const int *ranks, int n, int i)
{
    guint best = i == n ? 0 : 1000;
    for (int k = i; k < n; k++)
        best = MIN(best, 1 + fewest_sizes(tune, ranks[i], ranks[k], 0) + fewest(tune, ranks, n, k + 1));
    return best;
}

static void test_fewest(void)
{
    g_auto(Request) r = {0};
    tunes_request(&r, LIBRARY_OMPI_41, RANKS, SIZES);
    r.library.any_operation = TRUE;
    g_autoptr(GPtrArray) tunes = tune_all(&r);
    int found = 0;
    for (guint i = 0; i < tunes->len; i++) {
        static const int ranks[] = {2, 3, 4, 6, 8, 9, 16};
        const Tune *tune = tunes->pdata[i];
        if (tune->one)
            continue;
        g_assert_cmpuint(tune->parts, ==, fewest(tune, ranks, G_N_ELEMENTS(ranks), 0));
        found++;
        for (guint k = 0; k < tune->places->len; k++) {
            const TunePlace *place = place_at(tune, k);
            g_assert_cmpfloat(place->time_s, <=, place->best_s * (1 + within));
            g_assert_true(allows(place, &place->choice));
        }
    }
    g_assert_cmpint(found, ==, 8);
}

// Gather and scatter have one algorithm for all sizes of a number of ranks.
static void test_one(void)
{
    g_auto(Request) r = {0};
    tunes_request(&r, LIBRARY_OMPI_41, RANKS, SIZES);
    r.library.any_operation = TRUE;
    g_autoptr(GPtrArray) tunes = tune_all(&r);
    int one = 0;
    for (guint i = 0; i < tunes->len; i++) {
        const Tune *tune = tunes->pdata[i];
        one += tune->one;
        for (guint k = 1; k < tune->places->len && tune->one; k++)
            if (place_at(tune, k)->p == place_at(tune, k - 1)->p)
                g_assert_cmpint(place_at(tune, k)->choice.id, ==, place_at(tune, k - 1)->choice.id);
    }
    g_assert_cmpint(one, ==, 6);
}

// ---- Between the grid's points ----------------------------------------------------------------------------------------

// The rules of a refined grid hold at the calls between its points, whose number is that of ranks and sizes beside it.
static void test_refined(void)
{
    g_auto(Request) r = {0};
    tunes_request(&r, LIBRARY_OMPI_41, RANKS, SIZES);
    r.library.any_operation = TRUE;
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) header = g_ptr_array_new(), tunes = tunes_new();
    Tune *tune = tune_compute(&r, COLL_BCAST, 1, within, FALSE, &error);
    g_assert_no_error(error);
    g_ptr_array_add(tunes, tune);
    const guint before = tune->places->len;
    g_assert_true(tune_refine(tune, &r, within, &error));
    g_assert_no_error(error);
    guint grid = 0, seven = 0;
    for (guint i = 0; i < tune->places->len; i++) {
        const TunePlace *place = &g_array_index(tune->places, TunePlace, i);
        grid += place->grid ? 1 : 0;
        seven += place->p == 7 ? 1 : 0; // between 6 and 8
        g_assert_cmpfloat(place->time_s, >=, place->best_s);
    }
    g_assert_cmpuint(grid, ==, before);
    g_assert_cmpuint(seven, >=, 6); // one for each size
    g_autofree char *text = tune_file(r.library.only, tunes, header);
    check_file(text, &libraries[LIBRARY_OMPI_41], tunes, TRUE);
}

// Returns TRUE if settling adds the call, with this seed.
static gboolean settles(Tune *tune, Request *r, double z, const ContestPlace *call)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GRand) random = g_rand_new_with_seed(1);
    r->library.z = z;
    g_autoptr(GArray) calls = settle_calls(tune, r, random, &error);
    g_assert_no_error(error);
    for (guint i = 0; i < calls->len; i++) {
        const ContestPlace *x = &g_array_index(calls, ContestPlace, i);
        if (x->p == call->p && x->m == call->m)
            return TRUE;
    }
    return FALSE;
}

// One rule names the best of a drawn call. That is bad if it is less than z standard deviations faster than the default.
static void test_settled(void)
{
    g_auto(Request) r = {0};
    tunes_request(&r, LIBRARY_OMPI_41, RANKS, SIZES);
    r.library.any_operation = TRUE;
    g_autoptr(GError) error = NULL;
    g_autoptr(Tune) tune = tune_compute(&r, COLL_BCAST, 1, within, FALSE, &error);
    g_assert_no_error(error);
    g_autoptr(GRand) random = g_rand_new_with_seed(1);
    g_autoptr(GArray) calls = draw_calls(&r, random, 100);
    g_autoptr(Regret) regret = regret_at(&r, tune->collective, tune->elem, calls, &error);
    g_assert_no_error(error);
    const int enough = sample_of(4, 2);
    int found = 0;
    for (guint i = 0; i < regret->places->len && found < enough; i++) {
        const RegretPlace *at = &g_array_index(regret->places, RegretPlace, i);
        const ContestPlace call = {at->p, at->per_node, at->m};
        if (!at->entry || at->usual_s / at->best_s < 1.01)
            continue;
        const TuneChoice choice = tune_choice(r.library.only, at->entry, &at->par);
        const LibraryRule rule = {.collective = tune->number,
                                  .when = rule_when((RuleRange){0, RULES_NO_LIMIT}, (RuleRange){0, RULES_NO_LIMIT}),
                                  .id = choice.id,
                                  .fanout = choice.fanout,
                                  .segment = choice.segment};
        g_array_set_size(tune->rules, 0);
        g_array_append_val(tune->rules, rule);
        const double z = log(at->usual_s / at->best_s) / sure_deviation(r.machine.platform, at->usual_entry, at->entry);
        g_assert_true(settles(tune, &r, z * (1 + 1e-6), &call));
        g_assert_false(settles(tune, &r, z * (1 - 1e-6), &call));
        found++;
    }
    g_array_set_size(tune->rules, 0); // the default is never bad
    g_autoptr(GArray) none = settle_calls(tune, &r, random, &error);
    g_assert_cmpuint(none->len, ==, 0);
    g_assert_cmpint(found, ==, enough);
}

// Returns what a tune for one call names, if it has to be z standard deviations faster than the default.
static TuneChoice choice_for(Request *r, double z)
{
    g_autoptr(GError) error = NULL;
    r->library.z = z;
    g_autoptr(Tune) tune = tune_compute(r, COLL_BCAST, 1, within, FALSE, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(tune->places->len, ==, 1);
    return place_at(tune, 0)->choice;
}

// What is named must be faster by the margin: at the margin and above it the default stays, below the best is named.
static void test_sure(void)
{
    g_auto(Request) r = {0};
    tunes_request(&r, LIBRARY_OMPI_41, "48", "131072"); // whose best has no segments
    r.library.any_operation = TRUE;
    g_autoptr(GError) error = NULL;
    g_autoptr(Regret) regret = regret_compute(&r, COLL_BCAST, 1, FALSE, &error);
    g_assert_no_error(error);
    const RegretPlace *at = &g_array_index(regret->places, RegretPlace, 0);
    const double z = log(at->usual_s / at->best_s) / sure_deviation(r.machine.platform, at->usual_entry, at->entry);
    const TuneChoice best = tune_choice(r.library.only, at->entry, &at->par), usual = {0},
                     below = choice_for(&r, z * (1 - 1e-6)), same = choice_for(&r, z),
                     above = choice_for(&r, z * (1 + 1e-6));
    g_assert_cmpfloat(z, >, 1);
    g_assert_cmpmem(&below, sizeof below, &best, sizeof best);
    g_assert_cmpmem(&same, sizeof same, &usual, sizeof usual);
    g_assert_cmpmem(&above, sizeof above, &usual, sizeof usual);
}

static void add_tests(void)
{
    g_test_add_func("/tune/files", test_files);
    g_test_add_func("/tune/fewest", test_fewest);
    g_test_add_func("/tune/one", test_one);
    g_test_add_func("/tune/refined", test_refined);
    g_test_add_func("/tune/settled", test_settled);
    g_test_add_func("/tune/sure", test_sure);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add_tests);
}
