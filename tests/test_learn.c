// The decision trees of `learn`: splits against a search over all of them, pruning against all subtrees, thresholds and
// ties.
#include "advice/learn/campaign_next.h"
#include <math.h>
#include "tap.h"
#include <string.h>

enum { ROWS = 40, FEATURES = 3, CHOICES = 4 };

// A random table; few values, so that there are ties.
typedef struct LeafRows {
    gint64 x[ROWS * FEATURES];
    guint32 cost[ROWS * CHOICES]; // one choice at least costs nothing
    guint rows[ROWS], n;
    CartTable table;
} LeafRows;

static void make(LeafRows *m, GRand *rand, guint n)
{
    static const CartKind kinds[FEATURES] = {CART_NAMED, CART_ORDERED, CART_ORDERED};
    m->n = n;
    for (guint i = 0; i < n; i++) {
        m->rows[i] = i;
        for (guint c = 0; c < CHOICES; c++)
            m->cost[i * CHOICES + c] = (guint32)g_rand_int_range(rand, 0, 4);
        m->cost[i * CHOICES + (guint)g_rand_int_range(rand, 0, CHOICES)] = 0;
        for (int k = 0; k < FEATURES; k++)
            m->x[i * FEATURES + (guint)k] =
                k == 0 ? g_rand_int_range(rand, 0, 3) : (gint64)1 << g_rand_int_range(rand, 0, 6);
    }
    m->table = (CartTable){FEATURES, CHOICES, kinds, m->x, m->cost};
}

static gboolean yes(const LeafRows *m, guint row, int feature, gint64 value)
{
    const gint64 x = m->x[row * FEATURES + (guint)feature];
    return feature == 0 ? x == value : x <= value;
}

// Returns what the best choice costs at the rows with this answer to a question (`side` 1 for yes), and their number.
static guint64 side_cost(const LeafRows *m, int feature, gint64 value, int side, guint *n)
{
    guint64 sum[CHOICES] = {0}, least = G_MAXUINT64;
    *n = 0;
    for (guint i = 0; i < m->n; i++)
        if (yes(m, i, feature, value) == side) {
            ++*n;
            for (guint c = 0; c < CHOICES; c++)
                sum[c] += m->cost[i * CHOICES + c];
        }
    for (guint c = 0; c < CHOICES; c++)
        least = MIN(least, sum[c]);
    return least;
}

// The root's split is the first of the best ones, over all features and all values that a threshold can separate.
static void test_splits(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(1);
    for (int round = 0; round < 300; round++) {
        LeafRows m;
        make(&m, rand, (guint)g_rand_int_range(rand, 2, ROWS + 1));
        const CartLimits limits = {.depth = 1, .leaf = (guint)g_rand_int_range(rand, 1, 4)};
        guint n, others;
        guint64 best = side_cost(&m, 1, -1, 0, &n); // all rows: no value is -1 or less
        int feature = -1;
        gint64 at = 0;
        for (int f = 0; f < FEATURES; f++)
            for (gint64 v = 0; v <= 32; v++) {
                const guint64 cost = side_cost(&m, f, v, 1, &n) + side_cost(&m, f, v, 0, &others);
                if (n >= limits.leaf && others >= limits.leaf && cost < best) {
                    best = cost;
                    feature = f;
                    at = v;
                }
            }
        g_autoptr(GArray) tree = cart_grow(&m.table, m.rows, m.n, &limits);
        const CartNode *root = cart_node(tree, 0);
        g_assert_cmpint(root->feature, ==, feature);
        g_assert_cmpuint(tree->len, ==, feature < 0 ? 1 : 3);
        if (feature < 0)
            continue;
        g_assert_cmpuint(cart_node(tree, root->yes)->cost + cart_node(tree, root->no)->cost, ==, best);
        for (guint i = 0; i < m.n; i++) // the same rows; the threshold is somewhere between the same values
            g_assert_cmpint(yes(&m, i, feature, at), ==, yes(&m, i, feature, root->value));
    }
}

// Returns the smallest cost of a subtree, and in *leaves the fewest leaves with which it is reached.
static guint64 least_cost(const Cart *tree, guint at, guint saved, guint *leaves)
{
    const CartNode *node = cart_node(tree, at);
    const guint64 alone = node->cost + saved;
    *leaves = 1;
    if (node->feature < 0)
        return alone;
    guint a, b;
    const guint64 below = least_cost(tree, node->yes, saved, &a) + least_cost(tree, node->no, saved, &b);
    if (below < alone)
        *leaves = a + b;
    return MIN(below, alone);
}

