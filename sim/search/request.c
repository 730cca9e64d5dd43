#include "search/request.h"
#include "base/error.h"
#include "base/nearest.h"
#include "schedule/names.h"
#include <math.h>
#include <string.h>

enum { MAX_VARIANTS = 10000 };

static void mapping_destroy(gpointer mapping)
{
    mapping_free(mapping);
}

void request_clear(Request *r)
{
    if (r->named)
        g_ptr_array_unref(r->named);
    if (r->ranks)
        g_array_unref(r->ranks);
    if (r->sizes)
        g_array_unref(r->sizes);
    counts_clear(&r->counts);
    platform_free(r->platform);
    if (r->placed)
        g_hash_table_unref(r->placed);
}

const Mapping *request_mapping(const Request *r, int p)
{
    static GMutex lock;
    GHashTable **placed = (GHashTable **)(uintptr_t)&r->placed; // what a request keeps for later is no change of it
    const Levels *levels = r->platform ? &r->platform->levels : NULL;
    if (r->per_node == 0 && (!levels || levels->n == 1))
        return NULL;
    g_mutex_lock(&lock);
    if (!*placed)
        *placed = g_hash_table_new_full(NULL, NULL, NULL, mapping_destroy);
    Mapping *m = g_hash_table_lookup(*placed, GINT_TO_POINTER(p));
    if (!m) {
        const MapSpec spec = {.kind = r->per_node ? MAP_BLOCK : MAP_NONE, .k = r->per_node};
        m = mapping_new(&spec, levels, p, NULL);
        g_hash_table_insert(*placed, GINT_TO_POINTER(p), m);
    }
    g_mutex_unlock(&lock);
    return m;
}

const char *request_name(const Request *r)
{
    return r->name ? r->name : collectives[r->collective].name;
}

void request_add(Request *r, const CollAlgorithm *a)
{
    if (!r->named)
        r->named = g_ptr_array_new();
    if (!g_ptr_array_find(r->named, a, NULL))
        g_ptr_array_add(r->named, (gpointer)(uintptr_t)a);
}

const CollAlgorithm *request_only(const Request *r)
{
    return r->named && r->named->len == 1 ? g_ptr_array_index(r->named, 0) : NULL;
}

// Returns the values of NAME=VALUE,VALUE,.. without the spaces around them, at least one. Free with g_strfreev.
static char **values_of(const char *assignment)
{
    const char *equals = strchr(assignment, '=');
    char **values = g_strsplit(equals && equals[1] ? equals + 1 : " ", ",", -1);
    for (char **value = values; *value; value++)
        g_strstrip(*value);
    return values;
}

gboolean request_no_lists(const Request *r, GError **error)
{
    for (char **w = r->params; w && *w; w++) {
        g_auto(GStrv) values = values_of(*w);
        g_autofree char *shown = error_quote(*w);
        if (values[1])
            return bad_input(error, "--param %s; allowed: one value", shown);
    }
    return TRUE;
}

gboolean request_single(const Request *r)
{
    return request_only(r) && request_no_lists(r, NULL);
}

size_t request_most(const Request *r, size_t p)
{
    return (size_t)ceil(0x1p62 / operation_weight(r->collective, (double)p)) - 1;
}

gboolean request_counts(Request *r, const char *counts, const char *displs, GError **error)
{
    static const char *const names[] = {"consecutive", "gaps", NULL};
    const char *collective = collectives[r->collective].name;
    int gaps = 0;
    if ((counts || displs) && !collectives[r->collective].counts)
        return bad_input(error,
                         "%s: all blocks of %s have one length, and touch; allowed: with a v-collective such as "
                         "allgatherv%s",
                         counts ? "--counts" : "--displs", collective, counts ? ", or with reduce_scatter" : "");
    if (displs && r->collective == COLL_REDUCE_SCATTER)
        return bad_input(error,
                         "--displs: the blocks of %s always touch; allowed: with a v-collective such as allgatherv",
                         collective);
    if (displs && !nearest_find("displacements", displs, names, &gaps, error))
        return FALSE;
    r->counts.gaps = gaps;
    r->counts_text = counts;
    size_t most = 0;
    for (guint i = 0; i < r->ranks->len; i++)
        most = MAX(most, g_array_index(r->ranks, size_t, i));
    return counts_parse(counts, most, &r->counts, error);
}

char *request_layout(const Request *r)
{
    GString *s = g_string_new(NULL);
    if (r->counts_text)
        g_string_append_printf(s, ", counts %s", r->counts_text);
    if (r->counts.gaps)
        g_string_append(s, ", gaps");
    if (r->per_node)
        g_string_append_printf(s, ", %d rank%s per node", r->per_node, r->per_node == 1 ? "" : "s");
    return g_string_free(s, FALSE);
}

