// MPICH's tuning files that collsim writes, read by a second reader: without tuned rows, calls get what the decision table
// says; with them, each point of a grid gets what was chosen, and no call gets an algorithm whose needs it does not meet.
// Every key is one that the version knows, at a place where the library expects it.
#include "libraries/decide/selection_tree.h"
#include "selection_walk.h"
#include "tap.h"
#include "tunes.h"
#include "advice/tune/tune.h"
#include <string.h>

static const char *const hierarchies[] = {"flat", "parent", "node", "node_roots"};

static SelectHierarchy hierarchy_of(const char *name)
{
    static const SelectHierarchy values[] = {SELECT_FLAT, SELECT_PARENT, SELECT_NODE, SELECT_NODE_ROOTS};
    size_t i = 0;
    while (strcmp(hierarchies[i], name) != 0)
        i++;
    return values[i];
}

static int pow2_below(int p)
{
    int n = 1;
    while (2 * n <= p)
        n *= 2;
    return n;
}

// ---- The decision table ---------------------------------------------------------------------------------------------

static char *row_find(const GArray *rows, const WalkCall *c)
{
    const RuleCall call = {.collective = selection_collective(c->collective),
                           .numbers = {[SELECT_RANKS] = c->p, [SELECT_AVERAGE] = c->average, [SELECT_TOTAL] = c->total},
                           .flags = {[SELECT_INTER] = c->inter,
                                     [SELECT_POW2] = pow2_below(c->p) == c->p,
                                     [SELECT_CONSECUTIVE] = c->consecutive,
                                     [SELECT_COMMUTATIVE] = c->commutative,
                                     [SELECT_BUILT_IN] = c->built_in,
                                     [SELECT_REGULAR] = c->regular,
                                     [SELECT_IN_PLACE] = c->in_place,
                                     [SELECT_BELOW_POW2] = c->count < pow2_below(c->p)},
                           .hierarchy = hierarchy_of(c->hierarchy)};
    const LibraryRule *row = rule_find(rows, &call);
    return row ? g_strdup_printf("%s%s%s", row->runs, *row->params ? " " : "", row->params) : NULL;
}

static WalkCall random_call(GRand *random)
{
    const gint64 elem = g_rand_int_range(random, 0, 2) ? 8 : 1;
    WalkCall c = {.collective = selection_collectives[g_rand_int_range(random, 0, SELECTION_COLLECTIVES)].name,
                  .hierarchy = hierarchies[g_rand_int_range(random, 0, G_N_ELEMENTS(hierarchies))],
                  .inter = g_rand_int_range(random, 0, 8) == 0,
                  .consecutive = g_rand_boolean(random),
                  .in_place = g_rand_boolean(random),
                  .regular = g_rand_boolean(random),
                  .commutative = g_rand_int_range(random, 0, 4) > 0,
                  .p = g_rand_int_range(random, 1, 24)};
    c.built_in = c.commutative && g_rand_boolean(random);
    c.count = g_rand_boolean(random) ? g_rand_int_range(random, 0, 40) : 1 << g_rand_int_range(random, 0, 22);
    c.average = c.count * elem;
    c.total = strcmp(c.collective, "reduce_scatter") == 0 ? c.average : c.average * c.p;
    return c;
}

static void check_defaults(LibraryId id)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GArray) rows = tables_whole_tree(&libraries[id], FALSE, &error),
                      none = g_array_new(FALSE, FALSE, sizeof(LibraryRule));
    g_assert_no_error(error);
    g_autoptr(GPtrArray) header = g_ptr_array_new();
    g_ptr_array_add(header, (char *)(guintptr) "a comment */ {");
    g_autofree char *text = selection_tree_file(rows, none, header, &error);
    g_assert_no_error(error);
    g_autoptr(JsonNode) tree = walk_read(text);
    g_assert_cmpuint(tree->members->len, ==, SELECTION_COLLECTIVES);
    GRand *random = g_rand_new_with_seed(1);
    for (int i = 0; i < 20000; i++) {
        const WalkCall call = random_call(random);
        g_autofree char *should = row_find(rows, &call), *is = walk_find(tree, &call);
        g_assert_cmpstr(is, ==, should);
    }
    g_rand_free(random);
}

static void test_defaults(void)
{
    check_defaults(LIBRARY_MPICH_40);
    check_defaults(LIBRARY_MPICH_43);
}

