#include "decide/selection_tree.h"
#include "tune/tune.h"
#include <limits.h>

static void row_clear(gpointer data)
{
    g_free(((TreeRow *)data)->runs);
    g_free(((TreeRow *)data)->params);
}

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

// Returns the row of a rule, without its sizes. It asks for what the algorithm needs.
static TreeRow row_of(Tables *tables, const LibraryRule *rule, gboolean on_nodes)
{
    const LibraryAlgorithm *a = &g_array_index(tables->algorithms, LibraryAlgorithm, rule->id - 1);
    const int needs = a->ends_without | a->wrong_without | (a->file_needs & LIBRARY_NEEDS_REGULAR);
    const gboolean own = needs & LIBRARY_NEEDS_BUILT_IN ? TRUE : FALSE, // .. which are commutative
        commutes = needs & LIBRARY_NEEDS_COMMUTATIVE ||
                   (!own && collectives[a->collective].reduces && !suits_any_operation(tables, a));
    return (TreeRow){.collective = a->collective,
                     .name = g_intern_string(collectives[a->collective].name),
                     .p_min = (int)rule->ranks.first,
                     .p_max = (int)rule->ranks.last,
                     .pow2 = needs & LIBRARY_NEEDS_POW2 ? 1 : DECIDE_ANY,
                     .consecutive = needs & LIBRARY_NEEDS_CONSECUTIVE ? 1 : DECIDE_ANY,
                     .commutative = commutes ? 1 : DECIDE_ANY,
                     .built_in = own ? 1 : DECIDE_ANY,
                     .regular = needs & LIBRARY_NEEDS_REGULAR ? 1 : DECIDE_ANY,
                     .in_place = needs & LIBRARY_NEEDS_APART ? 0 : DECIDE_ANY,
                     .below_pow2 = needs & LIBRARY_NEEDS_COUNT_POW2 ? 0 : DECIDE_ANY,
                     .hierarchy = on_nodes || needs & LIBRARY_NEEDS_PARENT ? TREE_PARENT : TREE_ANY_HIERARCHY,
                     .average_max = SIZE_MAX,
                     .total_max = SIZE_MAX,
                     .runs = g_strdup(a->function),
                     .params = selection_tree_params(a, rule->fanout, rule->segment)};
}

static void set_sizes(TreeRow *row, const RuleRange *bytes)
{
    const size_t first = (size_t)bytes->first, last = bytes->last == RULES_NO_LIMIT ? SIZE_MAX : (size_t)bytes->last;
    switch (selection_tree_number(row->collective)) {
    case SELECT_AVERAGE:
        row->average_min = first;
        row->average_max = last;
        break;
    case SELECT_TOTAL:
        row->total_min = first;
        row->total_max = last;
        break;
    default:
        break;
    }
}

// Makes the rows of MPICH's own tree ask whether the ranks of a node follow each other where the algorithm needs it. The
// tree itself does not ask that of iscan, whose results are then wrong; the row below it is right.
static void ask_consecutive(const Tables *names, GArray *rows)
{
    for (guint i = 0; i < rows->len; i++) {
        TreeRow *row = &g_array_index(rows, TreeRow, i);
        const LibraryAlgorithm *known = tables_function(names, row->runs);
        if (row->inter != 1 && known && known->wrong_without & LIBRARY_NEEDS_CONSECUTIVE)
            row->consecutive = 1;
    }
}

char *tune_tree_file(const Request *r, const GPtrArray *tunes, const GPtrArray *header, GError **error)
{
    g_autoptr(GArray) defaults = tables_whole_tree(r->only->library, error);
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(TreeRow));
    gboolean on_nodes = TRUE;
    if (!defaults)
        return NULL;
    ask_consecutive(r->only, defaults);
    g_array_set_clear_func(rows, row_clear);
    for (guint i = 0; i < r->ranks->len; i++)
        on_nodes &= request_per_node(r, i) > 1;
    for (guint i = 0; i < tunes->len; i++) {
        const Tune *tune = tunes->pdata[i];
        for (guint k = 0; k < tune->rules->len; k++) {
            const LibraryRule *rule = &g_array_index(tune->rules, LibraryRule, k);
            if (rule->bytes.first > INT_MAX) // a file cannot name this size
                continue;
            TreeRow row = row_of(r->only, rule, on_nodes);
            set_sizes(&row, &rule->bytes);
            g_array_append_val(rows, row);
        }
    }
    return selection_tree_file(defaults, rows, header, error);
}
