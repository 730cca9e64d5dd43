#include "validate/predict.h"
#include "base/error.h"
#include "base/parallel.h"
#include <stdint.h>
#include <string.h>

// Returns what stands behind GROUP= in the list; NULL if the group is not there.
static const char *value_of(char *const *list, const char *group)
{
    const size_t length = strlen(group);
    for (; list && *list; list++)
        if (strncmp(*list, group, length) == 0 && (*list)[length] == '=')
            return *list + length + 1;
    return NULL;
}

// Returns TRUE if each entry of a list is GROUP=VALUE with a group that some row has.
static gboolean check_list(const char *option, char *const *list, const ValidateRows *rows, GError **error)
{
    for (; list && *list; list++) {
        gboolean found = FALSE;
        for (guint i = 0; i < rows->rows->len && !found; i++) {
            char *const one[] = {*list, NULL};
            found = value_of(one, g_array_index(rows->rows, ValidateRow, i).group) != NULL;
        }
        if (!found)
            return bad_input(error, "%s %s; allowed: GROUP=.. with a group of the rows", option, *list);
    }
    return TRUE;
}

// ---- Cases ----------------------------------------------------------------------------------------------------------

// All cases. Rows that describe the same run share one.
typedef struct Cases {
    const PredictPlan *plan;
    GPtrArray *all; // of ValidateCase *
    GHashTable *index;
    GArray *of_row; // of ValidateCase *, NULL for rows that have none
} Cases;

static char *key_of(const ValidateRow *row, const CaseName *name, const Platform *platform, const char *level)
{
    return g_strdup_printf("%s\n%s\n%d\n%d\n%" G_GSIZE_FORMAT "\n%.17g\n%p\n%s", name->collective, name->algorithm,
                           row->p, row->per_node, name->bytes, name->factor, (const void *)platform,
                           level ? level : "");
}

// Returns the case of a row on a platform. Returns NULL and an error on bad input.
static ValidateCase *find_case(Cases *cases, const ValidateRow *row, const CaseName *name, const Platform *platform,
                               GError **error)
{
    const PredictPlan *plan = cases->plan;
    const char *level = value_of(plan->places, row->group);
    char *key = key_of(row, name, platform, level);
    ValidateCase *x = g_hash_table_lookup(cases->index, key);
    if (x) {
        g_free(key);
        return x;
    }
    x = case_new(row, name, platform, plan->model, plan->element, level, &plan->barrier, error);
    if (!x) {
        g_free(key);
        return NULL;
    }
    g_hash_table_insert(cases->index, key, x);
    g_ptr_array_add(cases->all, x);
    return x;
}

static gboolean run_case(gpointer job, gpointer user, GError **error)
{
    (void)user;
    return case_predict(job, error);
}

static void cases_clear(Cases *cases)
{
    g_array_unref(cases->of_row);
    g_hash_table_unref(cases->index);
    g_ptr_array_unref(cases->all);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Cases, cases_clear)

gboolean validate_predict(ValidateRows *rows, const PredictPlan *plan, GError **error)
{
    g_auto(Cases) cases = {plan, g_ptr_array_new_with_free_func(case_free),
                           g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
                           g_array_new(FALSE, TRUE, sizeof(ValidateCase *))};
    if (!check_list("--place", plan->places, rows, error))
        return FALSE;
    for (guint i = 0; i < rows->rows->len; i++) {
        const ValidateRow *row = &g_array_index(rows->rows, ValidateRow, i);
        const CaseName name = {row->collective, row->algorithm, row->bytes, 1};
        ValidateCase *x = NULL;
        if (*row->algorithm && !(x = find_case(&cases, row, &name, plan->platform, error)))
            return FALSE;
        g_array_append_val(cases.of_row, x);
    }
    const ParallelWork work = {.run = run_case, .what = "runs"};
    if (!parallel_run(cases.all, &work, error))
        return FALSE;
    for (guint i = 0; i < rows->rows->len; i++) {
        const ValidateCase *x = g_array_index(cases.of_row, ValidateCase *, i);
        if (x)
            g_array_index(rows->rows, ValidateRow, i).predicted_s = x->time_s;
    }
    return TRUE;
}
