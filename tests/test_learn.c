// The decision trees of `learn`: splits against a search over all of them, pruning against all subtrees, thresholds and
// ties.
#include "advice/learn/learn.h"
#include "tap.h"
#include <string.h>

enum { ROWS = 40, FEATURES = 3, LABELS = 4 };

// A random table; few values, so that there are ties.
typedef struct LeafRows {
    gint64 x[ROWS * FEATURES];
    guint label[ROWS], rows[ROWS], n;
    CartTable table;
} LeafRows;

static void make(LeafRows *m, GRand *rand, guint n)
{
    static const CartKind kinds[FEATURES] = {CART_NAMED, CART_ORDERED, CART_ORDERED};
    m->n = n;
    for (guint i = 0; i < n; i++) {
        m->rows[i] = i;
        m->label[i] = (guint)g_rand_int_range(rand, 0, LABELS);
        for (int k = 0; k < FEATURES; k++)
            m->x[i * FEATURES + (guint)k] =
                k == 0 ? g_rand_int_range(rand, 0, 3) : (gint64)1 << g_rand_int_range(rand, 0, 6);
    }
    m->table = (CartTable){FEATURES, LABELS, kinds, m->x, m->label};
}

static gboolean yes(const LeafRows *m, guint row, int feature, gint64 value)
{
    const gint64 x = m->x[row * FEATURES + (guint)feature];
    return feature == 0 ? x == value : x <= value;
}

// Sets the fraction S / n of both sides; FALSE if a side has too few rows.
static gboolean measure(const LeafRows *m, int feature, gint64 value, guint leaf, guint64 *above, guint64 *below)
{
    guint64 count[2][LABELS] = {{0}}, n[2] = {0}, squares[2] = {0};
    for (guint i = 0; i < m->n; i++) {
        const int side = yes(m, i, feature, value);
        count[side][m->label[i]]++;
        n[side]++;
    }
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < LABELS; k++)
            squares[side] += count[side][k] * count[side][k];
    *above = squares[0] * n[1] + squares[1] * n[0];
    *below = n[0] * n[1];
    return n[0] >= leaf && n[1] >= leaf;
}

// The root's split is the first of the best ones, over all features and all values that a threshold can separate.
static void test_splits(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(1);
    for (int round = 0; round < 300; round++) {
        LeafRows m;
        make(&m, rand, (guint)g_rand_int_range(rand, 2, ROWS + 1));
        const CartLimits limits = {.depth = 1, .leaf = (guint)g_rand_int_range(rand, 1, 4)};
        guint64 best_above = 0, best_below = 1, above, below, count[LABELS] = {0};
        int feature = -1;
        gint64 at = 0;
        for (guint i = 0; i < m.n; i++)
            count[m.label[i]]++;
        for (int k = 0; k < LABELS; k++)
            best_above += count[k] * count[k];
        best_below = m.n;
        for (int f = 0; f < FEATURES; f++)
            for (gint64 v = 0; v <= 32; v++)
                if (measure(&m, f, v, limits.leaf, &above, &below) && above * best_below > best_above * below) {
                    best_above = above;
                    best_below = below;
                    feature = f;
                    at = v;
                }
        g_autoptr(GArray) tree = cart_grow(&m.table, m.rows, m.n, &limits);
        const CartNode *root = cart_node(tree, 0);
        if (feature < 0 || root->feature < 0) { // or pruned: two leaves that name the same label save nothing
            g_assert_cmpuint(tree->len, ==, 1);
            continue;
        }
        g_assert_cmpint(root->feature, ==, feature);
        for (guint i = 0; i < m.n; i++) // the same rows; the threshold is somewhere between the same values
            g_assert_cmpint(yes(&m, i, feature, at), ==, yes(&m, i, feature, root->value));
    }
}

// Returns the smallest cost of a subtree, and in *leaves the fewest leaves with which it is reached.
static guint64 least_cost(const Cart *tree, guint at, guint saved, guint *leaves)
{
    const CartNode *node = cart_node(tree, at);
    const guint64 alone = (guint64)node->errors + saved;
    *leaves = 1;
    if (node->feature < 0)
        return alone;
    guint a, b;
    const guint64 below = least_cost(tree, node->yes, saved, &a) + least_cost(tree, node->no, saved, &b);
    if (below < alone)
        *leaves = a + b;
    return MIN(below, alone);
}

