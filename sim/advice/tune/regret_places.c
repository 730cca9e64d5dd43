#include "advice/tune/regret_places.h"
#include <math.h>

// Pairs that are added, and their places with the index of each.
typedef struct Pairs {
    GArray *places, *pairs;
    GHashTable *known;
    const Request *r;
} Pairs;

GHashTable *regret_places_new(void)
{
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

guint regret_places_add(GArray *places, GHashTable *known, int p, int per_node, size_t m, gboolean grid)
{
    char *key = g_strdup_printf("%d %d %" G_GSIZE_FORMAT, p, per_node, m);
    gpointer index;
    if (g_hash_table_lookup_extended(known, key, NULL, &index)) {
        g_free(key);
        return GPOINTER_TO_UINT(index);
    }
    const RegretPlace place = {.p = p,
                               .per_node = per_node,
                               .m = m,
                               .grid = grid,
                               .default_s = NAN,
                               .usual_s = NAN,
                               .best_s = NAN,
                               .all_s = NAN};
    g_array_append_val(places, place);
    g_hash_table_insert(known, key, GUINT_TO_POINTER(places->len - 1));
    return places->len - 1;
}

// Adds a pair of neighbours, unless one of them lacks the root, or the library runs the same at both.
static void add_pair(const Pairs *x, ContestPlace one, ContestPlace two)
{
    if (MIN(one.p, two.p) <= x->r->question.root)
        return;
    const DecideCall a = request_call(x->r, one.p, one.per_node, one.m, NULL),
                     b = request_call(x->r, two.p, two.per_node, two.m, NULL);
    g_autoptr(Decision) first = decide_call(x->r->library.only, &a), second = decide_call(x->r->library.only, &b);
    if (decide_alike(first, second))
        return;
    const RegretPair pair = {{regret_places_add(x->places, x->known, one.p, one.per_node, one.m, FALSE),
                              regret_places_add(x->places, x->known, two.p, two.per_node, two.m, FALSE)},
                             NAN};
    g_array_append_val(x->pairs, pair);
}

// Adds the pairs of sizes on p ranks, between the grid's smallest and its largest size.
static void add_sizes(const Pairs *x, int p, int per_node)
{
    const DecideCall call = request_call(x->r, p, per_node, x->r->question.elem, NULL);
    g_autoptr(GArray) sizes = decide_sizes(x->r->library.only, &call), grid = question_whole_sizes(&x->r->question);
    size_t least = SIZE_MAX, most = 0;
    for (guint i = 0; i < grid->len; i++) {
        least = MIN(least, g_array_index(grid, size_t, i));
        most = MAX(most, g_array_index(grid, size_t, i));
    }
    for (guint i = 0; i < sizes->len; i++) {
        const size_t m = g_array_index(sizes, size_t, i);
        const ContestPlace below = {p, per_node, m - x->r->question.elem}, at = {p, per_node, m};
        if (m >= least + x->r->question.elem && m <= most)
            add_pair(x, below, at);
    }
}

GArray *regret_places_sizes(const Question *q)
{
    GArray *sizes = question_whole_sizes(q);
    if (q->collective == COLL_BARRIER) {
        const size_t none = 0;
        g_array_set_size(sizes, 0);
        g_array_append_val(sizes, none);
    }
    return sizes;
}

// Adds the pairs of p and q ranks, for each size of the grid.
static void add_ranks(const Pairs *x, int p, int p_per_node, int q, int q_per_node)
{
    g_autoptr(GArray) sizes = regret_places_sizes(&x->r->question);
    for (guint k = 0; k < sizes->len; k++) {
        const size_t m = g_array_index(sizes, size_t, k);
        add_pair(x, (ContestPlace){p, p_per_node, m}, (ContestPlace){q, q_per_node, m});
    }
}

// Adds the pairs of ranks without nodes: around each p of the grid, where what an algorithm needs of p may be met on
// one side only, and where the tables have a bound.
static void add_all_ranks(const Pairs *x)
{
    int least = INT_MAX, most = 0;
    for (guint i = 0; i < x->r->question.ranks->len; i++) {
        const int p = (int)g_array_index(x->r->question.ranks, size_t, i);
        if (request_per_node(x->r, i))
            continue;
        least = MIN(least, p);
        most = MAX(most, p);
    }
    g_autoptr(GArray) bounds = decide_ranks(x->r->library.only, x->r->question.collective);
    for (guint i = 0; i < bounds->len; i++) {
        const int p = g_array_index(bounds, int, i);
        if (p > least && p <= most)
            add_ranks(x, p - 1, 0, p, 0);
    }
    for (guint i = 0; i < x->r->question.ranks->len; i++) {
        const int p = (int)g_array_index(x->r->question.ranks, size_t, i);
        if (request_per_node(x->r, i))
            continue;
        if (p > least && p > 1)
            add_ranks(x, p - 1, 0, p, 0);
        if (p < most)
            add_ranks(x, p, 0, p + 1, 0);
    }
}

// Adds the pairs around each place of the grid that has N nodes with K ranks each. These are N and N + 1 nodes, between
// the fewest and the most nodes of the grid, and K and K + 1 ranks on each node, up to the most of the grid. A single
// rank does not count as a neighbour, and a file of nodes says nothing about neighbours.
static void add_all_nodes(const Pairs *x)
{
    int least = INT_MAX, most = 0, most_per_node = 0;
    for (guint i = 0; i < x->r->question.ranks->len; i++) {
        const int p = (int)g_array_index(x->r->question.ranks, size_t, i), k = request_per_node(x->r, i);
        if (!k || p % k != 0 || x->r->machine.map.kind == MAP_FILE)
            continue;
        least = MIN(least, p / k);
        most = MAX(most, p / k);
        most_per_node = MAX(most_per_node, k);
    }
    for (guint i = 0; i < x->r->question.ranks->len && most > 0; i++) {
        const int p = (int)g_array_index(x->r->question.ranks, size_t, i), k = request_per_node(x->r, i),
                  nodes = k ? p / k : 0;
        if (!k || p % k != 0)
            continue;
        if (nodes > least)
            add_ranks(x, p - k, k, p, k);
        if (nodes < most)
            add_ranks(x, p, k, p + k, k);
        if (k > 1 && p - nodes > 1)
            add_ranks(x, p - nodes, k - 1, p, k);
        if (k < most_per_node)
            add_ranks(x, p, k, p + nodes, k + 1);
    }
}

void regret_places_add_grid(GArray *places, GArray *pairs, const Request *r)
{
    g_autoptr(GHashTable) known = regret_places_new();
    const Pairs x = {places, pairs, known, r};
    g_autoptr(GArray) sizes = regret_places_sizes(&r->question);
    for (guint i = 0; i < r->question.ranks->len; i++)
        for (guint k = 0; k < sizes->len; k++)
            regret_places_add(places, known, (int)g_array_index(r->question.ranks, size_t, i), request_per_node(r, i),
                              g_array_index(sizes, size_t, k), TRUE);
    if (!pairs)
        return;
    for (guint i = 0; i < r->question.ranks->len && r->question.collective != COLL_BARRIER; i++)
        add_sizes(&x, (int)g_array_index(r->question.ranks, size_t, i), request_per_node(r, i));
    add_all_ranks(&x);
    add_all_nodes(&x);
}