// Rows that leave calls without an algorithm are an error.
static void test_missing(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GArray) rows = tables_whole_tree(&libraries[LIBRARY_MPICH_40], FALSE, &error),
                      none = g_array_new(FALSE, FALSE, sizeof(LibraryRule));
    g_autoptr(GPtrArray) header = g_ptr_array_new();
    g_assert_no_error(error);
    g_array_index(rows, LibraryRule, 0).when.flags[SELECT_POW2] = RULE_YES;
    g_array_remove_range(rows, 1, 14); // bcast has no other row for intracommunicators
    g_assert_null(selection_tree_file(rows, none, header, &error));
    g_assert_nonnull(strstr(error->message, "no row fits some calls of bcast"));
}

// Returns what a choice makes the library run; NULL for the default.
static char *chosen(const RequestLibrary *lib, const TuneChoice *choice)
{
    if (choice->id == 0)
        return NULL;
    const LibraryAlgorithm *a = &g_array_index(lib->only->algorithms, LibraryAlgorithm, choice->id - 1);
    g_autofree char *params = selection_tree_params(a, choice->fanout, choice->segment);
    return g_strdup_printf("%s%s%s", a->function, *params ? " " : "", params);
}

static void check_places(const RequestLibrary *lib, const JsonNode *tree, const GArray *rows, const GPtrArray *tunes)
{
    for (guint i = 0; i < tunes->len; i++) {
        const Tune *tune = tunes->pdata[i];
        const gboolean vector = collectives[tune->collective].vector;
        for (guint k = 0; k < tune->places->len; k++) {
            const TunePlace *place = &g_array_index(tune->places, TunePlace, k);
            const gint64 m = (gint64)place->m, n = m / (gint64)tune->elem;
            const WalkCall call = {.collective = collectives[tune->collective].name,
                                   .hierarchy = "flat",
                                   .p = place->p,
                                   .average = m,
                                   .total = vector ? m : m * place->p,
                                   .count = n,
                                   .regular = tune->collective != COLL_REDUCE_SCATTER || n % place->p == 0,
                                   .commutative = TRUE,
                                   .built_in = TRUE};
            g_autofree char *name = chosen(lib, &place->choice), *usual = row_find(rows, &call),
                            *is = walk_find(tree, &call);
            g_assert_cmpstr(is, ==, name ? name : usual);
            g_assert_cmpfloat(place->time_s, <=, place->best_s * 1.03 * (1 + 1e-12));
        }
    }
}

// Returns the needs that a call does not meet.
static int unmet(int needs, const WalkCall *c)
{
    const int pow2 = pow2_below(c->p);
    const int met = (pow2 == c->p ? LIBRARY_NEEDS_POW2 : 0) | (c->count >= pow2 ? LIBRARY_NEEDS_COUNT_POW2 : 0) |
                    (c->built_in ? LIBRARY_NEEDS_BUILT_IN : 0) | (c->commutative ? LIBRARY_NEEDS_COMMUTATIVE : 0) |
                    (c->regular ? LIBRARY_NEEDS_REGULAR : 0) |
                    (c->in_place ? LIBRARY_NEEDS_IN_PLACE : LIBRARY_NEEDS_APART) |
                    (strcmp(c->hierarchy, "parent") == 0 ? LIBRARY_NEEDS_PARENT : 0) |
                    (c->consecutive ? LIBRARY_NEEDS_CONSECUTIVE : 0);
    return needs & ~met;
}

// Checks random calls, also where no rule was made; returns how many do not run the default.
static int check_calls(const RequestLibrary *lib, const JsonNode *tree, const GArray *rows)
{
    GRand *random = g_rand_new_with_seed(2);
    int tuned = 0;
    for (int i = 0; i < 20000; i++) {
        const WalkCall call = random_call(random);
        g_autofree char *usual = row_find(rows, &call), *is = walk_find(tree, &call);
        g_assert_nonnull(is);
        if (strcmp(is, usual) == 0)
            continue;
        g_auto(GStrv) word = g_strsplit(is, " ", -1);
        const LibraryAlgorithm *a = tables_function(lib->only, word[0]);
        g_assert_nonnull(a);
        g_assert_cmpstr(a->of, ==, call.collective);
        g_assert_cmpint(unmet(a->ends_without | a->wrong_without, &call), ==, 0);
        g_auto(GStrv) usual_word = g_strsplit(usual, " ", -1);
        if (unmet(tables_function(lib->only, usual_word[0])->wrong_without & LIBRARY_NEEDS_CONSECUTIVE, &call))
            continue; // the default itself would return wrong data
        g_assert_false(call.inter);
        g_assert_cmpint(call.p, <=, 16);
        tuned++;
    }
    g_rand_free(random);
    return tuned;
}

