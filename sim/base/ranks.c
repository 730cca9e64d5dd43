#include "base/ranks.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/units.h"
#include <string.h>

// Returns TRUE if an item is NxK. A range may have an x, too: 1K..1M:x4.
static gboolean is_nodes(const char *item)
{
    return strchr(item, 'x') && !strstr(item, "..");
}

// Parses NxK, of the list that `what` names. Returns FALSE and an error if one of the two is not a number or their
// product is too large.
static gboolean read_nodes(const char *item, const char *what, size_t *p, int *per_node, GError **error)
{
    g_auto(GStrv) part = g_strsplit(item, "x", 2);
    size_t n = 0, k = 0;
    if (units_parse_size(g_strstrip(part[0]), &n, NULL) && units_parse_size(g_strstrip(part[1]), &k, NULL) && n >= 1 &&
        k >= 1 && units_multiply_sizes(n, k) <= LIMIT_RANKS) {
        *p = n * k;
        *per_node = (int)k;
        return TRUE;
    }
    g_autofree char *shown = error_quote(item), *most = units_format_size(LIMIT_RANKS);
    return bad_input(error, "%s: %s is not NxK; allowed: N nodes of K ranks, N and K from 1, at most %s ranks in all",
                     what, shown, most);
}

// Returns the items of a list without the spaces around them, at least one. Free with g_strfreev.
static char **items_of(const char *list)
{
    char **items = *list ? g_strsplit(list, ",", -1) : g_strsplit(" ", ",", -1);
    for (char **item = items; *item; item++)
        g_strstrip(*item);
    return items;
}

GArray *ranks_parse_list(const char *list, const char *what, GArray **per_node, GError **error)
{
    enum { MOST = 10000 };
    if (per_node)
        *per_node = NULL;
    if (!per_node || !strchr(list, 'x'))
        return units_parse_list(list, what, 1, LIMIT_RANKS, error);
    g_autoptr(GArray) ranks = g_array_new(FALSE, FALSE, sizeof(size_t)), nodes = g_array_new(FALSE, TRUE, sizeof(int));
    g_auto(GStrv) items = items_of(list);
    gboolean any = FALSE;
    for (char **item = items; *item; item++) {
        g_autoptr(GArray) values = NULL;
        size_t p = 0;
        int k = 0;
        if (is_nodes(*item) ? !read_nodes(*item, what, &p, &k, error)
                            : !(values = units_parse_list(*item, what, 1, LIMIT_RANKS, error)))
            return NULL;
        any |= k > 0;
        g_array_append_vals(ranks, values ? (const void *)values->data : &p, values ? values->len : 1);
        g_array_set_size(nodes, ranks->len);
        g_array_index(nodes, int, ranks->len - 1) = k;
        if (ranks->len > MOST) {
            bad_input(error, "%s makes more than 10,000 values; allowed: at most 10,000 in all", what);
            return NULL;
        }
    }
    *per_node = any ? g_steal_pointer(&nodes) : NULL;
    return g_steal_pointer(&ranks);
}
