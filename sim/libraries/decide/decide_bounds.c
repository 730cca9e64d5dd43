// Where a library may decide otherwise: the sizes and ranks at which conditions of its tables change.
#include "libraries/decide/decide.h"
#include "base/distinct.h"
#include "api/integers.h"
#include "libraries/decide/selection_words.h"
#include "libraries/decide/tuned.h"

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

// Adds the sizes of a call at which it, or a part of it, has `bytes` in the library's sense for the first time: for
// itself, as one of p blocks, or as p vectors.
static void add_size(GArray *sizes, const DecideCall *c, size_t bytes)
{
    const size_t p = (size_t)c->p, most = (size_t)1 << 60;
    const size_t forms[] = {bytes, bytes / p + (bytes % p > 0), bytes < most / p ? bytes * p : 0};
    for (size_t i = 0; i < G_N_ELEMENTS(forms) && bytes < most; i++) {
        const size_t m = (forms[i] + c->elem - 1) / c->elem * c->elem;
        g_array_append_val(sizes, m);
    }
}

GArray *decide_sizes(const Tables *tables, const DecideCall *c)
{
    GArray *sizes = g_array_new(FALSE, FALSE, sizeof(size_t));
    for (guint i = 0; i < tables->tuned->len; i++)
        add_size(sizes, c, (size_t)g_array_index(tables->tuned, LibraryRule, i).when.bytes.first);
    const GArray *const trees[] = {tables->tree, tables->compositions};
    for (size_t k = 0; k < G_N_ELEMENTS(trees); k++)
        for (guint i = 0; i < trees[k]->len; i++) {
            const RuleWhen *when = &g_array_index(trees[k], LibraryRule, i).when;
            add_size(sizes, c, (size_t)when->average.last + 1);
            add_size(sizes, c, (size_t)when->total.last + 1);
        }
    const int nodes = c->nodes ? c->nodes->n : c->p, per_node = (c->p + nodes - 1) / nodes;
    const int ranks[] = {c->p, nodes, per_node};
    for (size_t i = 0; i < G_N_ELEMENTS(ranks); i++) { // what algorithms need of the number of elements
        add_size(sizes, c, (size_t)ranks[i] * c->elem);
        add_size(sizes, c, (size_t)pow2_floor(ranks[i]) * c->elem);
    }
    add_size(sizes, c, 2 * c->elem);
    return distinct_sort(sizes, distinct_by_size);
}

GArray *decide_ranks(const Tables *tables, Collective collective)
{
    GArray *ranks = g_array_new(FALSE, FALSE, sizeof(int));
    for (guint i = 0; i < tables->tuned->len; i++) {
        const LibraryRule *row = &g_array_index(tables->tuned, LibraryRule, i);
        const int first = (int)row->when.ranks.first;
        if (row->collective == tuned_collective(collectives[collective].name))
            g_array_append_val(ranks, first);
    }
    for (guint i = 0; i < tables->tree->len; i++) {
        const LibraryRule *row = &g_array_index(tables->tree, LibraryRule, i);
        const int next = row->when.ranks.last < INT_MAX ? (int)row->when.ranks.last + 1 : 1;
        if (row->collective == selection_collective(collectives[collective].name))
            g_array_append_val(ranks, next);
    }
    g_array_sort(ranks, by_number);
    for (guint i = ranks->len; i-- > 1;)
        if (g_array_index(ranks, int, i) == g_array_index(ranks, int, i - 1))
            g_array_remove_index(ranks, i);
    return ranks;
}