// ---- Keys -----------------------------------------------------------------------------------------------------------

// Checks the parameters of a leaf: those that the library does not set itself, each once.
static void check_leaf(const Tables *tables, const JsonMember *leaf)
{
    const LibraryAlgorithm *a = tables_function(tables, strchr(leaf->name, '=') + 1);
    g_assert_nonnull(a);
    g_auto(GStrv) params = g_strsplit(a->leaf, " ", -1);
    g_assert_cmpuint(leaf->value->members->len, ==, g_strv_length(params));
    for (guint i = 0; i < leaf->value->members->len; i++) {
        const char *key = g_array_index(leaf->value->members, JsonMember, i).name;
        g_autofree char *name = g_strndup(key, strcspn(key, "="));
        gboolean found = FALSE;
        for (char **param = params; *param; param++)
            found |= g_str_has_prefix(*param, name) && (*param)[strlen(name)] == '=';
        g_assert_true(found);
    }
}

// Checks all keys below a collective. `messages` says whether a condition about messages stands above.
static void check_keys(const Tables *tables, const JsonNode *object, const SelectionCollective *c, gboolean messages)
{
    for (guint i = 0; i < object->members->len; i++) {
        const JsonMember *member = &g_array_index(object->members, JsonMember, i);
        const gboolean last = i + 1 == object->members->len;
        const char *rest;
        const SelectionWord *word = selection_word(tables->library, member->name, &rest);
        g_assert_nonnull(word);
        if (word->kind == WORD_LEAF) {
            g_assert_true(last && i == 0);
            check_leaf(tables, member);
            continue;
        }
        if (g_str_has_prefix(member->name, "comm_") || g_str_has_prefix(member->name, "is_node"))
            g_assert_false(messages);
        g_assert_false(last && word->chained);
        if (word->kind == WORD_NUMBER)
            g_assert_cmpint(g_ascii_strtoll(rest, NULL, 10), <=, G_MAXINT32);
        if (word->kind == WORD_NUMBER && !word->of_comm)
            g_assert_true(c->numbers & 1u << word->field);
        if (word->kind == WORD_FLAG && !word->of_comm && word->field != SELECT_BELOW_POW2)
            g_assert_true(c->flags & 1u << word->field);
        check_keys(tables, member->value, c, messages || !g_str_has_prefix(member->name, "comm_"));
    }
}

static void check_file(LibraryId id)
{
    g_auto(Request) r = {0};
    g_autoptr(GError) error = NULL;
    tunes_request(&r, id, "2 3 4 6 8 9 16", "8 64 1024 8192 65536");
    r.library.any_operation = r.library.no_compositions = TRUE;
    g_autoptr(GPtrArray) tunes = tunes_new(), header = g_ptr_array_new();
    for (int i = 0; i < N_COLLECTIVES; i++) {
        if (!tune_can(r.library.only, (Collective)i))
            continue;
        Tune *tune = tune_compute(&r, (Collective)i, collectives[i].reduces ? 8 : 1, 0.03, FALSE, &error);
        g_assert_no_error(error);
        g_ptr_array_add(tunes, tune);
    }
    g_autofree char *text = tune_tree_file(&r, tunes, FALSE, header, &error),
                    *again = tune_tree_file(&r, tunes, FALSE, header, &error);
    g_autoptr(GArray) rows = tables_whole_tree(&libraries[id], FALSE, &error);
    g_assert_no_error(error);
    g_assert_cmpstr(text, ==, again);
    g_assert_cmpint(strlen(text) % 4096, !=, 0);
    g_autoptr(JsonNode) tree = walk_read(text);
    g_assert_cmpuint(tree->members->len, ==, SELECTION_COLLECTIVES);
    for (int i = 0; i < SELECTION_COLLECTIVES; i++) {
        g_autofree char *key = g_strconcat("collective=", selection_collectives[i].name, NULL);
        const JsonMember *member = json_member(tree, key);
        g_assert_nonnull(member);
        check_keys(r.library.only, member->value, &selection_collectives[i], FALSE);
    }
    check_places(&r.library, tree, rows, tunes);
    g_assert_cmpint(check_calls(&r.library, tree, rows), >, 100);
}

static void test_tuned(void)
{
    check_file(LIBRARY_MPICH_40);
    check_file(LIBRARY_MPICH_43);
}

static void add_tests(void)
{
    g_test_add_func("/selection_tree/defaults", test_defaults);
    g_test_add_func("/selection_tree/missing", test_missing);
    g_test_add_func("/selection_tree/tuned", test_tuned);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add_tests);
}