static guint errors_of(const Cart *tree)
{
    guint errors = 0;
    for (guint i = 0; i < tree->len; i++)
        errors += cart_node(tree, i)->feature < 0 ? cart_node(tree, i)->errors : 0;
    return errors;
}

// A pruned tree costs the least that any subtree of the whole tree costs, and has the fewest leaves of those.
static void test_pruning(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(2);
    for (int round = 0; round < 200; round++) {
        LeafRows m;
        make(&m, rand, ROWS);
        // The whole tree, whose useless splits are pruned with 0 already: they change no cost.
        g_autoptr(GArray) whole = cart_grow(&m.table, m.rows, m.n, &(CartLimits){.depth = 99, .leaf = 1});
        for (guint saved = 0; saved < 5; saved++) {
            g_autoptr(GArray) tree = cart_grow(&m.table, m.rows, m.n, &(CartLimits){99, 1, saved});
            guint leaves;
            g_assert_cmpuint(errors_of(tree) + saved * cart_leaves(tree), ==, least_cost(whole, 0, saved, &leaves));
            g_assert_cmpuint(cart_leaves(tree), ==, leaves);
            guint errors = 0;
            for (guint i = 0; i < m.n; i++)
                errors += cart_node(tree, cart_leaf(tree, &m.table, m.x + i * FEATURES))->label != m.label[i];
            g_assert_cmpuint(errors, ==, errors_of(tree));
        }
    }
}

// Grows a tree on one ordered feature and returns its first threshold, or -1.
static gint64 threshold(const gint64 *x, const guint *label, guint n)
{
    static const CartKind kind = CART_ORDERED;
    const guint rows[] = {0, 1, 2, 3, 4, 5, 6, 7};
    const CartTable table = {1, 4, &kind, x, label};
    g_autoptr(GArray) tree = cart_grow(&table, rows, n, &(CartLimits){.depth = 1, .leaf = 1});
    return tree->len > 1 ? cart_node(tree, 0)->value : -1;
}

static void test_thresholds(void)
{
    const gint64 two[] = {4096, 16384}, high[] = {((gint64)1 << 60) - 1, (gint64)1 << 60}, none[] = {7, 7};
    const gint64 four[] = {1, 2, 3, 4}, zero[] = {0, 9};
    g_assert_cmpint(threshold(two, (const guint[]){0, 1}, 2), ==, 8192);
    g_assert_cmpint(threshold(high, (const guint[]){0, 1}, 2), ==, high[0]);
    g_assert_cmpint(threshold(zero, (const guint[]){0, 1}, 2), ==, 0);
    g_assert_cmpint(threshold(none, (const guint[]){0, 1}, 2), ==, -1);
    g_assert_cmpint(threshold(two, (const guint[]){1, 1}, 2), ==, -1);
    g_assert_cmpint(threshold(four, (const guint[]){0, 1, 1, 0}, 4), ==, 1); // as good as 3: the lowest
}

// Of labels that are equally frequent, a leaf names the lowest.
static void test_label(void)
{
    static const CartKind kind = CART_ORDERED;
    const gint64 x[] = {5, 5, 5, 5};
    const guint rows[] = {0, 1, 2, 3}, label[] = {3, 1, 3, 1};
    const CartTable table = {1, 4, &kind, x, label};
    g_autoptr(GArray) tree = cart_grow(&table, rows, 4, &(CartLimits){9, 1, 0});
    g_assert_cmpuint(cart_node(tree, 0)->label, ==, 1);
    g_assert_cmpuint(cart_node(tree, 0)->errors, ==, 2);
}

static void add_tests(void)
{
    g_test_add_func("/learn/splits", test_splits);
    g_test_add_func("/learn/pruning", test_pruning);
    g_test_add_func("/learn/thresholds", test_thresholds);
    g_test_add_func("/learn/label", test_label);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add_tests);
}
