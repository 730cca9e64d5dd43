#include "libraries/decide/selection_tree.h"
#include "base/error.h"
#include <limits.h>
#include <string.h>

// What a test asks, in the order in which the tree does.
typedef enum {
    TEST_INTER,
    TEST_RANKS,
    TEST_ONE_NODE,
    TEST_POW2,
    TEST_HIERARCHY,
    TEST_CONSECUTIVE,
    TEST_IN_PLACE,
    TEST_AVERAGE,
    TEST_TOTAL,
    TEST_REGULAR,
    TEST_COMMUTATIVE,
    TEST_BUILT_IN,
    TEST_COUNT,
    N_TESTS
} TestKind;

// A test, and the trees that hold if the answer is yes or no; a leaf has neither.
struct SelectionTree {
    TestKind kind;
    gint64 value;           // a bound that is included, or a place in `hierarchies`; otherwise 1
    const LibraryRule *row; // of a leaf, which does what the row says
    SelectionTree *yes, *no;
};

// ---- What rows ask --------------------------------------------------------------------------------------------------

// What a kind of tests is in a file. Tests of one family stand in one object, and the library tries its keys in order.
static const struct {
    SelectionWordKind kind;
    int field;                       // a SelectNumber or SelectFlag
    const char *family, *yes, *rest; // `rest` stands for all else in the object
} tests[N_TESTS] = {[TEST_INTER] = {WORD_FLAG, SELECT_INTER, "comm_type", "=intra", "=inter"},
                    [TEST_RANKS] = {WORD_NUMBER, SELECT_RANKS, "comm_size", "<=", "=any"},
                    [TEST_ONE_NODE] = {WORD_FLAG, SELECT_ONE_NODE, "comm_size", "=node_comm_size", "=any"},
                    [TEST_POW2] = {WORD_FLAG, SELECT_POW2, "comm_size", "=pow2", "=any"},
                    [TEST_HIERARCHY] = {WORD_HIERARCHY, 0, "comm_hierarchy", "=", "=any"},
                    [TEST_CONSECUTIVE] = {WORD_FLAG, SELECT_CONSECUTIVE, "is_node_consecutive", "=yes", "=no"},
                    [TEST_IN_PLACE] = {WORD_FLAG, SELECT_IN_PLACE, "is_sendbuf_inplace", "=yes", "=no"},
                    [TEST_AVERAGE] = {WORD_NUMBER, SELECT_AVERAGE, "avg_msg_size", "<=", "=any"},
                    [TEST_TOTAL] = {WORD_NUMBER, SELECT_TOTAL, "total_msg_size", "<=", "=any"},
                    [TEST_REGULAR] = {WORD_FLAG, SELECT_REGULAR, "is_block_regular", "=yes", "=no"},
                    [TEST_COMMUTATIVE] = {WORD_FLAG, SELECT_COMMUTATIVE, "is_commutative", "=yes", "=no"},
                    [TEST_BUILT_IN] = {WORD_FLAG, SELECT_BUILT_IN, "is_op_built_in", "=yes", "=no"},
                    [TEST_COUNT] = {WORD_FLAG, SELECT_BELOW_POW2, "count", "<pow2", "=any"}};

// The hierarchies, as tests number them.
enum { FIRST_HIERARCHY = 1 }; // the one that has shared nodes
static const struct {
    SelectHierarchy hierarchy;
    const char *name;
} hierarchies[] = {
    {0}, {SELECT_PARENT, "parent"}, {SELECT_FLAT, "flat"}, {SELECT_NODE, "node"}, {SELECT_NODE_ROOTS, "node_roots"}};

// Returns the answers to a test of this kind with which a row fits. A flag is 0 or 1. A row asks for one hierarchy or
// for all. In tests for intercommunicators, 1 stands for intra.
static RuleRange answers(const LibraryRule *row, TestKind kind)
{
    if (tests[kind].kind == WORD_NUMBER) {
        const RuleRange range = row->when.numbers[tests[kind].field];
        return (RuleRange){range.first > INT_MAX ? RULES_NO_LIMIT : range.first,
                           range.last > INT_MAX ? RULES_NO_LIMIT : range.last};
    }
    if (tests[kind].kind == WORD_HIERARCHY) {
        gint64 at = FIRST_HIERARCHY;
        while (at < (gint64)G_N_ELEMENTS(hierarchies) && hierarchies[at].hierarchy != row->when.hierarchies)
            at++;
        return at == (gint64)G_N_ELEMENTS(hierarchies) ? (RuleRange){0, RULES_NO_LIMIT} : (RuleRange){at, at};
    }
    const int flag = row->when.flags[tests[kind].field];
    const RuleRange range = {!(flag & RULE_NO), (flag & RULE_YES) != 0};
    return kind == TEST_INTER ? (RuleRange){1 - range.last, 1 - range.first} : range;
}

