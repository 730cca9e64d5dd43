#include "advice/learn/cart.h"
#include <string.h>

typedef unsigned __int128 Wide;

// A split, and what both of its sides cost.
typedef struct CartSplit {
    int feature;
    gint64 value;
    guint64 cost;
} CartSplit;

// What growing a tree works on.
typedef struct CartGrowth {
    const CartTable *table;
    const CartLimits *limits;
    Cart *tree;
    guint *rows;             // all rows; a node has a part of them
    guint *order;            // of a node's rows, by one feature
    guint64 *all, *left;     // what each choice costs at a node's rows, and at those of one side
    const gint64 *sorted_by; // the feature, as the values of its first row
} CartGrowth;

static gint64 value_at(const CartTable *t, guint row, guint feature)
{
    return t->x[(gsize)row * t->features + feature];
}

// Returns the integer below the root of a b.
static gint64 middle(gint64 a, gint64 b)
{
    const Wide product = (Wide)a * (Wide)b;
    gint64 low = a, high = b; // low * low <= product < high * high, because 0 <= a < b
    while (high - low > 1) {
        const gint64 half = low + (high - low) / 2;
        if ((Wide)half * (Wide)half <= product)
            low = half;
        else
            high = half;
    }
    return low;
}

static const guint32 *costs_at(const CartTable *t, guint row)
{
    return t->cost + (gsize)row * t->choices;
}

static void add_costs(const CartTable *t, guint row, guint64 *sums)
{
    const guint32 *cost = costs_at(t, row);
    for (guint c = 0; c < t->choices; c++)
        sums[c] += cost[c];
}

// Takes the split into the first `yes` rows of g->order and the others, whose costs by choice are in g->left and g->all,
// if it is better than the best one so far and both of its sides are large enough.
static void consider(const CartGrowth *g, CartSplit *best, int feature, gint64 value, guint yes, guint n)
{
    guint64 least = G_MAXUINT64, least_others = G_MAXUINT64;
    if (yes < g->limits->leaf || n - yes < g->limits->leaf)
        return;
    for (guint c = 0; c < g->table->choices; c++) {
        least = MIN(least, g->left[c]);
        least_others = MIN(least_others, g->all[c] - g->left[c]);
    }
    if (least + least_others < best->cost)
        *best = (CartSplit){feature, value, least + least_others};
}

static int by_value(gconstpointer a, gconstpointer b, gpointer data)
{
    const CartGrowth *g = data;
    const guint i = *(const guint *)a, j = *(const guint *)b;
    const gint64 x = g->sorted_by[(gsize)i * g->table->features], y = g->sorted_by[(gsize)j * g->table->features];
    return x != y ? (x > y) - (x < y) : (i > j) - (i < j);
}

// Considers all splits of one feature on the n rows of g->order, whose costs g->all has.
static void consider_feature(CartGrowth *g, guint feature, guint n, CartSplit *best)
{
    const CartTable *t = g->table;
    const gboolean named = t->kinds[feature] == CART_NAMED;
    g->sorted_by = t->x + feature;
    g_qsort_with_data(g->order, (gint)n, sizeof *g->order, by_value, g);
    memset(g->left, 0, t->choices * sizeof *g->left);
    for (guint i = 0, first = 0; i < n; i++) {
        const gint64 x = value_at(t, g->order[i], feature);
        add_costs(t, g->order[i], g->left);
        if (i + 1 < n && value_at(t, g->order[i + 1], feature) == x)
            continue;
        if (named) {
            consider(g, best, (int)feature, x, i + 1 - first, n);
            memset(g->left, 0, t->choices * sizeof *g->left);
            first = i + 1;
        } else if (i + 1 < n) {
            consider(g, best, (int)feature, middle(x, value_at(t, g->order[i + 1], feature)), i + 1, n);
        }
    }
}

static gboolean says_yes(const CartTable *t, const CartNode *node, const gint64 *x)
{
    const gint64 value = x[node->feature];
    return t->kinds[node->feature] == CART_NAMED ? value == node->value : value <= node->value;
}

// Reorders rows so that those with the answer yes come first, in their order, and returns how many these are.
static guint part_rows(CartGrowth *g, const CartNode *node, guint *rows, guint n)
{
    guint yes = 0, no = 0;
    for (guint i = 0; i < n; i++) {
        const gint64 *x = g->table->x + (gsize)rows[i] * g->table->features;
        if (says_yes(g->table, node, x))
            rows[yes++] = rows[i];
        else
            g->order[no++] = rows[i];
    }
    memcpy(rows + yes, g->order, no * sizeof *rows);
    return yes;
}

