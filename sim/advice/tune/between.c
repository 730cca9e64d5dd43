#include "advice/tune/between.h"
#include "base/distinct.h"
#include "libraries/decide/decide_ways.h"

// Returns TRUE if an algorithm of HAN that a user can choose makes calls of this collective that tuned decides. Within
// nodes, the algorithms of all collectives count; between them, only those of this one.
static gboolean is_called(const Request *r, Collective collective, gboolean within)
{
    const Tables *tables = r->library.only;
    gboolean calls = FALSE;
    if (tables->library->family != LIBRARY_OMPI)
        return FALSE;
    for (int i = 0; i < N_COLLECTIVES; i++) {
        if (i != (int)collective && !within)
            continue;
        const char *usual = decide_han_algorithm(tables, (Collective)i, &r->library.han);
        g_autoptr(GArray) ways = decide_ways(tables, (Collective)i, &r->library.han);
        for (guint k = 0; k < ways->len; k++) {
            const char *name = g_array_index(ways, DecideWay, k).params;
            calls |= decide_han_calls(tables, (Collective)i, *name ? name : usual, collective, within);
        }
    }
    return calls;
}

// Returns how many nodes the calls on the request's i-th number of ranks have, if these are several nodes of several
// ranks; 0 otherwise.
static size_t nodes_at(const Request *r, guint i)
{
    const size_t p = g_array_index(r->question.ranks, size_t, i), k = (size_t)request_per_node(r, i);
    return k > 1 && k < p && r->machine.map.kind != MAP_FILE ? (p + k - 1) / k : 0;
}

GArray *between_nodes(const Request *r, Collective collective, gboolean all)
{
    GArray *nodes = g_array_new(FALSE, FALSE, sizeof(size_t));
    if (!r->library.pair || !is_called(r, collective, FALSE))
        return nodes;
    g_autoptr(GArray) taken = g_array_new(FALSE, FALSE, sizeof(size_t));
    const gboolean in_nodes = is_called(r, collective, TRUE);
    for (guint i = 0; i < r->question.ranks->len; i++) {
        const size_t k = (size_t)request_per_node(r, i);
        if (!all)
            g_array_append_val(taken, g_array_index(r->question.ranks, size_t, i));
        if (in_nodes)
            g_array_append_val(taken, k);
    }
    for (guint i = 0; i < r->question.ranks->len; i++) {
        const size_t n = nodes_at(r, i);
        if (n > 0 && !distinct_has_size(taken, n))
            g_array_append_val(nodes, n);
    }
    return distinct_sort(nodes, distinct_by_size);
}

GArray *between_sizes(const Request *r, Collective collective, const GArray *nodes)
{
    GArray *sizes = g_array_new(FALSE, FALSE, sizeof(size_t));
    for (guint i = 0; i < r->question.ranks->len; i++) {
        const size_t n = nodes_at(r, i), p = g_array_index(r->question.ranks, size_t, i);
        for (guint k = 0; k < r->question.sizes->len && n > 0 && distinct_has_size(nodes, n); k++) {
            const size_t m = g_array_index(r->question.sizes, size_t, k),
                         part = collectives[collective].vector ? m : m * (p / n);
            g_array_append_val(sizes, part);
        }
    }
    return distinct_sort(sizes, distinct_by_size);
}