// ---- Building -------------------------------------------------------------------------------------------------------

static gboolean equal(const SelectionTree *x, const SelectionTree *y)
{
    if (!x->row || !y->row)
        return !x->row && !y->row && x->kind == y->kind && x->value == y->value && equal(x->yes, y->yes) &&
               equal(x->no, y->no);
    return strcmp(x->row->runs, y->row->runs) == 0 && strcmp(x->row->params, y->row->params) == 0;
}

// Returns TRUE if it is not known yet that a row fits.
static gboolean asks(const LibraryRule *row, const RuleRange *known)
{
    for (int kind = 0; kind < N_TESTS; kind++) {
        const RuleRange asked = answers(row, (TestKind)kind);
        if (asked.first > known[kind].first || asked.last < known[kind].last)
            return TRUE;
    }
    return FALSE;
}

static SelectionTree *build(const GPtrArray *rows, RuleRange *known);

// Finds a value with which a test of this kind separates some rows from others, given the answers that are still
// possible. Returns FALSE if there is none.
static gboolean find_value(const GPtrArray *rows, TestKind kind, RuleRange known, gint64 *value)
{
    gboolean found = FALSE;
    *value = 0;
    for (guint i = 0; i < rows->len; i++) {
        const RuleRange asked = answers(rows->pdata[i], kind);
        if (kind == TEST_HIERARCHY && asked.first == asked.last && known.first != known.last) {
            *value = asked.first;
            return TRUE;
        }
        // The least bound comes first, so that bounds ascend in the file.
        const gint64 bound = asked.first > known.first ? asked.first - 1 : asked.last;
        if (kind != TEST_HIERARCHY && bound < known.last && (!found || bound < *value)) {
            *value = bound;
            found = TRUE;
        }
    }
    return found;
}

// Returns the rows that can fit if the answer is in `range`. Free with g_ptr_array_unref.
static GPtrArray *rows_within(const GPtrArray *rows, TestKind kind, RuleRange range)
{
    GPtrArray *some = g_ptr_array_new();
    for (guint i = 0; i < rows->len; i++) {
        const RuleRange asked = answers(rows->pdata[i], kind);
        if (asked.first <= range.last && asked.last >= range.first)
            g_ptr_array_add(some, rows->pdata[i]);
    }
    return some;
}

// Returns the rows that can fit if the hierarchy is another one. Free with g_ptr_array_unref.
static GPtrArray *rows_of_others(const GPtrArray *rows, gint64 hierarchy)
{
    GPtrArray *some = g_ptr_array_new();
    for (guint i = 0; i < rows->len; i++)
        if (answers(rows->pdata[i], TEST_HIERARCHY).first != hierarchy)
            g_ptr_array_add(some, rows->pdata[i]);
    return some;
}

// Returns the answers to a test that are possible after those that are known: other tests can imply one. A flag is 0 or
// 1.
static RuleRange possible(TestKind kind, const RuleRange *known)
{
    const RuleRange ranks = known[TEST_RANKS];
    gint64 power = 1; // the least one that is not below the range
    while (power < ranks.first)
        power *= 2;
    if (kind == TEST_POW2 && power > ranks.last)
        return (RuleRange){0, 0};
    if (kind == TEST_POW2 && (ranks.first == ranks.last || ranks.last <= 2)) // 1 and 2 are powers of two
        return (RuleRange){1, 1};
    if (kind == TEST_HIERARCHY && known[TEST_ONE_NODE].first == 1) // its ranks share that node
        return (RuleRange){FIRST_HIERARCHY, FIRST_HIERARCHY};
    if (kind == TEST_CONSECUTIVE &&
        known[TEST_HIERARCHY].first > FIRST_HIERARCHY) // it is asked of ranks that share nodes
        return (RuleRange){0, 0};
    if (kind == TEST_BUILT_IN && known[TEST_COMMUTATIVE].last == 0) // MPI's own operations commute
        return (RuleRange){0, 0};
    return known[kind];
}

// Builds the tree of the rows that fit an answer.
static SelectionTree *build_answer(const GPtrArray *rows, RuleRange *known, TestKind kind, RuleRange answer)
{
    g_autoptr(GPtrArray) fit = rows_within(rows, kind, answer);
    const RuleRange before = known[kind];
    known[kind] = answer;
    SelectionTree *tree = build(fit, known);
    known[kind] = before;
    return tree;
}