// Adds the node of n rows, and those below it. Returns its place.
static guint grow(CartGrowth *g, guint *rows, guint n, guint depth, guint above)
{
    const CartTable *t = g->table;
    const guint at = g->tree->len;
    CartNode node = {.feature = -1, .above = above, .rows = n};
    memset(g->all, 0, t->choices * sizeof *g->all);
    for (guint i = 0; i < n; i++)
        add_costs(t, rows[i], g->all);
    for (guint c = 0; c < t->choices; c++)
        if (g->all[c] < g->all[node.choice])
            node.choice = c;
    node.cost = g->all[node.choice];
    for (guint i = 0; i < n; i++)
        node.misses += costs_at(t, rows[i])[node.choice] > 0;
    g_array_append_val(g->tree, node);
    // A split that saves nothing may lead to others that do; pruning removes it if none does.
    CartSplit best = {-1, 0, node.cost + 1};
    memcpy(g->order, rows, n * sizeof *rows);
    for (guint k = 0; k < t->features && node.cost > 0 && depth < g->limits->depth; k++)
        consider_feature(g, k, n, &best);
    if (best.feature < 0)
        return at;
    node.feature = best.feature;
    node.value = best.value;
    const guint yes = part_rows(g, &node, rows, n);
    node.yes = grow(g, rows, yes, depth + 1, at);
    node.no = grow(g, rows + yes, n - yes, depth + 1, at);
    g_array_index(g->tree, CartNode, at) = node;
    return at;
}

// Returns the cost of the tree below a node, that of its choices and `saved` for each leaf, after making it smaller
// wherever that does not cost more.
static guint64 prune(const Cart *tree, guint at, guint64 saved)
{
    CartNode *node = &g_array_index(tree, CartNode, at);
    const guint64 alone = node->cost + saved;
    if (node->feature < 0)
        return alone;
    const guint64 below = prune(tree, node->yes, saved) + prune(tree, node->no, saved);
    if (below < alone)
        return below;
    node->feature = -1;
    return alone;
}

// Copies the nodes that are left.
static guint copy(const Cart *from, guint at, guint above, Cart *to)
{
    const guint place = to->len;
    CartNode node = *cart_node(from, at);
    node.above = above;
    g_array_append_val(to, node);
    if (node.feature < 0) {
        node.yes = node.no = 0;
    } else {
        node.yes = copy(from, node.yes, place, to);
        node.no = copy(from, node.no, place, to);
    }
    g_array_index(to, CartNode, place) = node;
    return place;
}

Cart *cart_pruned(const Cart *tree, guint64 saved)
{
    g_autoptr(GArray) mine = g_array_new(FALSE, FALSE, sizeof(CartNode));
    g_array_append_vals(mine, tree->data, tree->len);
    prune(mine, 0, saved);
    Cart *left = g_array_new(FALSE, FALSE, sizeof(CartNode));
    copy(mine, 0, 0, left);
    return left;
}

Cart *cart_grow(const CartTable *table, const guint *rows, guint n, const CartLimits *limits)
{
    g_assert(n >= 1 && n <= 1 << 20 && limits->leaf >= 1);
    g_autofree guint *mine = g_memdup2(rows, n * sizeof *rows), *order = g_new(guint, n);
    g_autofree guint64 *all = g_new(guint64, table->choices), *left = g_new(guint64, table->choices);
    g_autoptr(GArray) whole = g_array_new(FALSE, FALSE, sizeof(CartNode));
    CartGrowth g = {table, limits, whole, mine, order, all, left, NULL};
    grow(&g, mine, n, 0, 0);
    return cart_pruned(whole, limits->saved);
}

guint cart_leaf(const Cart *tree, const CartTable *table, const gint64 *x)
{
    guint at = 0;
    for (const CartNode *node = cart_node(tree, 0); node->feature >= 0; node = cart_node(tree, at))
        at = says_yes(table, node, x) ? node->yes : node->no;
    return at;
}

guint cart_leaves(const Cart *tree)
{
    return (tree->len + 1) / 2;
}

guint cart_depth(const Cart *tree)
{
    g_autofree guint *depth = g_new0(guint, tree->len);
    guint most = 0;
    for (guint i = 1; i < tree->len; i++) {
        depth[i] = depth[cart_node(tree, i)->above] + 1;
        most = MAX(most, depth[i]);
    }
    return most;
}
