#include "ask/machines.h"
#include "base/error.h"
#include <string.h>

enum { MOST_MACHINES = 10000 };

static void machine_free(gpointer data)
{
    AskedMachine *x = data;
    g_free(x->platform);
    g_strfreev(x->sets);
    g_free(x);
}

char **machines_split(const char *list)
{
    char **items = g_strsplit(*list ? list : " ", ",", -1);
    for (char **item = items; *item; item++)
        g_strstrip(*item);
    return items;
}

// Returns the values of KEY=VALUE,VALUE.. as KEY=VALUE each. Free with g_strfreev.
static char **assignments_of(const char *set)
{
    const size_t key = strcspn(set, "=");
    if (!set[key])
        return g_strsplit(set, "=", 1); // not an assignment, which ask_sets reports
    char **values = machines_split(set + key + 1);
    for (char **value = values; *value; value++) {
        char *whole = g_strdup_printf("%.*s=%s", (int)key, set, *value);
        g_free(*value);
        *value = whole;
    }
    return values;
}

// Returns the variant with one more assignment.
static AskedMachine *extended(const AskedMachine *x, const char *assignment)
{
    const guint n = x->sets ? g_strv_length(x->sets) : 0;
    AskedMachine *more = g_new0(AskedMachine, 1);
    more->platform = g_strdup(x->platform);
    more->sets = g_new0(char *, n + 2);
    for (guint i = 0; i < n; i++)
        more->sets[i] = g_strdup(x->sets[i]);
    more->sets[n] = g_strdup(assignment);
    return more;
}

static GPtrArray *of_platforms(const char *platforms)
{
    GPtrArray *all = g_ptr_array_new_with_free_func(machine_free);
    g_auto(GStrv) names = platforms && !g_file_test(platforms, G_FILE_TEST_EXISTS) ? machines_split(platforms) : NULL;
    for (guint i = 0; i == 0 || (names && names[i]); i++) {
        AskedMachine *x = g_new0(AskedMachine, 1);
        x->platform = g_strdup(names ? names[i] : platforms);
        g_ptr_array_add(all, x);
    }
    return all;
}

GPtrArray *machines_make(const char *platforms, char **sets, GError **error)
{
    g_autoptr(GPtrArray) all = of_platforms(platforms);
    for (char **set = sets; set && *set; set++) {
        g_auto(GStrv) values = assignments_of(*set);
        if (all->len > MOST_MACHINES / g_strv_length(values)) {
            bad_input(error, "--platform and --set have too many combinations; allowed: %d", MOST_MACHINES);
            return NULL;
        }
        GPtrArray *more = g_ptr_array_new_with_free_func(machine_free);
        for (guint i = 0; i < all->len; i++)
            for (char **value = values; *value; value++)
                g_ptr_array_add(more, extended(all->pdata[i], *value));
        g_ptr_array_unref(all);
        all = more;
    }
    return g_steal_pointer(&all);
}