static SelectionTree *build_test(const GPtrArray *rows, RuleRange *known, TestKind kind, gint64 value)
{
    const RuleRange implied = possible(kind, known);
    if (implied.first == implied.last && kind != TEST_RANKS)
        return build_answer(rows, known, kind, implied);
    const gboolean named = kind == TEST_HIERARCHY;
    const RuleRange before = known[kind];
    // A flag's bound is 0, and the test asks whether it is 1.
    const gboolean flag = tests[kind].kind == WORD_FLAG;
    const RuleRange low = {named ? value : before.first, value}, high = {value + 1, before.last},
                    yes = flag ? high : low,
                    no = named ? (RuleRange){value == FIRST_HIERARCHY ? FIRST_HIERARCHY + 1 : before.first, before.last}
                         : flag ? low
                                : high;
    g_autoptr(GPtrArray) fit = rows_within(rows, kind, yes),
                         others = named ? rows_of_others(rows, value) : rows_within(rows, kind, no);
    SelectionTree *tree = g_new0(SelectionTree, 1);
    tree->kind = kind;
    tree->value = flag ? 1 : value;
    known[kind] = yes;
    tree->yes = build(fit, known);
    known[kind] = no;
    tree->no = build(others, known);
    known[kind] = before;
    if (!tree->yes || !tree->no) {
        selection_tree_free(tree);
        return NULL;
    }
    // If two bounds have the same branch below, the greater one is enough.
    const gboolean wider = !tree->no->row && tree->no->kind == kind && !flag && !named;
    if (!equal(tree->yes, wider ? tree->no->yes : tree->no))
        return tree;
    SelectionTree *rest = g_steal_pointer(&tree->no);
    selection_tree_free(tree);
    return rest;
}

// Builds the tree of rows that can all fit, as far as is known. Returns NULL if a call fits none.
static SelectionTree *build(const GPtrArray *rows, RuleRange *known)
{
    gint64 value;
    if (rows->len == 0)
        return NULL;
    for (int kind = 0; kind < N_TESTS && asks(rows->pdata[0], known); kind++)
        if (find_value(rows, (TestKind)kind, known[kind], &value))
            return build_test(rows, known, (TestKind)kind, value);
    SelectionTree *leaf = g_new0(SelectionTree, 1);
    leaf->row = rows->pdata[0];
    return leaf;
}

SelectionTree *selection_tree_build(const GPtrArray *rows)
{
    RuleRange known[N_TESTS];
    for (int i = 0; i < N_TESTS; i++)
        known[i] = (RuleRange){0, 1};
    known[TEST_RANKS] = (RuleRange){1, RULES_NO_LIMIT};
    known[TEST_HIERARCHY] = known[TEST_AVERAGE] = known[TEST_TOTAL] = (RuleRange){0, G_MAXINT64};
    return build(rows, known);
}

void selection_tree_free(SelectionTree *tree)
{
    if (!tree)
        return;
    selection_tree_free(tree->yes);
    selection_tree_free(tree->no);
    g_free(tree);
}

// ---- Writing --------------------------------------------------------------------------------------------------------

static void add_key(GString *s, const SelectionTree *test)
{
    g_string_append_printf(s, "%s%s", tests[test->kind].family, tests[test->kind].yes);
    if (test->kind == TEST_HIERARCHY)
        g_string_append(s, hierarchies[test->value].name);
    else if (tests[test->kind].kind == WORD_NUMBER)
        g_string_append_printf(s, "%" G_GINT64_FORMAT, test->value);
}

static void add_line(GString *s, int depth)
{
    g_string_append_printf(s, "\n%*s", 2 * depth, "");
}

// Returns TRUE if the leaf is that of calls for which the file has nothing.
static gboolean is_rest(const SelectionTree *tree)
{
    return tree->row && !*tree->row->runs;
}

static gboolean composes(const LibraryRule *row)
{
    return strstr(row->runs, "_composition_") != NULL;
}

static void add_leaf(GString *s, const LibraryRule *row)
{
    g_auto(GStrv) words = g_strsplit(row->params, " ", -1);
    int n = 0;
    g_string_append_printf(s, "\"%s=%s\": {", composes(row) ? "composition" : "algorithm", row->runs);
    for (char **word = words; *word; word++)
        if (**word)
            g_string_append_printf(s, "%s\"%s\": {}", n++ ? ", " : "", *word);
    g_string_append_c(s, '}');
}

