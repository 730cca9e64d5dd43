#include "only.h"
#include "base/nearest.h"
#include "registry/registry.h"
#include <stdlib.h>
#include <string.h>

static char *full_name(const CollAlgorithm *a)
{
    return g_strconcat(collectives[a->collective].name, "/", a->name, NULL);
}

// Ends the program: running nothing, or everything, would both look like success.
static void G_GNUC_NORETURN refuse(const char *given)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (int i = 0; i < n_algorithms; i++)
        g_ptr_array_add(names, full_name(algorithms[i]));
    g_ptr_array_add(names, NULL);
    const char *near = nearest_name(given, (const char *const *)names->pdata);
    g_printerr("ALGO=%s is not an algorithm%s%s%s allowed: COLLECTIVE/NAME, see `collsim list`\n", given,
               near ? ", did you mean " : ";", near ? near : "", near ? "?" : "");
    exit(2);
}

static int find(const char *given)
{
    const char *slash = strchr(given, '/');
    for (int i = 0; slash && i < n_algorithms; i++) {
        const char *collective = collectives[algorithms[i]->collective].name;
        if (strlen(collective) == (size_t)(slash - given) && strncmp(given, collective, strlen(collective)) == 0 &&
            algorithm_find(algorithms[i]->collective, slash + 1) == algorithms[i])
            return i;
    }
    refuse(given);
}

// Returns the index of the only algorithm, or -1 if the tests go over all.
static int only_index(void)
{
    const char *given = g_getenv("COLLSIM_ALGO");
    return given && *given ? find(given) : -1;
}

const CollAlgorithm *only_one(void)
{
    const int i = only_index();
    return i < 0 ? NULL : algorithms[i];
}

int only_first(void)
{
    return MAX(only_index(), 0);
}

int only_end(void)
{
    const int i = only_index();
    return i < 0 ? n_algorithms : i + 1;
}

void only_visited(int64_t n)
{
    const CollAlgorithm *a = only_one();
    g_test_message("%" G_GINT64_FORMAT " points", n);
    if (!a || n > 0)
        return;
    g_autofree char *name = full_name(a);
    g_autofree char *reason = g_strdup_printf("%s runs at none of the points of this test", name);
    g_test_skip(reason);
}

static void skip(const void *reason)
{
    g_test_skip(reason);
}

void only_add_skipped(const char *path, const char *reason)
{
    g_test_add_data_func(path, reason, skip);
}