static guint64 cost_of(const Cart *tree)
{
    guint64 cost = 0;
    for (guint i = 0; i < tree->len; i++)
        cost += cart_node(tree, i)->feature < 0 ? cart_node(tree, i)->cost : 0;
    return cost;
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
            g_assert_cmpuint(cost_of(tree) + saved * cart_leaves(tree), ==, least_cost(whole, 0, saved, &leaves));
            g_assert_cmpuint(cart_leaves(tree), ==, leaves);
            guint64 cost = 0;
            for (guint i = 0; i < m.n; i++)
                cost += m.cost[i * CHOICES + cart_node(tree, cart_leaf(tree, &m.table, m.x + i * FEATURES))->choice];
            g_assert_cmpuint(cost, ==, cost_of(tree));
            g_autoptr(GArray) later = cart_pruned(whole, saved);
            g_assert_cmpuint(later->len, ==, tree->len);
            g_assert_cmpmem(later->data, later->len * sizeof(CartNode), tree->data, tree->len * sizeof(CartNode));
        }
    }
}

// Grows a tree on one ordered feature and returns its first threshold, or -1. One choice is right at each row.
static gint64 threshold(const gint64 *x, const guint *right, guint n)
{
    static const CartKind kind = CART_ORDERED;
    const guint rows[] = {0, 1, 2, 3, 4, 5, 6, 7};
    guint32 cost[8 * CHOICES];
    for (guint i = 0; i < n * CHOICES; i++)
        cost[i] = i % CHOICES != right[i / CHOICES];
    const CartTable table = {1, CHOICES, &kind, x, cost};
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

// Of choices that cost as much, a leaf makes the first; and a dear mistake outweighs several cheap ones.
static void test_leaf(void)
{
    static const CartKind kind = CART_ORDERED;
    const gint64 x[] = {5, 5, 5, 5};
    const guint rows[] = {0, 1, 2, 3};
    const guint32 equal[] = {9, 0, 9, 1, 9, 1, 9, 0, 9, 0, 9, 1, 9, 1, 9, 0},
                  dear[] = {0, 1, 9, 9, 0, 1, 9, 9, 0, 1, 9, 9, 8, 0, 9, 9};
    const CartTable table = {1, CHOICES, &kind, x, equal}, other = {1, CHOICES, &kind, x, dear};
    g_autoptr(GArray) tree = cart_grow(&table, rows, 4, &(CartLimits){9, 1, 0});
    g_assert_cmpuint(cart_node(tree, 0)->choice, ==, 1);
    g_assert_cmpuint(cart_node(tree, 0)->misses, ==, 2);
    g_assert_cmpuint(cart_node(tree, 0)->cost, ==, 2);
    g_autoptr(GArray) second = cart_grow(&other, rows, 4, &(CartLimits){9, 1, 0});
    g_assert_cmpuint(cart_node(second, 0)->choice, ==, 1);
    g_assert_cmpuint(cart_node(second, 0)->misses, ==, 3);
}

// Where no single question saves anything but two do, both are asked.
static void test_useless_alone(void)
{
    static const CartKind kinds[] = {CART_ORDERED, CART_ORDERED};
    const gint64 x[] = {1, 1, 1, 4, 4, 1, 4, 4};
    const guint rows[] = {0, 1, 2, 3};
    const guint32 cost[] = {0, 5, 5, 0, 5, 0, 0, 5}; // the first choice is right if both features are equal
    const CartTable table = {2, 2, kinds, x, cost};
    g_autoptr(GArray) tree = cart_grow(&table, rows, 4, &(CartLimits){9, 1, 1}),
                      dear = cart_grow(&table, rows, 4, &(CartLimits){9, 1, 4});
    g_assert_cmpuint(cart_leaves(tree), ==, 4);
    for (guint i = 0; i < 4; i++)
        g_assert_cmpuint(cart_node(tree, cart_leaf(tree, &table, x + 2 * (gsize)i))->misses, ==, 0);
    g_assert_cmpuint(cart_leaves(dear), ==, 1);
}

// Rows of one collective: algorithm a takes (a + 1) p us, and predictions are right but for a factor of each algorithm.
static GArray *make_rows(void)
{
    static const char *const names[] = {"a", "b", "c"};
    static const double factors[] = {1, 0.5, 4};
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(CampaignRow));
    for (int p = 4; p <= 64; p *= 2)
        for (size_t m = 8; m <= 1024; m *= 128)
            for (int a = 0; a < 3; a++) {
                const CampaignRow row = {.set = "s",
                                         .group = "",
                                         .algorithm = names[a],
                                         .p = p,
                                         .per_node = 1,
                                         .bytes = m,
                                         .measured_s = (a + 1) * p * 1e-6,
                                         .predicted_s = (a + 1) * p * 1e-6 * factors[a]};
                g_array_append_val(rows, row);
            }
    return rows;
}