const CollAlgorithm *request_algorithm(const Request *r, int i)
{
    if (r->named)
        return i < (int)r->named->len ? g_ptr_array_index(r->named, i) : NULL;
    const CollAlgorithm *a = algorithms[i];
    return a->collective == r->collective && a->shared == r->model->shared ? a : NULL;
}

// Returns the names of all parameters that algorithms of the request have, each once. The array ends with NULL; free it
// with g_free.
static const char **param_names(const Request *r)
{
    GPtrArray *names = g_ptr_array_new();
    for (int i = 0; i < n_algorithms; i++)
        for (int k = 0; request_algorithm(r, i) && k < algorithm_n_params(request_algorithm(r, i)); k++) {
            const char *name = request_algorithm(r, i)->params[k].name;
            if (!g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
                g_ptr_array_add(names, (gpointer)(uintptr_t)name);
        }
    g_ptr_array_add(names, NULL);
    return (const char **)(void *)g_ptr_array_free(names, FALSE);
}

static void add_variant(GArray *variants, const CollAlgorithm *a, const CollParams *par)
{
    for (guint i = 0; i < variants->len; i++)
        if (params_compare(a, &g_array_index(variants, CollParams, i), par) == 0)
            return;
    g_array_append_vals(variants, par, 1);
}

// Replaces *variants by their combinations with each value of the assignment. They stay as they are, and *known is
// FALSE, if the algorithm has no such parameter. On error *variants stays as well.
static gboolean combine(GArray **variants, const CollAlgorithm *a, const char *assignment, gboolean *known,
                        GError **error)
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(CollParams));
    g_auto(GStrv) values = values_of(assignment);
    const size_t name = strcspn(assignment, "=");
    for (guint i = 0; i < (*variants)->len; i++)
        for (char **value = values; *value; value++) {
            CollParams par = g_array_index(*variants, CollParams, i);
            g_autofree char *one =
                assignment[name] ? g_strdup_printf("%.*s=%s", (int)name, assignment, *value) : g_strdup(assignment);
            if (!param_parse(a, one, &par, known, error))
                return !*known;
            if (all->len == MAX_VARIANTS)
                return bad_input(error, "--param: %s has too many combinations of values; allowed: %d", a->name,
                                 MAX_VARIANTS);
            add_variant(all, a, &par);
        }
    g_array_unref(*variants);
    *variants = g_steal_pointer(&all);
    return TRUE;
}

GArray *request_variants(const Request *r, const CollAlgorithm *a, GError **error)
{
    g_autoptr(GArray) variants = g_array_new(FALSE, FALSE, sizeof(CollParams));
    const CollParams defaults = algorithm_defaults(a);
    g_array_append_val(variants, defaults);
    for (char **w = r->params; w && *w; w++) {
        gboolean known;
        if (!combine(&variants, a, *w, &known, error))
            return NULL;
    }
    return g_steal_pointer(&variants);
}

// Sets *known to whether an algorithm of the request has the parameter. Returns FALSE and an error if one of those that
// have it does not allow a value.
static gboolean check_param(const Request *r, const char *assignment, gboolean *known, GError **error)
{
    *known = FALSE;
    for (int i = 0; i < n_algorithms; i++) {
        const CollAlgorithm *a = request_algorithm(r, i);
        g_autoptr(GArray) variants = g_array_new(FALSE, FALSE, sizeof(CollParams));
        const CollParams none = {0};
        gboolean has = FALSE;
        g_array_append_val(variants, none);
        if (a && !combine(&variants, a, assignment, &has, error))
            return FALSE;
        *known |= has;
    }
    return TRUE;
}

gboolean request_check_params(const Request *r, GError **error)
{
    for (char **w = r->params; w && *w; w++) {
        gboolean known;
        if (!check_param(r, *w, &known, error))
            return FALSE;
        if (known)
            continue;
        const CollAlgorithm *only = request_only(r);
        g_autofree char *of = g_strdup_printf("%s %s", collectives[r->collective].name,
                                              only       ? only->name
                                              : r->named ? "algorithms"
                                                         : "all");
        g_autofree const char **names = param_names(r);
        g_autofree char *wrong = g_strndup(*w, strcspn(*w, "=")), *kind = g_strdup_printf("parameter of %s", of);
        if (names[0])
            return nearest_unknown(kind, wrong, names, error);
        return r->named && !only
                   ? bad_input(error, "--param %s: none of these algorithms has parameters; allowed: no --param", *w)
                   : bad_input(error, "--param %s: %s has no parameters; allowed: no --param", *w, of);
    }
    return TRUE;
}
