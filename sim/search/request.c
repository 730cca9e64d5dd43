#include "search/request.h"
#include "base/error.h"
#include "base/nearest.h"
#include "schedule/names.h"
#include <math.h>
#include <string.h>

void request_clear(Request *r)
{
    if (r->ranks)
        g_array_unref(r->ranks);
    if (r->sizes)
        g_array_unref(r->sizes);
    counts_clear(&r->counts);
    platform_free(r->platform);
}

const char *request_name(const Request *r)
{
    return r->name ? r->name : collectives[r->collective].name;
}

// Below this m an operation is admitted; schedule_check() looks at what its messages really have.
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
        return bad_input(error, "%s: the blocks of %s are alike", counts ? "--counts" : "--displs", collective);
    if (displs && r->collective == COLL_REDUCE_SCATTER)
        return bad_input(error, "--displs: the blocks of %s touch each other", collective);
    if (displs && !nearest_find("displacements", displs, names, &gaps, error))
        return FALSE;
    r->counts.gaps = gaps;
    r->counts_text = counts;
    return counts_parse(counts, &r->counts, error);
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
    if (r->only)
        return i == 0 ? r->only : NULL;
    if (r->some)
        return i < (int)r->some->len ? g_ptr_array_index(r->some, i) : NULL;
    const CollAlgorithm *a = algorithms[i];
    return a->collective == r->collective && a->shared == r->model->shared ? a : NULL;
}

// Returns the names of the parameters of all algorithms asked for, each once. The array ends with NULL; free it with
// g_free.
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

gboolean request_check_params(const Request *r, GError **error)
{
    for (char **w = r->params; w && *w; w++) {
        gboolean any = FALSE;
        for (int i = 0; i < n_algorithms; i++) {
            CollParams par = {0};
            gboolean known = FALSE;
            if (request_algorithm(r, i) && !param_parse(request_algorithm(r, i), *w, &par, &known, error) && known)
                return FALSE;
            any |= known;
        }
        if (any)
            continue;
        const char *of = collectives[r->collective].name, *name = r->only ? r->only->name : "all";
        g_autofree const char **names = param_names(r);
        g_autofree char *wrong = g_strndup(*w, strcspn(*w, "=")),
                        *kind = g_strdup_printf("parameter of %s %s", of, name);
        return names[0] ? nearest_unknown(kind, wrong, names, error)
                        : bad_input(error, "--param %s: %s %s has no parameters", *w, of, name);
    }
    return TRUE;
}
