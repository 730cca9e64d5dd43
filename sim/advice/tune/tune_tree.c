#include "libraries/decide/selection.h"
#include "libraries/decide/selection_tree.h"
#include "advice/tune/tune.h"
#include <limits.h>

// Returns TRUE if the algorithm that a rule names can run whatever the operation is, on few ranks; on more, it needs
// the same.
static gboolean suits_any_operation(Tables *tables, const LibraryAlgorithm *a)
{
    enum { MOST_RANKS = 33, BYTES = 1 << 16, ELEM = 8 };
    gboolean suits = TRUE;
    for (int p = 2; p <= MOST_RANKS && suits; p++) {
        DecideCall call = {.collective = a->collective, .p = p, .m = (size_t)BYTES, .elem = ELEM, .commutative = TRUE};
        if (!decide_can(a, &call))
            continue;
        g_autoptr(Decision) with = decide_told(tables, &call, a);
        call.commutative = FALSE;
        g_autoptr(Decision) without = decide_told(tables, &call, a);
        suits = with->entry == without->entry;
    }
    return suits;
}

// Returns the composition that leaves a collective's calls to the tree of algorithms, on all ranks: the one that the
// library takes where no ranks share a node.
static const char *leaves_to_tree(const Tables *tables, Collective collective)
{
    const DecideCall call = {.collective = collective, .p = 2, .elem = 1, .commutative = TRUE};
    const RuleCall asked = selection_call(&call);
    return rule_find(tables->compositions, &asked)->runs;
}

// The communicators of rows, beside their ranks.
typedef struct TreeNodes {
    gboolean all;     // in all points of the grid, ranks share nodes
    gboolean several; // .. and they are on several nodes
} TreeNodes;

// Returns the rule of the tree of algorithms, or of that of compositions, for one of a tune. It asks for what the algorithm
// or composition needs.
static LibraryRule row_of(Tables *tables, const Tune *tune, const LibraryRule *rule, TreeNodes on, gboolean composes)
{
    const LibraryAlgorithm *a =
        composes ? tables_function(tables, rule->runs ? rule->runs : leaves_to_tree(tables, tune->collective))
                 : &g_array_index(tables->algorithms, LibraryAlgorithm, rule->id - 1);
    int needs = a->ends_without | a->wrong_without | (a->file_needs & LIBRARY_NEEDS_REGULAR);
    if (!composes && !(needs & (LIBRARY_NEEDS_BUILT_IN | LIBRARY_NEEDS_COMMUTATIVE)) &&
        collectives[tune->collective].reduces && !suits_any_operation(tables, a))
        needs |= LIBRARY_NEEDS_COMMUTATIVE; // operations of MPI's own are
    g_autofree char *params = selection_tree_params(a, rule->fanout, rule->segment);
    LibraryRule row = {.collective = selection_collective(collectives[tune->collective].name),
                       .when = rule_when(rule->when.ranks, (RuleRange){0, RULES_NO_LIMIT}),
                       .runs = a->function,
                       .params = g_intern_string(params)};
    row.when.flags[SELECT_INTER] = RULE_NO;
    for (const LibraryNeed *n = library_needs; n->need; n++)
        if (needs & (int)n->need && n->need != LIBRARY_NEEDS_PARENT)
            row.when.flags[n->flag] = n->yes ? RULE_YES : RULE_NO;
    if (on.all || composes || needs & LIBRARY_NEEDS_PARENT)
        row.when.hierarchies = SELECT_PARENT;
    if (on.several)
        row.when.flags[SELECT_ONE_NODE] = RULE_NO;
    const SelectNumber number = selection_tree_number(tune->collective);
    if (number != SELECT_N_NUMBERS)
        row.when.numbers[number] = rule->when.bytes;
    return row;
}

// Makes the rows of MPICH's own tree ask whether the ranks of a node follow each other where the algorithm needs it.
// The tree itself does not ask that of iscan, whose results are then wrong; the row below it is right.
static void ask_consecutive(const Tables *names, GArray *rows)
{
    for (guint i = 0; i < rows->len; i++) {
        LibraryRule *row = &g_array_index(rows, LibraryRule, i);
        const LibraryAlgorithm *known = tables_function(names, row->runs);
        if (row->when.flags[SELECT_INTER] != RULE_YES && known && known->wrong_without & LIBRARY_NEEDS_CONSECUTIVE)
            row->when.flags[SELECT_CONSECUTIVE] = RULE_YES;
    }
}

char *tune_tree_file(const Request *r, const GPtrArray *tunes, gboolean compositions, const GPtrArray *header,
                     GError **error)
{
    g_autoptr(GArray) defaults = tables_whole_tree(r->library.only->library, compositions, error);
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(LibraryRule));
    TreeNodes on = {TRUE, r->library.pair};
    if (!defaults)
        return NULL;
    ask_consecutive(r->library.only, defaults);
    for (guint i = 0; i < r->question.ranks->len; i++) {
        const int per_node = request_per_node(r, i);
        on.all &= per_node > 1;
        on.several &= per_node > 1 && per_node < (int)g_array_index(r->question.ranks, size_t, i);
    }
    for (guint i = 0; i < tunes->len; i++) {
        const Tune *tune = tunes->pdata[i];
        for (guint k = 0; k < tune->rules->len; k++) {
            const LibraryRule *rule = &g_array_index(tune->rules, LibraryRule, k);
            if (rule->when.bytes.first > INT_MAX || // a file cannot name this size
                (compositions ? !tune->ways : !rule->id))
                continue;
            const LibraryRule row = row_of(r->library.only, tune, rule, on, compositions);
            g_array_append_val(rows, row);
        }
    }
    return selection_tree_file(defaults, rows, header, error);
}