void selection_tree_text(GString *s, const SelectionTree *tree, int depth)
{
    if (tree->row) {
        g_string_append(s, "{ ");
        add_leaf(s, tree->row);
        g_string_append(s, " }");
        return;
    }
    const SelectionTree *test = tree, *last = tree;
    g_string_append_c(s, '{');
    for (; !test->row && strcmp(tests[test->kind].family, tests[tree->kind].family) == 0; test = test->no) {
        g_string_append(s, test == tree ? "" : ",");
        add_line(s, depth + 1);
        g_string_append_c(s, '"');
        add_key(s, test);
        g_string_append(s, "\": ");
        selection_tree_text(s, test->yes, depth + 1);
        last = test;
    }
    if (!is_rest(test)) {
        g_string_append_c(s, ',');
        add_line(s, depth + 1);
        g_string_append_printf(s, "\"%s%s\": ", tests[last->kind].family, tests[last->kind].rest);
        selection_tree_text(s, test, depth + 1);
    }
    add_line(s, depth);
    g_string_append_c(s, '}');
}

// ---- Files ----------------------------------------------------------------------------------------------------------

// Appends the comment. A line must not end it.
static void add_header(GString *s, const GPtrArray *header)
{
    g_string_append(s, "/*");
    for (guint i = 0; i < header->len; i++) {
        g_auto(GStrv) parts = g_strsplit(header->pdata[i], "*/", -1);
        g_autofree char *line = g_strjoinv("* /", parts);
        g_string_append_printf(s, "%s%s\n", i ? "   " : " ", line);
    }
    g_string_append(s, "*/\n");
}

static void add_rows(GPtrArray *rows, const GArray *from, int collective)
{
    for (guint i = 0; i < from->len; i++) {
        LibraryRule *row = &g_array_index(from, LibraryRule, i);
        if (row->collective == collective)
            g_ptr_array_add(rows, row);
    }
}

char *selection_tree_file(const GArray *defaults, const GArray *tuned, const GPtrArray *header, GError **error)
{
    enum { PAGE = 4096 }; // the library maps the file, and reads on up to a \0, which only an unfilled page has
    g_autoptr(GString) s = g_string_new(NULL);
    LibraryRule rest = {.runs = "", .params = "", .when = rule_all()}; // intercommunicators have no compositions
    add_header(s, header);
    g_string_append_c(s, '{');
    for (guint i = 0; i < defaults->len; i++) {
        const int collective = g_array_index(defaults, LibraryRule, i).collective;
        const char *name = selection_collectives[collective].name;
        if (i > 0 && g_array_index(defaults, LibraryRule, i - 1).collective == collective)
            continue;
        g_autoptr(GPtrArray) rows = g_ptr_array_new();
        add_rows(rows, tuned, collective);
        add_rows(rows, defaults, collective);
        if (composes(&g_array_index(defaults, LibraryRule, i)))
            g_ptr_array_add(rows, &rest);
        g_autoptr(SelectionTree) tree = selection_tree_build(rows);
        if (!tree) {
            bad_input(error, "the decision table of MPICH: no row fits some calls of %s", name);
            return NULL;
        }
        g_string_append_printf(s, "%s\n  \"collective=%s\": ", i ? "," : "", name);
        selection_tree_text(s, tree, 1);
    }
    g_string_append(s, "\n}\n");
    if (s->len % PAGE == 0)
        g_string_append_c(s, '\n');
    return g_strdup(s->str);
}

SelectNumber selection_tree_number(Collective collective)
{
    switch (collective) {
    case COLL_BCAST:
    case COLL_REDUCE:
    case COLL_ALLREDUCE:
    case COLL_ALLTOALL:
        return SELECT_AVERAGE;
    case COLL_ALLGATHER:
    case COLL_ALLGATHERV:
    case COLL_REDUCE_SCATTER:
    case COLL_REDUCE_SCATTER_BLOCK:
        return SELECT_TOTAL;
    default:
        return SELECT_N_NUMBERS;
    }
}

gint64 selection_tree_bytes(Collective collective, int ranks, gint64 m)
{
    gint64 all = m;
    const gboolean blocks = selection_tree_number(collective) == SELECT_TOTAL && !collectives[collective].vector;
    if (blocks && __builtin_mul_overflow(m, (gint64)ranks, &all))
        return G_MAXINT64;
    return selection_tree_number(collective) == SELECT_N_NUMBERS ? 0 : all;
}

char *selection_tree_params(const LibraryAlgorithm *algorithm, int radix, int segment)
{
    g_autoptr(GString) s = g_string_new(algorithm->leaf);
    g_autofree char *k = g_strdup_printf("%d", radix), *bytes = g_strdup_printf("%d", segment);
    g_string_replace(s, "RADIX", k, 0);
    g_string_replace(s, "SEGMENT", bytes, 0);
    return g_strdup(s->str);
}
