#include "run/launch/forced.h"
#include "base/error.h"
#include "base/nearest.h"
#include "engine/schedule/parse.h"
#include <string.h>

static const char *prefix_of(gboolean open_mpi)
{
    return open_mpi ? "ompi:" : "mpich:";
}

// Returns what follows the prefix in one of the entry's aliases: in the alias `wanted` if it has that, else in its
// first. Returns NULL if no alias has the prefix.
static const char *alias_of(const CollAlgorithm *a, const char *prefix, const char *wanted)
{
    const char *first = NULL;
    for (int i = 0; i < COLL_MAX_ALIASES && a->aliases[i]; i++) {
        if (!g_str_has_prefix(a->aliases[i], prefix))
            continue;
        const char *text = a->aliases[i] + strlen(prefix);
        if (wanted && strcmp(text, wanted) == 0)
            return text;
        first = first ? first : text;
    }
    return first;
}

void forced_free(gpointer data)
{
    Forced *forced = data;
    g_free(forced->value);
    g_free(forced->name);
    g_free(forced);
}

static gint by_value(gconstpointer a, gconstpointer b)
{
    return strcmp((*(const Forced *const *)a)->value, (*(const Forced *const *)b)->value);
}

GPtrArray *forced_find(Collective collective, gboolean open_mpi, const char *text, GError **error)
{
    g_autoptr(GPtrArray) found = g_ptr_array_new_with_free_func(forced_free);
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    const gboolean all = strcmp(text, "all") == 0;
    const char *prefix = prefix_of(open_mpi);
    text += g_str_has_prefix(text, prefix) ? strlen(prefix) : 0;
    for (int i = 0; i < n_algorithms; i++) {
        const CollAlgorithm *a = algorithms[i];
        const char *alias = a->collective == collective ? alias_of(a, prefix, text) : NULL;
        if (!alias)
            continue;
        g_ptr_array_add(names, (gpointer)(uintptr_t)a->name);
        if (!all && strcmp(text, a->name) != 0 && strcmp(text, alias) != 0)
            continue;
        g_autofree char *full = g_strconcat(prefix, alias, NULL);
        Forced *forced = g_new0(Forced, 1);
        *forced =
            (Forced){*algorithm_find(collective, full), a, g_strdup(alias), g_strdup_printf("library:%s", a->name)};
        forced->entry.name = forced->name;
        g_ptr_array_add(found, forced);
    }
    g_ptr_array_add(names, NULL);
    g_ptr_array_sort(found, by_value); // as text, because ids have one digit
    if (found->len)
        return g_steal_pointer(&found);
    const char *library = open_mpi ? "Open MPI" : "MPICH", *of = collectives[collective].name;
    g_autofree char *kind = g_strdup_printf("%s algorithm of %s", of, library);
    if (names->len == 1)
        bad_input(error, "library:%s: %s has no setting that chooses a %s algorithm; allowed: library", text, library,
                  of);
    else
        nearest_unknown(kind, text, (const char *const *)names->pdata, error);
    return NULL;
}

// ---- Variables -----------------------------------------------------------------------------------------------------

// Returns the end of Open MPI's name for a parameter; NULL if Open MPI has no such setting.
static const char *ending(const CollAlgorithm *a, const CollParam *param)
{
    static const struct {
        const char *param, *ending;
    } endings[] = {{"segment", "_segmentsize"},
                   {"first_segment", "_segmentsize"},
                   {"chains", "_chain_fanout"},
                   {"max_requests", "_max_requests"}};
    for (guint i = 0; i < G_N_ELEMENTS(endings); i++)
        if (strcmp(param->name, endings[i].param) == 0)
            return endings[i].ending;
    return a->collective == COLL_BCAST && strcmp(param->name, "radix") == 0 ? "_knomial_radix" : NULL;
}

static void add_word(GPtrArray *words, Collective collective, const char *end, const char *value)
{
    g_ptr_array_add(words,
                    g_strdup_printf("OMPI_MCA_coll_tuned_%s_algorithm%s=%s", collectives[collective].name, end, value));
}

// An algorithm may be composed of other collectives. Open MPI calls these and decides anew which algorithms they use,
// so we force them too.
static void add_parts(GPtrArray *words, const CollAlgorithm *a, const CollParams *par)
{
    for (int i = 0; i < algorithm_n_params(a); i++) {
        const CollParam *param = &a->params[i];
        if (param->kind != PARAM_ALGORITHM)
            continue;
        const CollAlgorithm *part = algorithm_at(param_get(param, par));
        const char *id = alias_of(part, prefix_of(TRUE), NULL);
        if (id)
            add_word(words, part->collective, "", id);
    }
}

// Adds the parameters that Open MPI has a setting for. Returns FALSE and an error if another one is not at its default.
static gboolean add_params(GPtrArray *words, const CollAlgorithm *a, gboolean open_mpi, const CollParams *par,
                           GError **error)
{
    const CollParams defaults = algorithm_defaults(a);
    for (int i = 0; i < algorithm_n_params(a); i++) {
        const CollParam *param = &a->params[i];
        const char *end = open_mpi ? ending(a, param) : NULL;
        const int64_t value = param_get(param, par);
        g_autofree char *number = g_strdup_printf("%" G_GINT64_FORMAT, value), *text = param_text(param, value);
        if (end)
            add_word(words, a->collective, end, number);
        else if (value != param_get(param, &defaults) && !(open_mpi && param->kind == PARAM_ALGORITHM))
            return bad_input(error, "--param %s=%s: %s has no setting for it; allowed: the default", param->name, text,
                             open_mpi ? "Open MPI" : "MPICH");
    }
    return TRUE;
}

char **forced_words(const Forced *forced, gboolean open_mpi, gboolean monitored, const CollParams *par, GError **error)
{
    g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);
    const CollAlgorithm *a = forced->base;
    g_ptr_array_add(words, g_strdup("env"));
    if (open_mpi) {
        g_ptr_array_add(words, g_strdup("OMPI_MCA_coll_tuned_use_dynamic_rules=1"));
        add_word(words, a->collective, "", forced->value);
        add_parts(words, a, par);
        if (monitored)
            g_ptr_array_add(words, g_strdup("OMPI_MCA_pml_monitoring_enable=1"));
    } else {
        g_autofree char *name = g_ascii_strup(collectives[a->collective].name, -1);
        g_ptr_array_add(words, g_strdup_printf("MPIR_CVAR_%s_INTRA_ALGORITHM=%s", name, forced->value));
    }
    if (!add_params(words, a, open_mpi, par, error))
        return NULL;
    g_ptr_array_add(words, NULL);
    return (char **)g_ptr_array_free(g_steal_pointer(&words), FALSE);
}