// The corrected time is what the formula in the header says.
static void test_corrected(void)
{
    g_autoptr(GArray) rows = make_rows();
    g_autoptr(Campaign) x = campaign_new(rows, FALSE, NULL);
    const LearnData *data = ((const CampaignQuestion *)x->questions->pdata[0])->data;
    const guint learnt[] = {0, 5}; // p = 4 with 8 bytes, and p = 16 with 1,024
    const LearnPoint *asked = learn_point(data, 4);
    g_assert_cmpint(asked->p, ==, 16);
    g_assert_cmpuint(asked->m, ==, 8);
    g_autoptr(Corrected) by = corrected_new(data, learnt, 2), plain = corrected_new(data, learnt, 0);
    const double r[] = {log(1), log(2), log(0.25)}, all = (r[0] + r[1] + r[2]) / 3;
    const double w = exp(-0.5) + exp(-pow(7.0 / 3, 2) / 2); // two octaves of p away, and seven of m
    for (guint a = 0; a < 3; a++) {
        const double b = (2 * r[a] + 4 * all) / 6, f = (w * r[a] + b / 2) / (w + 0.5);
        const double predicted_s = (a + 1) * 16e-6 * exp(-r[a]);
        g_assert_cmpfloat_with_epsilon(corrected_time(by, asked, a), predicted_s * exp(f), 1e-12);
        g_assert_cmpfloat_with_epsilon(corrected_time(plain, asked, a), predicted_s, 1e-15);
    }
    g_assert_cmpint(corrected_choose(plain, asked), ==, 0);
}

// Every choice is predicted at the point that is farthest away, and the nearest to the truth come first.
static void test_next(void)
{
    g_autoptr(GArray) rows = make_rows();
    g_autoptr(Campaign) x = campaign_new(rows, FALSE, NULL);
    g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(CampaignPlace)),
                      sizes = g_array_new(FALSE, FALSE, sizeof(size_t)), same = campaign_next(x, NULL, NULL, 5);
    g_assert_cmpuint(same->len, ==, 0); // all of the grid is measured
    const size_t m[] = {8, 64};
    g_array_append_vals(sizes, m, 2);
    g_array_append_val(places, ((CampaignPlace){64, 0}));
    g_array_append_val(places, ((CampaignPlace){512, 0}));
    g_autoptr(GArray) next = campaign_next(x, places, sizes, 5);
    g_assert_cmpuint(next->len, ==, 3); // 64 ranks with 8 bytes are measured
    const CampaignNext *first = &g_array_index(next, CampaignNext, 0);
    g_assert_cmpint(first->p, ==, 512);
    g_assert_cmpuint(first->m, ==, 64);
    g_assert_cmpfloat_with_epsilon(first->distance, sqrt(9 + 9), 1e-12);
    g_assert_cmpint(g_array_index(next, CampaignNext, 1).p, ==, 64); // as far as 512 with 8 bytes, and before it
    g_assert_cmpfloat_with_epsilon(g_array_index(next, CampaignNext, 2).distance, 3, 1e-12);
    CampaignNext asked = *first;
    const double predicted_s[] = {NAN, 0.5, 4};
    campaign_next_choose(x, predicted_s, &asked);
    g_assert_cmpint(asked.choices[0], ==, 1);
    g_assert_cmpint(asked.choices[1], ==, 2);
}

// An order has each row once; a spread one takes the ends before what lies between.
static void test_orders(void)
{
    g_autoptr(GArray) rows = make_rows();
    g_autoptr(Campaign) x = campaign_new(rows, FALSE, NULL);
    const LearnData *data = ((const CampaignQuestion *)x->questions->pdata[0])->data;
    for (guint32 seed = 0; seed < 20; seed++)
        for (int kind = 0; kind < N_CAMPAIGN_ORDERS; kind++) {
            guint order[10], seen = 0;
            for (guint i = 0; i < 10; i++)
                order[i] = i;
            campaign_order(data, (CampaignOrder)kind, seed, order, 10);
            for (guint i = 0; i < 10; i++)
                seen |= 1U << order[i];
            g_assert_cmpuint(seen, ==, 1023);
            double farthest = 0;
            for (guint i = 0; i < 10; i++)
                farthest = fmax(farthest, learn_distance(learn_point(data, order[0]), learn_point(data, i)));
            if (kind == CAMPAIGN_SPREAD)
                g_assert_cmpfloat(learn_distance(learn_point(data, order[0]), learn_point(data, order[1])), ==,
                                  farthest);
        }
}

static void add_tests(void)
{
    g_test_add_func("/learn/splits", test_splits);
    g_test_add_func("/learn/pruning", test_pruning);
    g_test_add_func("/learn/thresholds", test_thresholds);
    g_test_add_func("/learn/leaf", test_leaf);
    g_test_add_func("/learn/useless_alone", test_useless_alone);
    g_test_add_func("/learn/corrected", test_corrected);
    g_test_add_func("/learn/next", test_next);
    g_test_add_func("/learn/orders", test_orders);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add_tests);
}
